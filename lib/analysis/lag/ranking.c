#include "lib/analysis/lag/ranking.h"

#include <stdlib.h>

static size_t place(const struct lag_tally *tally)
{
	return (size_t)tally->group * LAG_TALLY_KINDS + tally->kind;
}

static int compare_tallies(const void *a, const void *b)
{
	const struct lag_tally *left = *(const struct lag_tally *const *)a;
	const struct lag_tally *right = *(const struct lag_tally *const *)b;

	if (place(left) != place(right))
		return place(left) < place(right) ? -1 : 1;
	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	// The first that was met.
	return left < right ? -1 : left > right;
}

void lag_ranking_init(const struct lag_groups *groups, struct arena *arena,
                      struct lag_ranking *ret)
{
	size_t count = groups->tally_ids.count;
	size_t places = (size_t)groups->identities.count * LAG_TALLY_KINDS;
	size_t at = 0;

	ret->groups = groups;
	ret->tallies = arena_array(arena, count + 1, sizeof(*ret->tallies));
	ret->first = arena_array(arena, places + 1, sizeof(*ret->first));
	for (size_t i = 0; i < count; i++)
		ret->tallies[i] = &groups->tallies[i];
	if (count)
		qsort(ret->tallies, count, sizeof(*ret->tallies),
		      compare_tallies);
	for (size_t i = 0; i <= places; i++) {
		while (at < count && place(ret->tallies[at]) < i)
			at++;
		ret->first[i] = at;
	}
}

const struct lag_tally *const *lag_ranking_find(
        const struct lag_ranking *ranking, uint32_t group,
        enum lag_tally_kind kind, size_t *ret_count)
{
	size_t at = (size_t)group * LAG_TALLY_KINDS + kind;

	*ret_count = ranking->first[at + 1] - ranking->first[at];
	return ranking->tallies + ranking->first[at];
}
