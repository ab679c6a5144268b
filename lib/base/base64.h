// SPDX-License-Identifier: MIT
/** Base64 encoding of bytes as text. */
#ifndef APMTOOL_LIB_BASE_BASE64_H
#define APMTOOL_LIB_BASE_BASE64_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

/**
 * Append the decoded bytes of @p in. Skips blanks and line ends, accepts
 * URL-safe letters; padding is optional.
 *
 * @return false, with @p out unchanged, if @p in has other characters.
 */
bool base64_decode(struct text in, struct str *out);

/**
 * Decode as far as possible: everything before damage or the end.
 *
 * @return How much of @p in was decoded; its size if all of it is Base64.
 */
size_t base64_decode_some(struct text in, struct str *out);

/** Append @p in encoded, on one line, with padding. */
void base64_encode(struct text in, struct str *out);

#endif
