// SPDX-License-Identifier: MIT
#include "lib/base/columns.h"

#include "lib/base/utf8.h"

#include <string.h>

#define ELLIPSIS "\u2026"

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void begin_line(struct columns_lines *lines)
{
	str_add_char(lines->out, '\n');
	str_add_repeat(lines->out, ' ', lines->indent);
	lines->column = lines->indent;
	lines->has_words = false;
}

/**
 * Where to break a word that only fits in part: next to a wide character, since
 * Chinese and the like have no blanks. 0: nowhere.
 */
static size_t find_break(struct text word, size_t room)
{
	size_t used = 0, found = 0, before = 0;
	uint32_t c;

	for (size_t at = 0, size; at < word.size; at += size) {
		size_t width;

		size = utf8_decode(word, at, &c);
		size = size ? size : 1;
		width = utf8_width(text_first(text_after(word, at), size));
		if (width && (width > 1 || before > 1))
			found = at;
		used += width;
		if (used > room)
			return found;
		before = width ? width : before;
	}
	return 0;
}

/** Fill lines with parts of a word that can be broken. */
static struct text add_broken(struct columns_lines *lines, struct text word)
{
	size_t room = lines->width - lines->column;
	size_t end;

	while ((end = find_break(word, room))) {
		str_add_text(lines->out, text_first(word, end));
		begin_line(lines);
		word = text_after(word, end);
		room = lines->width - lines->column;
	}
	return word;
}

/** A word that no line has room for. */
static void add_long_word(struct columns_lines *lines, struct text word,
                          size_t room)
{
	if (text_find_char(word, '/') != TEXT_NOWHERE)
		columns_shorten_parts(word, "/", room, lines->out);
	else
		columns_shorten(word, room, lines->out);
}

void columns_add_word(struct columns_lines *lines, size_t blanks,
                      struct text word)
{
	size_t size = utf8_width(word);
	size_t room;

	if (lines->has_words &&
	    (!lines->width || lines->column + blanks + size <= lines->width)) {
		str_add_repeat(lines->out, ' ', blanks);
		lines->column += blanks;
	} else if (lines->has_words) {
		begin_line(lines);
	}
	if (lines->width > lines->column && lines->width > lines->indent) {
		word = add_broken(lines, word);
		size = utf8_width(word);
	}
	room = lines->width > lines->column ? lines->width - lines->column : 1;
	if (lines->width && lines->shortens && size > room) {
		add_long_word(lines, word, room);
		size = room;
	} else {
		str_add_text(lines->out, word);
	}
	lines->column += size;
	lines->has_words = true;
}

/** A sign of percent belongs to its number. */
static size_t word_end(struct text text)
{
	size_t end = text_find_char(text, ' ');

	if (end == TEXT_NOWHERE || !text_starts(text_after(text, end), " %"))
		return end;
	text = text_after(text, end + 1);
	return end + 1 + smaller(text_find_char(text, ' '), text.size);
}

void columns_add_text(struct columns_lines *lines, struct text text)
{
	while (text.size) {
		size_t blanks = 0, end;

		while (blanks < text.size && text.data[blanks] == ' ')
			blanks++;
		text = text_after(text, blanks);
		if (!text.size)
			return;
		end = word_end(text);
		columns_add_word(lines, blanks, text_first(text, end));
		text = text_after(text, end);
	}
}

size_t columns_longest_word(struct text text)
{
	size_t longest = 0;

	while (text.size) {
		size_t end = word_end(text);
		size_t size = utf8_width(text_first(text, end));

		if (size > longest)
			longest = size;
		text = end == TEXT_NOWHERE ? text_after(text, text.size)
		                           : text_after(text, end + 1);
	}
	return longest;
}

void columns_shorten(struct text text, size_t width, struct str *out)
{
	if (utf8_width(text) <= width) {
		str_add_text(out, text);
		return;
	}
	if (!width)
		return;
	str_add_text(out, text_first(text, utf8_fit(text, width - 1)));
	str_add(out, ELLIPSIS);
}

/** Keep both ends of @p text, which is wider than @p width. */
static void shorten_middle(struct text text, size_t width, struct str *out)
{
	size_t head = width ? (width - 1) / 2 : 0;

	if (!width)
		return;
	str_add_text(out, text_first(text, utf8_fit(text, head)));
	str_add(out, ELLIPSIS);
	str_add_text(out,
	             text_after(text, utf8_fit_end(text, width - 1 - head)));
}

/** The end of the first non-empty part, with its separator. */
static size_t first_part_end(struct text text, const char *separator)
{
	size_t size = strlen(separator);
	// A path from the root has an empty part before it.
	size_t at = text_starts(text, separator) ? size : 0;
	size_t end = text_find(text_after(text, at), separator);

	return end == TEXT_NOWHERE ? text.size : at + end + size;
}

/** Start of the part that ends before @p at, with its separator. */
static size_t part_start(struct text text, size_t at, const char *separator)
{
	size_t start = text_find_last(text_first(text, at), separator);

	return start == TEXT_NOWHERE ? 0 : start;
}

/** There is at most room for the last part, without its separator. */
static void shorten_last_part(struct text text, const char *separator,
                              size_t width, struct str *out)
{
	if (utf8_width(text) < width) {
		str_add(out, ELLIPSIS);
		str_add_text(out, text);
	} else if (!strcmp(separator, "/")) {
		shorten_middle(text, width, out);
	} else {
		columns_shorten(text, width, out);
	}
}

void columns_shorten_parts(struct text text, const char *separator,
                           size_t width, struct str *out)
{
	size_t tail = part_start(text, text.size, separator);
	size_t head = first_part_end(text, separator);
	size_t room = width ? width - 1 : 0;
	size_t tail_width = utf8_width(text_after(text, tail));
	size_t head_width = utf8_width(text_first(text, head));
	size_t next;

	if (utf8_width(text) <= width) {
		str_add_text(out, text);
		return;
	}
	if (tail_width > room) {
		text = text_after(text, tail ? tail + strlen(separator) : 0);
		shorten_last_part(text, separator, width, out);
		return;
	}
	if (head > tail || head_width + tail_width > room)
		head = head_width = 0;
	room -= head_width;
	while (tail > head) {
		next = part_start(text, tail, separator);
		if (next < head || utf8_width(text_after(text, next)) > room)
			break;
		tail = next;
	}
	str_add_text(out, text_first(text, head));
	str_add(out, ELLIPSIS);
	str_add_text(out, text_after(text, tail));
}
