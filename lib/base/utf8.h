// SPDX-License-Identifier: MIT
/**
 * UTF-8: checking it, measuring it, and making it safe to show.
 */
#ifndef APMTOOL_LIB_BASE_UTF8_H
#define APMTOOL_LIB_BASE_UTF8_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What some editors and tools write in front: the byte order mark. */
#define UTF8_MARK "\xef\xbb\xbf"

/**
 * Decode the character at @p at.
 *
 * @return Its length in bytes, 1 to 4; 0 where the bytes are not valid UTF-8
 *         (overlong forms and surrogates are not), and @p ret is untouched.
 */
size_t utf8_decode(struct text in, size_t at, uint32_t *ret);

/** Room for one character. */
#define UTF8_SIZE 4

/** Write @p c, which must be a character, to @p to; returns its length. */
size_t utf8_encode(uint32_t c, char *to);

/**
 * May @p c act on a terminal or reorder a line: controls but tab, DEL, C1,
 * bidirectional controls, line separators, BOM? All lie below U+10000.
 */
bool utf8_is_hidden(uint32_t c);

/** At most @p most bytes of @p in, from its beginning: no half of a character.
 */
struct text utf8_first(struct text in, size_t most);

/** Terminal columns of @p in: wide characters take two, marks none. */
size_t utf8_width(struct text in);

/** Bytes of the longest beginning that takes at most @p width columns. */
size_t utf8_fit(struct text in, size_t width);
/** Where the longest end begins that takes at most @p width columns. */
size_t utf8_fit_end(struct text in, size_t width);

/**
 * Where the first character from @p at on is that utf8_add_visible() would not
 * leave as it is, line ends (LF, CR LF) apart; the end: nowhere.
 */
size_t utf8_find_hidden(struct text in, size_t at);

/**
 * Append @p in so that it cannot act on a terminal: control characters, DEL,
 * C1, bidirectional controls and line separators become `\x1b`-like or
 * `\u{202e}`-like escapes, bytes that are not UTF-8 become `\xff`. A tab
 * stays a tab: Apple's frame lines hold one.
 */
void utf8_add_visible(struct str *out, struct text in);

/** The same where columns are aligned: a tab becomes `\x09`. */
void utf8_add_cell(struct str *out, struct text in);

/** Append @p in with bytes that are not UTF-8 replaced by U+FFFD. */
void utf8_add_valid(struct str *out, struct text in);

#endif
