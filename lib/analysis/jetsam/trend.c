#include "lib/analysis/jetsam/trend.h"

#include "lib/analysis/jetsam/jetsam.h"
#include "lib/analysis/jetsam/names.h"
#include "lib/base/mem.h"
#include "lib/base/timestamp.h"
#include "lib/model/jetsam.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *kept(struct jetsam_trend *trend, const char *text)
{
	return arena_strdup(&trend->names, text ? text : "");
}

static const char *kept_or_null(struct jetsam_trend *trend, const char *text)
{
	return text ? arena_strdup(&trend->names, text) : NULL;
}

static bool same(const char *text, const char *other)
{
	return !strcmp(text, other ? other : "");
}

// What a log adds

/**
 * The collected limits are those of apps in front, and of nothing else:
 * extensions are active, too, but never frontmost.
 */
static uint64_t hint_for(const struct jetsam *jetsam,
                         const struct jetsam_process *process)
{
	bool is_app = process->states
	                      ? process->states & JETSAM_FRONTMOST &&
	                                !(process->states & JETSAM_DAEMON)
	                      : process->stand == JETSAM_STAND_FOREGROUND;

	return is_app ? jetsam->hint.limit_bytes : 0;
}

static struct jetsam_limit_row *limit_row(struct jetsam_trend *trend,
                                          const struct report *report,
                                          const struct jetsam_process *process)
{
	struct jetsam_limit_row *row;

	for (size_t i = 0; i < trend->limit_count; i++) {
		row = &trend->limits[i];
		if (same(row->product, report->hardware_model) &&
		    same(row->os, report->os_version) &&
		    same(row->process, process->name) &&
		    row->stand == process->stand)
			return row;
	}
	if (trend->limit_count == JETSAM_TREND_ROWS_MAX) {
		trend->dropped++;
		return NULL;
	}
	MEM_GROW(trend->limits, trend->limit_count, trend->limit_cap);
	row = &trend->limits[trend->limit_count++];
	*row = (struct jetsam_limit_row){
		.product = kept(trend, report->hardware_model),
		.model = kept(trend, report->jetsam->model),
		.os = kept(trend, report->os_version),
		.process = kept(trend, process->name),
		.stand = process->stand,
		.least_bytes = UINT64_MAX,
		.hint_bytes = hint_for(report->jetsam, process),
		.hint_os = kept(trend, report->jetsam->hint.os),
		.hint_source = kept(trend, report->jetsam->hint.source),
	};
	return row;
}

static void add_limit(struct jetsam_trend *trend, const struct report *report,
                      const struct jetsam_victim *victim)
{
	uint64_t bytes = victim->limit_bytes.value;
	struct jetsam_limit_row *row;

	if (!victim->limit_bytes.known)
		return;
	row = limit_row(trend, report, victim->process);
	if (!row)
		return;
	row->deaths++;
	row->hint_disagrees |= jetsam_disagrees(victim, &report->jetsam->hint);
	if (bytes < row->least_bytes)
		row->least_bytes = bytes;
	if (bytes > row->most_bytes)
		row->most_bytes = bytes;
}

static struct jetsam_reason_row *reason_row(struct jetsam_trend *trend,
                                            const char *reason)
{
	for (size_t i = 0; i < trend->reason_count; i++)
		if (!strcmp(trend->reasons[i].reason, reason))
			return &trend->reasons[i];
	if (trend->reason_count == JETSAM_TREND_ROWS_MAX) {
		trend->dropped++;
		return NULL;
	}
	MEM_GROW(trend->reasons, trend->reason_count, trend->reason_cap);
	trend->reasons[trend->reason_count] = (struct jetsam_reason_row){
		.reason = kept(trend, reason),
	};
	return &trend->reasons[trend->reason_count++];
}

static void add_reason(struct jetsam_trend *trend,
                       const struct jetsam_victim *victim)
{
	uint64_t bytes = victim->process->footprint_bytes.value;
	struct jetsam_reason_row *row;

	if (trend->process &&
	    !jetsam_is_name(victim->process->name, trend->process))
		return;
	trend->victim_count++;
	row = reason_row(trend, victim->process->reason);
	if (!row)
		return;
	row->deaths++;
	row->foreground += victim->stand == JETSAM_STAND_FOREGROUND;
	row->background += victim->stand == JETSAM_STAND_BACKGROUND;
	row->system += victim->stand == JETSAM_STAND_SYSTEM;
	row->unknown += victim->stand == JETSAM_STAND_UNKNOWN;
	if (bytes > row->most_bytes)
		row->most_bytes = bytes;
}

/** Of the limits that differ in nothing else, the least. */
static void keep_limit(struct jetsam_trend *trend,
                       const struct jetsam_known_limit *limit)
{
	for (size_t i = 0; i < trend->known_count; i++) {
		struct jetsam_known_limit *known = &trend->known[i];

		if (strcmp(known->product, limit->product) != 0 ||
		    strcmp(known->os, limit->os) != 0 ||
		    !uuid_equal(&known->uuid, &limit->uuid) ||
		    known->stand != limit->stand ||
		    known->is_of_lesser != limit->is_of_lesser)
			continue;
		if (limit->bytes < known->bytes)
			known->bytes = limit->bytes;
		return;
	}
	if (trend->known_count == JETSAM_TREND_ROWS_MAX) {
		trend->dropped++;
		return;
	}
	MEM_GROW(trend->known, trend->known_count, trend->known_cap);
	trend->known[trend->known_count] = *limit;
	trend->known[trend->known_count].product = kept(trend, limit->product);
	trend->known[trend->known_count].os = kept(trend, limit->os);
	trend->known_count++;
}

