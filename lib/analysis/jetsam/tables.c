// SPDX-License-Identifier: MIT
/*
 * The tables of many logs: limits, and reasons of deaths.
 */
#include "lib/analysis/jetsam/jetsam.h"
#include "lib/analysis/jetsam/trend.h"
#include "lib/base/units.h"
#include "lib/darwin/jetsam.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *jetsam_mib_text(struct arena *arena, int64_t bytes, bool for_people)
{
	SCOPED(str_release) struct str text = { 0 };
	// Footprints have at most 60 bits.
	uint64_t size = (uint64_t)(bytes < 0 ? -bytes : bytes);

	if (bytes < 0 && (!for_people || units_share(size, UNITS_MIB, 10)))
		str_add_char(&text, '-');
	if (for_people)
		units_add_fixed(&text, size, UNITS_MIB, 1);
	else
		units_add_exact(&text, size, UNITS_MIB);
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
	if (!order)
		order = (int)a->app_state - (int)b->app_state;
	return order ? order : strcmp(a->evidence, b->evidence);
}

enum {
	COLUMN_DEVICE,
	COLUMN_MODEL,
	COLUMN_OS,
	COLUMN_PROCESS,
	COLUMN_APP_STATE,
	COLUMN_DEATHS,
	COLUMN_LEAST,
	COLUMN_MOST,
	COLUMN_REFERENCE,
	COLUMN_REFERENCE_OS,
	COLUMN_DISAGREES,
	COLUMN_REFERENCE_SOURCE,
	COLUMN_EVIDENCE,
	COLUMN_AT_LEAST,
	COLUMNS,
};

static const struct table_column limit_columns[COLUMNS] = {
	[COLUMN_DEVICE] = { "device", "device", TABLE_TEXT },
	[COLUMN_MODEL] = { "model", "model", TABLE_NAME },
	[COLUMN_OS] = { "os", "system", TABLE_PROSE },
	[COLUMN_PROCESS] = { "process", "process", TABLE_NAME },
	[COLUMN_APP_STATE] = { "stand", "app state", TABLE_TEXT },
	[COLUMN_DEATHS] = { "deaths", "kills", TABLE_NUMBER },
	[COLUMN_LEAST] = { "least_mib", "limit MiB", TABLE_DECIMAL },
	[COLUMN_MOST] = { "most_mib", "to MiB", TABLE_DECIMAL },
	[COLUMN_REFERENCE] = { "hint_mib", "reference MiB", TABLE_DECIMAL },
	[COLUMN_REFERENCE_OS] = { "hint_os", "measured on", TABLE_TEXT },
	[COLUMN_DISAGREES] = { "hint_disagrees", "disagrees", TABLE_BOOL },
	[COLUMN_REFERENCE_SOURCE] = { "hint_source", NULL, TABLE_TEXT },
	[COLUMN_EVIDENCE] = { "evidence", "evidence", TABLE_PROSE },
	[COLUMN_AT_LEAST] = { "at_least", NULL, TABLE_BOOL },
};

/** Without other evidence than kills, people need no column for it. */
static const struct table_column *choose_columns(
        const struct jetsam_trend *trend, struct arena *arena)
{
	struct table_column *columns;

	if (trend->evidence_count)
		return limit_columns;
	columns = arena_array(arena, COLUMNS, sizeof(*columns));
	memcpy(columns, limit_columns, sizeof(limit_columns));
	columns[COLUMN_EVIDENCE].title = NULL;
	return columns;
}

static const struct table_measures limit_measures = {
	.sums = (const char *const[]){ "deaths", NULL },
	.tags = (const char *const[]){ "device", "os", "process", "stand",
	                               NULL },
};

