// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/baseline.h"

#include "lib/analysis/lag/group_cells.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#include <stdlib.h>
#include <string.h>

/** The number of a name; a new one has zero sums. */
static uint32_t find(struct lag_baseline *baseline, enum sample_kind kind,
                     const char *key)
{
	SCOPED(str_release) struct str name = { 0 };
	uint32_t known = baseline->names.count;
	uint32_t number;

	str_add_char(&name, (char)kind);
	str_add(&name, key);
	number = intern_add(&baseline->names, str_text(&name));
	if (number < known)
		return number;
	MEM_GROW(baseline->sums, number, baseline->cap);
	memset(baseline->sums[number], 0, sizeof(baseline->sums[number]));
	return number;
}

uint32_t lag_baseline_add(struct lag_baseline *baseline, enum sample_kind kind,
                          const char *key, enum lag_side side,
                          const struct lag_sums *more)
{
	uint32_t number = find(baseline, kind, key);
	struct lag_sums *sums = &baseline->sums[number][side];

	sums->origin = sums->reports
	                       ? cost_origin_sum(sums->origin, more->origin)
	                       : more->origin;
	sums->reports = number_sum(sums->reports, more->reports);
	sums->cost_us = number_sum(sums->cost_us, more->cost_us);
	if (!sums->example)
		sums->example = arena_strdup(&baseline->arena, more->example);
	return number;
}

void lag_baseline_add_groups(struct lag_baseline *baseline,
                             const struct lag_groups *groups,
                             enum lag_side side)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	for (uint32_t i = 0; i < groups->identities.count; i++) {
		const struct lag_group *group = &groups->groups[i];
		const struct lag_sums sums = {
			.reports = group->reports,
			.cost_us = group->cost_us,
			.origin = lag_group_origin(group),
			.example = baseline->keeps_examples
			                   ? lag_group_example(groups, group,
			                                       &arena)
			                   : NULL,
		};

		lag_baseline_add(baseline, group->kind,
		                 lag_group_row(groups, i, &arena).key, side,
		                 &sums);
		arena_clear(&arena);
	}
	for (size_t i = 0; i < SAMPLE_KINDS; i++)
		baseline->totals[i][side] = groups->kinds[i].reports;
}

struct lag_change lag_baseline_compare(const struct lag_baseline *baseline,
                                       uint32_t number,
                                       const struct lag_sums *now)
{
	struct lag_change change = {
		.kind = lag_baseline_kind(baseline, number),
		.key = lag_baseline_key(baseline, number),
		.sums = { baseline->sums[number][LAG_BEFORE], *now },
	};

	for (unsigned i = 0; i < LAG_SIDES; i++) {
		uint64_t base = baseline->sessions[i]
		                        ? baseline->sessions[i]
		                        : baseline->totals[change.kind][i];

		change.rates[i] =
		        units_share(change.sums[i].reports, base, 10000);
		change.costs_us[i] =
		        units_share(change.sums[i].cost_us, base, 1);
	}
	return change;
}

// Groups of the older samples only

/** A group that only the older samples have. */
struct gone {
	const char *name; ///< after its kind
	uint64_t reports;
	uint32_t number;
};

static int compare_gone(const void *a, const void *b)
{
	const struct gone *left = a;
	const struct gone *right = b;

	if (left->name[0] != right->name[0])
		return left->name[0] < right->name[0] ? -1 : 1;
	if (left->reports != right->reports)
		return left->reports > right->reports ? -1 : 1;
	return strcmp(left->name + 1, right->name + 1);
}

const uint32_t *lag_baseline_gone(const struct lag_baseline *baseline,
                                  struct arena *arena, size_t *ret_count)
{
	SCOPED(mem_drop) struct gone *gone = NULL;
	size_t count = 0;
	size_t cap = 0;
	uint32_t *numbers;

	for (uint32_t i = 0; i < baseline->names.count; i++) {
		if (baseline->sums[i][LAG_NOW].reports)
			continue;
		MEM_GROW(gone, count, cap);
		gone[count++] = (struct gone){
			.name = intern_cstr(&baseline->names, i),
			.reports = baseline->sums[i][LAG_BEFORE].reports,
			.number = i,
		};
	}
	if (count)
		qsort(gone, count, sizeof(*gone), compare_gone);
	numbers = arena_array(arena, count, sizeof(*numbers));
	for (size_t i = 0; i < count; i++)
		numbers[i] = gone[i].number;
	*ret_count = count;
	return numbers;
}

void lag_baseline_release(struct lag_baseline *baseline)
{
	intern_release(&baseline->names);
	free(baseline->sums);
	arena_release(&baseline->arena);
	*baseline = (struct lag_baseline){ 0 };
}
