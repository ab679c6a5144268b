// SPDX-License-Identifier: MIT
#include "lib/model/redact/place.h"

#include <string.h>

/** Max sizes of RFC 5321. */
#define LOCAL_BYTES_MAX 64
#define HOST_BYTES_MAX  255

/** Letters of other alphabets count, too. */
static bool is_local(char c)
{
	return text_is_alnum(c) || (unsigned char)c >= 0x80 ||
	       (c && strchr("._%+-'!#$&*{}~^", c));
}

static bool is_host(char c)
{
	return text_is_alnum(c) || (unsigned char)c >= 0x80 || c == '.' ||
	       c == '-';
}

static bool is_ending(char c)
{
	return text_is_letter(c) || (unsigned char)c >= 0x80;
}

/** Endings of files that no domain has, in stacks of scripts: `f@main.js:1`. */
static bool is_file_ending(struct text ending)
{
	static const char *const endings[] = { "js",   "jsbundle", "bundle",
		                               "jsx",  "ts",       "tsx",
		                               "map",  "html",     "framework",
		                               "dylib" };

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (text_is_nocase(ending, endings[i]))
			return true;
	return false;
}

/** The part before `@`: a word, or anything in quotes. */
static size_t local_size(struct text before)
{
	size_t size = 0;

	if (text_ends(before, "\"")) {
		while (++size < before.size && size <= LOCAL_BYTES_MAX)
			if (before.data[before.size - size - 1] == '"')
				return size + 1;
		return 0;
	}
	while (size < before.size && size < LOCAL_BYTES_MAX &&
	       is_local(before.data[before.size - size - 1]))
		size++;
	return size;
}

/** `icon@3x.png` is an image of three times the size. */
static bool is_scale(struct text host)
{
	return host.size > 3 && text_is_digit(host.data[0]) &&
	       host.data[1] == 'x' && host.data[2] == '.';
}

static bool is_address(char c)
{
	return text_is_alnum(c) || c == '.' || c == ':';
}

/** `x@[192.168.1.1]` */
static size_t literal_size(struct text in)
{
	size_t size = redact_span(
	        text_first(text_after(in, 1), LOCAL_BYTES_MAX), is_address);

	return size &&
	                       (text_find_char(text_first(in, size), '.') !=
	                                TEXT_NOWHERE ||
	                        text_find_char(text_first(in, size), ':') !=
	                                TEXT_NOWHERE) &&
	                       text_starts(text_after(in, size + 1), "]")
	               ? size + 2
	               : 0;
}

static size_t host_size(struct text in)
{
	struct text host = text_first(
	        in, redact_span(text_first(in, HOST_BYTES_MAX), is_host));
	struct text ending;
	size_t dot;

	if (text_starts(in, "["))
		return literal_size(in);
	if (is_scale(host))
		return 0;
	while (host.size && strchr(".-", host.data[host.size - 1]))
		host.size--;
	dot = text_find_last_char(host, '.');
	if (dot == TEXT_NOWHERE || !dot)
		return 0;
	ending = text_after(host, dot + 1);
	if (ending.size < 2 || is_file_ending(ending))
		return 0;
	return text_starts(ending, "xn--") ||
	                       redact_span(ending, is_ending) == ending.size
	               ? host.size
	               : 0;
}

/** Also full-width. */
static size_t sign_size(struct text in)
{
	static const char *const signs[] = { "@", "%40", "\xef\xbc\xa0" };

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (text_starts(in, signs[i]))
			return strlen(signs[i]);
	return 0;
}

size_t redact_mail(const struct redact_place *place)
{
	struct text before = text_first(place->all, place->at);
	struct text in = text_after(place->all, place->at);
	size_t sign = sign_size(in);
	size_t local = sign ? local_size(before) : 0;
	size_t host = local ? host_size(text_after(in, sign)) : 0;
	struct str *out = place->out;

	if (!host)
		return 0;
	// It may contain a pseudonym already, which is kept.
	if (out->size >= local &&
	    !memcmp(out->data + out->size - local,
	            before.data + before.size - local, local)) {
		out->size -= local;
		out->data[out->size] = '\0';
	}
	redactor_add(place->redactor, out, "mail",
	             text_first(text_after(place->all, place->at - local),
	                        local + sign + host));
	return sign + host;
}
