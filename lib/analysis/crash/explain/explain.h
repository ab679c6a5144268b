// SPDX-License-Identifier: MIT
/**
 * Explains a report (lib/model/explanation.h).
 *
 *     const struct explanation *e = explain_report(report, &functions, &arena);
 *     const struct page *page = explain_page(e, &arena);
 *
 * Each subject (steps.h) reads its part of the report and makes claims; the
 * first one that knows the cause gives the verdict. Their order is that of
 * KSCrash's Doctor, after the system's own statements: in a kill by the
 * watchdog, for example, the top frame is arbitrary.
 *
 * Symbolicate before: inlined functions, such as a failed check of the Swift
 * runtime, are only in debug information.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_EXPLAIN_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_EXPLAIN_H

#include "lib/analysis/crash/signature/functions.h"
#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/config/lag_rules.h"
#include "lib/model/explanation.h"

/**
 * The result borrows from the report and the rules, and is in the arena.
 *
 * @param functions  Rules for the meaning of frames, with a cache across
 *                   reports; NULL: frames have no meaning.
 */
const struct explanation *explain_report(const struct report *report,
                                         struct crash_functions *functions,
                                         struct arena *arena);

/** An ERROR_CONFIG if a rule has an unknown cause. */
MUST_CHECK struct error *explain_check_rules(const struct lag_rules *rules);

#endif
