/**
 * Two sets of samples: which groups are a larger part of the reports than
 * before. Groups are the same if their keys are called the same, so that builds
 * can be compared.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_BASELINE_H
#define APMTOOL_LIB_ANALYSIS_LAG_BASELINE_H

#include "lib/analysis/lag/groups.h"
#include "lib/base/map.h"

/** All zeros is empty. */
struct lag_baseline {
	struct intern names; ///< kind of samples, and what the key is called
	uint64_t *reports;   ///< by name
	size_t cap;
	uint64_t totals[SAMPLE_KINDS];
	/** Points, in hundredths of a percent, by which a group grew most. */
	uint64_t growth;
};

/** Add the reports of a group that is called @p key. */
void lag_baseline_add(struct lag_baseline *baseline, enum sample_kind kind,
                      const char *key, uint64_t reports);

/** Reports of the group of this name; 0: it is new. */
uint64_t lag_baseline_find(const struct lag_baseline *baseline,
                           enum sample_kind kind, const char *key);

void lag_baseline_release(struct lag_baseline *baseline);

#endif
