/**
 * The tokens of JSON that are more than a character: strings, numbers and
 * words, checked and copied for the scanner (lib/text/json/scan.h).
 *
 * Each function stands at the first byte of its token and leaves after the
 * last. Where the input ends inside, @c ended is set and there is no error:
 * what was copied of the token is the scanner's to drop.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_TOKEN_H
#define APMTOOL_LIB_TEXT_JSON_TOKEN_H

#include "lib/text/json/scan.h"

#include <stdint.h>

/** The lines of an input, counted up to a place. */
struct json_lines {
	size_t offset; ///< the place, from the start of the input
	size_t count;  ///< line ends before it
	size_t start;  ///< where its line begins
};

struct json_tokens {
	struct text in; ///< the input, or the window of it that is in memory
	size_t at;      ///< in the window, as all offsets of these functions
	size_t base;    ///< where the window begins in the input
	bool ended;     ///< the input ended inside a token
	struct json_scan *out;
	/** The lines before the window at least; NULL: it is all there. */
	struct json_lines *lines;
};

/** Is there a byte to read? */
static inline bool json_token_left(const struct json_tokens *t)
{
	return t->at < t->in.size;
}

/** The number of bytes from @p start on that mean themselves in a string. */
size_t json_token_plain_size(const struct json_tokens *t, size_t start);
MUST_CHECK struct error *json_token_string(struct json_tokens *t);
/**
 * A string without its quotes and escapes: borrowed from the input, or, where
 * something in it must change, in the copy, which is cleared first.
 */
MUST_CHECK struct error *json_token_text(struct json_tokens *t,
                                         struct text *ret);
/**
 * As json_token_text() for a string whose opening quote stands at @p at, if
 * nothing in it must change; false, and @p t as it was, if something must, or
 * the input ends inside.
 */
bool json_token_plain_text(struct json_tokens *t, size_t at, struct text *ret);
/** @param inside  Of a container: at its very end the input ends early. */
MUST_CHECK struct error *json_token_number(struct json_tokens *t, bool inside);
MUST_CHECK struct error *json_token_word(struct json_tokens *t,
                                         const char *word);

/**
 * Step over a number without copying it.
 *
 * @param ret_whole  Set to false where it has a fraction or an exponent.
 */
MUST_CHECK struct error *json_token_step_number(struct json_tokens *t,
                                                bool *ret_whole);
/** The value of digits, decimal or `0x…`, as json_as_u64() has it. */
bool json_token_u64(struct text digits, uint64_t *ret);

/** `line 1, column 2: expected …, found …` for where @p t stands. */
struct error *json_token_unexpected(const struct json_tokens *t,
                                    const char *expected);
/** Put `line 12, column 3: ` for @p offset in front; returns @p err. */
struct error *json_token_place(const struct json_tokens *t, size_t offset,
                               struct error *err);
/** Count the lines from where @p lines stands up to @p offset. */
void json_token_count_lines(const struct json_tokens *t, size_t offset,
                            struct json_lines *lines);
/** List a repair, up to JSON_SCAN_REPAIRS of them. */
void json_token_repair(struct json_tokens *t, size_t offset, const char *text);

#endif
