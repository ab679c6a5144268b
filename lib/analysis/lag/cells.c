// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/cells.h"

#include "lib/base/units.h"

// Fast: a table of a million rows has ten million of these.
static const char *print_decimal(struct arena *arena, uint64_t whole,
                                 uint64_t part, unsigned decimals)
{
	char text[32];
	size_t at = sizeof(text);

	for (unsigned i = 0; i < decimals; i++, part /= 10)
		text[--at] = (char)('0' + part % 10);
	if (decimals)
		text[--at] = '.';
	do {
		text[--at] = (char)('0' + whole % 10);
		whole /= 10;
	} while (whole);
	return arena_strndup(arena, text + at, sizeof(text) - at);
}

const char *lag_cell_ms(struct arena *arena, uint64_t us)
{
	uint64_t part = us % 1000;
	unsigned decimals = 3;

	for (; decimals && part % 10 == 0; part /= 10)
		decimals--;
	return print_decimal(arena, us / 1000, part, decimals);
}

const char *lag_cell_steps(struct arena *arena, enum cost_unit unit,
                           uint64_t cost)
{
	return cost_unit_is_time(unit) ? lag_cell_ms(arena, cost)
	                               : print_decimal(arena, cost, 0, 0);
}

const char *lag_cell_amount(struct arena *arena, enum cost_unit unit,
                            enum cost_origin origin, uint64_t cost)
{
	SCOPED(str_release) struct str text = { 0 };

	if (origin == COST_UNKNOWN)
		return NULL;
	cost_add(&text, unit, origin, cost);
	return arena_text(arena, str_text(&text));
}

const char *lag_cell_seconds(struct arena *arena, uint64_t us)
{
	SCOPED(str_release) struct str text = { 0 };

	str_add(&text, cost_origin_mark(COST_AT_LEAST));
	units_add_fixed(&text, us, 1000000, 1);
	str_add(&text, " s");
	return arena_text(arena, str_text(&text));
}

void lag_cell_set_cost(struct table_cell *cell, struct arena *arena,
                       enum cost_unit unit, enum cost_origin origin,
                       uint64_t cost)
{
	if (origin == COST_UNKNOWN)
		return;
	table_set_text(cell, lag_cell_steps(arena, unit, cost));
	table_set_mark(cell, cost_origin_mark(origin));
}

void lag_cell_set_ms(struct table_cell *cell, struct arena *arena,
                     enum cost_unit unit, enum cost_origin origin,
                     uint64_t cost)
{
	if (cost_unit_is_time(unit))
		lag_cell_set_cost(cell, arena, unit, origin, cost);
}

const char *lag_cell_percent(struct arena *arena, uint64_t part, uint64_t whole)
{
	uint64_t share = units_share(part, whole, 10000);

	return print_decimal(arena, share / 100, share % 100, 2);
}

const char *lag_cell_stack(struct arena *arena,
                           const struct profile_functions *functions,
                           const uint32_t *stack, size_t count)
{
	SCOPED(str_release) struct str text = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (i)
			str_add(&text, " - ");
		str_add(&text, functions->frames[stack[i]].name);
	}
	return arena_text(arena, str_text(&text));
}

const char *lag_cell_sample_kind(enum sample_kind kind)
{
	static const char *const names[SAMPLE_KINDS] = {
		[SAMPLE_KIND_NONE] = "none",
		[SAMPLE_KIND_STALL] = "stall",
		[SAMPLE_KIND_CPU] = "cpu",
		[SAMPLE_KIND_DISK] = "disk",
		[SAMPLE_KIND_LAUNCH] = "launch",
		[SAMPLE_KIND_WAKEUPS] = "wakeups",
	};

	return names[kind];
}

const char *lag_cell_kind(bool is_app)
{
	return is_app ? "app" : "system";
}

const char *lag_cell_name(const struct lag_hang *hang, struct arena *arena)
{
	SCOPED(str_release) struct str name = { 0 };

	lag_hang_name(hang, &name);
	return arena_text(arena, str_text(&name));
}

void lag_evidence_add(const struct profile_functions *functions,
                      struct str *out)
{
	static const struct {
		enum calltree_evidence evidence;
		const char *name;
	} ways[CALLTREE_EVIDENCES] = {
		{ CALLTREE_BY_RULE, "by rule" },
		{ CALLTREE_BY_IMAGE, "by image" },
		{ CALLTREE_BY_SYMBOL, "by symbol" },
		{ CALLTREE_BY_DEFAULT, "by default" },
	};
	size_t counts[CALLTREE_EVIDENCES];
	bool is_first = true;

	for (size_t i = 0; i < CALLTREE_EVIDENCES; i++)
		counts[i] = functions->elsewhere[i];
	for (uint32_t i = 0; i < profile_functions_count(functions); i++)
		counts[functions->frames[i].evidence]++;
	for (size_t i = 0; i < CALLTREE_EVIDENCES; i++) {
		size_t count = counts[ways[i].evidence];

		if (!count)
			continue;
		str_addf(out, "%s%s (%zu%s)", is_first ? "" : ", ",
		         ways[i].name, count,
		         !is_first    ? ""
		         : count == 1 ? " function"
		                      : " functions");
		is_first = false;
	}
}
