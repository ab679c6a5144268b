/*
 * One process over many jetsam logs: its footprint, how fast it grew, what
 * was left to its limit.
 */
#include "lib/analysis/jetsam.h"
#include "lib/analysis/jetsam_names.h"
#include "lib/analysis/jetsam_trend.h"
#include "lib/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MIB         ((uint64_t)1 << 20)
#define HOUR_MS     ((int64_t)3600 * 1000)
#define CHART_WIDTH 60

/** By time; logs without one last, in the order they came. */
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

/** By device and process id; in order of time where these are the same. */
static int compare_lives(const void *left, const void *right)
{
	const struct jetsam_point *a =
	        *(const struct jetsam_point *const *)left;
	const struct jetsam_point *b =
	        *(const struct jetsam_point *const *)right;
	int order = strcmp(a->device, b->device);

	if (!order)
		order = strcmp(a->product, b->product);
	if (!order && a->pid != b->pid)
		order = a->pid < b->pid ? -1 : 1;
	return order ? order : compare_points(a, b);
}

/** Was it one process all the time? Ids are given out again after a boot. */
static bool is_same_life(const struct jetsam_point *before,
                         const struct jetsam_point *point)
{
	return before->has_pid && point->has_pid && before->pid == point->pid &&
	       !strcmp(before->device, point->device) &&
	       !strcmp(before->product, point->product) &&
	       !(before->has_age && point->has_age &&
	         point->age_ms < before->age_ms);
}

/** Logs of several devices may lie in one folder, and alternate in time. */
static void link_lives(struct jetsam_trend *trend)
{
	size_t count = trend->point_count;
	SCOPED(mem_drop)
	struct jetsam_point **lives = mem_zalloc(count, sizeof(*lives));

	for (size_t i = 0; i < count; i++)
		lives[i] = &trend->points[i];
	qsort(lives, count, sizeof(*lives), compare_lives);
	for (size_t i = 0; i < count; i++)
		lives[i]->before = i && is_same_life(lives[i - 1], lives[i])
		                           ? lives[i - 1]
		                           : NULL;
}

/**
 * The limit that logs tell of this process on this device: of the same system
 * where there is one, else the least of any.
 */
static uint64_t known_limit(const struct jetsam_trend *trend,
                            const struct jetsam_point *point)
{
	uint64_t other = 0;

	for (size_t i = 0; i < trend->limit_count; i++) {
		const struct jetsam_limit_row *row = &trend->limits[i];

		if (strcmp(row->product, point->product) != 0 ||
		    !jetsam_is_name(row->process, trend->process))
			continue;
		if (!strcmp(row->os, point->os))
			return row->least_bytes;
		if (!other || row->least_bytes < other)
			other = row->least_bytes;
	}
	return other;
}

static int64_t difference(uint64_t a, uint64_t b)
{
	// Footprints have 60 bits at most.
	return (int64_t)a - (int64_t)b;
}

/** Tenths of a MiB, rounded, with its sign. */
static const char *tenths_text(struct arena *arena, int64_t kib)
{
	int64_t size = ((kib < 0 ? -kib : kib) * 10 + 512) / 1024;

	return arena_printf(arena, "%s%" PRId64 ".%" PRId64,
	                    kib < 0 && size ? "-" : "", size / 10, size % 10);
}

/** MiB in an hour, since the log before; NULL where there is none to tell. */
static const char *growth_text(struct arena *arena,
                               const struct jetsam_point *point)
{
	const struct jetsam_point *before = point->before;
	int64_t kib, ms;

	if (!before || !point->has_time || !before->has_time)
		return NULL;
	kib = difference(point->bytes, before->bytes) / 1024;
	ms = point->time_ms - before->time_ms;
	// Two logs of one minute tell of no hour.
	if (ms < 60 * 1000 || kib > INT64_MAX / HOUR_MS ||
	    kib < INT64_MIN / HOUR_MS)
		return NULL;
	return tenths_text(arena, kib * HOUR_MS / ms);
}

