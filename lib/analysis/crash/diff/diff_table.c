// SPDX-License-Identifier: MIT
/* The status of each group, and the table with it. */
#include "lib/analysis/crash/diff/diff.h"
#include "lib/analysis/crash/diff/significance.h"
#include "lib/analysis/crash/group/headline.h"
#include "lib/analysis/lag/cells.h"
#include "lib/base/units.h"

#include <inttypes.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

static const char *const status_names[] = { "new", "grown", "shrunk", "gone",
	                                    "same" };

/** The total for a count; 0: unknown. */
static uint64_t base_of(const struct diff *diff, const struct diff_row *row,
                        unsigned side)
{
	const uint64_t *bases = diff->bases[row->sample_kind];

	// Both sides need a total.
	return bases[0] && bases[1] ? bases[side] : diff->exposure[side];
}

/** As an exposure: unknown totals are treated as equal. */
static uint64_t exposure(const struct diff *diff, const struct diff_row *row,
                         unsigned side)
{
	uint64_t base = base_of(diff, row, side);

	return base ? base : 1;
}

/** Each count times the other side's exposure: rates without fractions. */
static wide scaled(const struct diff *diff, const struct diff_row *row,
                   unsigned side)
{
	return (wide)row->counts[side] * exposure(diff, row, !side);
}

static enum diff_status judge(const struct diff *diff,
                              const struct diff_row *row)
{
	wide old = scaled(diff, row, 0);
	wide now = scaled(diff, row, 1);

	// A new crash is a fault; a new hang may be chance. Against an empty
	// side, all are new.
	if (diff->is_of_stalls && row->p >= DIFF_P_MAX &&
	    base_of(diff, row, 0) && base_of(diff, row, 1))
		return DIFF_SAME;
	if (!row->counts[0])
		return DIFF_NEW;
	if (!row->counts[1])
		return DIFF_GONE;
	if (row->p >= DIFF_P_MAX || old == now)
		return DIFF_SAME;
	return now > old ? DIFF_GROWN : DIFF_SHRUNK;
}

/** Did crashes at launch appear or increase? */
static bool fails_launch(const struct diff_row *row)
{
	return row->at_launch[1] &&
	       (!row->at_launch[0] || (row->status == DIFF_GROWN &&
	                               row->at_launch[1] > row->at_launch[0]));
}

static bool fails(const struct diff *diff, const struct diff_row *row)
{
	const struct diff_gate *gate = &diff->gate;
	wide old = scaled(diff, row, 0);

	if (gate->on_launch && fails_launch(row))
		return true;
	if (row->status == DIFF_NEW)
		return gate->on_new;
	return row->status == DIFF_GROWN && gate->on_grown &&
	       (scaled(diff, row, 1) - old) >=
	               old / 10000 * gate->grown_least +
	                       old % 10000 * gate->grown_least / 10000;
}

static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *left = a;
	const struct diff_row *right = b;
	uint64_t left_most = left->counts[left->status == DIFF_GONE ? 0 : 1];
	uint64_t right_most = right->counts[right->status == DIFF_GONE ? 0 : 1];
	int order;

	if (left->status != right->status)
		return left->status < right->status ? -1 : 1;
	if (left_most != right_most)
		return left_most > right_most ? -1 : 1;
	order = strcmp(left->name, right->name);
	return order ? order : strcmp(left->kind, right->kind);
}

enum diff_column {
	COLUMN_STATUS,
	COLUMN_OLD,
	COLUMN_NEW,
	COLUMN_CHANGE,
	COLUMN_P,
	COLUMN_OLD_COST_RATE,
	COLUMN_NEW_COST_RATE,
	COLUMN_OLD_COST,
	COLUMN_NEW_COST,
	COLUMN_KIND,
	COLUMN_OWNER,
	COLUMN_EXAMPLE,
	COLUMN_SIGNATURE,
	COLUMN_OLD_RATE,
	COLUMN_NEW_RATE,
	COLUMN_LEVEL,
	COLUMN_FILE,
	COLUMN_LINE,
	COLUMN_TITLE,
	COLUMN_MESSAGE,
	COLUMN_HASH,
	COLUMN_OLD_AT_LAUNCH,
	COLUMN_AT_LAUNCH,
	COLUMN_OLD_ORIGIN,
	COLUMN_ORIGIN,
	COLUMN_HEADLINE,
	COLUMNS,
};

