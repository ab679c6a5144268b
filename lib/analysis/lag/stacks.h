// SPDX-License-Identifier: MIT
/**
 * Lag reports out of reports: the stacks of a watchdog's or a lag monitor's
 * crash-like file (KSCrash "deadlock", Matrix), and the sampled trees of
 * `sample`, spindump, microstackshot and MetricKit reports.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_STACKS_H
#define APMTOOL_LIB_ANALYSIS_LAG_STACKS_H

#include "lib/model/profile/lag.h"
#include "lib/model/report.h"

#include <stdbool.h>

/**
 * What the stacks of a report were taken for: what its reader found, or the
 * limit of an EXC_RESOURCE that it exceeded. A live report counts as a hang:
 * nothing else makes an app ask for the stacks of all its threads.
 */
enum sample_kind lag_stacks_kind(const struct report *report);

/**
 * Why it is not clear which of a report's trees are the main thread's, so that
 * only --threads all or split can count them; NULL where it is clear.
 */
const char *lag_stacks_unclear(const struct report *report);

/**
 * Add what a report sampled.
 *
 * @param ret  Clear; its names, images and frames are copied.
 * @return false where it holds no stack of the kind.
 */
bool lag_stacks_add(const struct report *report, enum lag_threads threads,
                    struct lag_report *ret);

#endif
