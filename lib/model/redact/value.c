// SPDX-License-Identifier: MIT
#include "lib/model/redact/pair.h"

#include <string.h>

/** Max bytes to search for a closing bracket or the end of a name. */
#define LOOK_BYTES_MAX 512

static bool is_one_of(struct text word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_is_nocase(word, words[i]))
			return true;
	return false;
}

/** Names of devices' models and of Apple's parts: `iPhone14,2`. */
static bool is_common(struct text in)
{
	static const char *const models[] = {
		"iPhone",        "iPad",   "iPod", "Watch",   "AppleTV",
		"MacBookPro",    "Mac",    "iMac", "Macmini", "MacBookAir",
		"RealityDevice", "MacPro", "USB ", "MacBook",
	};

	if (text_starts(in, "com.apple."))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		struct text rest = in;

		if (text_take(&rest, models[i]) && rest.size &&
		    text_is_digit(rest.data[0]))
			return true;
	}
	return false;
}

bool redact_is_nothing(struct text value, enum redact_key key)
{
	static const char *const nothing[] = { "null",   "nil",   "(null)",
		                               "<null>", "false", "true",
		                               "none",   "<nil>", "undefined" };
	struct text rest = value;

	if (!value.size || is_one_of(value, nothing, ARRAY_SIZE(nothing)))
		return true;
	if (key != REDACT_KEY_WORD && key != REDACT_KEY_LINE)
		return false;
	if (text_take(&rest, "0x") && rest.size <= 16 &&
	    redact_span(rest, redact_is_hex) == rest.size)
		return true;
	return is_common(value);
}

/** To the quote that closes, or the end of the line. */
static size_t quoted_size(struct text in, struct text close)
{
	size_t size = 0;
	char last = close.data[close.size - 1];
	bool is_escaped = last == '"' || last == '\'';

	while (size < in.size && in.data[size] != '\n') {
		struct text rest = text_after(in, size);
		size_t escapes = 0;

		while (is_escaped && escapes < rest.size &&
		       rest.data[escapes] == '\\')
			escapes++;
		if (!is_escaped || escapes == close.size - 1) {
			if (text_equal(text_first(rest, close.size), close))
				return size;
		}
		// The escaped character belongs to the value.
		size += escapes;
		size += size < in.size && in.data[size] != '\n';
	}
	return size;
}

/** Size up to the matching bracket; 0 if it is too far. */
static size_t bracket_size(struct text in, char close)
{
	static const char pairs[] = "()[]{}<>";
	char open = strchr(pairs, close)[-1];
	size_t depth = 0;

	for (size_t i = 0; i < in.size && i < LOOK_BYTES_MAX; i++) {
		if (in.data[i] == '\n')
			return 0;
		if (in.data[i] == open)
			depth++;
		if (in.data[i] == close && !depth--)
			return i;
	}
	return 0;
}

/** Size of an unquoted value; brackets in it may be nested. */
static size_t bare_size(struct text in, const char *ends, bool has_brackets)
{
	static const char open[] = "([{", close[] = ")]}";
	size_t size = 0;
	size_t depth = 0;

	for (; size < in.size && in.data[size] && in.data[size] != '\n';
	     size++) {
		char c = in.data[size];

		if (has_brackets && strchr(open, c))
			depth++;
		else if (depth && strchr(close, c))
			depth--;
		else if (strchr(ends, c))
			break;
	}
	while (size && text_is_space(in.data[size - 1]))
		size--;
	return size;
}

/** Size up to the end of the line, or the quote around it. */
static size_t header_size(struct text in)
{
	size_t size = 0;

	while (size < in.size && in.data[size] != '\n') {
		struct text rest = text_after(in, size);
		size_t quote = 0;

		while (quote < rest.size && rest.data[quote] == '\\')
			quote++;
		if (!quote && rest.data[0] != '"') {
			size++;
			continue;
		}
		// `Digest username="…"`
		if (!text_starts(text_after(rest, quote), "\"") || !size ||
		    in.data[size - 1] != '=')
			break;
		quote++;
		size += quote + quoted_size(text_after(rest, quote),
		                            text_first(rest, quote));
		if (size < in.size && in.data[size] != '\n')
			size += quote;
	}
	while (size && text_is_space(in.data[size - 1]))
		size--;
	return size;
}

static struct text first_word(struct text in)
{
	size_t size = 0;

	while (size < in.size && !text_is_space(in.data[size]))
		size++;
	return text_first(in, size);
}

static bool is_plain(struct text word)
{
	return word.size && redact_span(word, redact_is_lower) == word.size;
}

/** First words of messages about a value. */
static bool begins_sentence(struct text word)
{
	static const char *const words[] = {
		"a",         "already",     "an",         "and",
		"at",        "bad",         "can",        "cannot",
		"canceled",  "cancelled",   "could",      "did",
		"does",      "denied",      "error",      "empty",
		"expected",  "expired",     "failed",     "failure",
		"for",       "found",       "got",        "has",
		"if",        "in",          "index",      "invalid",
		"is",        "it",          "logged",     "missing",
		"must",      "no",          "not",        "nothing",
		"ok",        "on",          "out",        "read",
		"received",  "rejected",    "requires",   "should",
		"succeeded", "the",         "this",       "timeout",
		"too",       "unable",      "unexpected", "unexpectedly",
		"unknown",   "unsupported", "value",      "was",
		"were",      "while",       "with",       "write",
		"wrong",
	};

	return is_one_of(word, words, ARRAY_SIZE(words));
}

/**
 * After an everyday word, `user: …`: a word, or a name with its first words
 * with capitals; not a sentence, and not the next key.
 */
