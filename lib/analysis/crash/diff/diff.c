#include "lib/analysis/crash/diff/diff.h"

#include "lib/base/intern.h"
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

void diff_take_groups(struct diff *diff, const struct crash_groups *groups)
{
	size_t count = groups->identities.count;
	// By group: the row of those that are joined to it.
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
	// Rows stay where they are from now on.
	for (uint32_t i = 0; i < count; i++)
		if (groups->groups[i].joined == i)
			rows[i] = &diff->rows[before++];
	for (uint32_t i = 0; i < count; i++) {
		const struct crash_group *group = &groups->groups[i];

		rows[group->joined]->counts[0] += group->sides[0];
		rows[group->joined]->counts[1] += group->sides[1];
	}
}

// Stalls

/** The columns of `lag-groups` that matter here. */
struct lag_columns {
	size_t key, sample_kind, reports, cost, example;
};

static struct lag_columns find_columns(const struct table *table)
{
	return (struct lag_columns){
		.key = table_column(table, "key"),
		.sample_kind = table_column(table, "sample_kind"),
		.reports = table_column(table, "reports"),
		.cost = table_column(table, "cost_ms"),
		.example = table_column(table, "example"),
	};
}

static void take_side(struct diff *diff, unsigned side,
                      const struct table *table, struct intern *keys)
{
	struct lag_columns at = find_columns(table);
	uint64_t total = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		const char *key = table_cell(table, i, at.key)->text;
		const char *kind = table_cell(table, i, at.sample_kind)->text;
		uint64_t reports = table_cell(table, i, at.reports)->number;
		const char *both =
		        arena_printf(&diff->arena, "%s\n%s", kind, key);
		uint32_t before = keys->count;
		uint32_t number = intern_add(keys, text_from(both));
		struct diff_row *row;

		if (number == before) {
			row = add_row(diff);
			row->name = arena_strdup(&diff->arena, key);
			row->kind = kind;
			row->costs[0] = row->costs[1] = "0";
		}
		row = &diff->rows[number];
		row->counts[side] += reports;
		row->costs[side] = arena_strdup(
		        &diff->arena, table_cell(table, i, at.cost)->text);
		row->example = arena_strdup(
		        &diff->arena, table_cell(table, i, at.example)->text);
		total += reports;
	}
	if (!diff->exposure[side])
		diff->exposure[side] = total;
}

void diff_take_stalls(struct diff *diff, const struct table *old,
                      const struct table *now)
{
	SCOPED(intern_release) struct intern keys = { 0 };
	bool is_given = diff->exposure[0];

	diff->is_of_stalls = true;
	take_side(diff, 0, old, &keys);
	take_side(diff, 1, now, &keys);
	// Shares of nothing cannot be compared.
	if (!is_given && (!diff->exposure[0] || !diff->exposure[1]))
		diff->exposure[0] = diff->exposure[1] = 0;
}

void diff_release(struct diff *diff)
{
	arena_release(&diff->arena);
}