struct table *jetsam_trend_limits(const struct jetsam_trend *trend,
                                  bool for_people, struct arena *arena)
{
	static const char *const spare[] = {
		"hint_os",        "most_mib", "model",
		"hint_disagrees", "os",       "deaths",
		"hint_mib",       "device",   NULL,
	};
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "jetsam-limits",
		.measures = &limit_measures,
		.columns = choose_columns(trend, arena),
		.column_count = COLUMNS,
		.spare = spare,
		.summary = arena_printf(
		        arena,
		        "%zu log%s; memory limits known from %s kills: %zu",
		        trend->log_count, text_plural(trend->log_count),
		        JETSAM_HARD_LIMIT,
		        trend->limit_count - trend->evidence_count),
	};
	if (trend->evidence_count)
		table->summary =
		        arena_printf(arena, "%s, from other evidence: %zu",
		                     table->summary, trend->evidence_count);
	if (trend->limit_count)
		qsort(trend->limits, trend->limit_count, sizeof(*trend->limits),
		      compare_limits);
	for (size_t i = 0; i < trend->limit_count; i++) {
		const struct jetsam_limit_row *row = &trend->limits[i];
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[COLUMN_DEVICE], or_null(row->product));
		table_set_text(&cells[COLUMN_MODEL], or_null(row->model));
		table_set_text(&cells[COLUMN_OS], or_null(row->os));
		table_set_text(&cells[COLUMN_PROCESS], or_null(row->process));
		table_set_text(&cells[COLUMN_APP_STATE],
		               jetsam_app_state_name(row->app_state));
		table_set_text(&cells[COLUMN_EVIDENCE], row->evidence);
		table_set_number(&cells[COLUMN_AT_LEAST], row->is_lower_bound);
		if (row->deaths)
			table_set_number(&cells[COLUMN_DEATHS], row->deaths);
		set_mib(&cells[COLUMN_LEAST], arena, row->least_bytes,
		        for_people);
		set_mib(&cells[COLUMN_MOST], arena, row->most_bytes,
		        for_people);
		if (!row->reference_bytes)
			continue;
		set_mib(&cells[COLUMN_REFERENCE], arena, row->reference_bytes,
		        for_people);
		table_set_text(&cells[COLUMN_REFERENCE_OS],
		               or_null(row->reference_os));
		table_set_number(&cells[COLUMN_DISAGREES],
		                 row->reference_disagrees);
		table_set_text(&cells[COLUMN_REFERENCE_SOURCE],
		               or_null(row->reference_source));
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

const char *jetsam_trend_summary(const struct jetsam_trend *trend,
                                 struct arena *arena)
{
	size_t truncated = trend->truncated_count - trend->limited_count;
	const char *limited = "";

	if (!trend->truncated_count)
		return arena_printf(arena, "kills: %zu, logs: %zu",
		                    trend->victim_count, trend->log_count);
	if (trend->limited_count)
		limited = arena_printf(arena, "%sread up to the limit: %zu",
		                       truncated ? ", " : "",
		                       trend->limited_count);
	return arena_printf(
	        arena, "kills: at least %zu, logs: %zu (%s%s)",
	        trend->victim_count, trend->log_count,
	        truncated ? arena_printf(arena, "truncated: %zu", truncated)
	                  : "",
	        limited);
}

enum {
	REASON_NAME,
	REASON_DEATHS,
	REASON_FOREGROUND,
	REASON_BACKGROUND,
	REASON_SYSTEM,
	REASON_UNKNOWN,
	REASON_MOST,
	REASON_COLUMNS,
};

static const struct table_measures reason_measures = {
	.sums = (const char *const[]){ "deaths", "foreground", "background",
	                               "system", "unknown", NULL },
	.tags = (const char *const[]){ "reason", NULL },
};

struct table *jetsam_trend_reasons(const struct jetsam_trend *trend,
                                   bool for_people, struct arena *arena)
{
	static const struct table_column columns[REASON_COLUMNS] = {
		[REASON_NAME] = { "reason", "reason", TABLE_TEXT },
		[REASON_DEATHS] = { "deaths", "kills", TABLE_NUMBER },
		[REASON_FOREGROUND] = { "foreground", "foreground",
		                        TABLE_NUMBER },
		[REASON_BACKGROUND] = { "background", "background",
		                        TABLE_NUMBER },
		[REASON_SYSTEM] = { "system", "system", TABLE_NUMBER },
		[REASON_UNKNOWN] = { "unknown", "unknown", TABLE_NUMBER },
		[REASON_MOST] = { "most_mib", "largest MiB", TABLE_DECIMAL },
	};
	static const char *const spare[] = { "unknown", "system", "background",
		                             "foreground", NULL };
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "jetsam-reasons",
		.columns = columns,
		.spare = spare,
		.column_count = REASON_COLUMNS,
		.measures = &reason_measures,
		.summary = jetsam_trend_summary(trend, arena),
	};
	if (trend->reason_count)
		qsort(trend->reasons, trend->reason_count,
		      sizeof(*trend->reasons), compare_reasons);
	for (size_t i = 0; i < trend->reason_count; i++) {
		const struct jetsam_reason_row *row = &trend->reasons[i];
		struct table_cell *cells = table_add_row(table, arena);

		table_set_text(&cells[REASON_NAME], row->reason);
		table_set_number(&cells[REASON_DEATHS], row->deaths);
		table_set_number(&cells[REASON_FOREGROUND], row->foreground);
		table_set_number(&cells[REASON_BACKGROUND], row->background);
		table_set_number(&cells[REASON_SYSTEM], row->system);
		table_set_number(&cells[REASON_UNKNOWN], row->unknown);
		// A log that has no footprint has not one of 0.
		if (row->most_bytes)
			set_mib(&cells[REASON_MOST], arena, row->most_bytes,
			        for_people);
	}
	return table;
}
