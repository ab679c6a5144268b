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
	// Footprints have 60 bits at most.
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

#define COLUMN_EVIDENCE 12

static const struct table_column limit_columns[] = {
	{ "device", "device", TABLE_TEXT },
	{ "model", "model", TABLE_NAME },
	{ "os", "system", TABLE_PROSE },
	{ "process", "process", TABLE_NAME },
	{ "stand", "app state", TABLE_TEXT },
	{ "deaths", "kills", TABLE_NUMBER },
	{ "least_mib", "limit MiB", TABLE_DECIMAL },
	{ "most_mib", "to MiB", TABLE_DECIMAL },
	{ "hint_mib", "reference MiB", TABLE_DECIMAL },
	{ "hint_os", "measured on", TABLE_TEXT },
	{ "hint_disagrees", "disagrees", TABLE_BOOL },
	{ "hint_source", NULL, TABLE_TEXT },
	{ "evidence", "evidence", TABLE_PROSE },
	{ "at_least", NULL, TABLE_BOOL },
};

/** Where all limits are of kills, people need not read so. */
static const struct table_column *choose_columns(
        const struct jetsam_trend *trend, struct arena *arena)
{
	const size_t count = ARRAY_SIZE(limit_columns);
	struct table_column *columns;

	if (trend->evidence_count)
		return limit_columns;
	columns = arena_array(arena, count, sizeof(*columns));
	memcpy(columns, limit_columns, sizeof(limit_columns));
	columns[COLUMN_EVIDENCE].title = NULL;
	return columns;
}

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
		.columns = choose_columns(trend, arena),
		.column_count = ARRAY_SIZE(limit_columns),
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

		table_set_text(&cells[0], or_null(row->product));
		table_set_text(&cells[1], or_null(row->model));
		table_set_text(&cells[2], or_null(row->os));
		table_set_text(&cells[3], or_null(row->process));
		table_set_text(&cells[4],
		               jetsam_app_state_name(row->app_state));
		table_set_text(&cells[COLUMN_EVIDENCE], row->evidence);
		table_set_number(&cells[COLUMN_EVIDENCE + 1],
		                 row->is_lower_bound);
		if (row->deaths)
			table_set_number(&cells[5], row->deaths);
		set_mib(&cells[6], arena, row->least_bytes, for_people);
		set_mib(&cells[7], arena, row->most_bytes, for_people);
		if (!row->reference_bytes)
			continue;
		set_mib(&cells[8], arena, row->reference_bytes, for_people);
		table_set_text(&cells[9], or_null(row->reference_os));
		table_set_number(&cells[10], row->reference_disagrees);
		table_set_text(&cells[11], or_null(row->reference_source));
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
	if (!trend->truncated_count)
		return arena_printf(arena, "kills: %zu, logs: %zu",
		                    trend->victim_count, trend->log_count);
	return arena_printf(
	        arena, "kills: at least %zu, logs: %zu (truncated: %zu)",
	        trend->victim_count, trend->log_count, trend->truncated_count);
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
	static const char *const spare[] = { "unknown", "system", "background",
		                             "foreground", NULL };
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = "jetsam-reasons",
		.columns = columns,
		.spare = spare,
		.column_count = ARRAY_SIZE(columns),
		.summary = jetsam_trend_summary(trend, arena),
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
