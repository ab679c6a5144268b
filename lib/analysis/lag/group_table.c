// SPDX-License-Identifier: MIT
/*
 * The table of groups.
 */
#include "lib/analysis/lag/baseline.h"
#include "lib/analysis/lag/cells.h"
#include "lib/analysis/lag/excess.h"
#include "lib/analysis/lag/group_cells.h"
#include "lib/analysis/lag/ranking.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/units.h"
#include "lib/model/calltree_walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** The shown rows of one kind. */
struct block {
	const struct lag_row *rows;
	size_t count;
};

/** Source of a table's rows. */
struct shown_groups {
	struct table_maker maker; ///< must be first
	struct lag_ranking ranking;
	struct lag_totals totals;
	struct block blocks[SAMPLE_KINDS];
	size_t block_count;
	const struct lag_baseline *baseline; ///< or NULL
	const uint32_t *gone; ///< numbers in the baseline, for the last rows
	size_t stacks;        ///< of lag_table_options
};

/** Add UUIDs to places of different builds with the same name. */
static void set_apart(struct lag_row *rows, size_t count, struct arena *arena)
{
	SCOPED(intern_release) struct intern keys = { 0 };
	SCOPED(mem_drop)
	uint32_t *uses = mem_zalloc(count + 1, sizeof(*uses));

	for (size_t i = 0; i < count; i++)
		uses[intern_add(&keys, text_from(rows[i].key))]++;
	for (size_t i = 0; i < count; i++) {
		struct lag_row *row = &rows[i];

		if (row->uuid &&
		    uses[intern_add(&keys, text_from(row->key))] > 1)
			row->key = arena_printf(arena, "%s <%s>", row->key,
			                        row->uuid);
	}
}

/** Computed again for each shown row: there may be a million. */
static struct lag_change change_of(const struct lag_baseline *baseline,
                                   const struct lag_row *row)
{
	const struct lag_sums now = { row->sums->reports, row->sums->cost_us,
		                      NULL, lag_group_origin(row->sums) };

	return lag_baseline_compare(baseline, row->name, &now);
}

/** Set the growth of a row, in points; negative if it shrank. */
static void compare_row(struct lag_row *row, struct lag_baseline *baseline)
{
	struct lag_change change = change_of(baseline, row);

	row->growth = (int64_t)change.rates[LAG_NOW] -
	              (int64_t)change.rates[LAG_BEFORE];
	if (row->growth > 0 && (uint64_t)row->growth > baseline->growth)
		baseline->growth = (uint64_t)row->growth;
}

static int compare_rows(const void *a, const void *b)
{
	const struct lag_row *left = a;
	const struct lag_row *right = b;
	int order;

	if (left->sums->kind != right->sums->kind)
		return left->sums->kind < right->sums->kind ? -1 : 1;
	if (left->growth != right->growth)
		return left->growth > right->growth ? -1 : 1;
	if (left->sums->cost_us != right->sums->cost_us)
		return left->sums->cost_us > right->sums->cost_us ? -1 : 1;
	if (left->sums->reports != right->sums->reports)
		return left->sums->reports > right->sums->reports ? -1 : 1;
	order = strcmp(left->key, right->key);
	if (order)
		return order;
	// Places without a name: order of first occurrence.
	return left->group < right->group ? -1 : left->group > right->group;
}

