// SPDX-License-Identifier: MIT
/**
 * Copy text that a filter passes on: unchanged to a pipe or file; on a
 * terminal, control characters are made visible.
 */
#ifndef APMTOOL_CMD_RUN_COPIED_H
#define APMTOOL_CMD_RUN_COPIED_H

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

void copied_add(struct out *out, struct text text, bool on_terminal);

/** Append @p text with visible control characters except at line ends. */
void copied_visible(struct str *to, struct text text);

#endif
