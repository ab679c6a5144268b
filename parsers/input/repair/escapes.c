// SPDX-License-Identifier: MIT
#include "parsers/input/repair/escapes.h"

#include "parsers/input/repair/line_kind.h"

#include <string.h>

/** Min lines of a report on one line. */
#define ENOUGH 3

/** The next part of a line, up to `\n`, which may itself be escaped. */
static bool next_piece(struct text *rest, struct text *ret)
{
	size_t at = 0;

	if (!rest->size)
		return false;
	while (at < rest->size) {
		size_t step = text_find_char(text_after(*rest, at), '\\');
		size_t end;

		if (step == TEXT_NOWHERE)
			break;
		at += step;
		end = at;
		while (end < rest->size && rest->data[end] == '\\')
			end++;
		if (end < rest->size && rest->data[end] == 'n') {
			*ret = text_first(*rest, at);
			*rest = text_after(*rest, end + 1);
			return true;
		}
		at = end;
	}
	*ret = *rest;
	*rest = TEXT_NONE;
	return true;
}

/** `{"report":"…`: JSON readers handle strings in objects. */
static bool is_json(struct text line)
{
	line = text_trim(line);
	line = text_first(line, text_find(line, "\\n"));
	return text_starts(line, "{") || text_starts(line, "[{") ||
	       text_find(line, "{\"") != TEXT_NOWHERE;
}

/** Do lines of a report follow the spelled line ends? */
static bool is_escaped(struct text line)
{
	struct text piece;
	size_t signs = 0;

	if (text_find(line, "\\n") == TEXT_NOWHERE || is_json(line))
		return false;
	// The first part may have a prefix.
	next_piece(&line, &piece);
	while (signs < ENOUGH && next_piece(&line, &piece)) {
		while (text_take(&piece, "\\t"))
			;
		signs += line_kind_begins(line_kind(piece));
	}
	return signs >= ENOUGH;
}

/** Decode a backslash and @p c; false if unknown. */
static bool unescape(char c, char *ret)
{
	switch (c) {
	case 't':
		*ret = '\t';
		return true;
	case '"':
	case '\'':
	case '/':
	case '\\':
		*ret = c;
		return true;
	default:
		return false;
	}
}

static void add_piece(struct text piece, struct str *out)
{
	for (size_t at = 0; at < piece.size; at++) {
		char c = piece.data[at];

		if (c == '\\' && at + 1 < piece.size) {
			if (unescape(piece.data[at + 1], &c))
				at++;
			else if (piece.data[at + 1] == 'r' &&
			         at + 2 == piece.size)
				break;
		}
		str_add_char(out, c);
	}
	str_add_char(out, '\n');
}

/** `"report": "…"`, a line of an object: the value. */
static struct text without_name(struct text line)
{
	struct text value = text_trim_left(line);
	size_t end;

	if (!text_take(&value, "\""))
		return line;
	end = text_find_char(value, '"');
	value = text_trim_left(text_after(value, end + 1));
	if (end == TEXT_NOWHERE || !text_take(&value, ":"))
		return line;
	return text_trim_left(value);
}

/**
 * The contents of a string that is the whole line, perhaps with a comma after
 * it.
 */
static struct text without_quotes(struct text line)
{
	struct text inside = text_trim(without_name(line));

	if (text_ends(inside, ","))
		inside.size--;
	if (inside.size < 2 || inside.data[0] != inside.data[inside.size - 1] ||
	    !strchr("\"'", inside.data[0]))
		return line;
	return text_first(text_after(inside, 1), inside.size - 2);
}

/** Put a log's text before the report on a line of its own. */
static void add_first(struct text piece, struct str *out)
{
	size_t at = line_kind_find(piece);

	if (at && at != TEXT_NOWHERE) {
		add_piece(text_first(piece, at), out);
		piece = text_after(piece, at);
	}
	add_piece(piece, out);
}

static size_t add_line(struct text line, struct str *out)
{
	struct text piece;
	size_t count = 0;

	line = without_quotes(line);
	for (; next_piece(&line, &piece); count++) {
		if (count)
			add_piece(piece, out);
		else
			add_first(piece, out);
	}
	return count;
}

bool escapes_read(struct text in, struct str *out, size_t *ret_count)
{
	struct text line;

	*ret_count = 0;
	if (text_starts(text_trim_left(in), "{") ||
	    text_find(in, "\\n") == TEXT_NOWHERE)
		return false;
	while (text_next_line(&in, &line)) {
		if (is_escaped(line)) {
			*ret_count += add_line(line, out);
			// The next lines do not belong to its last line.
			if (in.size)
				str_add_char(out, '\n');
			continue;
		}
		str_add_text(out, line);
		str_add_char(out, '\n');
	}
	return *ret_count > 0;
}
