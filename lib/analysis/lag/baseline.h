// SPDX-License-Identifier: MIT
/**
 * Compares two sets of samples: which groups became more frequent or take more
 * time. Groups are the same if their keys have the same name, so builds can be
 * compared. The older set is added first and is the baseline. Used by
 * `lag-aggregate --baseline` and `diff --stalls`.
 *
 *     lag_baseline_add_groups(&baseline, &old, LAG_BEFORE);
 *     …
 *     lag_baseline_add_groups(&baseline, &now, LAG_NOW);
 *     for (i = 0; i < baseline.names.count; i++)
 *             sums = baseline.sums[i];
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_BASELINE_H
#define APMTOOL_LIB_ANALYSIS_LAG_BASELINE_H

#include "lib/analysis/lag/groups.h"
#include "lib/base/intern.h"
#include "lib/model/sample_kind.h"

#include <stdint.h>

/** Counts of a group. */
struct lag_sums {
	uint64_t reports;
	uint64_t cost_us;
	const char *example; ///< or NULL
	enum cost_origin origin;
};

/** A group in both sets, before and now. */
struct lag_change {
	enum sample_kind kind;
	const char *key;
	struct lag_sums sums[2];
	/** Reports per report of the kind or per session; 10000 is 1. */
	uint64_t rates[2];
	uint64_t costs_us[2]; ///< time per report of the kind, or session
};

/** Index of the two sets. */
enum lag_side {
	LAG_BEFORE,
	LAG_NOW,
	LAG_SIDES,
};

/**
 * All zeros is empty. There may be a million groups, so values that can be
 * computed when a group is printed are not stored.
 */
struct lag_baseline {
	struct intern names; ///< kind of samples, then the key's name
	/**
	 * By name. Places without a symbol whose names are equal share an
	 * entry.
	 */
	struct lag_sums (*sums)[LAG_SIDES];
	size_t cap;
	bool keeps_examples; ///< of each group
	struct arena arena;  ///< of the examples
	/** Reports of a kind. */
	uint64_t totals[SAMPLE_KINDS][LAG_SIDES];
	/** Sessions or users that both sets cover; 0: rates are per report. */
	uint64_t sessions[2];
	/** Max growth of a group, in hundredths of a percentage point. */
	uint64_t growth;
};

/**
 * Add @p sums to the group with that name; strings are copied.
 *
 * @return Its number.
 */
uint32_t lag_baseline_add(struct lag_baseline *baseline, enum sample_kind kind,
                          const char *key, enum lag_side side,
                          const struct lag_sums *sums);

/** Add all groups of a side, and count its reports. */
void lag_baseline_add_groups(struct lag_baseline *baseline,
                             const struct lag_groups *groups,
                             enum lag_side side);

static inline enum sample_kind lag_baseline_kind(
        const struct lag_baseline *baseline, uint32_t number)
{
	return (enum sample_kind)baseline->names.texts[number].data[0];
}

static inline const char *lag_baseline_key(const struct lag_baseline *baseline,
                                           uint32_t number)
{
	return baseline->names.texts[number].data + 1;
}

/** Compare a group; @p now are its sums in the newer set. */
struct lag_change lag_baseline_compare(const struct lag_baseline *baseline,
                                       uint32_t number,
                                       const struct lag_sums *now);

/**
 * Numbers of the groups that only the older set has, ordered by kind, then by
 * frequency, the highest first, then by key.
 */
const uint32_t *lag_baseline_gone(const struct lag_baseline *baseline,
                                  struct arena *arena, size_t *ret_count);

void lag_baseline_release(struct lag_baseline *baseline);

#endif
