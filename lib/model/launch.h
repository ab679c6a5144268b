// SPDX-License-Identifier: MIT
/** Crashes right after a launch: users may be unable to start the app. */
#ifndef APMTOOL_LIB_MODEL_LAUNCH_H
#define APMTOOL_LIB_MODEL_LAUNCH_H

#include "lib/model/report.h"

/** Max age of a process for a crash at launch. */
#define LAUNCH_MS 5000

enum at_launch {
	AT_LAUNCH_UNKNOWN, ///< a time is missing
	AT_LAUNCH_NO,
	AT_LAUNCH_YES,
};

/**
 * Did the process crash within LAUNCH_MS of its launch? Not if the system
 * launched it in the background, since no user was waiting. Unknown for reports
 * that are not crashes.
 */
enum at_launch report_at_launch(const struct report *report);

#endif