static const struct table_column diff_columns[COLUMNS] = {
	[COLUMN_STATUS] = { "status", "status", TABLE_TEXT },
	[COLUMN_OLD] = { "old", "old", TABLE_NUMBER },
	[COLUMN_NEW] = { "new", "new", TABLE_NUMBER },
	[COLUMN_CHANGE] = { "change", "change %", TABLE_DECIMAL },
	[COLUMN_P] = { "p", "p", TABLE_DECIMAL },
	[COLUMN_OLD_COST_RATE] = { "old_cost_rate_ms", NULL, TABLE_DECIMAL },
	[COLUMN_NEW_COST_RATE] = { "new_cost_rate_ms", NULL, TABLE_DECIMAL },
	[COLUMN_OLD_COST] = { "old_cost_ms", NULL, TABLE_DECIMAL },
	[COLUMN_NEW_COST] = { "new_cost_ms", NULL, TABLE_DECIMAL },
	[COLUMN_KIND] = { "kind", "kind", TABLE_TEXT },
	[COLUMN_OWNER] = { "owner", "owner", TABLE_NAME },
	[COLUMN_EXAMPLE] = { "example", "example", TABLE_PATH },
	[COLUMN_SIGNATURE] = { "signature", "signature", TABLE_NAME },
	[COLUMN_OLD_RATE] = { "old_rate", NULL, TABLE_DECIMAL },
	[COLUMN_NEW_RATE] = { "new_rate", NULL, TABLE_DECIMAL },
	[COLUMN_LEVEL] = { "level", NULL, TABLE_TEXT },
	[COLUMN_FILE] = { "file", NULL, TABLE_PATH },
	[COLUMN_LINE] = { "line", NULL, TABLE_NUMBER },
	[COLUMN_TITLE] = { "title", NULL, TABLE_TEXT },
	[COLUMN_MESSAGE] = { "message", NULL, TABLE_TEXT },
	[COLUMN_HASH] = { "hash", NULL, TABLE_TEXT },
	[COLUMN_OLD_AT_LAUNCH] = { "old_at_launch", NULL, TABLE_NUMBER },
	[COLUMN_AT_LAUNCH] = { "at_launch", "at launch", TABLE_NUMBER },
	[COLUMN_OLD_ORIGIN] = { "old_cost_origin", NULL, TABLE_TEXT },
	[COLUMN_ORIGIN] = { "new_cost_origin", NULL, TABLE_TEXT },
	[COLUMN_HEADLINE] = { "headline", NULL, TABLE_TEXT },
};

static const struct table_rule rules[] = {
	{ "new", "A crash or hang that is new",
	  "Reports of the newer set show it, and none of the older set does.",
	  "Run 'apmtool explain' on the example to see what it means." },
	{ "grown", "A crash or hang that is more frequent",
	  "The newer set has more reports of it than chance explains.",
	  "Run 'apmtool explain' on the example to see what it means." },
	{ "shrunk", "A crash or hang that is less frequent",
	  "The newer set has fewer reports of it than chance explains.",
	  "Nothing has to be done." },
	{ "gone", "A crash or hang that is gone",
	  "Reports of the older set show it, and none of the newer set does.",
	  "Nothing has to be done." },
	{ 0 },
};

static const struct table_measures measures = {
	.sums = (const char *const[]){ "old", "new", "old_at_launch",
	                               "at_launch", NULL },
	.tags = (const char *const[]){ "status", "signature", "hash", "kind",
	                               "owner", NULL },
};

static const char *const spare_columns[] = {
	"kind",
	"example",
	"old_cost_rate_ms",
	"new_cost_rate_ms",
	"p",
	"change",
	"owner",
	NULL,
};

/** `-33.33`; NULL if it is new. */
static const char *change_text(const struct diff *diff,
                               const struct diff_row *row, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	wide old = scaled(diff, row, 0);
	wide now = scaled(diff, row, 1);
	wide part;

	if (!old)
		return NULL;
	part = (now > old ? now - old : old - now) * 10000 / old;
	str_add(&text, now < old ? "-" : "");
	units_add_fixed(&text, part > UINT64_MAX ? UINT64_MAX : (uint64_t)part,
	                100, 2);
	return arena_text(arena, str_text(&text));
}

/** Reports per 1,000 of the exposure, if known. */
static const char *rate_text(const struct diff *diff,
                             const struct diff_row *row, unsigned side,
                             struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	uint64_t base = base_of(diff, row, side);
	wide rate;

	if (!base)
		return NULL;
	rate = (wide)row->counts[side] * 1000000 / base;
	units_add_fixed(&text, rate > UINT64_MAX ? UINT64_MAX : (uint64_t)rate,
	                1000, 3);
	return arena_text(arena, str_text(&text));
}

