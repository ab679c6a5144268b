/**
 * The tokens of JSON that are more than a character: strings, numbers and
 * words, checked and copied for the scanner (lib/text/json_scan.h).
 *
 * Each function stands at the first byte of its token and leaves after the
 * last. Where the input ends inside, @c ended is set and there is no error:
 * what was copied of the token is the scanner's to drop.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_TOKEN_H
#define APMTOOL_LIB_TEXT_JSON_TOKEN_H

#include "lib/text/json_scan.h"

#include <stdint.h>

struct json_tokens {
	struct text in;
	size_t at;
	bool ended; ///< the input ended inside a token
	struct json_scan *out;
};

/** Is there a byte to read? */
static inline bool json_token_left(const struct json_tokens *t)
{
	return t->at < t->in.size;
}

MUST_CHECK struct error *json_token_string(struct json_tokens *t);
/**
 * A string without its quotes and escapes: borrowed from the input, or, where
 * something in it must change, in the copy, which is cleared first.
 */
MUST_CHECK struct error *json_token_text(struct json_tokens *t,
                                         struct text *ret);
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
/** List a repair, up to JSON_SCAN_REPAIRS of them. */
void json_token_repair(struct json_tokens *t, size_t offset, const char *text);

#endif
