// SPDX-License-Identifier: MIT
/**
 * Is a change more than chance? Two counts over two exposures (sessions, days)
 * are compared as shares of their sum: if nothing changed, each report fell on
 * the newer side with the probability of its part of the exposure.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_DIFF_SIGNIFICANCE_H
#define APMTOOL_LIB_ANALYSIS_CRASH_DIFF_SIGNIFICANCE_H

#include <stdint.h>

/**
 * The two-sided p-value of the exact binomial test: how likely a change as
 * unlikely as this one, or more so, is by chance. 1 for no reports at all.
 *
 * @param old_exposure, now_exposure  Both above 0.
 */
double significance(uint64_t old, uint64_t now, uint64_t old_exposure,
                    uint64_t now_exposure);

#endif
