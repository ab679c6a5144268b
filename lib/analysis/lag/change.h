/**
 * What became of a group between two sets of samples (baseline.h).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_CHANGE_H
#define APMTOOL_LIB_ANALYSIS_LAG_CHANGE_H

#include "lib/model/sample_kind.h"

#include <stdint.h>

/** What is counted of a group. */
struct lag_sums {
	uint64_t reports;
	uint64_t cost_us;
	const char *example; ///< NULL: not known
};

/** A group in both sets: before, and now. */
struct lag_change {
	enum sample_kind kind;
	const char *key;
	struct lag_sums sums[2];
	/** Reports per report of the kind, or session: 10000 are all. */
	uint64_t rates[2];
	uint64_t costs_us[2]; ///< time per report of the kind, or session
};

#endif
