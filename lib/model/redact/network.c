// SPDX-License-Identifier: MIT
#include "lib/model/redact/place.h"

#include <string.h>

#define UDID_BYTES       40
#define PHONE_DIGITS_MIN 9
#define PHONE_DIGITS_MAX 15
#define IP6_GROUPS       8
#define IP6_BYTES_MAX    39
#define MAC_BYTES        17
/** Max size of the word before a version. */
#define WORD_BYTES_MAX 24

static size_t put(const struct redact_place *place, const char *kind,
                  size_t size)
{
	if (size)
		redactor_add(
		        place->redactor, place->out, kind,
		        text_first(text_after(place->all, place->at), size));
	return size;
}

/** 40 hex digits, or 8 and 16. */
static size_t udid_size(struct text in)
{
	size_t size = redact_span(in, redact_is_hex);

	if (size == 8 && in.size > 9 && in.data[8] == '-' &&
	    redact_span(text_after(in, 9), redact_is_hex) == 16)
		return 25;
	return size == UDID_BYTES ? size : 0;
}

static size_t mac_size(struct text in)
{
	if (in.size < MAC_BYTES || !strchr(":-", in.data[2]))
		return 0;
	for (size_t i = 0; i < MAC_BYTES; i++)
		if (i % 3 == 2 ? in.data[i] != in.data[2]
		               : !text_is_hex_digit(in.data[i]))
			return 0;
	return in.size > MAC_BYTES && (text_is_alnum(in.data[MAC_BYTES]) ||
	                               in.data[MAC_BYTES] == in.data[2])
	               ? 0
	               : MAC_BYTES;
}

/** Addresses that are not specific to a network. */
static bool is_common(struct text address)
{
	return text_starts(address, "127.") || text_is(address, "0.0.0.0") ||
	       text_is(address, "255.255.255.255");
}

/** `Firebase/10.22.0.1`, `SDK 16.4.0.1`, `build=1.2.3.4` */
static bool follows_version(struct text before)
{
	static const char *const words[] = { "version", "build", "sdk",
		                             "v",       "ver",   "release",
		                             "ios",     "macos" };
	size_t size = 0;

	before = text_after(before, before.size > WORD_BYTES_MAX
	                                    ? before.size - WORD_BYTES_MAX
	                                    : 0);
	if (text_ends(before, "/"))
		return before.size > 1 &&
		       text_is_letter(before.data[before.size - 2]);
	while (before.size &&
	       strchr(" \t\"':=", before.data[before.size - 1]) &&
	       before.data[before.size - 1])
		before.size--;
	while (size < before.size &&
	       text_is_letter(before.data[before.size - size - 1]))
		size++;
	before = text_after(before, before.size - size);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t word = strlen(words[i]);

		// `osVersion`, but no `div`.
		if (before.size == word || word > 4)
			if (before.size >= word &&
			    text_is_nocase(
			            text_after(before, before.size - word),
			            words[i]))
				return true;
	}
	return false;
}

/**
 * `v1.2.3.4`, `version 1.2.3.4`; in code also `(1.2.3.4)` and `(1 - 1.2.3.4)`.
 */
static bool is_version(const struct redact_place *place, size_t size)
{
	struct text before = text_first(place->all, place->at);
	struct text after = text_after(place->all, place->at + size);

	if (place->manner == REDACT_VERSION || follows_version(before))
		return true;
	return place->manner == REDACT_CODE &&
	       (text_starts(after, ")") || text_ends(before, "(") ||
	        text_ends(text_trim_right(before), "-"));
}

static size_t ip4_size(struct text in)
{
	size_t size = 0;

	for (unsigned part = 0; part < 4; part++) {
		size_t digits = 0;
		unsigned value = 0;

		if (part && (size >= in.size || in.data[size++] != '.'))
			return 0;
		for (; digits < 4 && size < in.size &&
		       text_is_digit(in.data[size]);
		     digits++)
			value = value * 10 + (unsigned)(in.data[size++] - '0');
		if (!digits || value > 255)
			return 0;
	}
	if (size < in.size && (text_is_alnum(in.data[size]) ||
	                       (in.data[size] == '.' && size + 1 < in.size &&
	                        text_is_digit(in.data[size + 1]))))
		return 0;
	return size;
}

static size_t take_ip4(const struct redact_place *place)
{
	struct text in = text_after(place->all, place->at);
	size_t size = ip4_size(in);

	// It is part of a longer version: `2.1.2.3.4`.
	if (!size || is_common(text_first(in, size)) ||
	    (place->at > 1 && place->all.data[place->at - 1] == '.' &&
	     text_is_digit(place->all.data[place->at - 2])) ||
	    is_version(place, size))
		return 0;
	return put(place, "ip", size);
}

