// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/diff/significance.h"

#include <stdbool.h>

/** Weights below are nothing beside 1, the highest. */
#define NOTHING 1e-30
/** Equal but for rounding. */
#define ALMOST (1 + 1e-7)

/**
 * A walk takes as long as the deviation is wide: one of counts near 2^64 would
 * not end. Beyond this, the distribution is a bell curve, and a narrower one
 * of the same form says as much.
 */
#define VARIANCE_MAX 1e6

/** A walk over the binomial distribution, away from its highest point. */
struct walk {
	double n;
	double odds; ///< of the side that is counted
	double k;
	double weight; ///< relative to the highest
};

static void step_up(struct walk *walk)
{
	walk->weight *= (walk->n - walk->k) / (walk->k + 1) * walk->odds;
	walk->k++;
}

static void step_down(struct walk *walk)
{
	walk->weight *= walk->k / (walk->n - walk->k + 1) / walk->odds;
	walk->k--;
}

/** The weight of @p k; 0 where it is nothing. */
static double weight_at(struct walk walk, double k)
{
	while (walk.weight > NOTHING && walk.k < k)
		step_up(&walk);
	while (walk.weight > NOTHING && walk.k > k)
		step_down(&walk);
	return walk.weight > NOTHING ? walk.weight : 0;
}

struct sums {
	double all;
	double rare; ///< as unlikely as what was seen
};

static void count(struct sums *sums, double weight, double seen)
{
	sums->all += weight;
	if (weight <= seen * ALMOST)
		sums->rare += weight;
}

/** How likely what is as rare as @p now of @p n is; each falls there by @p
 * odds.
 */
static double rarity(double n, double now, double share, double odds)
{
	struct walk top = { .n = n, .odds = odds, .weight = 1 };
	struct sums sums = { 0 };
	double seen;

	top.k = (double)(uint64_t)((n + 1) * share);
	if (top.k > n)
		top.k = n;
	seen = weight_at(top, now);
	// Both walks end after some dozen standard deviations.
	for (struct walk up = top; up.weight > NOTHING; step_up(&up))
		count(&sums, up.weight, seen);
	for (struct walk down = top;;) {
		if (down.k < 1)
			break;
		step_down(&down);
		if (down.weight <= NOTHING)
			break;
		count(&sums, down.weight, seen);
	}
	return sums.rare < sums.all ? sums.rare / sums.all : 1;
}

double significance(uint64_t old, uint64_t now, uint64_t old_exposure,
                    uint64_t now_exposure)
{
	// Of the side with less exposure: near 2^64 a count has no next one.
	bool is_now = now_exposure <= old_exposure;
	double less = (double)(is_now ? now_exposure : old_exposure);
	double more = (double)(is_now ? old_exposure : now_exposure);
	double share = less / (less + more);
	double n = (double)old + (double)now;
	double seen = (double)(is_now ? now : old);
	double away = seen - n * share;

	if (n * share * (1 - share) <= VARIANCE_MAX)
		return rarity(n, seen, share, less / more);
	while (n * share * (1 - share) > VARIANCE_MAX) {
		n /= 4;
		away /= 2;
	}
	n = (double)(uint64_t)n;
	seen = n * share + away;
	seen = seen < 0 ? 0 : (double)(uint64_t)(seen + 0.5);
	return rarity(n, seen < n ? seen : n, share, less / more);
}