/** Six decimals: less is 0. */
static const char *p_text(double p, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_fixed(&text, (uint64_t)(p * 1000000 + 0.5), 1000000, 6);
	return arena_text(arena, str_text(&text));
}

/** Level of annotations: failures are errors, deteriorations warnings. */
static const char *level_of(const struct diff_row *row)
{
	if (row->fails)
		return "error";
	switch (row->status) {
	case DIFF_NEW:
	case DIFF_GROWN:
		return "warning";
	case DIFF_SHRUNK:
	case DIFF_GONE:
		return "notice";
	case DIFF_SAME:
		break;
	}
	return NULL;
}

/** Cost of hangs per report, or per session. */
static uint64_t cost_rate_us(const struct diff *diff,
                             const struct diff_row *row, unsigned side)
{
	return units_share(row->costs_us[side],
	                   diff->bases[row->sample_kind][side], 1);
}

static void set_cost(const struct diff_row *row, unsigned side, uint64_t us,
                     struct table_cell *cell, struct arena *arena)
{
	lag_cell_set_ms(cell, arena, cost_unit_of(row->sample_kind),
	                row->origins[side], us);
}

static void add_cost_rates(const struct diff *diff, const struct diff_row *row,
                           struct table_cell *cells, struct arena *arena)
{
	set_cost(row, 0, cost_rate_us(diff, row, 0),
	         &cells[COLUMN_OLD_COST_RATE], arena);
	set_cost(row, 1, cost_rate_us(diff, row, 1),
	         &cells[COLUMN_NEW_COST_RATE], arena);
}

static void add_costs(const struct diff_row *row, struct table_cell *cells,
                      struct arena *arena)
{
	set_cost(row, 0, row->costs_us[0], &cells[COLUMN_OLD_COST], arena);
	set_cost(row, 1, row->costs_us[1], &cells[COLUMN_NEW_COST], arena);
	table_set_text(&cells[COLUMN_OLD_ORIGIN],
	               cost_origin_name(row->origins[0]));
	table_set_text(&cells[COLUMN_ORIGIN],
	               cost_origin_name(row->origins[1]));
}

/** Cells of columns that text shows. */
static void add_shown(const struct diff *diff, const struct diff_row *row,
                      struct table_cell *cells, struct arena *arena)
{
	table_set_text(&cells[COLUMN_STATUS], status_names[row->status]);
	table_set_number(&cells[COLUMN_OLD], row->counts[0]);
	table_set_number(&cells[COLUMN_NEW], row->counts[1]);
	table_set_text(&cells[COLUMN_CHANGE], change_text(diff, row, arena));
	table_set_text(&cells[COLUMN_P], p_text(row->p, arena));
	if (!diff->is_of_stalls)
		table_set_number(&cells[COLUMN_AT_LAUNCH], row->at_launch[1]);
	if (diff->is_of_stalls)
		add_cost_rates(diff, row, cells, arena);
	table_set_text(&cells[COLUMN_KIND], row->kind);
	table_set_text(&cells[COLUMN_OWNER], row->owner);
	table_set_text(&cells[COLUMN_EXAMPLE], row->example);
	table_set_text(&cells[COLUMN_SIGNATURE], row->name);
}

/** `new crash: EXC_CRASH in -[Feed load] (Feed.m:61)` */
static const char *headline_of(const struct diff_row *row, const char *noun,
                               struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text, "%s %s: ", status_names[row->status], noun);
	crash_headline_add(&text, row->name, row->file, row->line);
	return arena_text(arena, str_text(&text));
}

/** The counts decide what is new or gone; the p-value, what has changed. */
static const char *message_of(const struct diff_row *row, const char *p,
                              struct arena *arena)
{
	bool by_chance = row->counts[0] && row->counts[1];

	return arena_printf(arena,
	                    "reports before: %" PRIu64 ", after: %" PRIu64
	                    "%s%s; such as %s",
	                    row->counts[0], row->counts[1],
	                    by_chance ? ", p " : "", by_chance ? p : "",
	                    row->example ? row->example : "-");
}

/** Cells for programs only. */
static void add_rest(const struct diff *diff, const struct diff_row *row,
                     struct table_cell *cells, struct arena *arena)
{
	const char *noun = diff->is_of_stalls ? "stall" : "crash";

