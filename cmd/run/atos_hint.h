// SPDX-License-Identifier: MIT
/**
 * Advice for reports without a list of images: truncated reports, pasted parts,
 * or backtraces of a console. Their builds are unknown, so frames cannot be
 * looked up. A user who knows the build can look up frames that give the load
 * address (`0x100f00000 + 51500`) with `apmtool atos`.
 */
#ifndef APMTOOL_CMD_RUN_ATOS_HINT_H
#define APMTOOL_CMD_RUN_ATOS_HINT_H

#include "cmd/run/notices.h"
#include "lib/model/report.h"
#include "lib/symbols/index/uuid_index.h"

/**
 * Warn of a report without images, with an `apmtool atos` command for each of
 * the first images. The command can be pasted into a shell, and prints the
 * lines of the calls: for a return address, it has the address before it,
 * inside of the call.
 *
 * @param index  If it has one dSYM with the image's name, that is the operand.
 */
void atos_hint_notice(const struct notices *to, struct report *report,
                      struct uuid_index *index);

#endif
