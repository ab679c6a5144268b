// SPDX-License-Identifier: MIT
#include "parsers/input/repair/markdown.h"

#include "parsers/input/repair/line_kind.h"

#include <string.h>

/** Min lines with marks. */
#define ENOUGH 2
/** Labels without marks that show a report without markdown. */
#define PLAIN_LABELS 8

static bool is_report(struct text line)
{
	return line_kind_begins(line_kind(line));
}

// Code spans

static size_t count_ticks(struct text line)
{
	size_t count = 0;

	while (count < line.size && line.data[count] == '`')
		count++;
	return count;
}

static size_t count_ticks_at_end(struct text line)
{
	size_t count = 0;

	while (count < line.size && line.data[line.size - 1 - count] == '`')
		count++;
	return count;
}

/** A line within backticks, one or two; three are a fence. */
static bool take_span(struct text *line)
{
	struct text inside = text_trim(*line);
	size_t ticks = count_ticks(inside);

	if (!ticks || ticks > 2 || inside.size <= 2 * ticks ||
	    count_ticks_at_end(inside) != ticks)
		return false;
	*line = text_first(text_after(inside, ticks), inside.size - 2 * ticks);
	return true;
}

/**
 * One span around all of a report: it begins with the first line that shows
 * one, and ends with the text.
 */
static bool open_whole_span(struct text in, struct str *out)
{
	struct text rest = in;
	struct text line;

	while (text_next_line(&rest, &line)) {
		struct text inside = text_trim_left(line);

		if (!text_take(&inside, "`")) {
			if (is_report(line))
				return false;
			continue;
		}
		if (!is_report(inside) ||
		    text_find_char(inside, '`') != TEXT_NOWHERE)
			return false;
		rest = text_trim_right(rest);
		if (!text_ends(rest, "`") ||
		    text_find_char(rest, '`') != rest.size - 1)
			return false;
		str_add_bytes(out, in.data, (size_t)(line.data - in.data));
		str_add_text(out, inside);
		str_add_char(out, '\n');
		str_add_text(out, text_first(rest, rest.size - 1));
		str_add_char(out, '\n');
		return true;
	}
	return false;
}

/** Properties of a text's code spans. */
struct spans {
	size_t count;
	size_t signs; ///< lines of a report within them
	size_t plain; ///< and without
	/** Each is a paragraph, with a blank line after it. */
	bool is_apart;
};

static struct spans see_spans(struct text in)
{
	struct spans spans = { .is_apart = true };
	bool follows_span = false;
	struct text line;

	while (text_next_line(&in, &line)) {
		if (take_span(&line)) {
			spans.count++;
			spans.signs += is_report(line);
			spans.is_apart &= !follows_span;
			follows_span = true;
		} else {
			spans.plain += is_report(line);
			follows_span = false;
		}
	}
	return spans;
}

static void add_line(struct str *out, struct text line)
{
	str_add_text(out, line);
	str_add_char(out, '\n');
}

/** Between such spans, one of two blank lines is markdown's. */
static void add_blanks(struct str *out, size_t count, bool is_apart)
{
	str_add_repeat(out, '\n', is_apart ? count / 2 : count);
}

bool markdown_spans(struct text in, struct str *out, size_t *ret_count)
{
	struct spans spans;
	size_t blanks = 0;
	struct text line;

	if (text_find_char(in, '`') == TEXT_NOWHERE)
		return false;
	*ret_count = 2;
	if (open_whole_span(in, out))
		return true;
	spans = see_spans(in);
	if (spans.signs < ENOUGH || spans.signs < 2 * spans.plain)
		return false;
	while (text_next_line(&in, &line)) {
		take_span(&line);
		if (!text_trim(line).size) {
			blanks++;
			continue;
		}
		add_blanks(out, blanks, spans.is_apart);
		blanks = 0;
		add_line(out, line);
	}
	add_blanks(out, blanks, spans.is_apart);
	*ret_count = spans.count;
	return true;
}

// Bold words and headings

/** `- `, `* `, `+ `: an item of a list. */
static struct text without_bullet(struct text line)
{
	struct text rest = text_after(line, text_count_blanks(line));

	if (rest.size > 1 && strchr("-*+", rest.data[0]) && rest.data[1] == ' ')
		return text_trim_left(text_after(rest, 2));
	return line;
}