	if (diff->is_of_stalls)
		add_costs(row, cells, arena);
	else
		table_set_number(&cells[COLUMN_OLD_AT_LAUNCH],
		                 row->at_launch[0]);
	table_set_text(&cells[COLUMN_OLD_RATE], rate_text(diff, row, 0, arena));
	table_set_text(&cells[COLUMN_NEW_RATE], rate_text(diff, row, 1, arena));
	table_set_text(&cells[COLUMN_LEVEL], level_of(row));
	table_set_text(&cells[COLUMN_FILE], row->file);
	if (row->line)
		table_set_number(&cells[COLUMN_LINE], row->line);
	table_set_text(&cells[COLUMN_TITLE],
	               arena_printf(arena, "%s %s: %s",
	                            status_names[row->status], noun,
	                            row->name));
	table_set_text(&cells[COLUMN_HEADLINE], headline_of(row, noun, arena));
	table_set_text(&cells[COLUMN_MESSAGE],
	               message_of(row, cells[COLUMN_P].text, arena));
	table_set_text(&cells[COLUMN_HASH], row->hash);
}

static const char *summarise(const struct diff *diff, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };
	size_t counts[ARRAY_SIZE(status_names)] = { 0 };

	for (size_t i = 0; i < diff->count; i++)
		counts[diff->rows[i].status]++;
	str_addf(&text, "%zu %s%s:", diff->count,
	         diff->is_of_stalls ? "key" : "signature",
	         text_plural(diff->count));
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		str_addf(&text, "%s %zu %s", i ? "," : "", counts[i],
		         status_names[i]);
	if (diff->failed)
		str_addf(&text, "; %zu not allowed", diff->failed);
	return arena_text(arena, str_text(&text));
}

/**
 * In text: owners if requested, crashes at launch if there are any, and the
 * time of hangs.
 */
static const struct table_column *choose_columns(const struct diff *diff,
                                                 struct arena *arena)
{
	struct table_column *columns =
	        arena_array(arena, COLUMNS, sizeof(*columns));
	bool has_launches = false;

	memcpy(columns, diff_columns, sizeof(diff_columns));
	for (size_t i = 0; i < diff->count; i++)
		has_launches |= diff->rows[i].at_launch[1] > 0;
	if (!has_launches)
		columns[COLUMN_AT_LAUNCH].title = NULL;
	if (!diff->has_owners)
		columns[COLUMN_OWNER].title = NULL;
	if (diff->is_of_stalls && diff->exposure[0]) {
		columns[COLUMN_OLD_COST_RATE].title = "old ms/session";
		columns[COLUMN_NEW_COST_RATE].title = "new ms/session";
	} else if (diff->is_of_stalls) {
		columns[COLUMN_OLD_COST_RATE].title = "old ms/report";
		columns[COLUMN_NEW_COST_RATE].title = "new ms/report";
	}
	return columns;
}

/** Data for creating rows. */
struct diff_maker {
	struct table_maker maker; ///< first
	const struct diff *diff;
};

static void make_row(struct table_maker *maker, size_t row,
                     struct table_cell *cells)
{
	const struct diff *diff = ((struct diff_maker *)maker)->diff;

	add_shown(diff, &diff->rows[row], cells, &maker->arena);
	if (!maker->titled_only)
		add_rest(diff, &diff->rows[row], cells, &maker->arena);
}

const struct table *diff_table(struct diff *diff, struct arena *arena)
{
	struct table *table = arena_alloc(arena, sizeof(*table));
	struct diff_maker *maker = arena_alloc(arena, sizeof(*maker));

	for (size_t i = 0; i < diff->count; i++) {
		struct diff_row *row = &diff->rows[i];

		row->p = significance(row->counts[0], row->counts[1],
		                      exposure(diff, row, 0),
		                      exposure(diff, row, 1));
		row->status = judge(diff, row);
		row->fails = fails(diff, row);
		diff->failed += row->fails;
	}
	if (diff->count)
		qsort(diff->rows, diff->count, sizeof(*diff->rows),
		      compare_rows);
	maker->diff = diff;
	maker->maker.make = make_row;
	maker->maker.cells =
	        arena_array(arena, COLUMNS, sizeof(*maker->maker.cells));
	*table = (struct table){
		.name = "diff",
		.summary = summarise(diff, arena),
		.columns = choose_columns(diff, arena),
		.column_count = COLUMNS,
		.spare = spare_columns,
		.rules = rules,
		.measures = &measures,
		.maker = &maker->maker,
		.row_count = diff->top && diff->top < diff->count ? diff->top
		                                                  : diff->count,
	};
	return table;
}
