// SPDX-License-Identifier: MIT
#include "parsers/input/repair/quote.h"

#include "lib/darwin/headline.h"

/** A mark is no deeper than this. */
#define QUOTE_INDENT 8
/** So many lines without a mark may be more than those with one. */
#define LOOSE_LINES 64
/** So many show alone that they were quoted. */
#define ENOUGH 3
/** Of one line that was broken. */
#define PIECES 4

/** Take one mark, the blanks before it and one after it. */
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

size_t quote_take(struct text *line, char mark, size_t most)
{
	size_t count = 0;

	while (count < most && take_mark(line, mark))
		count++;
	return count;
}

/** What the lines of a text show of a mark. */
struct marks {
	size_t marked;
	size_t loose;   ///< lines without it that are not blank
	size_t between; ///< of these, those between marked lines
	size_t open;    ///< of these, those since the last marked line
	size_t depth;
	bool is_first;   ///< the first line has it
	bool is_failure; ///< a headline is below one
};

/** A table has marks at both ends, and prefix.h knows quoted JSON. */
static bool is_other(const struct marks *marks, struct text line, char mark)
{
	if (mark == '|')
		return text_ends(text_trim_right(line), "|");
	return !marks->marked && text_starts(text_trim_left(line), "{");
}

/** False where the rest of the text cannot show more. */
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
 * Lines that were broken after they were quoted have pieces without a mark, all
 * of them between marked lines.
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
