// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/diff/diff.h"

#include "lib/analysis/lag/cells.h"
#include "lib/base/number.h"

#include <inttypes.h>

bool diff_gate_add(const char *value, struct diff_gate *gate)
{
	struct text text = text_from(value);
	uint64_t percent;

	if (text_is(text, "new")) {
		gate->on_new = true;
		return true;
	}
	if (text_is(text, "launch")) {
		gate->on_launch = true;
		return true;
	}
	if (!text_take(&text, "grown"))
		return false;
	gate->on_grown = true;
	gate->grown_least = 0;
	if (!text.size)
		return true;
	if (!text_take(&text, ":"))
		return false;
	if (text_ends(text, "%"))
		text = text_first(text, text.size - 1);
	if (!number_decimal(text, &percent) || percent > UINT32_MAX)
		return false;
	gate->grown_least = percent * 100;
	return true;
}

static struct diff_row *add_row(struct diff *diff)
{
	ARENA_GROW(&diff->arena, diff->rows, diff->count, diff->cap);
	diff->rows[diff->count] = (struct diff_row){ 0 };
	return &diff->rows[diff->count++];
}

/** Duplicates that no other report is like. */
static void drop_empty(struct diff *diff)
{
	size_t kept = 0;

	for (size_t i = 0; i < diff->count; i++)
		if (diff->rows[i].counts[0] || diff->rows[i].counts[1])
			diff->rows[kept++] = diff->rows[i];
	diff->count = kept;
}

void diff_take_groups(struct diff *diff, const struct crash_groups *groups)
{
	size_t count = groups->identities.count;
	// By group: the row of the group that counts it.
	struct diff_row **rows =
	        arena_array(&diff->arena, count + 1, sizeof(*rows));
	size_t before = diff->count;

	diff->has_owners = groups->owners != NULL;
	for (uint32_t i = 0; i < count; i++) {
		const struct crash_group *group = &groups->groups[i];

		if (group->joined != i)
			continue;
		*add_row(diff) = (struct diff_row){
			.name = group->text,
			.kind = signature_kind_name(group->kind),
			.example = group->example,
			.file = group->file,
			.line = group->line,
			.owner = groups->owners && group->file
			                 ? owners_find(groups->owners,
			                               group->file)
			                 : NULL,
			.hash = arena_printf(&diff->arena, "%016" PRIx64,
			                     group->hashes[groups->level - 1]),
		};
	}
	// Rows do not move from here on.
	for (uint32_t i = 0; i < count; i++)
		if (groups->groups[i].joined == i)
			rows[i] = &diff->rows[before++];
	for (uint32_t i = 0; i < count; i++) {
		const struct crash_group *group = &groups->groups[i];

		rows[group->joined]->counts[0] += group->sides[0];
		rows[group->joined]->counts[1] += group->sides[1];
		for (unsigned k = 0; k < 2; k++)
			rows[group->joined]->at_launch[k] +=
			        group->at_launch[k];
	}
	drop_empty(diff);
}

// Hangs

void diff_take_stalls(struct diff *diff, const struct lag_baseline *stalls)
{
	diff->is_of_stalls = true;
	for (unsigned kind = 0; kind < SAMPLE_KINDS; kind++)
		for (unsigned i = 0; i < 2; i++)
			diff->bases[kind][i] =
			        diff->exposure[i] ? diff->exposure[i]
			                          : stalls->totals[kind][i];
	diff->rows = arena_array(&diff->arena, stalls->names.count,
	                         sizeof(*diff->rows));
	diff->count = diff->cap = stalls->names.count;
	for (uint32_t i = 0; i < stalls->names.count; i++) {
		const struct lag_sums *sums = stalls->sums[i];
		enum sample_kind kind = lag_baseline_kind(stalls, i);

		diff->rows[i] = (struct diff_row){
			.name = lag_baseline_key(stalls, i),
			.kind = lag_cell_sample_kind(kind),
			.sample_kind = kind,
			.counts = { sums[LAG_BEFORE].reports,
			            sums[LAG_NOW].reports },
			.costs_us = { sums[LAG_BEFORE].cost_us,
			              sums[LAG_NOW].cost_us },
			.origins = { sums[LAG_BEFORE].origin,
			             sums[LAG_NOW].origin },
			.example = sums[LAG_NOW].example
			                   ? sums[LAG_NOW].example
			                   : sums[LAG_BEFORE].example,
		};
	}
}

void diff_release(struct diff *diff)
{
	arena_release(&diff->arena);
}