/** In text, long cells come last. */
static const struct table_column group_columns[GROUP_COLUMNS] = {
	[GROUP_SAMPLE_KIND] = { "sample_kind", "of", TABLE_TEXT },
	[GROUP_SHARE] = { "share", "share %", TABLE_DECIMAL },
	[GROUP_RUNNING_SHARE] = { "running_share", "up to %", TABLE_DECIMAL },
	[GROUP_REPORTS] = { "reports", "reports", TABLE_NUMBER },
	[GROUP_OLD_REPORTS] = { "old_reports", "before", TABLE_NUMBER },
	[GROUP_RATE] = { "rate", "of all %", TABLE_DECIMAL },
	[GROUP_OLD_RATE] = { "old_rate", "before %", TABLE_DECIMAL },
	[GROUP_SAMPLES] = { "samples", "samples", TABLE_NUMBER },
	[GROUP_COST] = { "cost_ms", "cost ms", TABLE_DECIMAL },
	[GROUP_P50] = { "p50_ms", "p50 ms", TABLE_DECIMAL },
	[GROUP_P95] = { "p95_ms", "p95 ms", TABLE_DECIMAL },
	[GROUP_ALLOWANCE] = { "allowance_share", "watchdog %", TABLE_DECIMAL },
	[GROUP_CLASSES] = { "class4_count", "classes", TABLE_NUMBER },
	[GROUP_DEVICES] = { "device_count", "devices", TABLE_NUMBER },
	[GROUP_SYSTEMS] = { "os_count", "systems", TABLE_NUMBER },
	[GROUP_BUILDS] = { "app_count", "builds", TABLE_NUMBER },
	[GROUP_STANDS_OUT] = { "stands_out", "stands out in", TABLE_NAME },
	[GROUP_TIMES] = { "stands_out_times", "times", TABLE_DECIMAL },
	[GROUP_EXAMPLE] = { "example", "costliest report", TABLE_PATH },
	[GROUP_EXAMPLE_INPUT] = { "example_input", "file", TABLE_PATH },
	[GROUP_EVENTS] = { "events", "event", TABLE_TEXT },
	[GROUP_SEEN] = { "seen_in", "seen in", TABLE_TEXT },
	[GROUP_BLOCKERS] = { "blockers", "held by", TABLE_NAME },
	[GROUP_KIND] = { "kind", "kind", TABLE_TEXT },
	[GROUP_PLACE] = { "place", "at", TABLE_PATH },
	[GROUP_KEY] = { "key", "key", TABLE_STACK },
	[GROUP_TOP_KEY] = { "top_key", "most frequent key", TABLE_STACK },
	[GROUP_IMAGE] = { "image", NULL, TABLE_TEXT },
	[GROUP_CLASS2] = { "class2", NULL, TABLE_TEXT },
	[GROUP_CLASS2_COUNT] = { "class2_count", NULL, TABLE_NUMBER },
	[GROUP_CLASS4] = { "class4", NULL, TABLE_TEXT },
	[GROUP_KEY_COUNT] = { "key_count", NULL, TABLE_NUMBER },
	[GROUP_DEVICE_LIST] = { "devices", NULL, TABLE_TEXT },
	[GROUP_SYSTEM_LIST] = { "os_versions", NULL, TABLE_TEXT },
	[GROUP_APPS] = { "apps", NULL, TABLE_TEXT },
	[GROUP_IMAGE_UUID] = { "image_uuid", NULL, TABLE_TEXT },
	[GROUP_EXAMPLE_COST] = { "example_cost_ms", NULL, TABLE_DECIMAL },
	[GROUP_FILE] = { "file", NULL, TABLE_PATH },
	[GROUP_LINE] = { "line", NULL, TABLE_NUMBER },
	[GROUP_DEVICE_REPORTS] = { "device_reports", NULL, TABLE_COUNTS },
	[GROUP_SYSTEM_REPORTS] = { "os_reports", NULL, TABLE_COUNTS },
	[GROUP_APP_REPORTS] = { "app_reports", NULL, TABLE_COUNTS },
	[GROUP_CLASS2_FRAMES] = { "class2_frames", NULL, TABLE_FRAMES },
	[GROUP_CLASS4_FRAMES] = { "class4_frames", NULL, TABLE_FRAMES },
	[GROUP_STACK] = { "stack", NULL, TABLE_FRAMES },
	[GROUP_AMOUNT_TEXT] = { "cost_text", "cost", TABLE_TEXT },
	[GROUP_AMOUNT] = { "cost", NULL, TABLE_DECIMAL },
	[GROUP_P50_AMOUNT] = { "p50", NULL, TABLE_DECIMAL },
	[GROUP_P95_AMOUNT] = { "p95", NULL, TABLE_DECIMAL },
	[GROUP_UNIT] = { "unit", NULL, TABLE_TEXT },
	[GROUP_ORIGIN] = { "cost_origin", NULL, TABLE_TEXT },
	[GROUP_SHARE_UNIT] = { "share_unit", NULL, TABLE_TEXT },
	[GROUP_EXACT] = { "exact_reports", NULL, TABLE_NUMBER },
	[GROUP_LEAST] = { "duration_least_ms", NULL, TABLE_DECIMAL },
	[GROUP_LEAST_TEXT] = { "duration", "longest", TABLE_TEXT },
	[GROUP_OLD_ORIGIN] = { "old_cost_origin", NULL, TABLE_TEXT },
	[GROUP_WEAK] = { "weak", NULL, TABLE_BOOL },
	[GROUP_EVENT_REPORTS] = { "event_reports", NULL, TABLE_COUNTS },
	[GROUP_BLOCKER_REPORTS] = { "blocker_reports", NULL, TABLE_COUNTS },
	[GROUP_COST_RATE] = { "cost_rate_ms", NULL, TABLE_DECIMAL },
	[GROUP_OLD_COST_RATE] = { "old_cost_rate_ms", NULL, TABLE_DECIMAL },
};

