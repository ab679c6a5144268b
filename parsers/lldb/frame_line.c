// SPDX-License-Identifier: MIT
#include "parsers/lldb/frame_line.h"

#include "lib/base/number.h"

/** Marks that lldb adds about the compilation. */
static const char *const marks[] = { " [opt]", " [artificial]", " [inlined]",
	                             " [noreturn]" };

static bool take_address(struct text *rest, uint64_t *ret)
{
	struct text left = *rest;

	if (!number_take_hex(&left, ret) ||
	    (left.size && !text_is_blank(left.data[0])))
		return false;
	*rest = left;
	return true;
}

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

static bool parse_place(struct text place, struct lldb_frame_line *ret)
{
	uint32_t last = 0;

	if (text_is(place, "<compiler-generated>")) {
		ret->path = place;
		return true;
	}
	if (!cut_number(&place, &last))
		return false;
	ret->has_line = true;
	ret->line = last;
	if (cut_number(&place, &ret->line))
		ret->column = last;
	ret->path = place;
	return true;
}

/** Cut ` at feed.cpp:11:3` off the right end, or ours, ` (feed.cpp:11)`. */
static void cut_place(struct text *text, struct lldb_frame_line *ret)
{
	size_t at = text_find_last(*text, " at ");
	size_t open = text_find_last(*text, " (");
	struct text inside;

	if (at != TEXT_NOWHERE && at &&
	    parse_place(text_after(*text, at + strlen(" at ")), ret)) {
		*text = text_first(*text, at);
		return;
	}
	if (open == TEXT_NOWHERE || !open || !text_ends(*text, ")"))
		return;
	inside = text_after(text_first(*text, text->size - 1), open + 2);
	if (text_ends(inside, ", near"))
		inside = text_first(inside, inside.size - strlen(", near"));
	if (parse_place(inside, ret))
		*text = text_first(*text, open);
}

/** Cut ` + 52` off the right end. */
static void cut_offset(struct text *text, struct lldb_frame_line *ret)
{
	size_t plus = text_find_last(*text, " + ");

	if (plus == TEXT_NOWHERE || !plus ||
	    !number_decimal(text_after(*text, plus + strlen(" + ")),
	                    &ret->symbol_offset))
		return;
	ret->has_symbol_offset = true;
	*text = text_first(*text, plus);
}

/**
 * Start of the arguments' values, `(this=0x1, n=2)`, at the end of a name; or
 * its end. Types in brackets belong to the name.
 */
static size_t find_values(struct text name)
{
	size_t depth = 0;

	if (!text_ends(name, ")"))
		return name.size;
	for (size_t i = name.size; i > 0; i--) {
		depth += name.data[i - 1] == ')';
		depth -= name.data[i - 1] == '(';
		if (depth)
			continue;
		// `operator==(…)` has one before it, `(a=1)` within.
		return text_find_char(text_after(name, i), '=') == TEXT_NOWHERE
		               ? name.size
		               : i - 1;
	}
	return name.size;
}

/** lldb's names for code without a symbol, and addresses. */
static bool is_no_symbol(struct text symbol)
{
	return !symbol.size || text_starts(symbol, "___lldb_unnamed_symbol") ||
	       text_starts(symbol, "0x") || text_is(symbol, "???");
}

static bool cut_marks(struct text *text, struct lldb_frame_line *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		if (!text_ends(*text, marks[i]))
			continue;
		ret->inlined |= text_is(text_from(marks[i]), " [inlined]");
		*text = text_first(*text, text->size - strlen(marks[i]));
		return true;
	}
	return false;
}

static void parse_what(struct text rest, struct lldb_frame_line *ret)
{
	static const char inlined[] = " [inlined] ";
	size_t at;

	rest = text_trim(rest);
	while (cut_marks(&rest, ret))
		;
	cut_place(&rest, ret);
	cut_offset(&rest, ret);
	// `outer [inlined] inner`: the next frame is the outer one.
	at = text_find_last(rest, inlined);
	if (at != TEXT_NOWHERE) {
		ret->inlined = true;
		rest = text_after(rest, at + strlen(inlined));
	}
	if (ret->image.size || ret->path.size)
		rest = text_first(rest, find_values(rest));
	ret->symbol = text_trim(rest);
	if (!is_no_symbol(ret->symbol))
		return;
	ret->symbol = TEXT_NONE;
	ret->has_symbol_offset = false;
}

/** The image ends at a grave accent, which file names do not contain. */
static void take_image(struct text *rest, struct lldb_frame_line *ret)
{
	size_t end = text_find_char(*rest, '`');

	if (end == TEXT_NOWHERE)
		return;
	ret->image = text_first(*rest, end);
	*rest = text_after(*rest, end + 1);
}

/**
 * Parse the name and the text after it.
 *
 * @param begin  The line after the index.
 * @param name   The part of @p what that is parsed, at its end.
 */
static bool parse_end(struct text begin, struct text what, struct text name,
                      struct lldb_frame_line *parsed)
{
	parsed->columns = text_first(begin, begin.size - what.size);
	parsed->what = what;
	parse_what(name, parsed);
	return parsed->has_address || parsed->symbol.size;
}

/** Xcode adds `()` to each name. */
static struct text without_brackets(struct text what)
{
	struct text rest = text_trim(what);

	return text_ends(rest, " ()")
	               ? text_first(rest, rest.size - strlen(" ()"))
	               : what;
}

bool xcode_frame_parse(struct text line, struct lldb_frame_line *ret)
{
	struct lldb_frame_line parsed = {
		.image = TEXT_NONE,
		.symbol = TEXT_NONE,
		.path = TEXT_NONE,
	};
	struct text rest = text_trim(line);
	struct text begin;

	if (!text_take(&rest, "#") ||
	    !number_decimal(text_take_digits(&rest), &parsed.index))
		return false;
	begin = rest;
	rest = text_trim_left(rest);
	if (rest.size == begin.size)
		return false;
	parsed.has_address = take_address(&rest, &parsed.address);
	rest = text_trim_left(rest);
	if (parsed.has_address && !text_take(&rest, "in "))
		return false;
	if (!parse_end(begin, rest, without_brackets(rest), &parsed))
		return false;
	*ret = parsed;
	return true;
}

bool lldb_frame_parse(struct text line, struct lldb_frame_line *ret)
{
	struct lldb_frame_line parsed = {
		.image = TEXT_NONE,
		.symbol = TEXT_NONE,
		.path = TEXT_NONE,
	};
	struct text rest = text_trim(line);
	struct text begin;

	parsed.is_selected = text_take(&rest, "* ");
	rest = text_trim_left(rest);
	if (!text_take(&rest, "frame #"))
		return false;
	begin = text_take_digits(&rest);
	if (!number_decimal(begin, &parsed.index))
		return false;
	begin = rest;
	if (!text_take(&rest, ": "))
		return false;
	rest = text_trim_left(rest);
	parsed.has_address = take_address(&rest, &parsed.address);
	rest = text_trim_left(rest);
	take_image(&rest, &parsed);
	if (!parse_end(begin, rest, rest, &parsed))
		return false;
	*ret = parsed;
	return true;
}
