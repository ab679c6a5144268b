// SPDX-License-Identifier: MIT
/**
 * Truncated reports, which wait until all have been read: where the whole
 * report of the same incident is among them, that one counts, whatever their
 * order. Of several that are all truncated, the one with the most frames does.
 *
 *     if (crash_held_begin(&held, &groups, report))
 *             crash_held_add(&held, &groups, report, &signature);
 *     …
 *     crash_held_count(&held, &groups);
 *
 * What counts of them is copied, up to a limit: a report beyond it counts at
 * once, and the whole report of its incident counts as well.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_HELD_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_HELD_H

#include "lib/analysis/crash/group/groups.h"

/** Bytes of what is held, all in all; one report may exceed what is left. */
#define CRASH_HELD_BYTES ((size_t)16 << 20)

struct crash_held_report;

/** All zeros is none. */
struct crash_held {
	struct crash_held_report **reports;
	size_t report_count;
	size_t report_cap;
	struct fingerprints best[2]; ///< reports by incident, of each side
	struct arena arena;
};

/** Hold a report, if it is truncated and its incident is known. */
bool crash_held_begin(struct crash_held *held, struct crash_groups *groups,
                      const struct report *report);
/** Add a signature of @p report, which was begun last. */
void crash_held_add(struct crash_held *held, const struct crash_groups *groups,
                    const struct report *report,
                    const struct signature *signature);

/** All reports are there: count those that no others say more than. */
void crash_held_count(struct crash_held *held, struct crash_groups *groups);

void crash_held_release(struct crash_held *held);

#endif