static bool is_ip6(char c)
{
	return text_is_hex_digit(c) || c == ':';
}

/**
 * Groups of up to 4 digits. `a::b` is C++, and `a:b:` a selector: `::` requires
 * another `:` between digits, and a decimal digit. In prose, a first group of 4
 * digits suffices: `fe80::1`.
 */
static size_t ip6_size(const struct redact_place *place, struct text in)
{
	const bool is_prose = place->manner == REDACT_PROSE;
	size_t size = redact_span(text_first(in, IP6_BYTES_MAX + 1), is_ip6);
	size_t groups = 0, doubles = 0, singles = 0, run = 0, digits = 0;

	if (size > IP6_BYTES_MAX ||
	    (size < in.size && text_is_alnum(in.data[size])))
		return 0;
	for (size_t i = 0; i < size; i++) {
		char c = in.data[i];

		if (c != ':') {
			groups += !run;
			digits += text_is_digit(c);
			if (++run > 4)
				return 0;
			continue;
		}
		run = 0;
		if (i + 1 < size && in.data[i + 1] == ':') {
			doubles++;
			i++;
		} else {
			singles++;
		}
	}
	if (!run && size && in.data[size - 1] == ':' &&
	    (size < 2 || in.data[size - 2] != ':'))
		return 0;
	if (!digits || groups > IP6_GROUPS)
		return 0;
	if (doubles == 1 && is_prose && text_find_char(in, ':') == 4)
		return size;
	return doubles == 1 ? (singles ? size : 0)
	                    : (!doubles && groups == IP6_GROUPS ? size : 0);
}

/**
 * Does the separator at @p at belong to a number? ` (0) ` does, `  ` does not.
 */
static bool separates(struct text in, size_t at)
{
	char c = in.data[at];

	if (!c || !strchr(" -./()", c))
		return false;
	return text_is_digit(in.data[at - 1]) || strchr("()", c) ||
	       strchr("()", in.data[at - 1]);
}

/** `+49 170 1234567`: an offset has a blank after its `+`, or few digits. */
static size_t phone_size(struct text in)
{
	size_t digits = 0;
	size_t ret = 0;

	if (in.size < 2 || in.data[1] < '1' || in.data[1] > '9')
		return 0;
	for (size_t i = 1; i < in.size && digits <= PHONE_DIGITS_MAX; i++) {
		bool ends = i + 1 == in.size || !text_is_alnum(in.data[i + 1]);

		if (!text_is_digit(in.data[i]) && !separates(in, i))
			break;
		digits += text_is_digit(in.data[i]);
		if (ends && text_is_digit(in.data[i]) &&
		    digits >= PHONE_DIGITS_MIN && digits <= PHONE_DIGITS_MAX)
			ret = i + 1;
	}
	return ret;
}

/** Does @p in match @p pattern, in which `0` is a digit and `x` a hex digit? */
static size_t match(struct text in, const char *pattern)
{
	size_t size = strlen(pattern);

	if (in.size < size)
		return 0;
	for (size_t i = 0; i < size; i++)
		if (pattern[i] == '0'   ? !text_is_digit(in.data[i])
		    : pattern[i] == 'x' ? !text_is_hex_digit(in.data[i])
		                        : in.data[i] != pattern[i])
			return 0;
	// It is part of a longer number.
	return in.size > size && (text_is_alnum(in.data[size]) ||
	                          (strchr(".-_", in.data[size]) &&
	                           in.size > size + 1 &&
	                           text_is_alnum(in.data[size + 1])))
	               ? 0
	               : size;
}

/** `(415) 555-2671`, `aabb.ccdd.eeff`: numbers in the shape of a pattern. */
static size_t take_shape(const struct redact_place *place, struct text in)
{
	static const struct {
		const char *shape, *kind;
	} shapes[] = {
		{ "(000) 000-0000", "phone" }, { "(000)000-0000", "phone" },
		{ "000.000.0000", "phone" },   { "000-000-0000", "phone" },
		{ "xxxx.xxxx.xxxx", "mac" },
	};
	size_t size;

	if (place->manner == REDACT_VERSION ||
	    (place->at && strchr(".-_", place->all.data[place->at - 1])))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		if ((size = match(in, shapes[i].shape)))
			return put(place, shapes[i].kind, size);
	return 0;
}

size_t redact_number(const struct redact_place *place)
{
	struct text in = text_after(place->all, place->at);
	size_t size;

	if (in.data[0] == '+')
		return put(place, "phone", phone_size(in));
	if ((size = take_shape(place, in)) || !text_is_hex_digit(in.data[0]))
		return size;
	if ((size = udid_size(in)))
		return put(place, "device", size);
	if ((size = mac_size(in)))
		return put(place, "mac", size);
	size = take_ip4(place);
	return size ? size : put(place, "ip", ip6_size(place, in));
}
