// SPDX-License-Identifier: MIT
#include "parsers/sampled/tree_frame.h"

#include "lib/base/number.h"

#include <string.h>

// Image and location; brackets before them belong to the name.
#define BRACKETS_MAX 2

/** `main.m:16`, `main.m:16,3`, and apmtool's `main.m:16, near` */
static bool read_location(struct text text, struct tree_frame *ret)
{
	size_t colon = text_find_last_char(text, ':');
	struct text digits;
	uint64_t line;

	if (colon == TEXT_NOWHERE || !colon)
		return false;
	digits = text_after(text, colon + 1);
	digits = text_first(digits, text_find_char(digits, ','));
	if (!number_decimal(digits, &line) || line > UINT32_MAX)
		return false;
	ret->file = text_first(text, colon);
	ret->has_line = true;
	ret->line = (uint32_t)line;
	ret->line_borrowed = text_ends(text, ", near");
	return true;
}

/** Cut ` + 123` or ` + 0x7b` off the right end. */
static bool cut_plus(struct text *text, uint64_t *ret)
{
	size_t plus = text_find_last_char(*text, '+');

	if (plus == TEXT_NOWHERE || !plus || plus + 1 >= text->size ||
	    !text_is_space(text->data[plus - 1]) ||
	    !text_is_space(text->data[plus + 1]) ||
	    !number_any(text_trim(text_after(*text, plus + 1)), ret))
		return false;
	*text = text_trim_right(text_first(*text, plus));
	return true;
}

/**
 * Split `(…)`, with balanced brackets inside since names of images may have
 * them, off the right end. It must follow a blank.
 */
static bool cut_bracket(struct text *text, struct text *ret)
{
	size_t depth = 0;
	size_t at = text->size;

	if (!text_ends(*text, ")"))
		return false;
	do {
		at--;
		if (text->data[at] == ')')
			depth++;
		else if (text->data[at] == '(')
			depth--;
	} while (depth && at);
	if (depth || !at || !text_is_space(text->data[at - 1]))
		return false;
	*ret = text_after(text_first(*text, text->size - 1), at + 1);
	*text = text_trim_right(text_first(*text, at));
	return true;
}

static void set_image(struct text name, struct tree_frame *ret)
{
	if (!text_is(name, "<unknown binary>") && !text_is(name, "???"))
		ret->image = name;
}

/** Does the name have the extension of a source file? */
static bool is_source(struct text name)
{
	static const char *const ends[] = { ".swift", ".m",   ".mm",  ".c",
		                            ".cc",    ".cpp", ".cxx", ".h",
		                            ".hh",    ".hpp", ".rs",  ".s" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (name.size > strlen(ends[i]) && text_ends(name, ends[i]))
			return true;
	return false;
}

/** `main.m:16`, only a file, or `<compiler-generated>`. */
static bool read_source(struct text text, struct tree_frame *ret)
{
	if (text_is(text, "<compiler-generated>"))
		return true;
	if (read_location(text, ret))
		return true;
	if (!is_source(text))
		return false;
	ret->file = text;
	return true;
}

/**
 * spindump's `Demo + 51500`, `main.m:16 in Demo + 51500`, or
 * `Demo.swift in Demo + 51500`.
 */
static bool read_place(struct text inside, struct tree_frame *ret)
{
	size_t in;

	if (!cut_plus(&inside, &ret->image_offset))
		return false;
	in = text_find(inside, " in ");
	if (in != TEXT_NOWHERE && read_source(text_first(inside, in), ret))
		inside = text_after(inside, in + 4);
	set_image(inside, ret);
	return true;
}

/** The last `[0x…]`, with several addresses in it or one; cuts it off. */
static void cut_address(struct text *text, struct tree_frame *ret)
{
	size_t open = text_find_last(*text, "[0x");
	struct text inside;
	struct text tail;
	size_t close;
	size_t size = 2;

	if (open == TEXT_NOWHERE)
		return;
	inside = text_after(*text, open + 1);
	close = text_find_char(inside, ']');
	while (size < inside.size && text_is_hex_digit(inside.data[size]))
		size++;
	if (close == TEXT_NOWHERE ||
	    !number_hex(text_first(inside, size), &ret->address))
		return;
	tail = text_trim(text_after(inside, close + 1));
	*text = text_trim_right(text_first(*text, open));
	// `sample` itself puts the place after the address.
	if (tail.size && tail.data[0] != '(')
		read_location(tail, ret);
}

static void cut_inlined(struct text *text, struct tree_frame *ret)
{
	static const char mark[] = " [inlined]";

	if (!text_ends(*text, mark))
		return;
	ret->inlined = true;
	*text = text_trim_right(
	        text_first(*text, text->size - (sizeof(mark) - 1)));
}

/** `load address 0x100f00000 + 0xc92c` at the right end. */
static bool cut_load_address(struct text *text, struct tree_frame *ret)
{
	static const char label[] = "load address 0x";
	size_t at = text_find_last(*text, label);
	struct text rest;
	uint64_t base;

	if (at == TEXT_NOWHERE)
		return false;
	rest = text_after(*text, at);
	if (!cut_plus(&rest, &ret->image_offset) ||
	    !number_hex(text_after(rest, sizeof(label) - 3), &base))
		return false;
	*text = text_trim_right(text_first(*text, at));
	return true;
}

/** Cut one bracket that describes the place off the right end. */
static bool cut_part(struct text *text, struct tree_frame *ret,
                     bool *ret_is_image)
{
	struct text rest = *text;
	struct text inside;
	uint64_t offset;
	bool has_offset = cut_plus(&rest, &offset);

	if (!cut_bracket(&rest, &inside))
		return false;
	*ret_is_image = true;
	if (text_take(&inside, "in ")) {
		set_image(inside, ret);
		if (has_offset) {
			ret->has_symbol_offset = true;
			ret->symbol_offset = offset;
		}
	} else if (has_offset) {
		return false;
	} else if (!read_place(inside, ret)) {
		*ret_is_image = false;
		if (!read_location(inside, ret))
			return false;
	}
	*text = rest;
	return true;
}

/**
 * From the right, since names contain blanks, brackets, `+` and colons. The
 * image is the last part that does not belong to the name.
 */
static void cut_place(struct text *text, struct tree_frame *ret)
{
	bool is_image = false;

	cut_load_address(text, ret);
	for (unsigned i = 0; i < BRACKETS_MAX && !is_image; i++)
		if (!cut_part(text, ret, &is_image))
			return;
}

/** Placeholders for "no name". */
static bool is_no_symbol(struct text symbol)
{
	uint64_t number;

	return !symbol.size || text_is(symbol, "???") ||
	       text_is(symbol, "<redacted>") ||
	       (text_starts(symbol, "0x") && number_hex(symbol, &number));
}

void tree_frame_parse(struct text what, struct tree_frame *ret)
{
	struct text text = text_trim(what);

	*ret = (struct tree_frame){ 0 };
	if (text_starts(text, "<") && text_ends(text, ">")) {
		ret->is_marker = true;
		return;
	}
	cut_address(&text, ret);
	cut_inlined(&text, ret);
	cut_place(&text, ret);
	if (!ret->has_symbol_offset)
		ret->has_symbol_offset = cut_plus(&text, &ret->symbol_offset);
	if (is_no_symbol(text)) {
		ret->has_symbol_offset = false;
		return;
	}
	ret->symbol = text;
}
