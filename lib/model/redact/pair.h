// SPDX-License-Identifier: MIT
/**
 * A key and its value, `password: "…"`. key.c recognizes keys, joint.c the text
 * between, value.c the end of the value; pair.c combines them.
 */
#ifndef APMTOOL_LIB_MODEL_REDACT_PAIR_H
#define APMTOOL_LIB_MODEL_REDACT_PAIR_H

#include "lib/model/redact/place.h"

/** The text between a key and its value. */
struct redact_joint {
	size_t size;       ///< including an opening quote of the value
	size_t before;     ///< blanks before the sign
	size_t after;      ///< blanks after the sign
	struct text close; ///< end mark of the value; empty: it has none
	bool is_quoted;    ///< the key is quoted
	bool is_quote;     ///< `close` is a quote
	bool is_colon;
	bool is_tag;   ///< `<key>value</key>`
	bool is_tight; ///< `->`, which has other meanings, too
	bool is_blank; ///< there is no sign: `--password value`
};

struct redact_found {
	struct redact_joint joint;
	size_t size; ///< of the key
	enum redact_key key;
	const char *kind;
};

/** Size of a word, whose letters may be written as `\u0041`. */
size_t redact_key_size(struct text in);

/**
 * Find the sign after a key.
 *
 * @param before  The key.
 * @return False without a sign.
 */
bool redact_joint_find(struct text before, struct text in,
                       struct redact_joint *ret);
/** As redact_joint_find() for blanks only, as in prose. */
bool redact_joint_find_blank(struct text before, struct text in,
                             struct redact_joint *ret);

/**
 * Find the value at @p in, after the joint.
 *
 * @param ret_start  Its offset in @p in.
 * @return Its size; 0 if there is none.
 */
size_t redact_value_find(const struct redact_place *place,
                         const struct redact_found *found, struct text in,
                         size_t *ret_start);

/** Is a value harmless: `nil`, or, for an everyday word, a pointer? */
bool redact_is_nothing(struct text value, enum redact_key key);

#endif
