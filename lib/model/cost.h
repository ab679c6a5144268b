// SPDX-License-Identifier: MIT
/**
 * Costs of samples: a value, its unit, and its origin.
 *
 * Each kind of samples (lib/model/sample_kind.h) has one unit, so that sums
 * never mix units. A member `cost_us` is in steps of its unit: microseconds for
 * times, else the value itself.
 */
#ifndef APMTOOL_LIB_MODEL_COST_H
#define APMTOOL_LIB_MODEL_COST_H

#include "lib/base/str.h"
#include "lib/model/sample_kind.h"

#include <stdbool.h>
#include <stdint.h>

enum cost_unit {
	COST_MS, ///< wall-clock time
	COST_CPU_MS,
	COST_BYTES, ///< written
	COST_WAKEUPS,
	COST_SAMPLES,
	COST_CALLS,
};

#define COST_UNITS 6

/** Origin of a cost, best first. */
enum cost_origin {
	COST_MEASURED, ///< of each sample, or from the interval
	COST_RECORDED, ///< the total is in the report
	COST_AT_LEAST, ///< a lower bound
	COST_ASSUMED,  ///< derived from usual values
	COST_UNKNOWN,
};

#define COST_ORIGINS 5

/** `ms`, `cpu_ms`, `bytes`, `wakeups`, `samples`, `calls`. */
const char *cost_unit_name(enum cost_unit unit);
/** For people: `ms`, `CPU ms`, `bytes`, … */
const char *cost_unit_title(enum cost_unit unit);
/** `measured`, `recorded`, `at_least`, `assumed`, `unknown`. */
const char *cost_origin_name(enum cost_origin origin);
/** Mark before the value: `≥ `, `~`, or "". */
const char *cost_origin_mark(enum cost_origin origin);

/** Explanation of the mark: `~: assumed, …`; NULL without a mark. */
const char *cost_origin_note(enum cost_origin origin);

/** The unit of a kind of samples. */
enum cost_unit cost_unit_of(enum sample_kind kind);

static inline bool cost_unit_is_time(enum cost_unit unit)
{
	return unit == COST_MS || unit == COST_CPU_MS;
}

/** Steps per unit. */
static inline uint64_t cost_unit_steps(enum cost_unit unit)
{
	return cost_unit_is_time(unit) ? 1000 : 1;
}

/** Is it precise enough for shares and percentiles? */
static inline bool cost_is_exact(enum cost_origin origin)
{
	return origin == COST_MEASURED || origin == COST_RECORDED;
}

/**
 * Origin of the sum of several costs, given their number by origin;
 * COST_UNKNOWN if there are none.
 */
enum cost_origin cost_origin_of(const uint64_t counts[COST_ORIGINS]);

/**
 * Origin of a sum: the weaker one. With an unknown part, it is a lower bound.
 */
enum cost_origin cost_origin_sum(enum cost_origin a, enum cost_origin b);

/** Append a cost with mark and unit: `≥ 5000 ms`, `1.2 GB`. */
void cost_add(struct str *out, enum cost_unit unit, enum cost_origin origin,
              uint64_t cost);

#endif
