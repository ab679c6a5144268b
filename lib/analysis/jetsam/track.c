// SPDX-License-Identifier: MIT
/*
 * One process over many jetsam logs: footprint, growth, and distance from its
 * limit.
 */
#include "lib/analysis/jetsam/jetsam.h"
#include "lib/analysis/jetsam/trend.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/units.h"
#include "lib/darwin/jetsam.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_MS ((int64_t)3600 * 1000)
/** Dates of logs are rounded, and clocks are set. */
#define AGE_SLACK_MS ((int64_t)60 * 1000)

/** By time; logs without a time last, in input order. */
static int compare_points(const void *left, const void *right)
{
	const struct jetsam_point *a = left;
	const struct jetsam_point *b = right;

	if (a->has_time != b->has_time)
		return a->has_time ? -1 : 1;
	if (a->has_time && a->time_ms != b->time_ms)
		return a->time_ms < b->time_ms ? -1 : 1;
	return a->index < b->index ? -1 : 1;
}

/** By device, then by time. */
static int compare_devices(const void *left, const void *right)
{
	const struct jetsam_point *a =
	        *(const struct jetsam_point *const *)left;
	const struct jetsam_point *b =
	        *(const struct jetsam_point *const *)right;
	int order = strcmp(a->device, b->device);

	if (!order)
		order = strcmp(a->product, b->product);
	return order ? order : compare_points(a, b);
}

/**
 * Can a process that was @p before_ms old in the earlier log have its current
 * age? Ages are counted by a clock that stops while the device sleeps
 * (mach_absolute_time), so the age may have grown by less than the time between
 * the logs, but not by more.
 */
static bool ages_agree(const struct jetsam_point *before,
                       const struct jetsam_point *point)
{
	int64_t passed = point->time_ms - before->time_ms;

	return before->has_age && point->has_age &&
	       point->age_ms >= before->age_ms &&
	       point->age_ms - before->age_ms <=
	               (uint64_t)(passed + AGE_SLACK_MS);
}

/**
 * Is it the same process? Ids are reused after a boot, and by later processes.
 */
static bool is_same_life(const struct jetsam_point *before,
                         const struct jetsam_point *point)
{
	return *point->device && !strcmp(before->device, point->device) &&
	       !strcmp(before->product, point->product) && before->has_pid &&
	       point->has_pid && before->pid == point->pid &&
	       uuid_equal(&before->uuid, &point->uuid) && !before->reason &&
	       before->has_time && point->has_time && ages_agree(before, point);
}

/** Logs of several devices may be in one directory, and alternate in time. */
static void link_lives(struct jetsam_trend *trend)
{
	size_t count = trend->point_count;
	SCOPED(mem_drop)
	struct jetsam_point **lives = mem_zalloc(count, sizeof(*lives));

	for (size_t i = 0; i < count; i++)
		lives[i] = &trend->points[i];
	qsort(lives, count, sizeof(*lives), compare_devices);
	for (size_t i = 0; i < count; i++)
		lives[i]->before = i && is_same_life(lives[i - 1], lives[i])
		                           ? lives[i - 1]
		                           : NULL;
}

/** Can this be the limit of the process in that log? */
static bool may_hold(const struct jetsam_known_limit *known,
                     const struct jetsam_point *point)
{
	return !strcmp(known->product, point->product) &&
	       known->app_state == point->app_state &&
	       // It survived this footprint, so the limit is not lower.
	       known->bytes >= jetsam_point_height(point) &&
	       (!known->is_of_lesser ||
	        (!uuid_is_zero(&point->uuid) &&
	         uuid_equal(&known->uuid, &point->uuid)));
}

/** How much it has in common with the point: the system, then the program. */
static unsigned likeness(const struct jetsam_known_limit *known,
                         const struct jetsam_point *point)
{
	return (!strcmp(known->os, point->os) ? 2U : 0U) +
	       (uuid_equal(&known->uuid, &point->uuid) ? 1U : 0U);
}

/**
 * The limit from logs for this process on this device: from the log itself,
 * else from the most similar one; of several the lowest.
 */
static uint64_t known_limit(const struct jetsam_trend *trend,
                            const struct jetsam_point *point)
{
	const struct jetsam_known_limit *best = NULL;

	if (point->own_limit_bytes)
		return point->own_limit_bytes;
	for (size_t i = 0; i < trend->known_count; i++) {
		const struct jetsam_known_limit *known = &trend->known[i];
		int order;

		if (!may_hold(known, point))
			continue;
		order = best ? (int)likeness(known, point) -
		                        (int)likeness(best, point)
		             : 1;
		if (order > 0 || (!order && known->bytes < best->bytes))
			best = known;
	}
	return best ? best->bytes : 0;
}

