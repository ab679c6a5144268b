// SPDX-License-Identifier: MIT
/**
 * Tests whether a change is significant. Two counts over two exposures
 * (sessions, days) are compared as shares of their sum: without a change, the
 * probability of each report to be on the newer side is that side's part of the
 * exposure.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_DIFF_SIGNIFICANCE_H
#define APMTOOL_LIB_ANALYSIS_CRASH_DIFF_SIGNIFICANCE_H

#include <stdint.h>

/**
 * The two-sided p-value of the exact binomial test: the probability of a change
 * that is at least as unlikely as this one. 1 without reports.
 *
 * @param old_exposure, now_exposure  Both above 0.
 */
double significance(uint64_t old, uint64_t now, uint64_t old_exposure,
                    uint64_t now_exposure);

#endif
