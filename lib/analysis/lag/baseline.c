#include "lib/analysis/lag/baseline.h"

#include "lib/analysis/lag/group_cells.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/base/units.h"

#include <stdlib.h>
#include <string.h>

static uint32_t add_name(struct intern *names, enum sample_kind kind,
                         const char *key)
{
	SCOPED(str_release) struct str name = { 0 };

	str_add_char(&name, (char)kind);
	str_add(&name, key);
	return intern_add(names, str_text(&name));
}

static void add_sums(struct lag_sums *sums, const struct lag_sums *more)
{
	sums->reports = number_sum(sums->reports, more->reports);
	sums->cost_us = number_sum(sums->cost_us, more->cost_us);
	if (!sums->example)
		sums->example = more->example;
}

/** The number of a name, which is met if it is new. */
static uint32_t find(struct lag_baseline *baseline, enum sample_kind kind,
                     const char *key)
{
	uint32_t known = baseline->names.count;
	uint32_t number = add_name(&baseline->names, kind, key);

	if (number < known)
		return number;
	MEM_GROW(baseline->sums, number, baseline->cap);
	MEM_GROW(baseline->met, number, baseline->met_cap);
	baseline->sums[number] = (struct lag_sums){ 0 };
	baseline->met[number] = true;
	return number;
}

void lag_baseline_add(struct lag_baseline *baseline, enum sample_kind kind,
                      const char *key, const struct lag_sums *sums)
{
	uint32_t number = find(baseline, kind, key);
	struct lag_sums copy = *sums;

	if (!baseline->sums[number].example)
		copy.example = arena_strdup(&baseline->arena, sums->example);
	add_sums(&baseline->sums[number], &copy);
	baseline->met[number] = false;
	baseline->totals[kind] =
	        number_sum(baseline->totals[kind], sums->reports);
}

/** Set what both sides are counted by, and the rates. */
static void set_rates(const struct lag_baseline *baseline, uint64_t now_reports,
                      struct lag_change *change)
{
	const uint64_t reports[] = { baseline->totals[change->kind],
		                     now_reports };

	for (unsigned i = 0; i < 2; i++) {
		uint64_t base = baseline->sessions[i] ? baseline->sessions[i]
		                                      : reports[i];

		change->bases[i] = base;
		change->rates[i] =
		        units_share(change->sums[i].reports, base, 10000);
		change->costs_us[i] =
		        units_share(change->sums[i].cost_us, base, 1);
	}
}

struct lag_change lag_baseline_compare(struct lag_baseline *baseline,
                                       enum sample_kind kind, const char *key,
                                       const struct lag_sums *now,
                                       uint64_t reports)
{
	uint32_t number = find(baseline, kind, key);
	struct lag_change change = {
		.kind = kind,
		.key = key,
		.sums = { baseline->sums[number], *now },
	};

	baseline->met[number] = true;
	set_rates(baseline, reports, &change);
	if (change.rates[1] > change.rates[0] &&
	    change.rates[1] - change.rates[0] > baseline->growth)
		baseline->growth = change.rates[1] - change.rates[0];
	return change;
}

static int compare_gone(const void *a, const void *b)
{
	const struct lag_change *left = a;
	const struct lag_change *right = b;

	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	if (left->sums[0].reports != right->sums[0].reports)
		return left->sums[0].reports > right->sums[0].reports ? -1 : 1;
	return strcmp(left->key, right->key);
}

const struct lag_change *lag_baseline_gone(const struct lag_baseline *baseline,
                                           const struct lag_groups *now,
                                           struct arena *arena,
                                           size_t *ret_count)
{
	size_t count = 0;
	struct lag_change *gone;

	for (uint32_t i = 0; i < baseline->names.count; i++)
		count += !baseline->met[i];
	gone = arena_array(arena, count, sizeof(*gone));
	count = 0;
	for (uint32_t i = 0; i < baseline->names.count; i++) {
		struct text name = baseline->names.texts[i];
		struct lag_change *change;

		if (baseline->met[i])
			continue;
		change = &gone[count];
		*change = (struct lag_change){
			.kind = (enum sample_kind)name.data[0],
			.key = arena_text(arena, text_after(name, 1)),
			.sums = { baseline->sums[i] },
		};
		set_rates(baseline, now->kinds[change->kind].reports, change);
		count++;
	}
	qsort(gone, count, sizeof(*gone), compare_gone);
	*ret_count = count;
	return gone;
}

// Groups

static struct lag_sums sums_of(const struct lag_groups *groups,
                               const struct lag_group *group,
                               struct arena *arena)
{
	return (struct lag_sums){
		.reports = group->reports,
		.cost_us = group->cost_us,
		.example = lag_group_example(groups, group, arena),
	};
}

void lag_groups_to_baseline(const struct lag_groups *groups,
                            struct lag_baseline *ret)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	for (uint32_t i = 0; i < groups->identities.count; i++) {
		const struct lag_group *group = &groups->groups[i];
		const struct lag_sums sums = sums_of(groups, group, &arena);

		lag_baseline_add(ret, group->kind,
		                 lag_group_row(groups, i, &arena).key, &sums);
		arena_clear(&arena);
	}
}

const struct lag_change *lag_groups_compare(const struct lag_groups *now,
                                            struct lag_baseline *baseline,
                                            struct arena *arena,
                                            size_t *ret_count)
{
	SCOPED(intern_release) struct intern names = { 0 };
	uint32_t count = now->identities.count;
	struct lag_change *changes;
	struct lag_change *all;
	const struct lag_change *gone;
	size_t gone_count;

	changes = arena_array(arena, count, sizeof(*changes));
	// Places without a name may be called the same: they are one.
	for (uint32_t i = 0; i < count; i++) {
		const struct lag_group *group = &now->groups[i];
		const char *key = lag_group_row(now, i, arena).key;
		uint32_t known = names.count;
		uint32_t number = add_name(&names, group->kind, key);
		const struct lag_sums sums = sums_of(now, group, arena);

		if (number == known)
			changes[number] =
			        (struct lag_change){ .kind = group->kind,
				                     .key = key };
		add_sums(&changes[number].sums[1], &sums);
	}
	for (uint32_t i = 0; i < names.count; i++) {
		enum sample_kind kind = changes[i].kind;

		changes[i] = lag_baseline_compare(
		        baseline, kind, changes[i].key, &changes[i].sums[1],
		        now->kinds[kind].reports);
	}
	gone = lag_baseline_gone(baseline, now, arena, &gone_count);
	*ret_count = names.count + gone_count;
	if (!gone_count)
		return changes;
	all = arena_array(arena, *ret_count, sizeof(*all));
	memcpy(all, changes, names.count * sizeof(*all));
	memcpy(all + names.count, gone, gone_count * sizeof(*all));
	return all;
}

void lag_baseline_release(struct lag_baseline *baseline)
{
	intern_release(&baseline->names);
	free(baseline->sums);
	free(baseline->met);
	arena_release(&baseline->arena);
	*baseline = (struct lag_baseline){ 0 };
}
