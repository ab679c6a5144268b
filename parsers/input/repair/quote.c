// SPDX-License-Identifier: MIT
#include "parsers/input/repair/quote.h"

#include "lib/darwin/headline.h"

/** A mark is no deeper than this. */
#define QUOTE_INDENT 8
/** Below this number, unmarked lines may outnumber marked ones. */
#define LOOSE_LINES 64
/** Marked lines that suffice. */
#define ENOUGH 3
/** Max parts of one broken line. */
#define PIECES 4

/** Remove one mark, with the blanks before it and one after it. */
static bool take_mark(struct text *line, char mark)
{
	size_t blanks = text_count_blanks(text_first(*line, QUOTE_INDENT));
	struct text rest = text_after(*line, blanks);

	if (!rest.size || rest.data[0] != mark)
		return false;
	rest = text_after(rest, 1);
	if (rest.size && rest.data[0] == ' ')
		rest = text_after(rest, 1);
	*line = rest;
	return true;
}

size_t quote_take(struct text *line, char mark, size_t max)
{
	size_t count = 0;

	while (count < max && take_mark(line, mark))
		count++;
	return count;
}

/** Evidence for a mark in the lines of a text. */
struct marks {
	size_t marked;
	size_t loose;   ///< non-blank lines without it
	size_t between; ///< part of them, between marked lines
	size_t open;    ///< part of them, since the last marked line
	size_t depth;
	bool is_first;   ///< the first line has the mark
	bool is_failure; ///< a headline is below one
};

/** A table has marks at both ends, and prefix.h knows quoted JSON. */
static bool is_other(const struct marks *marks, struct text line, char mark)
{
	if (mark == '|')
		return text_ends(text_trim_right(line), "|");
	return !marks->marked && text_starts(text_trim_left(line), "{");
}

/** False if further lines cannot change the result. */
static bool see_line(struct marks *marks, struct text line, char mark)
{
	size_t depth = quote_take(&line, mark, (size_t)-1);
	struct headline headline = { 0 };

	if (!depth && text_trim(line).size) {
		marks->loose++;
		marks->open++;
		return marks->loose <= marks->marked + LOOSE_LINES;
	}
	if (!depth || !text_trim(line).size)
		return true;
	if (is_other(marks, line, mark))
		return false;
	if (marks->marked)
		marks->between += marks->open;
	if (!marks->marked || depth < marks->depth)
		marks->depth = depth;
	marks->is_first |= !marks->marked && !marks->loose;
	marks->is_failure |= headline_find(line, &headline) &&
	                     !headline.needs_frames;
	marks->marked++;
	marks->open = 0;
	return true;
}

/**
 * Lines that were broken after quoting have parts without a mark, all between
 * marked lines.
 */
static bool has_most(const struct marks *marks)
{
	if (marks->marked < ENOUGH)
		return marks->is_failure ||
		       (marks->marked && marks->marked >= marks->loose);
	return !marks->between || marks->marked >= marks->loose ||
	       (marks->is_first && marks->loose <= marks->marked * PIECES);
}

static bool find_mark(struct text in, char mark, struct quote *ret)
{
	struct marks marks = { 0 };
	struct text line;

	while (text_next_line(&in, &line))
		if (!see_line(&marks, line, mark))
			return false;
	if (!has_most(&marks))
		return false;
	*ret = (struct quote){ .mark = mark, .depth = marks.depth };
	return true;
}

bool quote_find(struct text in, struct quote *ret)
{
	return find_mark(in, '>', ret) || find_mark(in, '|', ret);
}