static const struct table_measures measures = {
	.sums = (const char *const[]){ "reports", "old_reports", "samples",
	                               NULL },
	.tags = (const char *const[]){ "key", "sample_kind", "kind", "image",
	                               NULL },
};

static const char *const spare_group_columns[] = {
	"os_count", "device_count",  "app_count", "class4_count",
	"samples",  "running_share", "kind",      "example_input",
	"p50_ms",   "p95_ms",        "place",     "example",
	NULL,
};

/**
 * Add the build, system or device with its excess; text shows `only` without a
 * number.
 */
static void add_excess(struct lag_ranking *ranking, uint32_t group,
                       struct lag_totals *totals, struct table_cell *cells,
                       struct arena *arena)
{
	struct lag_excess excess = lag_excess_of(ranking, totals, group);
	SCOPED(str_release) struct str times = { 0 };

	if (!excess.what.size)
		return;
	table_set_text(&cells[GROUP_STANDS_OUT],
	               arena_text(arena, excess.what));
	// The excess is infinite.
	if (excess.only_there)
		return;
	units_add_fixed(&times, excess.percent, 100, 1);
	table_set_text(&cells[GROUP_TIMES],
	               arena_text(arena, str_text(&times)));
}

/** Add the source location of the key: `Reader.cpp:31`. */
static void add_place(const struct calltree_frame *place,
                      struct table_cell *cells, struct arena *arena)
{
	if (!place || !place->file)
		return;
	table_set_text(&cells[GROUP_FILE], calltree_path(place));
	table_set_text(&cells[GROUP_PLACE], place->file);
	if (!place->line)
		return;
	table_set_number(&cells[GROUP_LINE], place->line);
	table_set_text(
	        &cells[GROUP_PLACE],
	        arena_printf(arena, "%s:%" PRIu32, place->file, place->line));
}

static void add_comparison(const struct lag_change *change, bool titled_only,
                           struct table_cell *cells, struct arena *arena)
{
	table_set_number(&cells[GROUP_OLD_REPORTS], change->sums[0].reports);
	table_set_text(&cells[GROUP_RATE],
	               lag_cell_percent(arena, change->rates[1], 10000));
	table_set_text(&cells[GROUP_OLD_RATE],
	               lag_cell_percent(arena, change->rates[0], 10000));
	if (titled_only)
		return;
	lag_cell_set_ms(&cells[GROUP_COST_RATE], arena,
	                cost_unit_of(change->kind), change->sums[1].origin,
	                change->costs_us[1]);
	lag_cell_set_ms(&cells[GROUP_OLD_COST_RATE], arena,
	                cost_unit_of(change->kind), change->sums[0].origin,
	                change->costs_us[0]);
	table_set_text(&cells[GROUP_OLD_ORIGIN],
	               cost_origin_name(change->sums[0].origin));
}

/** Add the share of its kind, and the sum of shares up to this row. */
static void add_share(const struct lag_groups *groups,
                      const struct lag_row *row, struct table_cell *cells,
                      struct arena *arena)
{
	const struct lag_kind_sums *kind = &groups->kinds[row->sums->kind];
	enum lag_share share = lag_share_of(kind);
	uint64_t whole = lag_kind_weight(share, kind);

