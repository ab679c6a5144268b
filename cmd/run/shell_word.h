// SPDX-License-Identifier: MIT
/** Quotes words of a command that a message suggests for a shell. */
#ifndef APMTOOL_CMD_RUN_SHELL_WORD_H
#define APMTOOL_CMD_RUN_SHELL_WORD_H

#include "lib/base/str.h"

/**
 * Append @p word, quoted if a POSIX shell needs it. Control characters are
 * escaped (utf8_add_visible()), so such a name is not a usable file name.
 */
void shell_word_add(struct str *text, const char *word);

#endif
