// SPDX-License-Identifier: MIT
/**
 * The line above a backtrace of BSBacktraceLogger, with or without what a log
 * wrote before it: `Backtrace of Thread 771:`, `Backtrace of Thread 771
 * (main):`.
 */
#ifndef APMTOOL_PARSERS_TEXT_BACKTRACE_TITLE_H
#define APMTOOL_PARSERS_TEXT_BACKTRACE_TITLE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct backtrace_title {
	uint64_t number;     ///< the port of the thread
	struct text name;    ///< `main`; empty: not said
	struct text process; ///< of the log's prefix; empty: not said
};

bool backtrace_title_parse(struct text line, struct backtrace_title *ret);

/** The rule of `====` that some print below it. */
bool backtrace_title_is_rule(struct text line);

#endif
