// SPDX-License-Identifier: MIT
/**
 * Hangs as crash reporting services write them: as an exception that no program
 * throws, `App Hang Fully Blocked`, with how long it was in the message:
 * `App hanging between 4.8 and 5.6 seconds.`, `App hanging for at least 2000
 * ms.`
 */
#ifndef APMTOOL_PARSERS_TEXT_APP_HANG_H
#define APMTOOL_PARSERS_TEXT_APP_HANG_H

#include "lib/model/report.h"

#include <stdbool.h>

/**
 * Make @p report one of a hang if its exception is called so.
 *
 * @param message  Of the exception; NULL: there is none.
 */
bool app_hang_set(struct report *report, const char *type, const char *message);

#endif