	if (share == LAG_SHARE_NONE)
		return;
	table_set_text(&cells[GROUP_SHARE_UNIT],
	               cost_unit_name(share == LAG_SHARE_SAMPLES
	                                      ? COST_SAMPLES
	                                      : cost_unit_of(row->sums->kind)));
	// No certain cost, no share.
	if (share == LAG_SHARE_COST && !lag_group_exact(row->sums))
		return;
	table_set_text(&cells[GROUP_SHARE],
	               lag_cell_percent(arena,
	                                lag_group_weight(share, row->sums),
	                                whole));
	table_set_text(&cells[GROUP_RUNNING_SHARE],
	               lag_cell_percent(arena, row->running, whole));
}

/** Mark a key based on one sample. */
static void add_seen(const struct lag_row *row, struct table_cell *cells,
                     struct arena *arena)
{
	const struct lag_group *sums = row->sums;

	table_set_number(&cells[GROUP_WEAK], lag_group_is_weak(sums));
	if (!lag_group_is_weak(sums))
		return;
	table_set_text(&cells[GROUP_SEEN],
	               arena_printf(arena, "1 of %" PRIu32 " sample%s",
	                            sums->key_samples_of,
	                            text_plural(sums->key_samples_of)));
}

static void add_costs(const struct lag_row *row, struct table_cell *cells,
                      struct arena *arena)
{
	const struct lag_group *sums = row->sums;
	enum cost_unit unit = cost_unit_of(sums->kind);
	enum cost_origin origin = lag_group_origin(sums);
	enum cost_origin exact = row->costs.count ? COST_RECORDED
	                                          : COST_UNKNOWN;

	lag_cell_set_ms(&cells[GROUP_COST], arena, unit, origin, sums->cost_us);
	lag_cell_set_ms(&cells[GROUP_P50], arena, unit, exact,
	                row->costs.p50_us);
	lag_cell_set_ms(&cells[GROUP_P95], arena, unit, exact,
	                row->costs.p95_us);
	lag_cell_set_cost(&cells[GROUP_AMOUNT], arena, unit, origin,
	                  sums->cost_us);
	lag_cell_set_cost(&cells[GROUP_P50_AMOUNT], arena, unit, exact,
	                  row->costs.p50_us);
	lag_cell_set_cost(&cells[GROUP_P95_AMOUNT], arena, unit, exact,
	                  row->costs.p95_us);
	table_set_text(&cells[GROUP_AMOUNT_TEXT],
	               lag_cell_amount(arena, unit, origin, sums->cost_us));
	table_set_text(&cells[GROUP_UNIT], cost_unit_name(unit));
	table_set_text(&cells[GROUP_ORIGIN], cost_origin_name(origin));
	table_set_number(&cells[GROUP_EXACT], lag_group_exact(sums));
	if (sums->allowance_share)
		table_set_text(
		        &cells[GROUP_ALLOWANCE],
		        lag_cell_percent(arena, sums->allowance_share, 10000));
	if (!sums->least_us)
		return;
	table_set_text(&cells[GROUP_LEAST], lag_cell_ms(arena, sums->least_us));
	table_set_text(&cells[GROUP_LEAST_TEXT],
	               lag_cell_seconds(arena, sums->least_us));
}

