// SPDX-License-Identifier: MIT
#include "parsers/text/frame_line.h"

#include "lib/base/number.h"

#include <string.h>

// An image name touches the address only if it fills its column; then at least
// this many digits are required, since names have digits, too.
#define NAME_COLUMNS 30
#define GLUED_DIGITS 8

/** Length of `0x` and the hex digits at the start of @p at; 0 if there are
 * none. */
static size_t hex_size(struct text at)
{
	size_t digits = text_take(&at, "0x") ? text_count_hex_digits(at) : 0;

	return digits ? strlen("0x") + digits : 0;
}

/** An address in a line. */
struct token {
	size_t at;
	size_t size;
};

static bool ends_token(struct text rest, size_t at)
{
	return at >= rest.size || text_is_space(rest.data[at]);
}

/** `%#018llx` prints zero, a jump to null, without `0x`. */
static bool find_zeros(struct text rest, struct token *ret)
{
	static const char zeros[] = "000000000000000000";
	size_t at = text_find(rest, zeros);

	if (at == TEXT_NOWHERE || !at || !text_is_space(rest.data[at - 1]) ||
	    !ends_token(rest, at + strlen(zeros)))
		return false;
	*ret = (struct token){ .at = at, .size = strlen(zeros) };
	return true;
}

/** Offset of the next `0x`: names have many zeros, but few x. */
static size_t find_hex(struct text text)
{
	for (size_t at = 1; at < text.size; at++) {
		size_t step = text_find_char(text_after(text, at), 'x');

		if (step == TEXT_NOWHERE)
			break;
		at += step;
		if (text.data[at - 1] == '0')
			return at - 1;
	}
	return TEXT_NOWHERE;
}

/**
 * The address after the index: the first hex number between white space; else
 * the first one with at least eight digits that touches a long image name.
 * False if there is neither.
 */
static bool find_address(struct text rest, struct token *ret)
{
	struct token glued = { 0 };
	size_t step;

	for (size_t at = 0; at < rest.size; at += step + 1) {
		size_t size;

		step = find_hex(text_after(rest, at));
		if (step == TEXT_NOWHERE)
			break;
		at += step;
		step = 1;
		size = hex_size(text_after(rest, at));
		if (!size || !ends_token(rest, at + size))
			continue;
		*ret = (struct token){ .at = at, .size = size };
		if (!at || text_is_space(rest.data[at - 1]))
			return true;
		if (at >= NAME_COLUMNS && !glued.size &&
		    size >= 2 + GLUED_DIGITS)
			glued = *ret;
	}
	*ret = glued;
	return glued.size || find_zeros(rest, ret);
}

/** Only `+ 123` or `+ 0x7b`. */
static bool parse_plus(struct text text, uint64_t *ret)
{
	return text_take(&text, "+ ") && number_any(text_trim(text), ret);
}

/** Cut ` + offset` off the right end. */
static bool cut_offset(struct text *text, uint64_t *ret)
{
	size_t plus = text_find_last_char(*text, '+');

	if (plus == TEXT_NOWHERE || !plus ||
	    !text_is_space(text->data[plus - 1]) ||
	    !parse_plus(text_after(*text, plus), ret))
		return false;
	*text = text_trim_right(text_first(*text, plus));
	return true;
}

static bool has_offset(struct text text)
{
	uint64_t offset;

	return cut_offset(&text, &offset);
}

/**
 * Split parentheses off the right end; they must be the only ones, and not
 * nested.
 */
static bool cut_bracket(struct text *text, struct text *ret)
{
	size_t open = text_find_last_char(*text, '(');

	if (!text_ends(*text, ")") || open == TEXT_NOWHERE || !open ||
	    !text_is_space(text->data[open - 1]))
		return false;
	*ret = text_after(text_first(*text, text->size - 1), open + 1);
	*text = text_trim_right(text_first(*text, open));
	return true;
}

/** `file:10:9` in Kotlin: the last number is a column. */
static void cut_column(struct frame_line *ret, uint64_t *line)
{
	size_t colon = text_find_last_char(ret->file, ':');
	uint64_t number;

	if (colon == TEXT_NOWHERE || !colon ||
	    !number_decimal(text_after(ret->file, colon + 1), &number) ||
	    number > UINT32_MAX)
		return;
	*line = number;
	ret->file = text_first(ret->file, colon);
}

