// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/excess.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/str.h"

#include <stdlib.h>

// Min reports: fewer are not significant.
#define REPORTS_MIN 5
// Min excess: less does not matter, even if significant.
#define PERCENT_MIN 150
#define PERCENT_MAX 1000000
// Four standard deviations, squared: a fleet has hundreds of combinations.
#define DEVIATION_MIN 16.0

struct lag_total {
	uint64_t id;
	uint64_t count;
};

static uint64_t id_of(enum sample_kind kind, enum lag_tally_kind tally_kind,
                      uint32_t what)
{
	return (uint64_t)kind << 40 | (uint64_t)tally_kind << 32 | what;
}

static uint64_t hash_id(uint64_t seed, const void *key)
{
	return map_hash_number(seed, *(const uint64_t *)key);
}

static bool is_id(const void *table, uint32_t index, const void *key)
{
	const struct lag_total *items = table;

	return items[index].id == *(const uint64_t *)key;
}

static const struct map_keys id_keys = { hash_id, is_id };

void lag_totals_init(const struct lag_groups *groups, struct lag_totals *ret)
{
	*ret = (struct lag_totals){ 0 };
	for (size_t i = 0; i < groups->tally_count; i++) {
		const struct lag_tally *tally = &groups->tallies[i];
		enum sample_kind kind = groups->groups[tally->group].kind;
		uint64_t *sum = &ret->sums[kind][tally->kind];
		uint64_t id;
		uint32_t at;

		if (tally->kind < LAG_TALLY_DEVICE)
			continue;
		id = id_of(kind, tally->kind, tally->what);
		at = map_add(&ret->map, &id_keys, ret->items, &id, ret->count);
		if (at == ret->count) {
			MEM_GROW(ret->items, ret->count, ret->cap);
			ret->items[ret->count++] = (struct lag_total){ id, 0 };
		}
		ret->items[at].count =
		        number_sum(ret->items[at].count, tally->count);
		*sum = number_sum(*sum, tally->count);
	}
}

void lag_totals_release(struct lag_totals *totals)
{
	map_release(&totals->map);
	free(totals->items);
	*totals = (struct lag_totals){ 0 };
}

/** Reports of a group and of all groups, there and everywhere. */
struct parts {
	double here, here_total;
	double all, all_total;
};

/** Difference of the two rates in standard deviations, squared. */
static double deviation(const struct parts *parts)
{
	double elsewhere_total = parts->all_total - parts->here_total;
	double rate = parts->all / parts->all_total;
	double difference = parts->here / parts->here_total -
	                    (parts->all - parts->here) / elsewhere_total;
	double variance = rate * (1 - rate) *
	                  (1 / parts->here_total + 1 / elsewhere_total);

	return difference > 0 && variance > 0
	               ? difference * difference / variance
	               : 0;
}

/** Rate there / rate elsewhere, in percent. */
static double percent_of(const struct parts *parts)
{
	double elsewhere = (parts->all - parts->here) /
	                   (parts->all_total - parts->here_total);
	double percent = 100 * (parts->here / parts->here_total);

	return elsewhere * PERCENT_MAX > percent ? percent / elsewhere
	                                         : PERCENT_MAX;
}

/** Replace @p best if the group's excess is more significant there. */
static void consider(const struct lag_ranked *tally, struct text what,
                     const struct parts *parts, struct lag_excess *best,
                     double *best_deviation)
{
	double found;
	double percent;

	if (parts->here < REPORTS_MIN || parts->here_total >= parts->all_total)
		return;
	found = deviation(parts);
	percent = percent_of(parts);
	if (found < DEVIATION_MIN || percent < PERCENT_MIN ||
	    found <= *best_deviation)
		return;
	*best_deviation = found;
	*best = (struct lag_excess){
		.what = what,
		.percent = (unsigned)(percent + 0.5),
		.only_there = parts->here >= parts->all,
		.here = tally->count,
		.here_total = (uint64_t)parts->here_total,
	};
}

struct lag_excess lag_excess_of(struct lag_ranking *ranking,
                                const struct lag_totals *totals, uint32_t group)
{
	// In the order in which a developer can act: builds, systems, devices.
	static const enum lag_tally_kind kinds[] = { LAG_TALLY_APP,
		                                     LAG_TALLY_OS,
		                                     LAG_TALLY_DEVICE };
	const struct lag_groups *groups = ranking->groups;
	enum sample_kind kind = groups->groups[group].kind;
	struct lag_excess best = { 0 };
	double best_deviation = 0;

	if (groups->groups[group].reports < REPORTS_MIN)
		return best;
	// A group of a build is always only in that build.
	for (size_t k = 0;
	     k < ARRAY_SIZE(kinds) && !lag_groups_are_named(groups); k++) {
		size_t count;
		const struct lag_ranked *found =
		        lag_ranking_find(ranking, group, kinds[k], &count);
		struct parts parts = {
			.all_total = (double)totals->sums[kind][kinds[k]],
		};

		for (size_t i = 0; i < count; i++)
			parts.all += (double)found[i].count;
		for (size_t i = 0; i < count; i++) {
			uint64_t id = id_of(kind, kinds[k], found[i].what);
			uint32_t at = map_find(&totals->map, &id_keys,
			                       totals->items, &id);

			parts.here = (double)found[i].count;
			parts.here_total = (double)totals->items[at].count;
			consider(&found[i], groups->texts.texts[found[i].what],
			         &parts, &best, &best_deviation);
		}
	}
	return best;
}
