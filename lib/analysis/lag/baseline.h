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
	bool *met;           ///< by name: the newer samples have it, too
	size_t cap;
	size_t met_cap;
	uint64_t totals[SAMPLE_KINDS];
	/** Sessions or users that both sets cover; 0: rates are per report. */
	uint64_t sessions[2];
	/** Points, in hundredths of a percent, by which a group grew most. */
	uint64_t growth;
};

/** Add the reports of a group that is called @p key. */
void lag_baseline_add(struct lag_baseline *baseline, enum sample_kind kind,
                      const char *key, uint64_t reports);

/** Reports of the group of this name, which is met; 0: it is new. */
uint64_t lag_baseline_find(struct lag_baseline *baseline, enum sample_kind kind,
                           const char *key);

/** A group of the older samples that the newer ones do not have. */
struct lag_gone {
	enum sample_kind kind;
	const char *key;
	uint64_t reports;
};

/**
 * Those that were asked for by no lag_baseline_find(), in order of their kind,
 * the most frequent first, then by key.
 */
const struct lag_gone *lag_baseline_gone(const struct lag_baseline *baseline,
                                         struct arena *arena,
                                         size_t *ret_count);

void lag_baseline_release(struct lag_baseline *baseline);

#endif
