// SPDX-License-Identifier: MIT
#include "lib/model/redact/pair.h"

#include <string.h>

/** A quote in doubly nested JSON has 7 backslashes. */
#define ESCAPES_MAX 15
/** Of `Optional(Optional("…"))`. */
#define WRAPPERS_MAX 8
/** Shorter words after a key of a secret are words. */
#define RANDOM_BYTES_MIN 16

enum sign_flags {
	SIGN_COLON = 1 << 0,
	SIGN_QUOTE = 1 << 1, ///< with a value in quotes alone
	SIGN_TIGHT = 1 << 2, ///< with no blanks around it
	SIGN_TAG = 1 << 3,   ///< the value goes to the next `<`
	SIGN_NONE = 1 << 4,  ///< it looks like one
};

/** Longer ones before their prefixes. */
static const struct sign {
	const char *text;
	unsigned flags;
} signs[] = {
	{ "::", SIGN_NONE },   { ":=", 0 },
	{ ":", SIGN_COLON },   { "===", SIGN_QUOTE },
	{ "==", SIGN_QUOTE },  { "!=", SIGN_QUOTE },
	{ "=>", 0 },           { "=", 0 },
	{ "->", SIGN_TIGHT },  { "\xef\xbc\x9a", SIGN_COLON }, // full width
	{ "\xef\xbc\x9d", 0 }, { "%3a", SIGN_COLON },
	{ "%3d", 0 },          { "\\u003a", SIGN_COLON },
	{ "\\u003d", 0 },      { "&#58;", SIGN_COLON },
	{ "&#61;", 0 },        { "</key>", SIGN_TAG }, // of a property list
	{ ">", SIGN_TAG },
};

static const struct quote {
	const char *open, *close;
} quotes[] = {
	{ "&quot;", "&quot;" },
	{ "&#34;", "&#34;" },
	{ "&apos;", "&apos;" },
	{ "&#39;", "&#39;" },
	{ "%22", "%22" },
	{ "\\u0022", "\\u0022" },
	{ "`", "`" },
	{ "\xe2\x80\x9c", "\xe2\x80\x9d" },
	{ "\xe2\x80\x98", "\xe2\x80\x99" },
	{ "\xc2\xab", "\xc2\xbb" },
};

/** Wrappers of Swift and Foundation around a value. */
static const char *const wrappers[] = {
	"Optional(", "Some(",     "some(",   "AnyHashable(",
	"Just(",     "NSString(", "String(",
};

/** A quote with its escapes, in nested JSON. */
static size_t quote_size(struct text in, struct text *ret_close)
{
	size_t size = 0;

	while (size < in.size && size < ESCAPES_MAX && in.data[size] == '\\')
		size++;
	if (size < in.size && (in.data[size] == '"' || in.data[size] == '\'')) {
		*ret_close = text_first(in, size + 1);
		return size + 1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(quotes); i++) {
		if (!text_starts(in, quotes[i].open))
			continue;
		*ret_close = text_from(quotes[i].close);
		return strlen(quotes[i].open);
	}
	return 0;
}

static const struct sign *find_sign(struct text in)
{
	if (!in.size || !strchr(":=!-%\\&<>\xef", in.data[0]))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		size_t size = strlen(signs[i].text);

		if (in.size >= size &&
		    text_is_nocase(text_first(in, size), signs[i].text))
			return signs[i].flags & SIGN_NONE ? NULL : &signs[i];
	}
	return NULL;
}

static size_t wrapper_size(struct text in)
{
	for (size_t i = 0; i < ARRAY_SIZE(wrappers); i++)
		if (text_starts(in, wrappers[i]))
			return strlen(wrappers[i]);
	return 0;
}

/** The opening of a value: a quote, a bracket, or a wrapper around one. */
static void open_value(struct text in, struct redact_joint *joint)
{
	static const char open[] = "([{<", close[] = ")]}>";
	struct text rest = text_after(in, joint->size);
	size_t size = quote_size(rest, &joint->close);

	for (unsigned i = 0; !size && i < WRAPPERS_MAX; i++) {
		size_t head = wrapper_size(rest);

		if (!head)
			break;
		joint->size += head;
		joint->close = text_from(")");
		rest = text_after(in, joint->size);
		size = quote_size(rest, &joint->close);
	}
	joint->is_quote = size > 0;
	joint->size += size;
	if (joint->close.size || !rest.size || !rest.data[0] ||
	    !strchr(open, rest.data[0]))
		return;
	joint->close =
	        (struct text){ close + (strchr(open, rest.data[0]) - open), 1 };
	joint->size++;
}

