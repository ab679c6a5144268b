// SPDX-License-Identifier: MIT
#include "parsers/swift_log/frame_line.h"

#include "lib/base/number.h"

// Max places to try in a line: few paths contain ` at /`.
#define PLACE_TRIES 16

#define BAR "\xe2\x94\x82" // │

static void skip_blanks(struct text *rest)
{
	*rest = text_after(*rest, text_count_blanks(*rest));
}

// Index, tags and address

static unsigned tag_of(struct text word)
{
	static const struct {
		const char *word;
		enum swift_tag tag;
	} tags[] = {
		{ "ra", SWIFT_TAG_RETURN },       { "async", SWIFT_TAG_ASYNC },
		{ "inlined", SWIFT_TAG_INLINED }, { "thunk", SWIFT_TAG_THUNK },
		{ "system", SWIFT_TAG_SYSTEM },
	};

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		if (text_is(word, tags[i].word))
			return tags[i].tag;
	return 0;
}

/**
 * Remove `[word]` and the blanks after it from the front; also unknown tags.
 */
static bool take_tag(struct text *rest, unsigned *tags)
{
	struct text left = *rest;
	size_t size = 0;

	if (!text_take(&left, "["))
		return false;
	while (size < left.size && left.data[size] >= 'a' &&
	       left.data[size] <= 'z')
		size++;
	if (!size || size == left.size || left.data[size] != ']')
		return false;
	*tags |= tag_of(text_first(left, size));
	*rest = text_after(left, size + 1);
	skip_blanks(rest);
	return true;
}

static bool take_address(struct text *rest, uint64_t *ret)
{
	struct text left = *rest;

	if (!number_take_hex(&left, ret) ||
	    (left.size && !text_is_blank(left.data[0])))
		return false;
	*rest = left;
	return true;
}

static bool take_index(struct text *rest, struct swift_frame_line *ret)
{
	struct text digits = text_take_digits(rest);

	ret->has_index = digits.size > 0;
	if (!ret->has_index)
		return text_starts(*rest, "...");
	return number_decimal(digits, &ret->index) && rest->size &&
	       text_is_blank(rest->data[0]);
}

// The name, and what follows it

/** Cut `:12` off the right end. */
static bool cut_number(struct text *text, uint32_t *ret)
{
	size_t colon = text_find_last_char(*text, ':');
	uint64_t number;

	if (colon == TEXT_NOWHERE || !colon ||
	    !number_decimal(text_after(*text, colon + 1), &number) ||
	    number > UINT32_MAX)
		return false;
	*text = text_first(*text, colon);
	*ret = (uint32_t)number;
	return true;
}

/** `/x/Demo.swift:36:17`, `S:\x\demo.swift:16`, `/<compiler-generated>`. */
static bool parse_place(struct text place, struct swift_frame_line *ret)
{
	uint32_t last = 0;

	place = text_trim(place);
	if (text_is(place, "/<compiler-generated>") ||
	    text_is(place, "<compiler-generated>")) {
		ret->path = text_after(place, place.data[0] == '/');
		return true;
	}
	if (!cut_number(&place, &last))
		return false;
	ret->has_line = true;
	ret->line = last;
	if (cut_number(&place, &ret->line))
		ret->column = last;
	ret->path = place;
	return place.size > 0;
}

static bool is_absolute(struct text place)
{
	return text_starts(place, "/") || text_starts(place, "<") ||
	       text_starts(place, "~/") ||
	       (place.size > 2 && text_is_letter(place.data[0]) &&
	        place.data[1] == ':' && place.data[2] == '\\');
}

/**
 * Split ` at PLACE` off the right end: at the first one followed by an absolute
 * path, since a path may contain these words; else at the last.
 */
static void cut_place(struct text *text, struct swift_frame_line *ret)
{
	static const char words[] = " at ";
	size_t last = text_find_last(*text, words);
	size_t tries = 0;

	for (size_t at = 0; at < text->size; at += strlen(words)) {
		size_t step = text_find(text_after(*text, at), words);
		struct text place;

		if (step == TEXT_NOWHERE)
			return;
		at += step;
		place = text_after(*text, at + strlen(words));
		if (at != last &&
		    (!is_absolute(place) || tries++ == PLACE_TRIES))
			continue;
		if (parse_place(place, ret)) {
			*text = text_first(*text, at);
			return;
		}
	}
}

/** Split off the ` (file:line)` that apmtool adds to a name. */
static void cut_own_place(struct text *text, struct swift_frame_line *ret)
{
	size_t open = text_find_last(*text, " (");
	struct text inside;

	if (open == TEXT_NOWHERE || !open || !text_ends(*text, ")"))
		return;
	inside = text_after(text_first(*text, text->size - 1), open + 2);
	if (text_ends(inside, ", near"))
		inside = text_first(inside, inside.size - strlen(", near"));
	if (!cut_number(&inside, &ret->line))
		return;
	ret->has_line = true;
	ret->path = inside;
	*text = text_first(*text, open);
}

