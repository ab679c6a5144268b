// SPDX-License-Identifier: MIT
/**
 * A key and its value, `password: "…"`: the key is key.c's, what is between the
 * two joint.c's, where the value ends value.c's; pair.c puts them together.
 */
#ifndef APMTOOL_LIB_MODEL_REDACT_PAIR_H
#define APMTOOL_LIB_MODEL_REDACT_PAIR_H

#include "lib/model/redact/place.h"

/** What is between a key and its value. */
struct redact_joint {
	size_t size;       ///< of it, with what opens the value
	size_t before;     ///< blanks before the sign
	size_t after;      ///< blanks after it
	struct text close; ///< what ends the value; empty: its own end does
	bool is_quoted;    ///< the key is
	bool is_quote;     ///< `close` is that of a quote
	bool is_colon;
	bool is_tag;   ///< `<key>value</key>`
	bool is_tight; ///< `->`, which stands for other things, too
	bool is_blank; ///< there is no sign: `--password value`
};

struct redact_found {
	struct redact_joint joint;
	size_t size; ///< of the key
	enum redact_key key;
	const char *kind;
};

/** A word, with letters written as `\u0041`. */
size_t redact_key_size(struct text in);

/** @p before is what the key follows. False: no sign is there. */
bool redact_joint_find(struct text before, struct text in,
                       struct redact_joint *ret);
/** Blanks alone, which join a key and a value in prose. */
bool redact_joint_find_blank(struct text before, struct text in,
                             struct redact_joint *ret);

/**
 * The value at @p in, after the joint.
 *
 * @param ret_start  Where in @p in it begins.
 * @return Its size; 0: no value is there.
 */
size_t redact_value_find(const struct redact_place *place,
                         const struct redact_found *found, struct text in,
                         size_t *ret_start);

/** Does a value say nothing: `nil`, or, of an everyday word, a pointer? */
bool redact_is_nothing(struct text value, enum redact_key key);

#endif