/**
 * Split ` (file:line)`, or apmtool's borrowed line, off the right end. Since
 * Xcode 15, `(:-1)` and `(file:-1)` mean that there is no line.
 */
static void cut_location(struct text *text, struct frame_line *ret)
{
	struct text rest = *text;
	struct text inside;
	size_t colon;
	uint64_t line = 0;
	bool borrowed;
	bool has_line;

	if (!cut_bracket(&rest, &inside))
		return;
	borrowed = text_ends(inside, ", near");
	if (borrowed)
		inside = text_first(inside, inside.size - strlen(", near"));
	colon = text_find_last_char(inside, ':');
	if (colon == TEXT_NOWHERE)
		return;
	has_line = !text_is(text_after(inside, colon + 1), "-1");
	if (has_line &&
	    (!number_decimal(text_after(inside, colon + 1), &line) ||
	     line > UINT32_MAX || (line && !colon)))
		return;
	ret->file = text_first(inside, colon);
	// `(/:-1)`: a directory is no file.
	if (text_ends(ret->file, "/"))
		ret->file = TEXT_NONE;
	has_line &= ret->file.size > 0;
	if (has_line)
		cut_column(ret, &line);
	// Others write `<compiler-generated>`.
	if (text_is(ret->file, "/<compiler-generated>"))
		ret->file = text_after(ret->file, 1);
	ret->line_borrowed = borrowed;
	ret->has_line = has_line;
	ret->line = (uint32_t)line;
	*text = rest;
}

/** Cut the `  file:line` that `leaks` writes after an offset. */
static void cut_plain_location(struct text *text, struct frame_line *ret)
{
	size_t at = text_find_last(*text, "  ");
	struct text rest = text_trim_right(text_first(*text, at));
	struct text place = text_trim(text_after(*text, at));
	size_t colon = text_find_last_char(place, ':');
	struct text name = rest;
	uint64_t number;

	if (at == TEXT_NOWHERE || colon == TEXT_NOWHERE || !colon ||
	    !cut_offset(&name, &number) ||
	    !number_decimal(text_after(place, colon + 1), &number) ||
	    number > UINT32_MAX)
		return;
	ret->file = text_first(place, colon);
	ret->has_line = true;
	ret->line = (uint32_t)number;
	*text = rest;
}

/** Cut the ` (in Image)` that atos writes off the right end. */
static void cut_image(struct text *text)
{
	struct text rest = *text;
	struct text inside;

	if (cut_bracket(&rest, &inside) && text_starts(inside, "in "))
		*text = rest;
}

/** Sixteen digits, an address without `0x`. */
static bool is_bare_address(struct text text, uint64_t *ret)
{
	return text.size == 16 && text_count_hex_digits(text) == 16 &&
	       number_hex(text, ret);
}

/** Placeholders for "no name". */
static bool is_no_symbol(struct text symbol)
{
	uint64_t unused;

	return !symbol.size || text_is(symbol, "<redacted>") ||
	       text_is(symbol, "???") || hex_size(symbol) == symbol.size ||
	       is_bare_address(symbol, &unused);
}

/**
 * Until iOS 14, some systems wrote the offset from the image into a name:
 *
 *     _assertionFailure+ 201624 (_:_:file:line:flags:) + 468
 *     -[NSRunLoop+ 48736 (NSRunLoop) runMode:beforeDate:] + 232
 *
 * Cut it out of the name.
 */
static void cut_number_inside(struct frame_line *ret)
{
	struct text rest = ret->symbol;
	size_t step;

	for (size_t at = 0; at < rest.size; at += step) {
		struct text inside;
		struct text digits;
		uint64_t offset;

		step = text_find(text_after(rest, at), "+ ");
		if (step == TEXT_NOWHERE)
			return;
		at += step;
		step = strlen("+ ");
		inside = text_after(rest, at + step);
		digits = text_take_digits(&inside);
		if (!at || text_is_space(rest.data[at - 1]) ||
		    !text_starts(inside, " (") ||
		    !number_decimal(digits, &offset))
			continue;
		ret->symbol = text_first(rest, at);
		ret->symbol_end = text_after(inside, 1);
		if (ret->has_address && offset < ret->address) {
			ret->has_base = true;
			ret->offset = offset;
			ret->base = ret->address - offset;
		}
		return;
	}
}