static void add_group_row(struct shown_groups *shown, size_t number,
                          const struct lag_row *row, struct table_cell *cells,
                          struct arena *arena)
{
	struct lag_ranking *ranking = &shown->ranking;
	const struct lag_group *sums = row->sums;
	table_set_text(&cells[GROUP_SAMPLE_KIND],
	               lag_cell_sample_kind(sums->kind));
	add_share(ranking->groups, row, cells, arena);
	table_set_number(&cells[GROUP_REPORTS], sums->reports);
	table_set_number(&cells[GROUP_SAMPLES], sums->samples);
	add_costs(row, cells, arena);
	add_seen(row, cells, arena);
	table_set_text(&cells[GROUP_EXAMPLE],
	               lag_group_example(ranking->groups, sums, arena));
	table_set_text(
	        &cells[GROUP_EXAMPLE_INPUT],
	        intern_cstr(&ranking->groups->texts, sums->example_input));
	if (!lag_groups_are_named(ranking->groups))
		table_set_text(&cells[GROUP_KIND], lag_cell_kind(row->is_app));
	table_set_text(&cells[GROUP_KEY], row->key);
	table_set_text(&cells[GROUP_IMAGE], row->image);
	table_set_text(&cells[GROUP_IMAGE_UUID], row->uuid);
	lag_group_add_counts(ranking, row->group, cells, arena);
	if (!shown->maker.titled_only) {
		lag_cell_set_ms(&cells[GROUP_EXAMPLE_COST], arena,
		                cost_unit_of(sums->kind), sums->example_origin,
		                sums->example_cost_us);
		lag_group_add_tallies(ranking, row->group, cells, arena);
	}
	if (shown->stacks ? number < shown->stacks : !shown->maker.titled_only)
		lag_group_add_stack(ranking, row->group, cells, arena);
	add_place(row->place, cells, arena);
	add_excess(ranking, row->group, &shown->totals, cells, arena);
	if (shown->baseline) {
		const struct lag_change change =
		        change_of(shown->baseline, row);

		add_comparison(&change, shown->maker.titled_only, cells, arena);
	}
}

/** Number of rows of one kind to show. */
static size_t shown_count(const struct lag_kind_sums *kind,
                          const struct lag_row *rows, size_t count,
                          const struct lag_table_options *options)
{
	enum lag_share share = lag_share_of(kind);
	uint64_t whole = lag_kind_weight(share, kind);
	size_t shown = 0;

	while (shown < count && (!options->top || shown < options->top)) {
		__extension__ unsigned __int128 scaled =
		        (unsigned __int128)lag_group_weight(share,
		                                            rows[shown].sums) *
		        10000;

		if (options->min_share &&
		    scaled < (unsigned __int128)whole * options->min_share)
			break;
		shown++;
	}
	return shown;
}

static const char *key_title(enum lag_group_by by)
{
	static const char *const titles[] = {
		[LAG_BY_KEY] = "key",         [LAG_BY_CLASS2] = "key",
		[LAG_BY_CLASS4] = "key",      [LAG_BY_APP] = "app",
		[LAG_BY_OS] = "system",       [LAG_BY_DEVICE] = "device",
		[LAG_BY_BUILD] = "build",     [LAG_BY_EVENT] = "event",
		[LAG_BY_BLOCKER] = "held by",
	};

	return titles[by];
}

/** Does any report have such a property? */
static bool totals_have(const struct lag_totals *totals,
                        enum lag_tally_kind kind)
{
	for (size_t i = 0; i < SAMPLE_KINDS; i++)
		if (totals->sums[i][kind])
			return true;
	return false;
}

/**
 * Choose the columns; text has only those that distinguish rows. The kind of
 * samples is shown if there are several; so is the file, if the example's name
 * does not contain it.
 */
static const struct table_column *choose_columns(
        const struct lag_row *rows, size_t count, struct lag_ranking *ranking,
        struct lag_totals *totals, const struct lag_table_options *options,
        struct arena *arena)
{
	struct table_column *columns =
	        arena_array(arena, GROUP_COLUMNS, sizeof(*columns));
	const struct lag_group *first = count ? rows->sums : NULL;
	bool has_ids = false;
	bool has_files = false;
	bool has_kinds = false;
	bool has_excess = false;
	bool has_places = false;
	bool has_times = false;
	bool has_others = false;
	bool has_least = false;
	bool has_allowance = false;
	bool has_weak = false;

