// SPDX-License-Identifier: MIT
/**
 * Within lib/analysis/crash/signature: errors of JavaScript, which React Native
 * turns into an Objective-C exception that every such error shares.
 *
 *     Unhandled JS Exception: TypeError: x is not a function, stack:…
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_JAVASCRIPT_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_JAVASCRIPT_H

#include "lib/base/arena.h"
#include "lib/model/report.h"

#include <stdbool.h>

struct javascript_error {
	const char *type;    ///< `TypeError`; `Error` where it has none
	const char *message; ///< without its values: those change
	/** Its frames, which may be none; NULL: the report does not have them.
	 */
	const struct report_stack *stack;
};

/** @param ret  In the arena; left alone where the report is of none. */
bool javascript_error_find(const struct report *report, struct arena *arena,
                           struct javascript_error *ret);

#endif
