// SPDX-License-Identifier: MIT
/*
 * The tables of reports, and of the steps to their keys.
 */
#include "lib/analysis/lag/cells.h"
#include "lib/analysis/lag/groups.h"
#include "lib/darwin/hangs.h"

#include <string.h>

enum {
	REPORT_ID,
	REPORT_SAMPLES,
	REPORT_COST,
	REPORT_NODES,
	REPORT_KIND,
	REPORT_KEY,
	REPORT_POINT_COUNT,
	REPORT_POINT_STACK,
	REPORT_CLASS2,
	REPORT_CLASS4,
	REPORT_SESSION,
	REPORT_REPEAT,
	REPORT_APP,
	REPORT_DEVICE,
	REPORT_OS,
	REPORT_INPUT,
	REPORT_LINE,
	REPORT_SAMPLE_KIND,
	REPORT_AMOUNT,
	REPORT_UNIT,
	REPORT_ORIGIN,
	REPORT_EVENT,
	REPORT_SCENARIO,
	REPORT_ALLOWANCE,
	REPORT_BLOCKER,
	REPORT_KEY_SAMPLES,
	REPORT_COLUMNS,
};

static const struct table_column report_columns[REPORT_COLUMNS] = {
	[REPORT_ID] = { "id", "report", TABLE_PATH },
	[REPORT_SAMPLES] = { "samples", "samples", TABLE_NUMBER },
	[REPORT_COST] = { "cost_ms", "cost ms", TABLE_DECIMAL },
	[REPORT_NODES] = { "nodes", "nodes", TABLE_NUMBER },
	[REPORT_KIND] = { "kind", "kind", TABLE_TEXT },
	[REPORT_KEY] = { "key", "key", TABLE_NAME },
	[REPORT_POINT_COUNT] = { "point_count", "count", TABLE_NUMBER },
	[REPORT_POINT_STACK] = { "point_stack", "heaviest stack", TABLE_STACK },
	[REPORT_CLASS2] = { "class2", NULL, TABLE_TEXT },
	[REPORT_CLASS4] = { "class4", NULL, TABLE_TEXT },
	[REPORT_SESSION] = { "session", NULL, TABLE_TEXT },
	[REPORT_REPEAT] = { "repeat", NULL, TABLE_BOOL },
	[REPORT_APP] = { "app", NULL, TABLE_TEXT },
	[REPORT_DEVICE] = { "device", NULL, TABLE_TEXT },
	[REPORT_OS] = { "os", NULL, TABLE_TEXT },
	[REPORT_INPUT] = { "input", NULL, TABLE_TEXT },
	[REPORT_LINE] = { "line", NULL, TABLE_NUMBER },
	[REPORT_SAMPLE_KIND] = { "sample_kind", NULL, TABLE_TEXT },
	[REPORT_AMOUNT] = { "cost", NULL, TABLE_DECIMAL },
	[REPORT_UNIT] = { "unit", NULL, TABLE_TEXT },
	[REPORT_ORIGIN] = { "cost_origin", NULL, TABLE_TEXT },
	[REPORT_EVENT] = { "event", NULL, TABLE_TEXT },
	[REPORT_SCENARIO] = { "scenario", NULL, TABLE_TEXT },
	[REPORT_ALLOWANCE] = { "allowance_share", NULL, TABLE_DECIMAL },
	[REPORT_BLOCKER] = { "blocker", NULL, TABLE_NAME },
	[REPORT_KEY_SAMPLES] = { "key_samples", NULL, TABLE_NUMBER },
};

static const char *const spare_report_columns[] = {
	"nodes", "point_count", "samples", "kind", "point_stack", NULL,
};

static struct table *new_table(const char *name,
                               const struct table_column *columns,
                               size_t column_count, const char *const *spare,
                               struct arena *arena)
{
	struct table *table = arena_alloc(arena, sizeof(*table));

	*table = (struct table){
		.name = name,
		.columns = columns,
		.column_count = column_count,
		.spare = spare,
	};
	return table;
}

/** A row of reports; as cells, it would be three times as large. */
struct report_row {
	const char *name; ///< id or origin; or NULL
	const char *session;
	const char *app;
	const char *device;
	const char *os;
	const char *input;
	const char *event;
	const char *blocker;
	const struct hang_allowance *allowance;
	const char *key; ///< or NULL
	const char *stack;
	size_t class2; ///< index of its first call in the stack
	size_t class4;
	uint64_t samples;
	uint64_t cost_us;
	uint64_t heaviest_samples;
	uint64_t key_samples;
	size_t node_count;
	size_t line;
	enum sample_kind kind;
	bool is_app;
	bool is_repeat;
	enum cost_origin cost_origin : 8;
	bool has_id;
};

