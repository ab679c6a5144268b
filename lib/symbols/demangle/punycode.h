// SPDX-License-Identifier: MIT
/**
 * Identifiers with characters beyond ASCII, as Swift mangles them: Punycode
 * (RFC 3492) with `_` for the delimiter and letters only, `a`-`z` for 0 to 25
 * and `A`-`J` for 26 to 35. ASCII characters that no symbol may hold are
 * encoded too, as U+D800 and what follows.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_PUNYCODE_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_PUNYCODE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Characters of one identifier. */
#define PUNYCODE_CHARS_MAX 512u

/** Bytes that the longest identifier takes. */
#define PUNYCODE_BYTES_MAX (4 * PUNYCODE_CHARS_MAX)

/**
 * Decode to UTF-8.
 *
 * @param to  PUNYCODE_BYTES_MAX bytes; not NUL-terminated.
 * @return false where @p in is no Punycode, or longer than the limit.
 */
bool punycode_decode(struct text in, char *to, size_t *size);

#endif
