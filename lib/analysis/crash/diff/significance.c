// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/diff/significance.h"

#include <stdbool.h>

/** Weights below this are negligible; the max is 1. */
#define NOTHING 1e-30
/** Tolerance for rounding. */
#define ALMOST (1 + 1e-7)

/**
 * The time of a walk grows with the deviation: for counts near 2^64 it would
 * not end. Beyond this variance, the distribution is normal, and a narrower one
 * gives the same result.
 */
#define VARIANCE_MAX 1e6

/** A walk over the binomial distribution, away from its highest point. */
struct walk {
	double n;
	double odds; ///< of the counted side
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

/** The weight of @p k; 0 if negligible. */
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
	double rare; ///< at least as unlikely as the observation
};

static void count(struct sums *sums, double weight, double seen)
{
	sums->all += weight;
	if (weight <= seen * ALMOST)
		sums->rare += weight;
}

/**
 * Probability of results at least as unlikely as @p now of @p n, with the odds
 * of the share.
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
	// Use the side with less exposure: near 2^64 a double has no next
	// integer.
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
