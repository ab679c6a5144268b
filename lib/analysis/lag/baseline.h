/**
 * Two sets of samples compared: which groups are more frequent than before, and
 * take more time. Groups are the same if their keys are called the same, so
 * that builds can be compared. The older set is counted first and becomes a
 * baseline; `lag-aggregate --baseline` and `diff --stalls` both stand on it.
 *
 *     lag_groups_to_baseline(&old, &baseline);
 *     …
 *     changes = lag_groups_compare(&now, &baseline, &arena, &count);
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_BASELINE_H
#define APMTOOL_LIB_ANALYSIS_LAG_BASELINE_H

#include "lib/analysis/lag/change.h"
#include "lib/analysis/lag/groups.h"
#include "lib/base/intern.h"

/** All zeros is empty. */
struct lag_baseline {
	struct intern names;   ///< kind of samples, and what the key is called
	struct lag_sums *sums; ///< by name
	bool *met;             ///< by name: the newer samples have it, too
	size_t cap;
	size_t met_cap;
	struct arena arena; ///< of examples
	uint64_t totals[SAMPLE_KINDS];
	/** Sessions or users that both sets cover; 0: rates are per report. */
	uint64_t sessions[2];
	/** Points, in hundredths of a percent, by which a group grew most. */
	uint64_t growth;
};

/** Add to the group that is called @p key; what it says is copied. */
void lag_baseline_add(struct lag_baseline *baseline, enum sample_kind kind,
                      const char *key, const struct lag_sums *sums);

/**
 * Compare a group of the newer samples, which is met. Its growth counts.
 *
 * @param reports  All of its kind.
 */
struct lag_change lag_baseline_compare(struct lag_baseline *baseline,
                                       enum sample_kind kind, const char *key,
                                       const struct lag_sums *now,
                                       uint64_t reports);

/**
 * Groups of the older samples that were not compared, in order of their kind,
 * the most frequent first, then by key.
 */
const struct lag_change *lag_baseline_gone(const struct lag_baseline *baseline,
                                           const struct lag_groups *now,
                                           struct arena *arena,
                                           size_t *ret_count);

/** What the groups are called, and what each has. */
void lag_groups_to_baseline(const struct lag_groups *groups,
                            struct lag_baseline *ret);

/**
 * All groups of both, each name once: those of the newer samples in their
 * order, then those that are gone.
 *
 * @param arena  The names of newer examples are made there; the older ones are
 *               the baseline's.
 */
const struct lag_change *lag_groups_compare(const struct lag_groups *now,
                                            struct lag_baseline *baseline,
                                            struct arena *arena,
                                            size_t *ret_count);

void lag_baseline_release(struct lag_baseline *baseline);

#endif
