/**
 * The stack that a report blames: the backtrace of an exception where there is
 * one, else the thread that crashed, else the first one. A watchdog blames the
 * main thread; of samples it is the heaviest path.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_BLAME_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_BLAME_H

#include "lib/base/arena.h"
#include "lib/model/report.h"

#include <stddef.h>

/** More frames of a stack are not looked at. */
#define BLAME_FRAMES_MAX 512

struct blame {
	const struct report_frame **frames; ///< innermost first
	size_t count;
	const char *what; ///< `exception`, `thread`, `samples`
};

/** The frames are borrowed; their list lives in @p arena. */
struct blame blame_find(const struct report *report, struct arena *arena);

#endif
