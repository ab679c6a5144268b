#include "lib/analysis/crash/diff/significance.h"

/** Weights below are nothing beside 1, the highest. */
#define NOTHING 1e-30
/** Equal but for rounding. */
#define ALMOST (1 + 1e-7)

/** A walk over the binomial distribution, away from its highest point. */
struct walk {
	double n;
	double odds; ///< of the newer side
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

double significance(uint64_t old, uint64_t now, uint64_t old_exposure,
                    uint64_t now_exposure)
{
	double share = (double)now_exposure /
	               ((double)old_exposure + (double)now_exposure);
	struct walk top = {
		.n = (double)old + (double)now,
		.odds = (double)now_exposure / (double)old_exposure,
		.weight = 1,
	};
	struct sums sums = { 0 };
	double seen;

	top.k = (double)(uint64_t)((top.n + 1) * share);
	if (top.k > top.n)
		top.k = top.n;
	seen = weight_at(top, (double)now);
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