/** Remove ` + 12` or ` - 12` from the front. */
static bool take_offset(struct text *rest, struct swift_frame_line *ret)
{
	struct text left = *rest;
	bool is_after = text_take(&left, " + ");
	struct text digits;
	uint64_t offset;

	if (!is_after && !text_take(&left, " - "))
		return false;
	digits = text_take_digits(&left);
	if (!number_decimal(digits, &offset) ||
	    (left.size && !text_starts(left, " in ")))
		return false;
	// Before the function: the log knows no better one.
	if (is_after) {
		ret->has_symbol_offset = true;
		ret->symbol_offset = offset;
	}
	*rest = left;
	return true;
}

/** Position of ` + 12` in a name; or TEXT_NOWHERE. */
static size_t find_offset(struct text text, struct text *ret_rest,
                          struct swift_frame_line *ret)
{
	for (size_t at = 1; at < text.size; at++) {
		size_t step = text_find_char(text_after(text, at), ' ');
		struct text rest;

		if (step == TEXT_NOWHERE)
			break;
		at += step;
		rest = text_after(text, at);
		if (take_offset(&rest, ret)) {
			*ret_rest = rest;
			return at;
		}
	}
	return TEXT_NOWHERE;
}

/** `closure #1 in load()` has no image: this is not a file name. */
static bool may_be_image(struct text text)
{
	for (size_t i = 0; i < text.size; i++)
		if (text.data[i] == '(' || text.data[i] == ')' ||
		    text.data[i] == '#' || text.data[i] == '<')
			return false;
	return text.size > 0;
}

/** Cut the image off the right end of a name without an offset. */
static void cut_image(struct text *text, struct swift_frame_line *ret)
{
	size_t at = text_find_last(*text, " in ");
	struct text image;

	if (at == TEXT_NOWHERE || !at)
		return;
	image = text_trim(text_after(*text, at + strlen(" in ")));
	if (!may_be_image(image))
		return;
	ret->image = image;
	*text = text_first(*text, at);
}

static bool is_no_symbol(struct text symbol)
{
	return !symbol.size || text_is(symbol, "<unknown>") ||
	       text_is(symbol, "???") || text_starts(symbol, "0x");
}

static void parse_what(struct swift_frame_line *ret)
{
	struct text rest = text_trim(ret->what);
	struct text after = TEXT_NONE;
	size_t at;

	if (text_ends(rest, " [inlined]")) {
		ret->tags |= SWIFT_TAG_INLINED;
		rest = text_first(rest, rest.size - strlen(" [inlined]"));
	}
	cut_place(&rest, ret);
	if (!ret->path.size)
		cut_own_place(&rest, ret);
	at = find_offset(rest, &after, ret);
	if (at != TEXT_NOWHERE) {
		rest = text_first(rest, at);
		if (text_take(&after, " in "))
			ret->image = text_trim(after);
	} else {
		cut_image(&rest, ret);
	}
	ret->symbol = text_trim(rest);
	if (!is_no_symbol(ret->symbol))
		return;
	ret->symbol = TEXT_NONE;
	ret->has_symbol_offset = false;
}

/** Is it more than a sentence that begins with a number? */
static bool is_frame(const struct swift_frame_line *frame)
{
	return frame->has_address ||
	       (frame->symbol.size && (frame->image.size || frame->path.size ||
	                               frame->has_symbol_offset));
}

bool swift_frame_parse(struct text line, struct swift_frame_line *ret)
{
	struct swift_frame_line parsed = {
		.columns = TEXT_NONE,
		.symbol = TEXT_NONE,
		.image = TEXT_NONE,
		.path = TEXT_NONE,
	};
	struct text rest = text_trim_right(line);
	struct text begin = rest;

	skip_blanks(&rest);
	if (!take_index(&rest, &parsed))
		return false;
	skip_blanks(&rest);
	parsed.index_width = (unsigned)(begin.size - rest.size);
	begin = rest;
	while (take_tag(&rest, &parsed.tags))
		;
	parsed.is_gap = text_is(rest, "...");
	if (!parsed.has_index || parsed.is_gap) {
		*ret = parsed;
		return parsed.is_gap;
	}
	parsed.has_address = take_address(&rest, &parsed.address);
	skip_blanks(&rest);
	parsed.columns = text_first(begin, begin.size - rest.size);
	parsed.what = rest;
	parse_what(&parsed);
	if (!is_frame(&parsed))
		return false;
	*ret = parsed;
	return true;
}

bool swift_line_is_source(struct text line)
{
	struct text rest = line;

	skip_blanks(&rest);
	text_take(&rest, "*");
	skip_blanks(&rest);
	text_take_digits(&rest);
	return text_starts(rest, BAR) || text_starts(rest, "|");
}
