// SPDX-License-Identifier: MIT
/**
 * What samples cost: a number, its unit, and how it is known.
 *
 * Each kind of samples (lib/model/sample_kind.h) has one unit, so that sums of
 * a kind never mix units. Where a member is called `cost_us`, it is in the
 * steps of its unit: microseconds of a time, else the number itself.
 */
#ifndef APMTOOL_LIB_MODEL_COST_H
#define APMTOOL_LIB_MODEL_COST_H

#include "lib/base/str.h"
#include "lib/model/sample_kind.h"

#include <stdbool.h>
#include <stdint.h>

enum cost_unit {
	COST_MS, ///< of real time
	COST_CPU_MS,
	COST_BYTES, ///< written
	COST_WAKEUPS,
	COST_SAMPLES,
	COST_CALLS,
};

#define COST_UNITS 6

/** How a cost is known, the best first. */
enum cost_origin {
	COST_MEASURED, ///< each sample has its own, or its interval
	COST_RECORDED, ///< the report says what all of them cost together
	COST_AT_LEAST, ///< it may have been more
	COST_ASSUMED,  ///< of what is usual, for nothing says it
	COST_UNKNOWN,
};

#define COST_ORIGINS 5

/** `ms`, `cpu_ms`, `bytes`, `wakeups`, `samples`, `calls`. */
const char *cost_unit_name(enum cost_unit unit);
/** For people: `ms`, `CPU ms`, `bytes`, … */
const char *cost_unit_title(enum cost_unit unit);
/** `measured`, `recorded`, `at_least`, `assumed`, `unknown`. */
const char *cost_origin_name(enum cost_origin origin);
/** What is put before the number: `≥ `, `~`, or nothing. */
const char *cost_origin_mark(enum cost_origin origin);

/** What the mark says: `~: assumed, …`; NULL: there is none. */
const char *cost_origin_note(enum cost_origin origin);

/** What samples of that kind cost. */
enum cost_unit cost_unit_of(enum sample_kind kind);

static inline bool cost_unit_is_time(enum cost_unit unit)
{
	return unit == COST_MS || unit == COST_CPU_MS;
}

/** How many steps make one of a unit. */
static inline uint64_t cost_unit_steps(enum cost_unit unit)
{
	return cost_unit_is_time(unit) ? 1000 : 1;
}

/** Is it of use in shares and percentiles? */
static inline bool cost_is_exact(enum cost_origin origin)
{
	return origin == COST_MEASURED || origin == COST_RECORDED;
}

/**
 * How the sum of several is known, by how many are known so; COST_UNKNOWN of
 * none.
 */
enum cost_origin cost_origin_of(const uint64_t counts[COST_ORIGINS]);

/**
 * How a sum is known: as its weakest part. One with a part that is unknown is
 * at least that of the others.
 */
enum cost_origin cost_origin_sum(enum cost_origin a, enum cost_origin b);

/** Append a cost with its mark and its unit: `≥ 5000 ms`, `1.2 GB`. */
void cost_add(struct str *out, enum cost_unit unit, enum cost_origin origin,
              uint64_t cost);

#endif