struct report_rows {
	struct table_maker maker; ///< must be first
	struct report_row *rows;
	size_t cap;
	struct table_cell cells[REPORT_COLUMNS];
};

/** Made on reading, as names with the file need much memory. */
static const char *name_of(const struct report_row *row, struct arena *arena)
{
	const struct lag_hang hang = {
		.input = row->input,
		.line = row->line,
		.id = row->has_id ? row->name : NULL,
		.origin = row->has_id ? NULL : row->name,
	};

	return lag_cell_name(&hang, arena);
}

static void set_cost(const struct report_row *row, struct table_cell *cells,
                     struct arena *arena)
{
	enum cost_unit unit = cost_unit_of(row->kind);

	lag_cell_set_ms(&cells[REPORT_COST], arena, unit, row->cost_origin,
	                row->cost_us);
	lag_cell_set_cost(&cells[REPORT_AMOUNT], arena, unit, row->cost_origin,
	                  row->cost_us);
	table_set_text(&cells[REPORT_UNIT], cost_unit_name(unit));
	table_set_text(&cells[REPORT_ORIGIN],
	               cost_origin_name(row->cost_origin));
	if (!row->allowance)
		return;
	table_set_text(&cells[REPORT_SCENARIO], row->allowance->scenario);
	if (cost_is_exact(row->cost_origin))
		table_set_text(&cells[REPORT_ALLOWANCE],
		               lag_cell_percent(arena, row->cost_us,
		                                row->allowance->seconds *
		                                        UINT64_C(1000000)));
}

static void make_report(struct table_maker *maker, size_t number,
                        struct table_cell *cells)
{
	const struct report_row *row =
	        &((struct report_rows *)maker)->rows[number];

	table_set_text(&cells[REPORT_ID], name_of(row, &maker->arena));
	table_set_number(&cells[REPORT_SAMPLES], row->samples);
	set_cost(row, cells, &maker->arena);
	table_set_number(&cells[REPORT_NODES], row->node_count);
	table_set_text(&cells[REPORT_SESSION], row->session);
	table_set_number(&cells[REPORT_REPEAT], row->is_repeat);
	table_set_text(&cells[REPORT_APP], row->app);
	table_set_text(&cells[REPORT_DEVICE], row->device);
	table_set_text(&cells[REPORT_OS], row->os);
	table_set_text(&cells[REPORT_EVENT], row->event);
	table_set_text(&cells[REPORT_BLOCKER], row->blocker);
	table_set_text(&cells[REPORT_INPUT], row->input);
	table_set_text(&cells[REPORT_SAMPLE_KIND],
	               lag_cell_sample_kind(row->kind));
	if (row->line)
		table_set_number(&cells[REPORT_LINE], row->line);
	if (!row->stack)
		return;
	if (row->key) {
		table_set_text(&cells[REPORT_KIND], lag_cell_kind(row->is_app));
		table_set_text(&cells[REPORT_KEY], row->key);
		table_set_number(&cells[REPORT_KEY_SAMPLES], row->key_samples);
	}
	table_set_number(&cells[REPORT_POINT_COUNT], row->heaviest_samples);
	table_set_text(&cells[REPORT_POINT_STACK], row->stack);
	table_set_text(&cells[REPORT_CLASS2], row->stack + row->class2);
	table_set_text(&cells[REPORT_CLASS4], row->stack + row->class4);
}

struct table *lag_reports_table(struct arena *arena)
{
	struct table *table = new_table("lag-reports", report_columns,
	                                REPORT_COLUMNS, spare_report_columns,
	                                arena);
	struct report_rows *rows = arena_alloc(arena, sizeof(*rows));

	rows->maker.make = make_report;
	rows->maker.cells = rows->cells;
	table->maker = &rows->maker;
	return table;
}

/** Share the text with the previous row if equal. */
static const char *keep(const char *before, const char *text,
                        struct arena *arena)
{
	return before && text && !strcmp(before, text)
	               ? before
	               : arena_strdup(arena, text);
}

