// SPDX-License-Identifier: MIT
/**
 * Defers truncated reports until all reports were read: if a complete report of
 * the same incident is among them, that one counts, in any order. If all are
 * truncated, the one with the most frames counts.
 *
 *     if (crash_deferred_begin(&deferred, &groups, report))
 *             crash_deferred_add(&deferred, &groups, report, &signature);
 *     …
 *     crash_deferred_count(&deferred, &groups);
 *
 * Copies of their data are kept, up to a limit: reports beyond it are counted
 * at once, and so are complete reports of their incidents.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_DEFERRED_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_DEFERRED_H

#include "lib/analysis/crash/group/groups.h"

/** Max bytes of all deferred reports; the last one may exceed it. */
#define CRASH_DEFERRED_BYTES ((size_t)16 << 20)

struct crash_deferred_report;

/** All zeros is empty. */
struct crash_deferred {
	struct crash_deferred_report **reports;
	size_t report_count;
	size_t report_cap;
	struct fingerprints best[2]; ///< reports by incident, for each side
	struct arena arena;
};

/** Defer a report if it is truncated and its incident is known. */
bool crash_deferred_begin(struct crash_deferred *deferred,
                          struct crash_groups *groups,
                          const struct report *report);
/** Add a signature of @p report, the last one that was begun. */
void crash_deferred_add(struct crash_deferred *deferred,
                        const struct crash_groups *groups,
                        const struct report *report,
                        const struct signature *signature);

/** After the last report: count the best report of each incident. */
void crash_deferred_count(struct crash_deferred *deferred,
                          struct crash_groups *groups);

void crash_deferred_release(struct crash_deferred *deferred);

#endif
