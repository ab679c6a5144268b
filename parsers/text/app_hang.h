// SPDX-License-Identifier: MIT
/**
 * Hangs in reports of crash reporting services: an exception that no program
 * throws, `App Hang Fully Blocked`, with the duration in its message: `App
 * hanging between 4.8 and 5.6 seconds.`, `App hanging for at least 2000 ms.`
 */
#ifndef APMTOOL_PARSERS_TEXT_APP_HANG_H
#define APMTOOL_PARSERS_TEXT_APP_HANG_H

#include "lib/model/report.h"

#include <stdbool.h>

/**
 * Turn @p report into a hang if its exception has such a name.
 *
 * @param message  Of the exception; or NULL.
 */
bool app_hang_set(struct report *report, const char *type, const char *message);

#endif