/** Index of the first of the innermost calls in the printed stack. */
static size_t class_at(const struct lag_builder *builder,
                       const struct lag_hang *hang, size_t max)
{
	size_t outer = hang->stack_count < max ? 0 : hang->stack_count - max;
	size_t at = 0;

	for (size_t i = 0; i < outer; i++)
		at += strlen(builder->functions.frames[hang->stack[i]].name) +
		      strlen(" - ");
	return at;
}

static void add_stack(struct report_row *row, const struct lag_builder *builder,
                      const struct lag_hang *hang, struct arena *arena)
{
	row->heaviest_samples = hang->heaviest_samples;
	row->stack = lag_cell_stack(arena, &builder->functions, hang->stack,
	                            hang->stack_count);
	row->class2 = class_at(builder, hang, LAG_CLASS_FRAMES);
	row->class4 = class_at(builder, hang, LAG_SUBCLASS_FRAMES);
	row->is_app = hang->is_app;
	if (hang->key != INTERN_NONE)
		row->key = keep(row->stack + class_at(builder, hang, 1),
		                builder->functions.frames[hang->key].name,
		                arena);
}

static void add_report(struct table *table, const struct lag_builder *builder,
                       const struct lag_hang *hang, bool is_repeat,
                       struct arena *arena)
{
	static const struct report_row none = { 0 };
	struct report_rows *rows = (struct report_rows *)table->maker;
	const struct report_row *before;
	struct report_row *row;

	ARENA_GROW(arena, rows->rows, table->row_count, rows->cap);
	before = table->row_count ? &rows->rows[table->row_count - 1] : &none;
	row = &rows->rows[table->row_count++];
	*row = (struct report_row){
		.name = arena_strdup(arena, hang->id ? hang->id : hang->origin),
		.has_id = hang->id,
		.session = keep(before->session, hang->session, arena),
		.app = keep(before->app, hang->app, arena),
		.device = keep(before->device, hang->device, arena),
		.os = keep(before->os, hang->os, arena),
		.event = keep(before->event, hang->event, arena),
		.blocker = keep(before->blocker, hang->blocker, arena),
		.allowance = hang->allowance,
		.key_samples = hang->key_samples,
		.input = keep(before->input, hang->input, arena),
		.samples = hang->samples,
		.cost_us = hang->cost_us,
		.cost_origin = hang->cost_origin,
		.node_count = hang->node_count,
		.line = hang->line,
		.kind = hang->kind,
		.is_repeat = is_repeat,
	};
	if (hang->stack_count)
		add_stack(row, builder, hang, arena);
}

void lag_reports_add(struct table *table, const struct lag_builder *builder,
                     const bool *is_repeat, struct arena *arena)
{
	for (size_t i = 0; i < builder->hang_count; i++)
		add_report(table, builder, &builder->hangs[i], is_repeat[i],
		           arena);
}

// Steps

enum {
	STEP_REPORT,
	STEP_DEPTH,
	STEP_COST,
	STEP_PARENT_COST,
	STEP_N,
	STEP_FAIR_SHARE,
	STEP_OVER_FAIR_SHARE,
	STEP_FIFTH,
	STEP_OVER_FIFTH,
	STEP_VERDICT,
	STEP_KIND,
	STEP_FUNCTION,
	STEP_SAMPLES,
	STEP_UNIT,
	STEP_ORIGIN,
	STEP_COLUMNS,
};

static const struct table_column explain_columns[STEP_COLUMNS] = {
	[STEP_REPORT] = { "report", "report", TABLE_PATH },
	[STEP_DEPTH] = { "depth", "depth", TABLE_NUMBER },
	[STEP_COST] = { "cost_ms", "cost ms", TABLE_DECIMAL },
	[STEP_PARENT_COST] = { "parent_cost_ms", "of ms", TABLE_DECIMAL },
	[STEP_N] = { "n", "n", TABLE_NUMBER },
	[STEP_FAIR_SHARE] = { "fair_share_ms", "1.1/n ms", TABLE_DECIMAL },
	[STEP_OVER_FAIR_SHARE] = { "over_fair_share", "over", TABLE_BOOL },
	[STEP_FIFTH] = { "fifth_ms", "20 % ms", TABLE_DECIMAL },
	[STEP_OVER_FIFTH] = { "over_fifth", "over", TABLE_BOOL },
	[STEP_VERDICT] = { "verdict", "verdict", TABLE_PROSE },
	[STEP_KIND] = { "kind", "kind", TABLE_TEXT },
	[STEP_FUNCTION] = { "function", "function", TABLE_NAME },
	[STEP_SAMPLES] = { "samples", NULL, TABLE_NUMBER },
	[STEP_UNIT] = { "unit", NULL, TABLE_TEXT },
	[STEP_ORIGIN] = { "cost_origin", NULL, TABLE_TEXT },
};

