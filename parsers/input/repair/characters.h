// SPDX-License-Identifier: MIT
/**
 * Replaces all substituted characters of a text
 * (parsers/input/repair/character.h).
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_CHARACTERS_H
#define APMTOOL_PARSERS_INPUT_REPAIR_CHARACTERS_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Are the brackets and quotes of the report in @p in escaped? */
bool characters_are_html(struct text in);

/**
 * Each function looks for characters of its kind in places where no report has
 * them. If there are any, it writes the text with the originals; @p ret_count
 * counts the replacements.
 */
bool characters_colors(struct text in, struct str *out, size_t *ret_count);
bool characters_html(struct text in, struct str *out, size_t *ret_count);
bool characters_spaces(struct text in, struct str *out, size_t *ret_count);
bool characters_invisible(struct text in, struct str *out, size_t *ret_count);
bool characters_marks(struct text in, struct str *out, size_t *ret_count);

#endif
