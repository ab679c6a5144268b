// SPDX-License-Identifier: MIT
#include "parsers/input/repair/block.h"

#include "parsers/input/repair/headlines.h"
#include "parsers/input/repair/line_kind.h"

// Marks with parameters: `{code:title=crash.txt|borderStyle=solid}`.
#define MARK_BYTES ((size_t)200)
// People write a version or a date above the block too.
#define LANGUAGE_BYTES ((size_t)20)
#define LABELS_ABOVE   3

static const struct {
	const char *begin;
	char end;          ///< of its parameters; 0: the end of the line
	const char *close; ///< NULL: it closes on its line
} marks[] = {
	{ "```", 0, "```" },          { "~~~", 0, "~~~" },
	{ "{code", '}', "{code}" },   { "{noformat", '}', "{noformat}" },
	{ "{quote", '}', "{quote}" }, { "{panel", '}', "{panel}" },
	{ "[code", ']', "[/code]" },  { "<details", '>', "</details>" },
	{ "<summary", '>', NULL },    { "<pre", '>', "</pre>" },
	{ "<code", '>', "</code>" },  { "<blockquote", '>', "</blockquote>" },
};

static bool is_report(struct text line)
{
	struct text rest = text_trim(line);

	return line_kind_begins(line_kind_plain(line)) ||
	       text_starts(rest, "{\"") || text_starts(rest, "{&quot;") ||
	       text_is(rest, "{") || text_is(rest, "[");
}

/** Languages after a fence; in a chat, the report begins there. */
static bool is_language(struct text rest)
{
	rest = text_trim(rest);
	return rest.size < LANGUAGE_BYTES &&
	       text_find_char(rest, ' ') == TEXT_NOWHERE &&
	       text_find_char(rest, ':') == TEXT_NOWHERE && !is_report(rest);
}

/**
 * Remove an opening mark from the front of @p line.
 *
 * @param ret_close  The closing mark.
 */
static bool take_mark(struct text *line, struct text *mark,
                      const char **ret_close)
{
	struct text rest = text_trim_left(*line);

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		size_t size = strlen(marks[i].begin);
		size_t end;

		if (!text_starts(rest, marks[i].begin))
			continue;
		*ret_close = marks[i].close;
		*mark = text_first(rest, size);
		if (marks[i].end) {
			end = text_find_char(text_first(rest, MARK_BYTES),
			                     marks[i].end);
			if (end == TEXT_NOWHERE ||
			    (end > size && text_is_hex_digit(rest.data[size])))
				return false;
			*mark = text_first(rest, end + 1);
			rest = text_after(rest, end + 1);
		} else {
			while (size < rest.size &&
			       rest.data[size] == rest.data[0])
				size++;
			rest = text_after(rest, size);
			if (is_language(rest))
				rest = TEXT_NONE;
		}
		*line = marks[i].close ? rest : TEXT_NONE;
		return true;
	}
	return false;
}

/** The text without everything after the block, unless that is a report. */
static struct text without_end(struct text in, const char *close,
                               size_t *ret_lines)
{
	size_t at = close ? text_find_last(in, close) : TEXT_NOWHERE;
	struct text rest;
	struct text line;
	size_t lines = 0;

	if (at == TEXT_NOWHERE)
		return in;
	rest = text_after(in, at + strlen(close));
	if (text_next_line(&rest, &line) && text_trim(line).size)
		lines++;
	for (; text_next_line(&rest, &line); lines++)
		if (is_report(line))
			return in;
	*ret_lines = lines;
	return text_first(in, at);
}

/** Headlines below the block, each in its own line. */
static void add_below(struct text below, struct str *out, struct block *ret)
{
	struct text text = str_text(out);

	if (text.size && text.data[text.size - 1] != '\n')
		str_add_char(out, '\n');
	ret->lines_below -= headlines_add(below, out);
}

bool block_open(struct text in, bool tags, struct str *out, struct block *ret)
{
	struct text rest = in;
	const char *close;
	struct text line;
	struct text inside;
	size_t labels = 0;

	*ret = (struct block){ 0 };
	while (text_next_line(&rest, &line)) {
		struct text after = line;

		if (take_mark(&after, &ret->mark, &close) &&
		    (tags || ret->mark.data[0] != '<')) {
			ret->lines_above -= headlines_add(
			        text_first(in, (size_t)(line.data - in.data)),
			        out);
			// A line with only the mark is removed.
			if (text_trim(after).size)
				str_add_text(out, after);
			else
				ret->has_line = true;
			inside = without_end(rest, close, &ret->lines_below);
			if (text_trim(after).size && inside.size)
				str_add_char(out, '\n');
			str_add_text(out, inside);
			if (ret->lines_below)
				add_below(text_after(rest, inside.size), out,
				          ret);
			return true;
		}
		if (is_report(line) &&
		    (line_kind(line) != LINE_LABEL || line.data[0] == '{' ||
		     labels++ == LABELS_ABOVE))
			return false;
		ret->lines_above++;
	}
	return false;
}
