// SPDX-License-Identifier: MIT
/**
 * Text that a filter copies: as it is to a pipe or a file, and so that nothing
 * in it acts on a terminal.
 */
#ifndef APMTOOL_CMD_RUN_COPIED_H
#define APMTOOL_CMD_RUN_COPIED_H

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

void copied_add(struct out *out, struct text text, bool on_terminal);

/** Append @p text as it is on a terminal; its line ends, LF or CR LF, stay. */
void copied_visible(struct str *to, struct text text);

#endif
