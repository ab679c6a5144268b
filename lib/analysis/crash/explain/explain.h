// SPDX-License-Identifier: MIT
/**
 * What a report means: lib/model/explanation.h, out of what it says.
 *
 *     const struct explanation *e = explain_report(report, &functions, &arena);
 *     const struct page *page = explain_page(e, &arena);
 *
 * Each subject (steps.h) reads its part of the report and makes claims; the
 * first that knows the cause gives the verdict. Their order is that of
 * KSCrash's Doctor (formats.md 5.7), behind what the system itself says: a
 * kill by the watchdog leaves the top frame to chance.
 *
 * Frames should be named before: what inlined functions say (a failed check
 * of the Swift runtime, say) is known from debug information only.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_EXPLAIN_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_EXPLAIN_H

#include "lib/analysis/crash/signature/functions.h"
#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/config/lag_rules.h"
#include "lib/model/explanation.h"

/**
 * It borrows from the report and the rules, and lives in the arena.
 *
 * @param functions  With the rules for what frames mean, and what it remembers
 *                   of other reports; NULL: nothing is known of frames.
 */
const struct explanation *explain_report(const struct report *report,
                                         struct crash_functions *functions,
                                         struct arena *arena);

/** An ERROR_CONFIG if a rule has a cause that explanations do not have. */
MUST_CHECK struct error *explain_check_rules(const struct lag_rules *rules);

#endif
