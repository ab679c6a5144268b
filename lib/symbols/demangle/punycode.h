// SPDX-License-Identifier: MIT
/**
 * Decodes Swift identifiers with non-ASCII characters: Punycode (RFC 3492) with
 * `_` as delimiter and letters only, `a`-`z` for 0 to 25 and `A`-`J` for 26 to
 * 35. ASCII characters that symbols cannot contain are encoded as U+D800 and
 * above.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_PUNYCODE_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_PUNYCODE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Max characters of an identifier. */
#define PUNYCODE_CHARS_MAX 512u

/** Max bytes of an identifier. */
#define PUNYCODE_BYTES_MAX (4 * PUNYCODE_CHARS_MAX)

/**
 * Decode to UTF-8.
 *
 * @param to  PUNYCODE_BYTES_MAX bytes; not NUL-terminated.
 * @return false: not Punycode, or longer than the limit.
 */
bool punycode_decode(struct text in, char *to, size_t *size);

#endif
