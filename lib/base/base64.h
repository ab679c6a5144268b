// SPDX-License-Identifier: MIT
/**
 * Base64: bytes that have to travel as text.
 */
#ifndef APMTOOL_LIB_BASE_BASE64_H
#define APMTOOL_LIB_BASE_BASE64_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

/**
 * Append what @p in stands for. Blanks and line ends are skipped, the URL-safe
 * letters are read as well, padding may be absent.
 *
 * @return false, and @p out as it was, where anything else is in it.
 */
bool base64_decode(struct text in, struct str *out);

/**
 * The same as far as it goes: of what is damaged or ends early, all that is
 * before.
 *
 * @return How much of @p in that is; its size where all of it is Base64.
 */
size_t base64_decode_some(struct text in, struct str *out);

/** Append the letters of @p in, in one line, with padding. */
void base64_encode(struct text in, struct str *out);

#endif
