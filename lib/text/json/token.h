// SPDX-License-Identifier: MIT
/**
 * The tokens of JSON that are more than a character: strings, numbers and
 * words, checked against RFC 8259 and repaired where a string is damaged.
 *
 * Each function begins at the first byte of its token and leaves after the
 * last. Where the input ends inside, @c ended is set and there is no error.
 *
 * Only the parts of the pull reader use this.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_TOKEN_H
#define APMTOOL_LIB_TEXT_JSON_TOKEN_H

#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/text/json/value.h"

/** Most repairs that are listed. */
#define JSON_REPAIRS_MAX 100

/** The lines of an input, counted up to a place. */
struct json_lines {
	size_t offset; ///< the place, from the start of the input
	size_t count;  ///< line ends before it
	size_t start;  ///< where its line begins
};

struct json_tokens {
	struct text in;  ///< the input, or the window of it that is in memory
	size_t at;       ///< in the window, as all offsets of these functions
	size_t base;     ///< where the window begins in the input
	bool ended;      ///< the input ended inside a token
	struct str copy; ///< a string in which something had to change
	struct json_repair *repairs;
	size_t repair_count;
	size_t repair_cap;
	/** The lines before the window at least; NULL: it is all there. */
	struct json_lines *lines;
};

void json_tokens_release(struct json_tokens *t);

/** Is there a byte to read? */
static inline bool json_token_left(const struct json_tokens *t)
{
	return t->at < t->in.size;
}

/** The number of bytes from @p start on that mean themselves in a string. */
size_t json_token_plain_size(const struct json_tokens *t, size_t start);
/**
 * A string without its quotes and escapes: borrowed from the input, or, where
 * something in it must change, in the copy, until the next call.
 */
MUST_CHECK struct error *json_token_text(struct json_tokens *t,
                                         struct text *ret);
/**
 * As json_token_text() for a string whose opening quote is at @p at, if
 * nothing in it must change; false, and @p t as it was, if something must, or
 * the input ends inside.
 */
bool json_token_plain_text(struct json_tokens *t, size_t at, struct text *ret);
MUST_CHECK struct error *json_token_number(struct json_tokens *t);
MUST_CHECK struct error *json_token_word(struct json_tokens *t,
                                         const char *word);
/**
 * `NaN`, `-inf`, `Infinity`, in any case, as printf and others write what is
 * no number. False, and @p t as it was, where there is none.
 */
bool json_token_nan(struct json_tokens *t, struct text *ret);

/** `line 1, column 2: expected …, found …` for where @p t is. */
struct error *json_token_unexpected(const struct json_tokens *t,
                                    const char *expected);
/** Put `line 12, column 3: ` for @p offset before it; returns @p err. */
struct error *json_token_place(const struct json_tokens *t, size_t offset,
                               struct error *err);
/** Count the lines from where @p lines is up to @p offset. */
void json_token_count_lines(const struct json_tokens *t, size_t offset,
                            struct json_lines *lines);
/** List a repair, up to JSON_REPAIRS_MAX of them. */
void json_token_repair(struct json_tokens *t, size_t offset, const char *text);

#endif