/** `</key>`, blanks, `<string>`: the text between key and value. */
static size_t tag_size(struct text in)
{
	size_t size = 0;
	size_t word;

	while (size < in.size && size < REDACT_PROBE_BYTES &&
	       text_is_space(in.data[size]))
		size++;
	if (!text_starts(text_after(in, size), "<"))
		return 0;
	word = redact_span(
	        text_first(text_after(in, size + 1), REDACT_PROBE_BYTES),
	        redact_is_alnum);
	return word && text_starts(text_after(in, size + 1 + word), ">")
	               ? size + word + 2
	               : 0;
}

bool redact_joint_find(struct text before, struct text in,
                       struct redact_joint *ret)
{
	struct redact_joint joint = { 0 };
	struct text close;
	const struct sign *sign;

	joint.size = quote_size(in, &close);
	joint.is_quoted = joint.size > 0;
	// `[AnyHashable("token"): …`, `headers["token"] = …`
	while (joint.is_quoted && joint.size < in.size && joint.size < 8 &&
	       strchr(")]", in.data[joint.size]) && in.data[joint.size])
		joint.size++;
	joint.before = text_count_blanks(text_after(in, joint.size));
	joint.size += joint.before;
	sign = find_sign(text_after(in, joint.size));
	if (!sign)
		return false;
	joint.size += strlen(sign->text);
	joint.is_colon = sign->flags & SIGN_COLON;
	joint.is_tag = sign->flags & SIGN_TAG;
	joint.is_tight = sign->flags & SIGN_TIGHT;
	joint.after = text_count_blanks(text_after(in, joint.size));
	if (joint.is_tight && (joint.before || joint.after))
		return false;
	if (joint.is_tag) {
		size_t size = tag_size(text_after(in, joint.size));

		joint.size += sign->text[0] == '<' ? size : 0;
		*ret = joint;
		return sign->text[0] == '<' ? size : text_ends(before, "<");
	}
	joint.size += joint.after;
	open_value(in, &joint);
	*ret = joint;
	return joint.is_quote || !(sign->flags & SIGN_QUOTE);
}

/** Digits, capitals and small letters: no word has them all. */
static bool is_random(struct text in)
{
	bool has_digit = false, has_upper = false, has_lower = false;

	in = text_first(in, redact_span(in, redact_is_token));
	for (size_t i = 0; i < in.size; i++) {
		has_digit |= text_is_digit(in.data[i]);
		has_upper |= in.data[i] >= 'A' && in.data[i] <= 'Z';
		has_lower |= in.data[i] >= 'a' && in.data[i] <= 'z';
	}
	return in.size >= RANDOM_BYTES_MIN && has_digit && has_upper &&
	       has_lower;
}

/** Does a word have a digit or `-`, like names of machines? */
static bool is_serial(struct text in)
{
	size_t marks = 0, size = 0;

	for (; size < in.size &&
	       (text_is_alnum(in.data[size]) || in.data[size] == '-');
	     size++)
		marks += !text_is_letter(in.data[size]);
	return marks && size >= 8;
}

bool redact_joint_find_blank(struct text before, struct text in,
                             struct redact_joint *ret)
{
	struct redact_joint joint = { .is_blank = true };
	struct text value;

	joint.size = joint.before = text_count_blanks(in);
	value = text_first(text_after(in, joint.size), REDACT_PROBE_BYTES);
	if (!joint.size || !value.size)
		return false;
	open_value(in, &joint);
	*ret = joint;
	if (joint.is_quote)
		return true;
	return !joint.close.size && !text_starts(value, "-") &&
	       (in.data[0] == '\t' || text_ends(before, "--") ||
	        text_ends(before, " -") || is_random(value) ||
	        is_serial(value));
}
