// SPDX-License-Identifier: MIT
/**
 * How iOS calls the hangs that it records, and how long apps may take.
 *
 * The names are those of HangTracer, iOS 15 and later: the `Event` of spindumps
 * of bug type 228. The allowances are those that the founding articles measured
 * (formats.md 9.4); one that a report says itself is more certain.
 */
#ifndef APMTOOL_LIB_DARWIN_HANGS_H
#define APMTOOL_LIB_DARWIN_HANGS_H

#include <stdint.h>

/** What the system waits for, before its watchdog ends the app. */
struct hang_allowance {
	const char *scenario; ///< `launch`
	uint32_t seconds;
	const char *words; ///< `a launch`
};

/** NULL: not known, as for NULL. */
const struct hang_allowance *hang_allowance_find(const char *scenario);

struct hang_event {
	const char *event;    ///< `Timed Out Runloop Hang`
	const char *name;     ///< `timed out`
	const char *scenario; ///< `launch`; NULL: that is not known
};

/** NULL: not known, as for NULL. */
const struct hang_event *hang_event_find(const char *event);

#endif
