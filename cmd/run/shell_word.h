// SPDX-License-Identifier: MIT
/**
 * Words of a command that a message prints, to be pasted into a shell.
 */
#ifndef APMTOOL_CMD_RUN_SHELL_WORD_H
#define APMTOOL_CMD_RUN_SHELL_WORD_H

#include "lib/base/str.h"

/**
 * Append @p word, quoted where a POSIX shell needs it. What could act on a
 * terminal is escaped (utf8_add_visible()): a name with such characters is not
 * found again.
 */
void shell_word_add(struct str *text, const char *word);

#endif
