// SPDX-License-Identifier: MIT
/**
 * iOS's names for hangs, and the time that apps have before the watchdog.
 *
 * Names are from HangTracer, iOS 15 and later: the `Event` of spindumps with
 * bug type 228. The allowances were measured (apmtool-formats(5)); one in a
 * report itself takes precedence.
 */
#ifndef APMTOOL_LIB_DARWIN_HANGS_H
#define APMTOOL_LIB_DARWIN_HANGS_H

#include <stdint.h>

/** A phase with a watchdog. */
struct hang_allowance {
	const char *scenario; ///< `launch`
	uint32_t seconds;
	const char *words; ///< `a launch`
};

/** NULL if unknown. Accepts NULL. */
const struct hang_allowance *hang_allowance_find(const char *scenario);

struct hang_event {
	const char *event;    ///< `Timed Out Runloop Hang`
	const char *name;     ///< `timed out`
	const char *scenario; ///< `launch`; NULL: unknown
};

/** NULL if unknown. Accepts NULL. */
const struct hang_event *hang_event_find(const char *event);

#endif
