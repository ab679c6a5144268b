// SPDX-License-Identifier: MIT
/**
 * What to do about a report that lists no images: a truncated one, a pasted
 * part of one, a backtrace of a console. Its frames cannot be looked up, as
 * their build is unknown. But a frame that gives the load address itself
 * (`0x100f00000 + 51500`) can be looked up by hand, by who knows the build.
 */
#ifndef APMTOOL_CMD_RUN_ATOS_HINT_H
#define APMTOOL_CMD_RUN_ATOS_HINT_H

#include "cmd/run/notices.h"
#include "lib/model/report.h"
#include "lib/symbols/index/uuid_index.h"

/**
 * Warn of a report without images, with a command of `apmtool atos` for each of
 * the first of them. Each can be pasted into a shell, and prints the lines of
 * the calls: of a return address, the address before it is given, which lies in
 * the call.
 *
 * @param index  A dSYM in it that has the name of an image is the operand.
 */
void atos_hint_notice(const struct notices *to, struct report *report,
                      struct uuid_index *index);

#endif
