// SPDX-License-Identifier: MIT
/**
 * Errors of JavaScript, which React Native turns into the same Objective-C
 * exception for all errors. Private to lib/analysis/crash/signature.
 *
 *     Unhandled JS Exception: TypeError: x is not a function, stack:…
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_JAVASCRIPT_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_JAVASCRIPT_H

#include "lib/base/arena.h"
#include "lib/model/report.h"

#include <stdbool.h>

struct javascript_error {
	const char *type;    ///< `TypeError`; default `Error`
	const char *message; ///< without variable values
	/** Its frames, perhaps none; NULL: not in the report. */
	const struct report_stack *stack;
};

/**
 * Find the error of a report.
 *
 * @param ret  In the arena; unchanged if there is no error.
 */
bool javascript_error_find(const struct report *report, struct arena *arena,
                           struct javascript_error *ret);

#endif