/** `**` or `__` at the front; three stars are Foundation's. */
static bool take_strong(struct text *line, const char *mark)
{
	if (!text_starts(*line, mark) || line->size < 3 ||
	    line->data[2] == mark[0] || text_is_space(line->data[2]))
		return false;
	*line = text_after(*line, strlen(mark));
	return true;
}

/** `**Process:** Demo [612]`, in two parts. */
struct strong {
	struct text inside;
	struct text after;
};

static bool parse_strong(struct text line, struct strong *ret)
{
	static const char *const strong[] = { "**", "__" };
	struct text rest = without_bullet(line);

	for (size_t i = 0; i < ARRAY_SIZE(strong); i++) {
		size_t end;

		if (!take_strong(&rest, strong[i]))
			continue;
		end = text_find(rest, strong[i]);
		// The label may continue below.
		if (end == TEXT_NOWHERE) {
			*ret = (struct strong){ rest, TEXT_NONE };
			return line_kind(rest) == LINE_LABEL;
		}
		ret->inside = text_first(rest, end);
		ret->after = text_after(rest, end + strlen(strong[i]));
		return true;
	}
	return false;
}

/** `## Binary Images:`; a single mark is Crashlytics'. */
static bool take_heading(struct text *line)
{
	size_t count = 0;

	while (count < line->size && line->data[count] == '#')
		count++;
	if (count < 2 || count == line->size ||
	    !text_is_blank(line->data[count]))
		return false;
	*line = text_trim_left(text_after(*line, count));
	return true;
}

/** The end of bold text that began on a line above. */
static bool cut_end(struct text *line)
{
	struct text rest = text_trim_right(*line);

	if (rest.size < 3 || !text_ends(rest, "**") ||
	    text_find(rest, "**") != rest.size - 2)
		return false;
	*line = text_first(rest, rest.size - 2);
	return true;
}

/** Write the line without its marks; false if it has none. */
static bool add_unmarked(struct text line, struct str *out)
{
	struct strong strong;
	bool is_heading = take_heading(&line);

	if (parse_strong(line, &strong)) {
		str_add_text(out, strong.inside);
		str_add_text(out, strong.after);
		return true;
	}
	if (!is_heading && !cut_end(&line))
		return false;
	str_add_text(out, line);
	return true;
}

/** Lines of a report with marks, and without. */
static void count_marks(struct text in, size_t *ret_marked, size_t *ret_plain)
{
	SCOPED(str_release) struct str plain = { 0 };
	struct text line;

	*ret_marked = *ret_plain = 0;
	while ((*ret_marked || *ret_plain < PLAIN_LABELS) &&
	       text_next_line(&in, &line)) {
		// Frames and images never are: only labels.
		if (!line.size || text_is_digit(line.data[0]))
			continue;
		str_clear(&plain);
		if (!add_unmarked(line, &plain))
			*ret_plain += line_kind(line) == LINE_LABEL;
		else
			*ret_marked += line_kind(str_text(&plain)) ==
			               LINE_LABEL;
	}
}

bool markdown_marks(struct text in, struct str *out, size_t *ret_count)
{
	struct text line;
	size_t marked;
	size_t plain;

	// JSON has strings, and no labels.
	if (text_starts(text_trim_left(in), "{"))
		return false;
	if (text_find(in, "**") == TEXT_NOWHERE &&
	    text_find(in, "##") == TEXT_NOWHERE &&
	    text_find(in, "__") == TEXT_NOWHERE)
		return false;
	count_marks(in, &marked, &plain);
	if (!marked || marked < plain || (plain && marked < ENOUGH))
		return false;
	*ret_count = 0;
	while (text_next_line(&in, &line)) {
		bool is_frame = line.size && text_is_digit(line.data[0]);

		if (!is_frame && add_unmarked(line, out))
			++*ret_count;
		else
			str_add_text(out, line);
		str_add_char(out, '\n');
	}
	return true;
}

struct text markdown_plain(struct text line)
{
	size_t ticks = count_ticks(line);

	if (ticks == 1 || ticks == 2)
		return text_after(line, ticks);
	if (!take_strong(&line, "**"))
		take_strong(&line, "__");
	return line;
}
