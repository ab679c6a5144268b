// SPDX-License-Identifier: MIT
/** UTF-8: validation, width, and escaping for display. */
#ifndef APMTOOL_LIB_BASE_UTF8_H
#define APMTOOL_LIB_BASE_UTF8_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The byte order mark that some editors and tools write. */
#define UTF8_MARK "\xef\xbb\xbf"

/**
 * Decode the character at @p at.
 *
 * @return Its length in bytes, 1 to 4; 0, with @p ret unchanged, if it is
 * invalid (also overlong forms and surrogates).
 */
size_t utf8_decode(struct text in, size_t at, uint32_t *ret);

/** Max bytes of a character. */
#define UTF8_SIZE 4

/** Write @p c, a valid character, to @p to; returns its length. */
size_t utf8_encode(uint32_t c, char *to);

/**
 * Can @p c act on a terminal or reorder a line: controls except tab, DEL, C1,
 * bidirectional controls, line separators, BOM? All are below U+10000.
 */
bool utf8_is_hidden(uint32_t c);

/** The first bytes of @p in, at most @p max, up to a character's end. */
struct text utf8_first(struct text in, size_t max);

/**
 * Terminal columns of @p in: wide characters take two, combining marks none.
 */
size_t utf8_width(struct text in);

/** Bytes of the longest prefix that fits into @p width columns. */
size_t utf8_fit(struct text in, size_t width);
/** Start of the longest suffix that fits into @p width columns. */
size_t utf8_fit_end(struct text in, size_t width);

/**
 * Position from @p at on of the first character that utf8_add_visible() would
 * change, except LF and CR LF; or the end.
 */
size_t utf8_find_hidden(struct text in, size_t at);

/**
 * Append @p in so that it cannot act on a terminal: control characters, DEL,
 * C1, bidirectional controls and line separators become escapes like `\x1b` or
 * `\u{202e}`, invalid bytes become `\xff`. Tabs stay: Apple's frame lines have
 * them.
 */
void utf8_add_visible(struct str *out, struct text in);

/** As utf8_add_visible() for aligned columns: a tab becomes `\x09`. */
void utf8_add_cell(struct str *out, struct text in);

/** Append @p in with invalid bytes replaced by U+FFFD. */
void utf8_add_valid(struct str *out, struct text in);

#endif
