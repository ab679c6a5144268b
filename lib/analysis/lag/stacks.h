// SPDX-License-Identifier: MIT
/**
 * Converts reports to lag reports: crash-like files of watchdogs and lag
 * monitors (KSCrash "deadlock", Matrix), and the sampled trees of `sample`,
 * spindump, microstackshot and MetricKit.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_STACKS_H
#define APMTOOL_LIB_ANALYSIS_LAG_STACKS_H

#include "lib/model/profile/lag.h"
#include "lib/model/report.h"

#include <stdbool.h>

/**
 * The kind of a report's samples, from its reader or from the limit of an
 * EXC_RESOURCE. A live report is a hang: apps capture all threads for no other
 * reason.
 */
enum sample_kind lag_stacks_kind(const struct report *report);

/**
 * Why the main thread's tree is unknown; NULL: it is known. If it is unknown,
 * only `--threads all` and `--threads split` can count trees.
 */
const char *lag_stacks_unclear(const struct report *report);

/**
 * Add the samples of a report.
 *
 * @param ret  Empty; names, images and frames are copied.
 * @return false: no stack of that kind.
 */
bool lag_stacks_add(const struct report *report, enum lag_threads threads,
                    struct lag_report *ret);

#endif
