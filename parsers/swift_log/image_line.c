// SPDX-License-Identifier: MIT
#include "parsers/swift_log/image_line.h"

#include "lib/base/number.h"

#define NO_BUILD_ID "<no build ID>"
#define UNKNOWN     "<unknown>"

/** Min digits of a build ID other than a UUID. */
#define BUILD_ID_DIGITS 8

/** A hyphen, U+2010 to U+2015, or a minus, with blanks around it or without. */
static bool take_dash(struct text *rest)
{
	static const char *const dashes[] = {
		"-",
		"\xe2\x80\x93",
		"\xe2\x80\x94",
		"\xe2\x80\x92",
		"\xe2\x80\x90",
		"\xe2\x80\x91",
		"\xe2\x80\x95",
		"\xe2\x88\x92",
	};

	*rest = text_trim_left(*rest);
	for (size_t i = 0; i < ARRAY_SIZE(dashes); i++)
		if (text_take(rest, dashes[i])) {
			*rest = text_trim_left(*rest);
			return true;
		}
	return false;
}

static bool take_build_id(struct text *rest, struct uuid *ret)
{
	struct text left = text_trim_left(*rest);
	struct text id;

	if (text_take(&left, NO_BUILD_ID)) {
		*rest = left;
		return true;
	}
	if (!text_next_word(&left, &id))
		return false;
	if (!uuid_parse(id, ret) &&
	    (text_count_hex_digits(id) != id.size || id.size < BUILD_ID_DIGITS))
		return false;
	*rest = left;
	return true;
}

/** Start of the path; the end of the line without one. */
static size_t find_path(struct text text)
{
	for (size_t at = 0; at < text.size; at++) {
		struct text rest = text_after(text, at);

		if (at && !text_is_blank(text.data[at - 1]))
			continue;
		if (text_starts(rest, "/") || text_starts(rest, "~/") ||
		    (at && text_starts(rest, UNKNOWN)) ||
		    (rest.size > 2 && text_is_letter(rest.data[0]) &&
		     rest.data[1] == ':' && rest.data[2] == '\\'))
			return at;
	}
	return text.size;
}

static const char *keep(struct text text, struct arena *arena)
{
	return text.size && !text_is(text, UNKNOWN) ? arena_text(arena, text)
	                                            : NULL;
}

bool swift_image_parse(struct text line, struct arena *arena,
                       struct report_image *ret)
{
	struct report_image image = { 0 };
	struct text rest = text_trim(line);
	uint64_t end;
	size_t path;

	if (!number_take_hex(&rest, &image.base) || !take_dash(&rest) ||
	    !number_take_hex(&rest, &end) || !rest.size ||
	    !text_is_blank(rest.data[0]) || !take_build_id(&rest, &image.uuid))
		return false;
	rest = text_trim(rest);
	path = find_path(rest);
	image.name = keep(text_trim(text_first(rest, path)), arena);
	image.path = keep(text_trim(text_after(rest, path)), arena);
	if (!image.name)
		image.name = text_base_cstr(image.path);
	image.size = number_difference(end, image.base);
	*ret = image;
	return true;
}