	memcpy(columns, group_columns, sizeof(group_columns));
	for (size_t i = 0; i < count; i++) {
		const struct lag_group *sums = rows[i].sums;

		has_excess =
		        has_excess ||
		        lag_excess_of(ranking, totals, rows[i].group).what.size;
		has_places = has_places ||
		             (rows[i].place && rows[i].place->file);
		has_ids = has_ids || sums->example_has_id;
		has_least = has_least || sums->least_us;
		has_allowance = has_allowance || sums->allowance_share;
		has_weak = has_weak || lag_group_is_weak(sums);
		has_times = has_times ||
		            cost_unit_is_time(cost_unit_of(sums->kind));
		has_others = has_others ||
		             !cost_unit_is_time(cost_unit_of(sums->kind));
		has_kinds = has_kinds || sums->kind != SAMPLE_KIND_STALL;
		has_files = has_files ||
		            sums->example_input != first->example_input;
	}
	if (!has_excess)
		columns[GROUP_STANDS_OUT].title = columns[GROUP_TIMES].title =
		        NULL;
	if (options->baseline && options->baseline->sessions[0]) {
		columns[GROUP_RATE].title = "per session %";
		columns[GROUP_OLD_RATE].title = "before %";
	}
	if (!options->baseline)
		columns[GROUP_OLD_REPORTS].title = columns[GROUP_RATE].title =
		        columns[GROUP_OLD_RATE].title = NULL;
	columns[GROUP_KEY].title = key_title(ranking->groups->by);
	if (lag_groups_are_named(ranking->groups))
		columns[GROUP_KIND].title = NULL;
	else
		columns[GROUP_TOP_KEY].title = NULL;
	if (!has_least)
		columns[GROUP_LEAST_TEXT].title = NULL;
	if (!has_allowance)
		columns[GROUP_ALLOWANCE].title = NULL;
	if (!has_weak)
		columns[GROUP_SEEN].title = NULL;
	if (!totals_have(totals, LAG_TALLY_EVENT) ||
	    ranking->groups->by == LAG_BY_EVENT)
		columns[GROUP_EVENTS].title = NULL;
	if (!totals_have(totals, LAG_TALLY_BLOCKER) ||
	    ranking->groups->by == LAG_BY_BLOCKER)
		columns[GROUP_BLOCKERS].title = NULL;
	if (!has_others)
		columns[GROUP_AMOUNT_TEXT].title = NULL;
	else if (!has_times)
		columns[GROUP_COST].title = columns[GROUP_P50].title =
		        columns[GROUP_P95].title = NULL;
	if (!has_places)
		columns[GROUP_PLACE].title = NULL;
	if (options->stacks)
		columns[GROUP_STACK].title = "stack";
	if (!has_kinds)
		columns[GROUP_SAMPLE_KIND].title = NULL;
	if (!has_ids || !has_files)
		columns[GROUP_EXAMPLE_INPUT].title = NULL;
	return columns;
}

/** Choose the rows to show, kind by kind; returns their number. */
static size_t choose_rows(const struct lag_groups *groups,
                          const struct lag_row *rows, size_t count,
                          const struct lag_table_options *options,
                          struct shown_groups *shown)
{
	size_t chosen = 0;
	size_t size;

	for (size_t i = 0; i < count; i += size) {
		struct block *block = &shown->blocks[shown->block_count++];

		size = lag_rows_of_kind(rows + i, count - i);
		block->rows = rows + i;
		block->count = shown_count(&groups->kinds[rows[i].sums->kind],
		                           rows + i, size, options);
		chosen += block->count;
	}
	return chosen;
}

/** Add a row for a group that only the older samples have. */
static void add_gone_row(const struct shown_groups *shown, uint32_t name,
                         struct table_cell *cells, struct arena *arena)
{
	const struct lag_sums none = { 0 };
	const struct lag_change gone =
	        lag_baseline_compare(shown->baseline, name, &none);

	table_set_text(&cells[GROUP_SAMPLE_KIND],
	               lag_cell_sample_kind(gone.kind));
	table_set_number(&cells[GROUP_REPORTS], 0);
	lag_cell_set_ms(&cells[GROUP_COST], arena, cost_unit_of(gone.kind),
	                COST_MEASURED, 0);
	if (lag_share_of(&shown->ranking.groups->kinds[gone.kind]) !=
	    LAG_SHARE_NONE)
		table_set_text(&cells[GROUP_SHARE],
		               lag_cell_percent(arena, 0, 1));
	table_set_text(&cells[GROUP_KEY], gone.key);
	add_comparison(&gone, shown->maker.titled_only, cells, arena);
}