static size_t word_size(const struct redact_place *place,
                        const struct redact_found *found, struct text in)
{
	struct text word = first_word(in);
	bool is_person = !strcmp(found->kind, "user");
	bool is_lower = is_plain(word);
	size_t size = word.size;
	size_t digits = 0;

	if (redact_is_nothing(word, found->key) || begins_sentence(word))
		return 0;
	for (size_t i = 0; i < in.size; i++)
		digits += text_is_digit(in.data[i]);
	// `session: audio` is the name of a thread.
	if (!digits &&
	    (!strcmp(found->kind, "phone") ||
	     (place->manner != REDACT_PROSE && !strcmp(found->kind, "token"))))
		return 0;
	for (unsigned i = 0; size < in.size; i++) {
		size_t blanks = text_count_blanks(text_after(in, size));
		struct text next = first_word(text_after(in, size + blanks));

		if (!blanks || text_find_char(next, ':') != TEXT_NOWHERE ||
		    text_find_char(next, '=') != TEXT_NOWHERE)
			break;
		if (is_plain(next) && !is_person && is_lower && !i)
			return 0;
		if (is_plain(next) &&
		    (!is_person || i || size + blanks + next.size < in.size))
			break;
		size += blanks + next.size;
	}
	return size;
}

static bool is_strong(enum redact_key key)
{
	return key == REDACT_KEY_SECRET || key == REDACT_KEY_SECRET_ALL ||
	       key == REDACT_KEY_HEADER;
}

static size_t open_size(const struct redact_place *place,
                        const struct redact_found *found, struct text in)
{
	const struct redact_joint *joint = &found->joint;
	bool is_whole = joint->is_colon && place->manner == REDACT_PROSE;

	if (found->key == REDACT_KEY_HEADER)
		return header_size(in);
	if (found->key == REDACT_KEY_WORD && joint->is_colon) {
		in = text_first(in, LOOK_BYTES_MAX);
		return word_size(place, found,
		                 text_first(in, bare_size(in, "\"\\,;<>()[]{}|",
		                                          false)));
	}
	if (is_whole && found->key == REDACT_KEY_ID)
		return bare_size(in, "\"\\,;<>()[]{}|", false);
	if (is_whole && joint->after && is_strong(found->key))
		return bare_size(in, "\"\\,;<>()[]{}|", true);
	return bare_size(
	        in,
	        joint->is_colon || joint->is_blank ? " \t\r\"\\,;<>()[]{}|"
	                                           : " \t\r\"\\&,;<>()[]{}|",
	        is_strong(found->key) && place->manner == REDACT_PROSE);
}

/** Size in brackets: whole after a secret key, else a word. */
static size_t enclosed_size(const struct redact_place *place,
                            const struct redact_found *found, struct text in)
{
	size_t size = bracket_size(in, found->joint.close.data[0]);

	if (is_strong(found->key))
		return size ? size : open_size(place, found, in);
	for (size_t i = 0; i < size; i++)
		if (strchr(" \t\":={}<>()[]", in.data[i]) || !in.data[i])
			return 0;
	return size;
}

/** A value alone on the line after its key. */
static size_t next_line(struct text in, size_t *ret_start)
{
	static const char *const ends[] = { "\n", "\r\n", "\\n", "\\r\\n" };
	struct text line;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		if (!text_starts(in, ends[i]))
			continue;
		*ret_start = strlen(ends[i]);
		*ret_start += text_count_blanks(text_after(in, *ret_start));
		line = text_after(in, *ret_start);
		line = text_trim_right(
		        text_first(line, bare_size(line, "\"\\", false)));
		return first_word(line).size == line.size &&
		                       !text_ends(line, ":")
		               ? line.size
		               : 0;
	}
	return 0;
}

/** `Basic …`: the scheme is no secret. */
static size_t scheme_size(struct text value)
{
	size_t size = redact_span(value, text_is_letter);

	return size && size + 1 < value.size && value.data[size] == ' '
	               ? size + 1
	               : 0;
}

static bool is_scheme(struct text value)
{
	static const char *const schemes[] = { "bearer", "basic", "digest",
		                               "token", "negotiate" };

	return is_one_of(value, schemes, ARRAY_SIZE(schemes));
}

size_t redact_value_find(const struct redact_place *place,
                         const struct redact_found *found, struct text in,
                         size_t *ret_start)
{
	const struct redact_joint *joint = &found->joint;
	struct text value = in;
	size_t start = 0;

	if (joint->is_tag)
		value.size =
		        text_find_char(text_first(in, REDACT_PROBE_BYTES), '<');
	else if (joint->is_quote)
		value.size = quoted_size(in, joint->close);
	else if (joint->close.size)
		value.size = enclosed_size(place, found, in);
	else
		value.size = open_size(place, found, in);
	*ret_start = 0;
	if (joint->is_tag)
		return value.size != TEXT_NOWHERE &&
		                       text_starts(text_after(in, value.size),
		                                   "</") &&
		                       !redact_is_nothing(value, found->key)
		               ? value.size
		               : 0;
	if (found->key == REDACT_KEY_HEADER && !is_scheme(value))
		*ret_start = scheme_size(value);
	if (place->manner == REDACT_PROSE && !joint->close.size &&
	    !joint->is_blank && is_strong(found->key) &&
	    (!value.size || is_scheme(value))) {
		size_t size = next_line(text_after(in, value.size), &start);

		if (size) {
			*ret_start = value.size + start;
			return size;
		}
	}
	value = text_after(value, *ret_start);
	return redact_is_nothing(value, found->key) ? 0 : value.size;
}