/** The clauses can be derived from the numbers. */
#define SPARE_OF_STEPS \
	"kind", "over_fifth", "over_fair_share", "fifth_ms", "fair_share_ms"

static const char *const spare_of_one[] = {
	SPARE_OF_STEPS, "report", "n", "parent_cost_ms", NULL,
};

/** With several hangs, each step names its hang. */
static const char *const spare_of_several[] = {
	SPARE_OF_STEPS, "depth", "n", "parent_cost_ms", NULL,
};

struct table *lag_explain_table(struct arena *arena)
{
	return new_table("lag-explain", explain_columns, STEP_COLUMNS,
	                 spare_of_one, arena);
}

static const char *verdict_of(const struct lag_explained *step)
{
	if (step->is_key)
		return "key";
	if (step->step.taken)
		return "taken";
	if (step->step.over_fair_share && step->step.over_fifth)
		return "passed, another goes first";
	return "failed";
}

/** Threshold of the first clause. */
static uint64_t fair_share_us(const struct lag_step *step)
{
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)((wide)step->parent_cost_us * 11 / 10 / step->n);
}

static void set_step_costs(struct table_cell *cells,
                           const struct lag_hang *hang,
                           const struct lag_explained *step,
                           struct arena *arena)
{
	const struct {
		unsigned column;
		uint64_t cost;
	} costs[] = {
		{ STEP_COST, step->cost_us },
		{ STEP_PARENT_COST, step->step.parent_cost_us },
		{ STEP_FIFTH, step->step.parent_cost_us / 5 },
		{ STEP_FAIR_SHARE, fair_share_us(&step->step) },
	};
	enum cost_unit unit = cost_unit_of(hang->kind);
	// The first clause does not apply to an only child.
	size_t count = ARRAY_SIZE(costs) - (step->step.n > 1 ? 0 : 1);

	for (size_t i = 0; i < count; i++)
		lag_cell_set_ms(&cells[costs[i].column], arena, unit,
		                hang->cost_origin, costs[i].cost);
	table_set_text(&cells[STEP_UNIT], cost_unit_name(unit));
	table_set_text(&cells[STEP_ORIGIN],
	               cost_origin_name(hang->cost_origin));
}

static void add_steps(struct table *table, const struct lag_hang *hang,
                      struct arena *arena)
{
	const char *name = hang->step_count ? lag_cell_name(hang, arena) : NULL;

	for (size_t i = 0; i < hang->step_count; i++) {
		const struct lag_explained *step = &hang->steps[i];
		struct table_cell *cells = table_add_row(table, arena);
		uint64_t n = step->step.n;

		table_set_text(&cells[STEP_REPORT], name);
		table_set_number(&cells[STEP_DEPTH], step->depth);
		set_step_costs(cells, hang, step, arena);
		table_set_number(&cells[STEP_N], n);
		table_set_number(&cells[STEP_OVER_FAIR_SHARE],
		                 step->step.over_fair_share);
		table_set_number(&cells[STEP_OVER_FIFTH],
		                 step->step.over_fifth);
		table_set_text(&cells[STEP_VERDICT], verdict_of(step));
		table_set_text(&cells[STEP_KIND], lag_cell_kind(step->is_app));
		table_set_text(&cells[STEP_FUNCTION],
		               arena_strdup(arena, step->name));
		table_set_number(&cells[STEP_SAMPLES], step->samples);
	}
}

void lag_explain_add(struct table *table, const struct lag_builder *builder,
                     size_t *more_steps, struct arena *arena)
{
	size_t known = *more_steps;

	for (size_t i = 0; i < builder->hang_count; i++) {
		if (table->row_count)
			table->spare = spare_of_several;
		add_steps(table, &builder->hangs[i], arena);
		*more_steps += builder->hangs[i].more_steps;
	}
	if (*more_steps > known)
		table->summary = arena_printf(
		        arena,
		        "%zu failed call%s %s not shown; of each report, the "
		        "first %d steps and the calls taken are",
		        *more_steps, text_plural(*more_steps),
		        *more_steps == 1 ? "is" : "are", LAG_STEPS);
}