enum {
	PROCESS_DATE,
	PROCESS_INPUT,
	PROCESS_DEVICE,
	PROCESS_OS,
	PROCESS_PID,
	PROCESS_COUNT,
	PROCESS_MIB,
	PROCESS_PEAK,
	PROCESS_GROWTH,
	PROCESS_LIMIT,
	PROCESS_LIMIT_SOURCE,
	PROCESS_LEFT,
	PROCESS_STATES,
	PROCESS_REASON,
	PROCESS_COALITION,
	PROCESS_COALITION_MIB,
	PROCESS_COALITION_GROWTH,
	PROCESS_COLUMNS,
};

static const struct table_column process_columns[PROCESS_COLUMNS] = {
	[PROCESS_DATE] = { "date", "date", TABLE_TEXT },
	[PROCESS_INPUT] = { "input", "file", TABLE_PATH },
	[PROCESS_DEVICE] = { "device", "device", TABLE_TEXT },
	[PROCESS_OS] = { "os", "system", TABLE_TEXT },
	[PROCESS_PID] = { "pid", "pid", TABLE_NUMBER },
	[PROCESS_COUNT] = { "count", NULL, TABLE_NUMBER },
	[PROCESS_MIB] = { "mib", "MiB", TABLE_DECIMAL },
	[PROCESS_PEAK] = { "peak_mib", "max MiB", TABLE_DECIMAL },
	[PROCESS_GROWTH] = { "growth_mib_per_hour", "MiB/h", TABLE_DECIMAL },
	[PROCESS_LIMIT] = { "limit_mib", "limit MiB", TABLE_DECIMAL },
	[PROCESS_LIMIT_SOURCE] = { "limit_source", "by", TABLE_TEXT },
	[PROCESS_LEFT] = { "left_mib", "left MiB", TABLE_DECIMAL },
	[PROCESS_STATES] = { "states", "states", TABLE_TEXT },
	[PROCESS_REASON] = { "reason", "killed", TABLE_TEXT },
	[PROCESS_COALITION] = { "coalition_processes", NULL, TABLE_NUMBER },
	[PROCESS_COALITION_MIB] = { "coalition_mib", NULL, TABLE_DECIMAL },
	[PROCESS_COALITION_GROWTH] = { "coalition_growth_mib_per_hour", NULL,
	                               TABLE_DECIMAL },
};

static int64_t difference(uint64_t a, uint64_t b)
{
	// Footprints have at most 60 bits.
	return (int64_t)a - (int64_t)b;
}

/** MiB per hour, for a growth of @p bytes since the previous log. */
static const char *growth_text(struct arena *arena,
                               const struct jetsam_point *point, int64_t bytes,
                               bool for_people)
{
	int64_t kib = bytes / 1024;
	int64_t ms = point->time_ms - point->before->time_ms;

	// Logs less than a minute apart give no rate.
	if (ms < 60 * 1000 || kib > INT64_MAX / HOUR_MS ||
	    kib < INT64_MIN / HOUR_MS)
		return NULL;
	return jetsam_mib_text(arena, kib * HOUR_MS / ms * 1024, for_people);
}

/** The process and its helpers. */
static void add_coalition(struct table_cell *cells, struct arena *arena,
                          const struct jetsam_point *point, bool for_people)
{
	const struct jetsam_point *before = point->before;

	table_set_number(&cells[PROCESS_COALITION], point->coalition_size);
	table_set_text(&cells[PROCESS_COALITION_MIB],
	               jetsam_mib_text(arena, (int64_t)point->coalition_bytes,
	                               for_people));
	if (before)
		table_set_text(&cells[PROCESS_COALITION_GROWTH],
		               growth_text(arena, point,
		                           difference(point->coalition_bytes,
		                                      before->coalition_bytes),
		                           for_people));
}

