// SPDX-License-Identifier: MIT
/**
 * Tokens of JSON: strings, numbers and words, checked against RFC 8259; damaged
 * strings are repaired.
 *
 * Each function begins at the first byte of its token and ends after the last.
 * If the input ends inside, @c ended is set, without an error.
 *
 * Private to the pull reader.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_TOKEN_H
#define APMTOOL_LIB_TEXT_JSON_TOKEN_H

#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/text/json/value.h"

/** Max repairs that are listed. */
#define JSON_REPAIRS_MAX 100

/** Counts lines up to a position. */
struct json_lines {
	size_t offset; ///< position from the start of the input
	size_t count;  ///< line ends before it
	size_t start;  ///< start of its line
};

struct json_tokens {
	struct text in;  ///< the input, or its window
	size_t at;       ///< position in the window, like all offsets here
	size_t base;     ///< position of the window in the input
	bool ended;      ///< the input ended inside a token
	struct str copy; ///< copy of a string that was changed
	struct json_repair *repairs;
	size_t repair_count;
	size_t repair_cap;
	/**
	 * Counts at least the lines before the window; NULL if all input is in
	 * memory.
	 */
	struct json_lines *lines;
};

void json_tokens_release(struct json_tokens *t);

/** Is there a byte to read? */
static inline bool json_token_left(const struct json_tokens *t)
{
	return t->at < t->in.size;
}

/** Number of bytes from @p start on that need no decoding in a string. */
size_t json_token_plain_size(const struct json_tokens *t, size_t start);
/**
 * The next string without quotes and escapes: borrowed from the input or, if it
 * was changed, from the copy, until the next call.
 */
MUST_CHECK struct error *json_token_text(struct json_tokens *t,
                                         struct text *ret);
/**
 * As json_token_text() for a string with its opening quote at @p at, if it
 * needs no change; false, with @p t unchanged, if it does or is incomplete.
 */
bool json_token_plain_text(struct json_tokens *t, size_t at, struct text *ret);
MUST_CHECK struct error *json_token_number(struct json_tokens *t);
MUST_CHECK struct error *json_token_word(struct json_tokens *t,
                                         const char *word);
/**
 * Read `NaN`, `-inf`, `Infinity` in any case, as printf and others write them.
 * False, with @p t unchanged, for other input.
 */
bool json_token_nan(struct json_tokens *t, struct text *ret);

/** Error at the current position: `line 1, column 2: expected …, found …`. */
struct error *json_token_unexpected(const struct json_tokens *t,
                                    const char *expected);
/** Prepend `line 12, column 3: ` for @p offset to @p err; returns @p err. */
struct error *json_token_place(const struct json_tokens *t, size_t offset,
                               struct error *err);
/** Advance @p lines to @p offset. */
void json_token_count_lines(const struct json_tokens *t, size_t offset,
                            struct json_lines *lines);
/** List a repair, up to JSON_REPAIRS_MAX of them. */
void json_token_repair(struct json_tokens *t, size_t offset, const char *text);

#endif