/** What the log tells of the limit of the process that is followed. */
static void add_known(struct jetsam_trend *trend, const struct report *report,
                      const struct jetsam_process *found)
{
	const struct jetsam *jetsam = report->jetsam;
	const char *product = report->hardware_model;
	const char *os = report->os_version;

	for (size_t i = 0; i < jetsam->victim_count; i++) {
		const struct jetsam_victim *victim = &jetsam->victims[i];
		const struct jetsam_process *process = victim->process;

		if (!victim->limit_bytes.known ||
		    !jetsam_is_name(process->name, trend->process))
			continue;
		keep_limit(trend, &(struct jetsam_known_limit){
		                          .product = product ? product : "",
		                          .os = os ? os : "",
		                          .uuid = process->uuid,
		                          .stand = process->stand,
		                          .is_of_lesser = process != found,
		                          .bytes = victim->limit_bytes.value,
		                  });
	}
}

/** The limit that it was killed at; 0: it was not. */
static uint64_t own_limit(const struct jetsam *jetsam,
                          const struct jetsam_process *process)
{
	for (size_t i = 0; i < jetsam->victim_count; i++)
		if (jetsam->victims[i].process == process)
			return jetsam->victims[i].limit_bytes.value;
	return 0;
}

static void add_point(struct jetsam_trend *trend, const struct report *report,
                      const struct jetsam_process *process, size_t count)
{
	uint64_t peak = process->lifetime_bytes.value;
	uint64_t bytes = process->footprint_bytes.value;
	struct jetsam_point *point;
	int64_t time = 0;
	bool has_time = report->date_time &&
	                timestamp_parse(text_from(report->date_time), &time);

	MEM_GROW(trend->points, trend->point_count, trend->point_cap);
	point = &trend->points[trend->point_count++];
	*point = (struct jetsam_point){
		.index = trend->log_count,
		.time_ms = time,
		.has_time = has_time,
		.date = kept_or_null(trend, report->date_time),
		.input = kept_or_null(trend, report->input),
		.product = kept(trend, report->hardware_model),
		.device = kept(trend, report->reporter_key),
		.os = kept(trend, report->os_version),
		.states = kept_or_null(trend, process->states_text),
		.reason = kept_or_null(trend, process->reason),
		.pid = process->pid.value,
		.has_pid = process->pid.known,
		.age_ms = process->age_ms.value,
		.has_age = process->age_ms.known,
		.uuid = process->uuid,
		.stand = process->stand,
		.count = count,
		.bytes = bytes,
		// The writer races with the counter: the larger is true.
		.peak_bytes = peak > bytes ? peak : bytes,
		.own_limit_bytes = own_limit(report->jetsam, process),
		.hint_bytes = hint_for(report->jetsam, process),
	};
}

/** Devices send a log again, and people copy them. */
static bool is_copy(struct jetsam_trend *trend, const struct report *report)
{
	const char *incident = report->incident;
	uint32_t count = trend->incidents.count;

	if (!incident || !*incident || count == INTERN_MAX)
		return false;
	return intern_add(&trend->incidents, text_from(incident)) < count;
}

bool jetsam_trend_add(struct jetsam_trend *trend, const struct report *report)
{
	const struct jetsam *jetsam = report->jetsam;
	const struct jetsam_process *found = NULL;
	size_t count = 0;

	if (is_copy(trend, report)) {
		trend->copy_count++;
		return false;
	}
	for (size_t i = 0; i < jetsam->victim_count; i++) {
		add_limit(trend, report, &jetsam->victims[i]);
		add_reason(trend, &jetsam->victims[i]);
	}
	for (size_t i = 0; trend->process && i < jetsam->process_count; i++) {
		const struct jetsam_process *p = &jetsam->processes[i];

		if (!p->footprint_bytes.known ||
		    !jetsam_is_name(p->name, trend->process))
			continue;
		count++;
		if (!found || p->pages.value > found->pages.value)
			found = p;
	}
	if (found) {
		add_point(trend, report, found, count);
		add_known(trend, report, found);
	}
	trend->log_count++;
	return true;
}

// Tables

const char *jetsam_mib_text(struct arena *arena, int64_t bytes, bool for_people)
{
	SCOPED(str_release) struct str text = { 0 };
	// Footprints have 60 bits at most.
	uint64_t size = (uint64_t)(bytes < 0 ? -bytes : bytes);
	uint64_t tenths = ((size >> 10) * 10 + 512) / 1024;

	if (bytes < 0 && (!for_people || tenths))
		str_add_char(&text, '-');
	if (for_people)
		str_addf(&text, "%" PRIu64 ".%" PRIu64, tenths / 10,
		         tenths % 10);
	else
		jetsam_add_mib(&text, size);
	return arena_text(arena, str_text(&text));
}

