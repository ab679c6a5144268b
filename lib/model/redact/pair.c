// SPDX-License-Identifier: MIT
#include "lib/model/redact/pair.h"

#include <string.h>

/**
 * Is it the label of an argument, a part of a selector, or the type of a
 * variable: `login(token: T)`, `-[A setToken:for:]`, `A.token : Swift.String`?
 */
static bool is_label(const struct redact_place *place,
                     const struct redact_joint *joint, struct text value)
{
	size_t end;

	if (joint->is_quoted || joint->is_quote || joint->is_tag)
		return false;
	if (place->manner != REDACT_PROSE)
		return joint->is_tight ||
		       (joint->is_colon && (joint->before || !joint->after)) ||
		       ((joint->is_colon || joint->before) &&
		        place->brackets > 0);
	if (!joint->is_colon || joint->after || joint->close.size)
		return false;
	end = redact_span(value, redact_is_alnum);
	value = text_after(value, end);
	return text_starts(value, ":") ||
	       (!end && (text_starts(value, "]") || text_starts(value, ")")));
}

static struct text second_word(struct text in)
{
	return text_after(in, text_find_char(in, ' ') + 1);
}

/** A parameter of a URL, `?code=…`. */
static bool is_parameter(struct text before)
{
	static const char *const signs[] = { "?",   "&",   "&amp;",
		                             "%3F", "%26", "\\u0026" };

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (text_ends(before, signs[i]))
			return true;
	return false;
}

/** Without a sign, or with `->`, an everyday word is a word. */
static bool may_join(const struct redact_found *found, struct text before,
                     struct text key)
{
	const struct redact_joint *joint = &found->joint;

	switch (found->key) {
	case REDACT_KEY_QUERY:
		return !joint->is_colon && !joint->is_blank && !joint->before &&
		       !joint->after && is_parameter(before);
	case REDACT_KEY_SECRET:
	case REDACT_KEY_SECRET_ALL:
		return true;
	case REDACT_KEY_WORD:
		return !joint->is_tight &&
		       (!joint->is_blank || text_ends(before, "--") ||
		        (joint->is_quote &&
		         strcmp(found->kind, "token") != 0) ||
		        text_is_nocase(key, "serial"));
	case REDACT_KEY_ID:
		return !joint->is_tight;
	case REDACT_KEY_HEADER:
		return !joint->is_tight && !joint->is_blank;
	case REDACT_KEY_NONE:
	case REDACT_KEY_LINE:
	case REDACT_KEY_PROCESS:
	case REDACT_KEY_VERSION:
		break;
	}
	return false;
}

/** Is the key of two words one because its second word is? */
static bool is_second_alone(const struct redact_found *found, struct text key)
{
	const char *kind;
	enum redact_key second = redact_key_find(second_word(key), &kind);

	// The second word is found alone, too: `end of token: …`
	return found->key == REDACT_KEY_SECRET &&
	       (second == REDACT_KEY_SECRET ||
	        (second == REDACT_KEY_WORD && found->joint.is_blank));
}

/**
 * Find a key that a value follows: one word, or two with a blank between them,
 * `API Key`; with a sign between key and value, or, in prose, without.
 */
static bool find(const struct redact_place *place, struct redact_found *found)
{
	struct text before = text_first(place->all, place->at);
	struct text in = text_after(place->all, place->at);
	size_t one = redact_key_size(in);
	size_t two = text_starts(text_after(in, one), " ")
	                     ? redact_key_size(text_after(in, one + 1))
	                     : 0;
	const size_t sizes[] = { one, two ? one + 1 + two : 0 };

	for (unsigned i = 0; i < 4; i++) {
		struct text key = text_first(in, sizes[i % 2]);
		struct text after = text_after(in, key.size);

		if (!key.size || (i > 1 && place->manner != REDACT_PROSE))
			continue;
		if (i < 2 ? !redact_joint_find(before, after, &found->joint)
		          : !redact_joint_find_blank(before, after,
		                                     &found->joint))
			continue;
		found->size = key.size;
		found->key = redact_key_find(key, &found->kind);
		if (found->key != REDACT_KEY_NONE &&
		    may_join(found, before, key) &&
		    !(i % 2 && is_second_alone(found, key)))
			return true;
		// A sign ends the search: `a: b "c"`.
		if (i < 2)
			return false;
	}
	return false;
}

size_t redact_pair(const struct redact_place *place)
{
	struct text in = text_after(place->all, place->at);
	struct redact_found found;
	struct text value;
	size_t head, start;

	if (!find(place, &found))
		return 0;
	head = found.size + found.joint.size;
	value = text_after(in, head);
	if (is_label(place, &found.joint, value))
		return 0;
	value.size = redact_value_find(place, &found, value, &start);
	if (!value.size)
		return 0;
	value.data += start;
	head += start;
	str_add_text(place->out, text_first(in, head));
	redactor_add(place->redactor, place->out, found.kind, value);
	return head + value.size;
}
