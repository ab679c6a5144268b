// SPDX-License-Identifier: MIT
/**
 * Crashes right after a launch: users may be unable to start the app at all.
 */
#ifndef APMTOOL_LIB_MODEL_LAUNCH_H
#define APMTOOL_LIB_MODEL_LAUNCH_H

#include "lib/model/report.h"

/** So soon after its launch, a crash is one at launch. */
#define LAUNCH_MS 5000

enum at_launch {
	AT_LAUNCH_UNKNOWN, ///< one of the times is not known
	AT_LAUNCH_NO,
	AT_LAUNCH_YES,
};

/**
 * Did the process end at most LAUNCH_MS after its launch? Not if the system
 * launched it in the background: no user waited for it. What is no crash of a
 * process is not known to have.
 */
enum at_launch report_at_launch(const struct report *report);

#endif
