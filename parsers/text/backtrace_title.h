// SPDX-License-Identifier: MIT
/**
 * The title of a backtrace of BSBacktraceLogger, with or without a log prefix:
 * `Backtrace of Thread 771:`, `Backtrace of Thread 771 (main):`.
 */
#ifndef APMTOOL_PARSERS_TEXT_BACKTRACE_TITLE_H
#define APMTOOL_PARSERS_TEXT_BACKTRACE_TITLE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct backtrace_title {
	uint64_t number;     ///< port number of the thread
	struct text name;    ///< `main`; or empty
	struct text process; ///< in the log's prefix; or empty
};

bool backtrace_title_parse(struct text line, struct backtrace_title *ret);

/** Is it the rule of `====` that some print below the title? */
bool backtrace_title_is_rule(struct text line);

#endif