/** ` (file:line)` at the end. */
static bool has_place(struct text text)
{
	struct text inside;

	return cut_bracket(&text, &inside) &&
	       text_find_char(inside, ':') != TEXT_NOWHERE;
}

/**
 * Comments that people add to a frame: `// ours`, `<-- here`. Only removed
 * before an offset or place, since names may contain anything.
 */
static struct text without_comment(struct text what)
{
	static const char *const marks[] = { " // ", " <--", " <==",
		                             " \xe2\x86\x90", // an arrow
		                             " /* " };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		size_t at = text_find(what, marks[i]);
		struct text before = text_trim_right(text_first(what, at));

		if (at != TEXT_NOWHERE &&
		    (has_offset(before) || has_place(before)))
			return before;
	}
	return what;
}

/**
 * From the right: mark, location, image, offset. Not from the left, since Swift
 * and C++ names contain blanks, `+`, `(`, `:` and `->`.
 */
static void parse_name(struct text what, struct frame_line *ret)
{
	struct text rest = text_trim(what);

	if (text_ends(rest, " [inlined]")) {
		ret->inlined = true;
		rest = text_trim_right(
		        text_first(rest, rest.size - strlen(" [inlined]")));
	}
	cut_location(&rest, ret);
	// Kotlin marks functions that have frames of their own.
	if (text_ends(rest, " [inlined]"))
		rest = text_trim_right(
		        text_first(rest, rest.size - strlen(" [inlined]")));
	if (!ret->has_line && !ret->file.size)
		cut_plain_location(&rest, ret);
	ret->has_symbol_offset = cut_offset(&rest, &ret->symbol_offset);
	cut_image(&rest);
	if (!ret->has_symbol_offset)
		ret->has_symbol_offset = cut_offset(&rest, &ret->symbol_offset);
	ret->symbol = rest;
	cut_number_inside(ret);
}

static void parse_named(struct text what, struct frame_line *ret)
{
	struct text plain;

	parse_name(what, ret);
	if (ret->has_symbol_offset || ret->file.size)
		return;
	plain = without_comment(what);
	if (plain.size < what.size)
		parse_name(plain, ret);
}

/** `0xbase +`: the offset was on the rest of a broken line. */
static bool take_cut_base(struct text base, struct frame_line *ret)
{
	ret->has_base = ret->has_address && number_hex(base, &ret->base) &&
	                ret->base <= ret->address;
	if (ret->has_base)
		ret->offset = ret->address - ret->base;
	return true;
}

/**
 * `0xbase + offset`, perhaps with the symbol in parentheses, after `// ` in
 * resource reports of iOS 8.
 */
static bool parse_base(struct text what, struct frame_line *ret)
{
	// `%#llx` of zero.
	bool is_zero = ret->has_address && text_starts(what, "0 + ");
	size_t size = is_zero ? 1 : hex_size(what);
	struct text rest = text_after(what, size);
	struct text offset;
	struct text inside;
	size_t end;

	if (size && text_is(rest, " +"))
		return take_cut_base(text_first(what, size), ret);
	if (!size || !text_take(&rest, " + ") ||
	    !number_hex(text_first(what, size), &ret->base))
		return false;
	for (end = 0; end < rest.size && !text_is_space(rest.data[end]);)
		end++;
	offset = text_first(rest, end);
	if (!number_any(offset, &ret->offset))
		return false;
	ret->has_base = true;
	inside = text_trim(text_after(rest, end));
	// Without an offset it is a comment.
	if (text_take(&inside, "// ")) {
		if (has_offset(inside))
			parse_named(inside, ret);
	} else if (inside.size > 2 && text_take(&inside, "(") &&
	           text_ends(inside, ")"))
		parse_named(text_first(inside, inside.size - 1), ret);
	return true;
}

/** Columns of Measure: the address in the image is in the name's place. */
static void take_late_address(struct frame_line *ret)
{
	uint64_t address;

	if (!ret->has_address || ret->has_base ||
	    !is_bare_address(ret->symbol, &address) || address < ret->address)
		return;
	ret->has_base = true;
	ret->base = ret->address;
	ret->offset = address - ret->base;
	ret->address = address;
}

