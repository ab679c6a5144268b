// SPDX-License-Identifier: MIT
/**
 * All characters of a text that terminals, web pages and word processors put
 * in place of others (parsers/input/repair/character.h).
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_CHARACTERS_H
#define APMTOOL_PARSERS_INPUT_REPAIR_CHARACTERS_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Are brackets and quotes of the report in @p in escaped? */
bool characters_are_html(struct text in);

/**
 * Each of these looks for its kind where no report has any, and if it is
 * there, writes the text without it; @p ret_count: how many were replaced.
 */
bool characters_colors(struct text in, struct str *out, size_t *ret_count);
bool characters_html(struct text in, struct str *out, size_t *ret_count);
bool characters_spaces(struct text in, struct str *out, size_t *ret_count);
bool characters_invisible(struct text in, struct str *out, size_t *ret_count);
bool characters_marks(struct text in, struct str *out, size_t *ret_count);

#endif
