// SPDX-License-Identifier: MIT
#include "lib/base/uuid.h"
#include "lib/model/redact/place.h"

#include <string.h>

/** No file system has longer names. */
#define NAME_BYTES_MAX 255
/** Of separators that follow each other; a longer run has others in it. */
#define RUN_BYTES_MAX 32

/** Directories whose entries are named after people or their disks. */
static const struct {
	const char *name, *kind;
} parents[] = {
	{ "Users", "user" },
	{ "home", "user" },
	{ "Volumes", "volume" },
};

/** One separator: `/`, `\`, or how JSON and URLs write them. */
static size_t take_one(struct text in)
{
	static const char *const spellings[] = { "%2f", "%5c", "%252f",
		                                 "\\u002f", "\\u005c" };

	if (!in.size || !in.data[0] || !strchr("/\\%", in.data[0]))
		return 0;
	for (size_t i = 0; in.data[0] != '/' && i < ARRAY_SIZE(spellings);
	     i++) {
		size_t size = strlen(spellings[i]);

		if (in.size >= size &&
		    text_is_nocase(text_first(in, size), spellings[i]))
			return size;
	}
	return in.data[0] != '%';
}

/** All separators that follow each other, and `/./` among them. */
static size_t take_separators(struct text in)
{
	size_t size = take_one(in);

	for (size_t more = size; more && size < RUN_BYTES_MAX;) {
		struct text rest = text_after(in, size);

		more = take_one(rest);
		if (!more && text_starts(rest, ".")) {
			more = take_one(text_after(rest, 1));
			more += more > 0;
		}
		size += more;
	}
	return size;
}

/** Names that are not personal. */
static bool is_common(struct text name)
{
	static const char *const names[] = {
		"Shared", "Guest", "mobile", "runner",  "USER",
		"*",      "Data",  "VOLUME", "Preboot", "Macintosh HD",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_is(name, names[i]))
			return true;
	return !name.size;
}

/** A source file is not a home: `Views/Users/List.swift`. */
static bool is_source(struct text name)
{
	static const char *const endings[] = { ".swift", ".m",   ".mm", ".c",
		                               ".cc",    ".cpp", ".h",  ".hpp",
		                               ".kt",    ".rs",  ".js", ".ts" };

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (text_ends(name, endings[i]))
			return true;
	return false;
}

/**
 * Does a path end here in any case? A name may contain `'`, `,`, `<` and
 * blanks, but so may a list of paths.
 */
static bool ends_path(struct text rest)
{
	static const char ends[] = "\"\n\r\t:>)]};|";
	char next = rest.size > 1 ? rest.data[1] : '\0';
	size_t blanks;

	if (!rest.data[0] || strchr(ends, rest.data[0]))
		return true;
	if (rest.data[0] == '\'')
		return !text_is_alnum(next);
	blanks = text_count_blanks(text_after(rest, rest.data[0] == ','));
	return blanks &&
	       take_one(text_after(rest, blanks + (rest.data[0] == ',')));
}

static size_t name_size(struct text in)
{
	size_t size = 0;

	while (size < in.size && size < NAME_BYTES_MAX) {
		struct text rest = text_after(in, size);

		if (take_one(rest) || ends_path(rest))
			break;
		size++;
	}
	return size;
}

/** A container of an app, or a simulator: its UUID is of this device. */
static size_t take_container(const struct redact_place *place, struct text in,
                             size_t head)
{
	struct text id = text_first(text_after(in, head), UUID_TEXT_SIZE - 1);
	struct uuid uuid;

	if (id.size < UUID_TEXT_SIZE - 1 || id.data[8] != '-' ||
	    !uuid_parse(id, &uuid))
		return 0;
	str_add_text(place->out, text_first(in, head));
	redactor_add(place->redactor, place->out, "container", id);
	return head + id.size;
}

size_t redact_home(const struct redact_place *place)
{
	struct text in = text_after(place->all, place->at);
	// Of several, the last one counts.
	size_t head = take_one(in);

	for (size_t i = 0; head && i < ARRAY_SIZE(parents); i++) {
		struct text rest = text_after(in, head);
		size_t parent = strlen(parents[i].name);
		struct text name;
		size_t start;

		if (!text_is_nocase(text_first(rest, parent), parents[i].name))
			continue;
		start = take_separators(text_after(rest, parent));
		name = text_after(rest, parent + start);
		name = text_first(name, name_size(name));
		if (!start || is_common(name))
			return 0;
		// A source file ends the path; `john.m` may be a person.
		if (is_source(name) &&
		    !take_separators(
		            text_after(rest, parent + start + name.size)))
			return 0;
		start += head + parent;
		str_add_text(place->out, text_first(in, start));
		redactor_add(place->redactor, place->out, parents[i].kind,
		             name);
		return start + name.size;
	}
	return head ? take_container(place, in, head) : 0;
}

static bool is_account(char c)
{
	return text_is_alnum(c) || (c && strchr("._-", c));
}

size_t redact_tilde(const struct redact_place *place)
{
	struct text in = text_after(place->all, place->at);
	char before = place->at ? place->all.data[place->at - 1] : ' ';
	size_t size = redact_span(text_first(text_after(in, 1), NAME_BYTES_MAX),
	                          is_account);
	struct text name = text_first(text_after(in, 1), size);

	// `A::~B`, `a/~b`
	if (text_is_alnum(before) || !strchr(" \t\n\"'`(=,", before) || !size ||
	    !text_is_letter(name.data[0]) || is_common(name) ||
	    !text_starts(text_after(in, 1 + size), "/"))
		return 0;
	str_add(place->out, "~");
	redactor_add(place->redactor, place->out, "user", name);
	return 1 + size;
}