static void make_row(struct table_maker *maker, size_t row,
                     struct table_cell *cells)
{
	struct shown_groups *shown = (struct shown_groups *)maker;
	size_t at = row;

	for (size_t i = 0; i < shown->block_count; i++) {
		const struct block *block = &shown->blocks[i];

		if (at < block->count) {
			add_group_row(shown, row, &block->rows[at], cells,
			              &maker->arena);
			return;
		}
		at -= block->count;
	}
	add_gone_row(shown, shown->gone[at], cells, &maker->arena);
}

static void release_shown(struct table_maker *maker)
{
	struct shown_groups *shown = (struct shown_groups *)maker;

	lag_totals_release(&shown->totals);
	lag_ranking_release(&shown->ranking);
}

/** Add all rows to the baseline and set their numbers in it. */
static void compare_all(struct lag_row *rows, const struct lag_groups *groups,
                        struct lag_baseline *baseline)
{
	for (size_t i = 0; i < SAMPLE_KINDS; i++)
		baseline->totals[i][LAG_NOW] = groups->kinds[i].reports;
	for (uint32_t i = 0; i < groups->identities.count; i++) {
		const struct lag_sums sums = { rows[i].sums->reports,
			                       rows[i].sums->cost_us, NULL,
			                       lag_group_origin(rows[i].sums) };

		rows[i].name = lag_baseline_add(baseline, rows[i].sums->kind,
		                                rows[i].key, LAG_NOW, &sums);
		compare_row(&rows[i], baseline);
	}
}

/** All groups, in the order of the table. */
static struct lag_row *list_rows(const struct lag_groups *groups,
                                 const struct lag_table_options *options,
                                 struct arena *arena)
{
	size_t count = groups->identities.count;
	struct lag_row *rows = arena_array(arena, count + 1, sizeof(*rows));
	const struct lag_quantiles *quantiles =
	        lag_group_quantiles(groups, arena);
	size_t size;

	for (uint32_t i = 0; i < count; i++) {
		rows[i] = lag_group_row(groups, i, arena);
		rows[i].costs = quantiles[i];
	}
	if (options->baseline)
		compare_all(rows, groups, options->baseline);
	qsort(rows, count, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < count; i += size) {
		enum lag_share share =
		        lag_share_of(&groups->kinds[rows[i].sums->kind]);
		uint64_t running = 0;

		size = lag_rows_of_kind(rows + i, count - i);
		set_apart(rows + i, size, arena);
		for (size_t at = i; at < i + size; at++) {
			running = number_sum(
			        running,
			        lag_group_weight(share, rows[at].sums));
			rows[at].running = running;
		}
	}
	return rows;
}

const struct table *lag_groups_table(const struct lag_groups *groups,
                                     const struct lag_table_options *options,
                                     struct arena *arena)
{
	struct table *table = arena_alloc(arena, sizeof(*table));
	struct shown_groups *shown = arena_alloc(arena, sizeof(*shown));
	size_t count = groups->identities.count;
	const struct lag_row *rows = list_rows(groups, options, arena);
	size_t chosen = choose_rows(groups, rows, count, options, shown);
	size_t gone = 0;

	shown->maker.make = make_row;
	shown->maker.release = release_shown;
	shown->maker.cells =
	        arena_array(arena, GROUP_COLUMNS, sizeof(*shown->maker.cells));
	shown->stacks = options->stacks;
	shown->baseline = options->baseline;
	lag_totals_init(groups, &shown->totals);
	lag_ranking_init(groups, &shown->ranking);
	if (options->baseline)
		shown->gone =
		        lag_baseline_gone(options->baseline, arena, &gone);
	if (options->top && gone > options->top)
		gone = options->top;
	*table = (struct table){
		.name = "lag-groups",
		.summary = lag_groups_summary(groups, rows, count, chosen,
		                              options->counts_evidence, arena),
		.columns = choose_columns(rows, count, &shown->ranking,
		                          &shown->totals, options, arena),
		.column_count = GROUP_COLUMNS,
		.spare = spare_group_columns,
		.measures = &measures,
		.maker = &shown->maker,
		.row_count = chosen + gone,
	};
	return table;
}