/** Values of the process in a log, and derived ones. */
static void add_row(struct table *table, struct arena *arena,
                    const struct jetsam_point *point, bool for_people)
{
	const struct jetsam_point *before = point->before;
	struct table_cell *cells = table_add_row(table, arena);
	uint64_t limit = jetsam_point_limit(point);

	table_set_text(&cells[PROCESS_DATE], point->date);
	table_set_text(&cells[PROCESS_INPUT], point->input);
	table_set_text(&cells[PROCESS_DEVICE],
	               *point->product ? point->product : NULL);
	table_set_text(&cells[PROCESS_OS], *point->os ? point->os : NULL);
	if (point->has_pid)
		table_set_number(&cells[PROCESS_PID], point->pid);
	table_set_number(&cells[PROCESS_COUNT], point->count);
	table_set_text(
	        &cells[PROCESS_MIB],
	        jetsam_mib_text(arena, (int64_t)point->bytes, for_people));
	table_set_text(
	        &cells[PROCESS_PEAK],
	        jetsam_mib_text(arena, (int64_t)point->peak_bytes, for_people));
	if (before)
		table_set_text(
		        &cells[PROCESS_GROWTH],
		        growth_text(arena, point,
		                    difference(point->bytes, before->bytes),
		                    for_people));
	if (limit) {
		int64_t left = difference(limit, jetsam_point_height(point));

		table_set_text(
		        &cells[PROCESS_LIMIT],
		        jetsam_mib_text(arena, (int64_t)limit, for_people));
		table_set_text(&cells[PROCESS_LIMIT_SOURCE],
		               point->limit_bytes ? "log" : "hint");
		table_set_text(&cells[PROCESS_LEFT],
		               jetsam_mib_text(arena, left, for_people));
	}
	table_set_text(&cells[PROCESS_STATES], point->states);
	table_set_text(&cells[PROCESS_REASON], point->reason);
	add_coalition(cells, arena, point, for_people);
}

/** With its coalition, if it had helpers in any log. */
static const struct table_column *choose_columns(
        const struct jetsam_trend *trend, struct arena *arena)
{
	struct table_column *columns;
	size_t helpers = 0;

	for (size_t i = 0; i < trend->point_count; i++)
		helpers += trend->points[i].coalition_size - 1;
	if (!helpers)
		return process_columns;
	columns = arena_array(arena, PROCESS_COLUMNS, sizeof(*columns));
	memcpy(columns, process_columns, sizeof(process_columns));
	columns[PROCESS_COALITION].title = "with helpers";
	columns[PROCESS_COALITION_MIB].title = "together MiB";
	columns[PROCESS_COALITION_GROWTH].title = "together MiB/h";
	return columns;
}

struct table *jetsam_trend_process(struct jetsam_trend *trend, bool for_people,
                                   struct arena *arena)
{
	static const char *const spare[] = {
		"coalition_growth_mib_per_hour",
		"device",
		"os",
		"states",
		"limit_source",
		"pid",
		"coalition_processes",
		"input",
		"peak_mib",
		"coalition_mib",
		"reason",
		"growth_mib_per_hour",
		NULL,
	};
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "jetsam-process",
		.columns = choose_columns(trend, arena),
		.column_count = PROCESS_COLUMNS,
		.spare = spare,
		.summary = arena_printf(
		        arena, "%s: in %zu of %zu log%s, kills: %s%zu",
		        trend->process, trend->point_count, trend->log_count,
		        text_plural(trend->log_count),
		        trend->truncated_count ? "at least " : "",
		        trend->victim_count),
	};
	if (trend->point_count)
		qsort(trend->points, trend->point_count, sizeof(*trend->points),
		      compare_points);
	link_lives(trend);
	for (size_t i = 0; i < trend->point_count; i++) {
		struct jetsam_point *point = &trend->points[i];

		point->limit_bytes = known_limit(trend, point);
		add_row(table, arena, point, for_people);
	}
	return table;
}

/** Height of a chart's column in KiB: the max, if it covers several logs. */
static uint64_t column_height(const struct jetsam_trend *trend, size_t column,
                              size_t columns)
{
	size_t count = trend->point_count;
	uint64_t high = 0;

	for (size_t i = column * count / columns;
	     i < (column + 1) * count / columns; i++)
		if (trend->points[i].bytes >> 10 > high)
			high = trend->points[i].bytes >> 10;
	return high;
}

void jetsam_trend_chart(const struct jetsam_trend *trend, size_t most_columns,
                        struct str *out)
{
	static const char *const blocks[] = { "\u2581", "\u2582", "\u2583",
		                              "\u2584", "\u2585", "\u2586",
		                              "\u2587", "\u2588" };
	size_t count = trend->point_count;
	size_t width = count < most_columns ? count : most_columns;
	uint64_t max = 1;

	for (size_t i = 0; i < width; i++)
		if (column_height(trend, i, width) > max)
			max = column_height(trend, i, width);
	for (size_t i = 0; i < width; i++)
		str_add(out, blocks[column_height(trend, i, width) *
		                    (ARRAY_SIZE(blocks) - 1) / max]);
}