static void add_row(struct table *table, struct arena *arena,
                    const struct jetsam_point *point)
{
	struct table_cell *cells = table_add_row(table, arena);
	uint64_t limit = jetsam_point_limit(point);

	table_set_text(&cells[0], point->date);
	table_set_text(&cells[1], point->input);
	table_set_text(&cells[2], *point->product ? point->product : NULL);
	table_set_text(&cells[3], *point->os ? point->os : NULL);
	if (point->has_pid)
		table_set_number(&cells[4], point->pid);
	table_set_number(&cells[5], point->count);
	table_set_text(&cells[6],
	               tenths_text(arena, (int64_t)(point->bytes >> 10)));
	table_set_text(&cells[7],
	               tenths_text(arena, (int64_t)(point->peak_bytes >> 10)));
	table_set_text(&cells[8], growth_text(arena, point));
	if (limit) {
		table_set_text(&cells[9],
		               tenths_text(arena, (int64_t)(limit >> 10)));
		table_set_text(&cells[10], point->limit_bytes ? "log" : "hint");
		table_set_text(
		        &cells[11],
		        tenths_text(arena,
		                    difference(limit, point->bytes) / 1024));
	}
	table_set_text(&cells[12], point->states);
	table_set_text(&cells[13], point->reason);
}

struct table *jetsam_trend_process(struct jetsam_trend *trend,
                                   struct arena *arena)
{
	static const struct table_column columns[] = {
		{ "date", "date", TABLE_TEXT },
		{ "input", NULL, TABLE_TEXT },
		{ "device", "device", TABLE_TEXT },
		{ "os", "system", TABLE_TEXT },
		{ "pid", "pid", TABLE_NUMBER },
		{ "count", NULL, TABLE_NUMBER },
		{ "mib", "MiB", TABLE_DECIMAL },
		{ "peak_mib", "max MiB", TABLE_DECIMAL },
		{ "growth_mib_per_hour", "MiB/h", TABLE_DECIMAL },
		{ "limit_mib", "limit MiB", TABLE_DECIMAL },
		{ "limit_source", "by", TABLE_TEXT },
		{ "left_mib", "left MiB", TABLE_DECIMAL },
		{ "states", "states", TABLE_TEXT },
		{ "reason", "killed", TABLE_TEXT },
	};
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "jetsam-process",
		.columns = columns,
		.column_count = ARRAY_SIZE(columns),
		.summary = arena_printf(arena,
		                        "%s: in %zu of %zu logs, deaths: %zu",
		                        trend->process, trend->point_count,
		                        trend->log_count, trend->victim_count),
	};
	if (trend->point_count)
		qsort(trend->points, trend->point_count, sizeof(*trend->points),
		      compare_points);
	link_lives(trend);
	for (size_t i = 0; i < trend->point_count; i++) {
		struct jetsam_point *point = &trend->points[i];

		point->limit_bytes = known_limit(trend, point);
		add_row(table, arena, point);
	}
	return table;
}

void jetsam_trend_chart(const struct jetsam_trend *trend, struct str *out)
{
	static const char *const blocks[] = { "\u2581", "\u2582", "\u2583",
		                              "\u2584", "\u2585", "\u2586",
		                              "\u2587", "\u2588" };
	uint64_t most = 1;
	size_t count = trend->point_count;
	size_t width = count < CHART_WIDTH ? count : CHART_WIDTH;

	for (size_t i = 0; i < count; i++)
		if (trend->points[i].bytes >> 10 > most)
			most = trend->points[i].bytes >> 10;
	// Where there are more logs than columns, a column is its highest.
	for (size_t column = 0; column < width; column++) {
		uint64_t high = 0;

		for (size_t i = column * count / width;
		     i < (column + 1) * count / width; i++)
			if (trend->points[i].bytes >> 10 > high)
				high = trend->points[i].bytes >> 10;
		str_add(out, blocks[high * (ARRAY_SIZE(blocks) - 1) / most]);
	}
}

uint64_t jetsam_point_limit(const struct jetsam_point *point)
{
	return point->limit_bytes ? point->limit_bytes : point->hint_bytes;
}

uint64_t jetsam_point_room(const struct jetsam_point *point)
{
	uint64_t limit = jetsam_point_limit(point);

	return point->peak_bytes < limit ? limit - point->peak_bytes : 0;
}

/** Is what was left of the limit less than the gate allows? */
static bool is_closer(const struct jetsam_point *point,
                      const struct jetsam_gate *gate)
{
	uint64_t room = jetsam_point_room(point);

	// Footprints have 60 bits at most: a KiB is the unit.
	if (gate->is_percent)
		return (room >> 10) * 100 <
		       (jetsam_point_limit(point) >> 10) * gate->value;
	return room < gate->value * MIB;
}

/** How much was left, in the measure of the gate. */
static uint64_t measure_room(const struct jetsam_point *point,
                             const struct jetsam_gate *gate)
{
	uint64_t room = jetsam_point_room(point);

	if (gate->is_percent)
		return (room >> 10) * 1000 / (jetsam_point_limit(point) >> 10);
	return room;
}

enum jetsam_answer jetsam_trend_gate(const struct jetsam_trend *trend,
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