static void parse_what(struct frame_line *ret)
{
	struct text what = text_trim(ret->what);

	if (!parse_base(what, ret)) {
		parse_named(what, ret);
		// Some tools print the image's name in place of its base.
		if (ret->has_address && ret->has_symbol_offset &&
		    text_equal(ret->symbol, ret->image)) {
			ret->has_base = true;
			ret->offset = ret->symbol_offset;
			ret->base = ret->address - ret->offset;
			ret->symbol = TEXT_NONE;
		}
	}
	take_late_address(ret);
	if (is_no_symbol(ret->symbol)) {
		ret->symbol = TEXT_NONE;
		ret->has_symbol_offset = false;
	}
}

/** The image's name: `+ ` or `- ` before it marks the main image. */
static struct text image_name(struct text text)
{
	text = text_trim(text);
	if (!text_take(&text, "+ "))
		text_take(&text, "- ");
	return text_trim_left(text);
}

/**
 * A line without an address: the image ends at a TAB or two blanks of padding,
 * else at the first blank.
 */
static bool split_without_address(struct text rest, struct frame_line *ret)
{
	struct text name = rest;
	size_t wide = text_find(rest, "  ");
	size_t tab = text_find_char(rest, '\t');
	size_t end = wide < tab ? wide : tab;

	if (!text_take(&name, "+ "))
		text_take(&name, "- ");
	if (end == TEXT_NOWHERE) {
		end = text_find_char(name, ' ');
		if (end == TEXT_NOWHERE)
			return false;
		end += rest.size - name.size;
	}
	ret->image = image_name(text_first(rest, end));
	while (end < rest.size && text_is_space(rest.data[end]))
		end++;
	ret->columns = text_first(rest, end);
	ret->what = text_after(rest, end);
	return ret->image.size && ret->what.size;
}

/** Split the text after the index into image, address and the rest. */
static bool split_columns(struct text rest, struct frame_line *ret)
{
	struct token address;
	size_t end;
	uint64_t offset;

	if (!find_address(rest, &address))
		return split_without_address(rest, ret);
	ret->image = image_name(text_first(rest, address.at));
	end = address.at + address.size;
	// Some writers omit the image: the address comes first.
	if ((address.at && !ret->image.size) ||
	    !number_hex(text_after(text_first(rest, end), address.at),
	                &ret->address))
		return false;
	ret->has_address = true;
	// `image 0xbase + 12`: the address column is gone, not the name.
	if (parse_plus(text_trim(text_after(rest, end)), &offset)) {
		ret->address += offset;
		end = address.at;
	}
	while (end < rest.size && text_is_space(rest.data[end]))
		end++;
	ret->columns = text_first(rest, end);
	ret->what = text_after(rest, end);
	return true;
}

/** Parse the text after the number, which @p parsed has already. */
static bool parse_rest(struct text rest, struct frame_line *parsed)
{
	parsed->symbol = TEXT_NONE;
	parsed->symbol_end = TEXT_NONE;
	parsed->file = TEXT_NONE;
	if (!split_columns(rest, parsed))
		return false;
	parse_what(parsed);
	return true;
}

bool frame_line_parse(struct text line, struct frame_line *ret)
{
	struct frame_line parsed = { 0 };
	struct text rest = text_trim_left(line);
	struct text digits = text_take_digits(&rest);
	size_t blanks = 0;

	if (!number_decimal(digits, &parsed.index) || !rest.size ||
	    !text_is_space(rest.data[0]))
		return false;
	while (blanks < rest.size && rest.data[blanks] == ' ')
		blanks++;
	// Blanks belong to the index; a TAB does not.
	parsed.index_width = (unsigned)(digits.size + blanks);
	if (!parse_rest(text_after(rest, blanks), &parsed))
		return false;
	*ret = parsed;
	return true;
}

bool frame_line_parse_unnumbered(struct text line, struct frame_line *ret)
{
	struct frame_line parsed = { 0 };

	if (!parse_rest(line, &parsed))
		return false;
	*ret = parsed;
	return true;
}