static void set_mib(struct table_cell *cell, struct arena *arena,
                    uint64_t bytes, bool for_people)
{
	table_set_text(cell,
	               jetsam_mib_text(arena, (int64_t)bytes, for_people));
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

static int compare_limits(const void *left, const void *right)
{
	const struct jetsam_limit_row *a = left;
	const struct jetsam_limit_row *b = right;
	int order = strcmp(a->product, b->product);

	if (!order)
		order = strcmp(a->os, b->os);
	if (!order)
		order = strcmp(a->process, b->process);
	return order ? order : (int)a->stand - (int)b->stand;
}

struct table *jetsam_trend_limits(const struct jetsam_trend *trend,
                                  bool for_people, struct arena *arena)
{
	static const struct table_column columns[] = {
		{ "device", "device", TABLE_TEXT },
		{ "model", "model", TABLE_TEXT },
		{ "os", "system", TABLE_TEXT },
		{ "process", "process", TABLE_TEXT },
		{ "stand", "app state", TABLE_TEXT },
		{ "deaths", "kills", TABLE_NUMBER },
		{ "least_mib", "limit MiB", TABLE_DECIMAL },
		{ "most_mib", "to MiB", TABLE_DECIMAL },
		{ "hint_mib", "reference MiB", TABLE_DECIMAL },
		{ "hint_os", "measured on", TABLE_TEXT },
		{ "hint_disagrees", "disagrees", TABLE_BOOL },
		{ "hint_source", NULL, TABLE_TEXT },
	};
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "jetsam-limits",
		.columns = columns,
		.column_count = ARRAY_SIZE(columns),
		.summary = arena_printf(
		        arena, "logs: %zu, limits revealed (by %s kills): %zu",
		        trend->log_count, JETSAM_HARD_LIMIT,
		        trend->limit_count),
	};
	if (trend->limit_count)
		qsort(trend->limits, trend->limit_count, sizeof(*trend->limits),
		      compare_limits);
	for (size_t i = 0; i < trend->limit_count; i++) {
		const struct jetsam_limit_row *row = &trend->limits[i];
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[0], or_null(row->product));
		table_set_text(&cells[1], or_null(row->model));
		table_set_text(&cells[2], or_null(row->os));
		table_set_text(&cells[3], or_null(row->process));
		table_set_text(&cells[4], jetsam_stand_name(row->stand));
		table_set_number(&cells[5], row->deaths);
		set_mib(&cells[6], arena, row->least_bytes, for_people);
		set_mib(&cells[7], arena, row->most_bytes, for_people);
		if (!row->hint_bytes)
			continue;
		set_mib(&cells[8], arena, row->hint_bytes, for_people);
		table_set_text(&cells[9], or_null(row->hint_os));
		table_set_number(&cells[10], row->hint_disagrees);
		table_set_text(&cells[11], or_null(row->hint_source));
	}
	return table;
}

static int compare_reasons(const void *left, const void *right)
{
	const struct jetsam_reason_row *a = left;
	const struct jetsam_reason_row *b = right;

	if (a->deaths != b->deaths)
		return a->deaths > b->deaths ? -1 : 1;
	return strcmp(a->reason, b->reason);
}

struct table *jetsam_trend_reasons(const struct jetsam_trend *trend,
                                   bool for_people, struct arena *arena)
{
	static const struct table_column columns[] = {
		{ "reason", "reason", TABLE_TEXT },
		{ "deaths", "kills", TABLE_NUMBER },
		{ "foreground", "foreground", TABLE_NUMBER },
		{ "background", "background", TABLE_NUMBER },
		{ "system", "system", TABLE_NUMBER },
		{ "unknown", "unknown", TABLE_NUMBER },
		{ "most_mib", "largest MiB", TABLE_DECIMAL },
	};
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "jetsam-reasons",
		.columns = columns,
		.column_count = ARRAY_SIZE(columns),
		.summary = arena_printf(arena, "kills: %zu, logs: %zu",
		                        trend->victim_count, trend->log_count),
	};
	if (trend->reason_count)
		qsort(trend->reasons, trend->reason_count,
		      sizeof(*trend->reasons), compare_reasons);
	for (size_t i = 0; i < trend->reason_count; i++) {
		const struct jetsam_reason_row *row = &trend->reasons[i];
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[0], row->reason);
		table_set_number(&cells[1], row->deaths);
		table_set_number(&cells[2], row->foreground);
		table_set_number(&cells[3], row->background);
		table_set_number(&cells[4], row->system);
		table_set_number(&cells[5], row->unknown);
		// A log that has no footprint has not one of 0.
		if (row->most_bytes)
			set_mib(&cells[6], arena, row->most_bytes, for_people);
	}
	return table;
}

void jetsam_trend_release(struct jetsam_trend *trend)
{
	free(trend->limits);
	free(trend->reasons);
	free(trend->points);
	free(trend->known);
	intern_release(&trend->incidents);
	arena_release(&trend->names);
}