static void set_footprint(struct table_cell *cell,
                          const struct jetsam_point *point, struct arena *arena)
{
	table_set_text(cell,
	               jetsam_mib_text(arena, (int64_t)point->bytes, true));
}

struct table *jetsam_trend_chart_table(const struct jetsam_trend *trend,
                                       size_t most_columns, struct arena *arena)
{
	static const struct table_column columns[] = {
		{ "footprints", "in each log", TABLE_SERIES },
		{ "first_mib", "first MiB", TABLE_DECIMAL },
		{ "most_mib", "largest MiB", TABLE_DECIMAL },
		{ "last_mib", "last MiB", TABLE_DECIMAL },
	};
	size_t count = trend->point_count, max = 0;
	size_t width = count < most_columns ? count : most_columns;
	struct table_series *series = arena_alloc(arena, sizeof(*series));
	uint32_t *counts = arena_array(arena, width, sizeof(*counts));
	struct table *table = arena_alloc(arena, sizeof(*table));
	struct table_cell *cells;

	*table = (struct table){ .name = "jetsam-chart",
		                 .columns = columns,
		                 .column_count = ARRAY_SIZE(columns) };
	for (size_t i = 0; i < width; i++)
		counts[i] = (uint32_t)(column_height(trend, i, width) >> 6);
	for (size_t i = 0; i < count; i++)
		if (trend->points[i].bytes > trend->points[max].bytes)
			max = i;
	*series = (struct table_series){
		.counts = counts,
		.count = width,
		.is_large = true,
		.words = arena_printf(arena, "footprints of %zu logs", count),
	};
	cells = table_add_row(table, arena);
	table_set_series(&cells[0], series);
	set_footprint(&cells[1], &trend->points[0], arena);
	set_footprint(&cells[2], &trend->points[max], arena);
	set_footprint(&cells[3], &trend->points[count - 1], arena);
	return table;
}

uint64_t jetsam_point_limit(const struct jetsam_point *point)
{
	return point->limit_bytes ? point->limit_bytes : point->reference_bytes;
}

uint64_t jetsam_point_height(const struct jetsam_point *point)
{
	return point->app_state == JETSAM_APP_STATE_FOREGROUND
	               ? point->peak_bytes
	               : point->bytes;
}

uint64_t jetsam_point_room(const struct jetsam_point *point)
{
	uint64_t limit = jetsam_point_limit(point);
	uint64_t height = jetsam_point_height(point);

	return height < limit ? limit - height : 0;
}

/** Is the rest of the limit less than the gate allows? */
static bool is_closer(const struct jetsam_point *point,
                      const struct jetsam_gate *gate)
{
	uint64_t room = jetsam_point_room(point);

	// At its limit is too close by any measure.
	if (!room)
		return true;
	// Footprints have at most 60 bits: compute in KiB.
	if (gate->is_percent)
		return (room >> 10) * 100 <
		       (jetsam_point_limit(point) >> 10) * gate->value;
	return room < gate->value * UNITS_MIB;
}

/** The rest of the limit, in the unit of the gate. */
static uint64_t measure_room(const struct jetsam_point *point,
                             const struct jetsam_gate *gate)
{
	uint64_t room = jetsam_point_room(point);

	if (gate->is_percent)
		return (room >> 10) * 1000 / (jetsam_point_limit(point) >> 10);
	return room;
}

bool jetsam_gate_read(const char *value, struct jetsam_gate *ret)
{
	struct text digits = text_from(value);

	ret->is_percent = text_ends(digits, "%");
	if (ret->is_percent)
		digits = text_first(digits, digits.size - 1);
	return number_decimal(digits, &ret->value) &&
	       ret->value <= (ret->is_percent ? 100 : 1 << 20);
}

enum jetsam_gate_answer jetsam_trend_gate(const struct jetsam_trend *trend,
                                          const struct jetsam_gate *gate,
                                          const struct jetsam_point **ret)
{
	const struct jetsam_point *closest = NULL;

	for (size_t i = 0; i < trend->point_count; i++) {
		const struct jetsam_point *point = &trend->points[i];

		if (jetsam_point_limit(point) &&
		    (!closest ||
		     measure_room(point, gate) < measure_room(closest, gate)))
			closest = point;
	}
	if (!closest)
		return JETSAM_NO_LIMIT;
	*ret = closest;
	return is_closer(closest, gate) ? JETSAM_CLOSER : JETSAM_KEPT;
}
