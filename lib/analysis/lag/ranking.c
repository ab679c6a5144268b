// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/ranking.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>
#include <string.h>

void lag_ranking_init(const struct lag_groups *groups, struct lag_ranking *ret)
{
	*ret = (struct lag_ranking){ .groups = groups };
}

void lag_ranking_release(struct lag_ranking *ranking)
{
	free(ranking->items);
	*ranking = (struct lag_ranking){ 0 };
}

// Order: groups equal properties; the first occurrence comes first.

static int compare_firsts(const struct lag_ranked *a,
                          const struct lag_ranked *b)
{
	return number_compare(a->first, b->first);
}

static int compare_whats(const void *a, const void *b)
{
	const struct lag_ranked *left = a;
	const struct lag_ranked *right = b;

	if (left->what != right->what)
		return left->what < right->what ? -1 : 1;
	return compare_firsts(left, right);
}

static int compare_ends(const struct lag_ranked *a, const struct lag_ranked *b,
                        size_t max)
{
	size_t count, other;
	const uint32_t *left = lag_stack_end(a->stack, max, &count);
	const uint32_t *right = lag_stack_end(b->stack, max, &other);

	if (count != other)
		return count < other ? -1 : 1;
	return memcmp(left, right, count * sizeof(*left));
}

static int compare_classes(const struct lag_ranked *a,
                           const struct lag_ranked *b, size_t max)
{
	int order = compare_ends(a, b, max);

	return order ? order : compare_firsts(a, b);
}

static int compare_classes2(const void *a, const void *b)
{
	return compare_classes(a, b, LAG_CLASS_FRAMES);
}

static int compare_classes4(const void *a, const void *b)
{
	return compare_classes(a, b, LAG_SUBCLASS_FRAMES);
}

static int compare_counts(const void *a, const void *b)
{
	const struct lag_ranked *left = a;
	const struct lag_ranked *right = b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return compare_firsts(left, right);
}

/** Are two properties of a kind equal? */
static bool is_same(const struct lag_ranked *a, const struct lag_ranked *b,
                    enum lag_tally_kind kind)
{
	if (kind == LAG_TALLY_CLASS2)
		return !compare_ends(a, b, LAG_CLASS_FRAMES);
	if (kind == LAG_TALLY_CLASS4)
		return !compare_ends(a, b, LAG_SUBCLASS_FRAMES);
	return a->what == b->what;
}

/** Join equal properties of a kind; returns how many remain. */
static size_t join_same(struct lag_ranked *items, size_t count,
                        enum lag_tally_kind kind)
{
	size_t kept = 0;

	qsort(items, count, sizeof(*items),
	      kind == LAG_TALLY_CLASS2   ? compare_classes2
	      : kind == LAG_TALLY_CLASS4 ? compare_classes4
	                                 : compare_whats);
	for (size_t i = 1; i < count; i++) {
		if (is_same(&items[kept], &items[i], kind))
			items[kept].count =
			        number_sum(items[kept].count, items[i].count);
		else
			items[++kept] = items[i];
	}
	return kept + 1;
}

static void add_kind(struct lag_ranking *ranking, enum lag_tally_kind kind)
{
	const struct lag_groups *groups = ranking->groups;
	enum lag_tally_kind counted = kind < LAG_TALLY_DEVICE ? LAG_TALLY_CLASS4
	                                                      : kind;
	size_t begin = ranking->item_count;
	size_t count;

	for (uint32_t i = groups->groups[ranking->group - 1].tally;
	     i != LAG_NO_TALLY; i = groups->tallies[i].next) {
		const struct lag_tally *tally = &groups->tallies[i];

		if (tally->kind != counted)
			continue;
		MEM_GROW(ranking->items, ranking->item_count, ranking->cap);
		ranking->items[ranking->item_count++] =
		        (struct lag_ranked){ tally->what, i, tally->stack,
			                     tally->count };
	}
	count = ranking->item_count - begin;
	if (count < 2)
		return;
	if (kind < LAG_TALLY_DEVICE)
		count = join_same(ranking->items + begin, count, kind);
	qsort(ranking->items + begin, count, sizeof(*ranking->items),
	      compare_counts);
	ranking->item_count = begin + count;
}

static void rank(struct lag_ranking *ranking, uint32_t group)
{
	ranking->group = group + 1;
	ranking->item_count = 0;
	for (unsigned i = 0; i < LAG_TALLY_KINDS; i++) {
		ranking->first[i] = ranking->item_count;
		add_kind(ranking, (enum lag_tally_kind)i);
	}
	ranking->first[LAG_TALLY_KINDS] = ranking->item_count;
}

const struct lag_ranked *lag_ranking_find(struct lag_ranking *ranking,
                                          uint32_t group,
                                          enum lag_tally_kind kind,
                                          size_t *ret_count)
{
	if (ranking->group != group + 1)
		rank(ranking, group);
	*ret_count = ranking->first[kind + 1] - ranking->first[kind];
	return ranking->items + ranking->first[kind];
}
