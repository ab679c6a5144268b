// SPDX-License-Identifier: MIT
#include "parsers/input/repair/characters.h"

#include "parsers/input/repair/character.h"
#include "parsers/input/repair/line_kind.h"

#include <string.h>

#define ESC "\x1b"
// Number of ambiguous cases that show a program's substitution.
#define HABIT 3

/** Write @p in with all characters of @p kind replaced by the originals. */
static size_t replace(struct text in, enum character_kind kind, struct str *out)
{
	size_t count = 0;
	size_t from = 0;

	for (size_t at = 0; at < in.size;) {
		struct character c;

		if (!character_is_special(in.data[at]) ||
		    !character_read(in, at, &c) || c.kind != kind) {
			at++;
			continue;
		}
		str_add_bytes(out, in.data + from, at - from);
		str_add_bytes(out, c.text, c.text_size);
		at += c.size;
		from = at;
		count++;
	}
	str_add_text(out, text_after(in, from));
	return count;
}

// Lines that hold them

#define FINDER_BYTES 4

/** Lines that hold one of a few bytes. */
struct finder {
	struct text in;
	const char *bytes; ///< FINDER_BYTES at most
	/** next position of each, if at or after `at` */
	size_t next[FINDER_BYTES];
	size_t at; ///< start of a line
};

static struct finder finder_of(struct text in, const char *bytes)
{
	struct finder finder = { .in = in, .bytes = bytes };

	for (size_t i = 0; bytes[i]; i++)
		finder.next[i] = text_find_char(in, bytes[i]);
	return finder;
}

/** The next of the bytes; for each, the text is searched once. */
static size_t next_byte(struct finder *finder)
{
	size_t first = TEXT_NOWHERE;

	for (size_t i = 0; finder->bytes[i]; i++) {
		size_t *next = &finder->next[i];
		struct text rest = text_after(finder->in, finder->at);

		if (*next < finder->at) {
			*next = text_find_char(rest, finder->bytes[i]);
			if (*next != TEXT_NOWHERE)
				*next += finder->at;
		}
		if (*next < first)
			first = *next;
	}
	return first;
}

static bool next_line(struct finder *finder, struct text *line)
{
	size_t byte = next_byte(finder);
	struct text before;
	size_t begin;

	if (byte == TEXT_NOWHERE)
		return false;
	before = text_after(text_first(finder->in, byte), finder->at);
	begin = text_find_last_char(before, '\n');
	if (begin != TEXT_NOWHERE)
		finder->at += begin + 1;
	*line = text_after(finder->in, finder->at);
	*line = text_first(*line, text_find_char(*line, '\n'));
	finder->at += line->size + (finder->at + line->size < finder->in.size);
	if (text_ends(*line, "\r"))
		line->size--;
	return true;
}

static size_t count_kind(struct text line, enum character_kind kind)
{
	size_t count = 0;

	for (size_t at = 0; at < line.size;) {
		struct character c;

		if (character_is_special(line.data[at]) &&
		    character_read(line, at, &c)) {
			count += c.kind == kind;
			at += c.size;
		} else {
			at++;
		}
	}
	return count;
}

// Colors

/** Colors end: `\x1b[0m`, `\x1b[39m`; a name with a color in it has no end. */
static size_t count_resets(struct text line)
{
	static const char *const resets[] = { ESC "[0m", ESC "[m", ESC "[39m",
		                              ESC "[K", ESC "[0K" };
	size_t count = 0;

	for (size_t at = 0; at < line.size; at++) {
		size_t step = text_find(text_after(line, at), ESC);

		if (step == TEXT_NOWHERE)
			break;
		at += step;
		for (size_t i = 0; i < ARRAY_SIZE(resets); i++)
			count += text_starts(text_after(line, at), resets[i]);
	}
	return count;
}

bool characters_colors(struct text in, struct str *out, size_t *ret_count)
{
	struct finder finder = finder_of(in, ESC);
	// JSON itself has no such bytes.
	size_t enough = text_starts(text_trim_left(in), "{") ? 1 : HABIT;
	struct text line;
	size_t resets = 0;
	bool found = false;

	while (!found && next_line(&finder, &line)) {
		size_t last = text_find_last(line, ESC);

		resets += count_resets(line);
		found = character_color_size(line) || resets >= enough ||
		        (last != TEXT_NOWHERE &&
		         character_color_size(text_after(line, last)) ==
		                 line.size - last);
	}
	if (!found)
		return false;
	*ret_count = replace(in, CHARACTER_COLOR, out);
	return *ret_count > 0;
}

// HTML

/** Evidence in the brackets of a report. */
struct brackets {
	bool has_raw_json; ///< unescaped quotes
	size_t escaped;    ///< lines
	size_t raw;
};

static void see_brackets(struct text line, struct brackets *ret)
{
	char buffer[LINE_KIND_HEAD];
	struct text plain;
	bool has_entity = false;
	bool has_raw = false;

	if (text_starts(line, "{\"")) {
		ret->has_raw_json = true;
		return;
	}
	plain = characters_plain(line, buffer, sizeof(buffer));
	if (!line_kind_begins(line_kind(text_trim_left(plain))) &&
	    line_kind_find(plain) == TEXT_NOWHERE)
		return;
	for (size_t at = 0; at < line.size;) {
		struct character c;
		bool is_ours = (line.data[at] == '&' || line.data[at] == '<') &&
		               character_read(line, at, &c);

		has_entity |= is_ours && line.data[at] == '&';
		has_raw |= !is_ours && line.data[at] == '<';
		at += is_ours ? c.size : 1;
	}
	ret->escaped += has_entity;
	ret->raw += has_raw;
}

static bool holds(struct text in, const char *needle)
{
	return text_find(in, needle) != TEXT_NOWHERE;
}

/** Most texts have none; names of C++ have `&` without a name. */
static bool has_entity(struct text in)
{
	for (size_t at = 0; at < in.size; at++) {
		size_t step = text_find_char(text_after(in, at), '&');
		struct character c;

		if (step == TEXT_NOWHERE)
			break;
		at += step;
		if (character_read(in, at, &c))
			return true;
	}
	return false;
}

/**
 * A name may contain `&amp;`: only a report with all brackets escaped is HTML.
 */
bool characters_are_html(struct text in)
{
	struct brackets brackets = { 0 };
	struct finder finder;
	struct text line;

	if (!has_entity(in))
		return false;
	finder = finder_of(in, "&<");
	while (next_line(&finder, &line))
		see_brackets(line, &brackets);
	if (brackets.has_raw_json)
		return (holds(in, "&lt;") || holds(in, "&gt;")) &&
		       text_find_char(in, '<') == TEXT_NOWHERE &&
		       text_find_char(in, '>') == TEXT_NOWHERE;
	return brackets.escaped && !brackets.raw;
}

bool characters_html(struct text in, struct str *out, size_t *ret_count)
{
	if (!characters_are_html(in))
		return false;
	*ret_count = replace(in, CHARACTER_HTML, out);
	return *ret_count > 0;
}

// Spaces

static bool is_blank_at(struct text in, size_t at)
{
	struct character c;

	if (at >= in.size)
		return false;
	if (text_is_blank(in.data[at]))
		return true;
	return in.data[at] & 0x80 && character_read(in, at, &c) &&
	       c.kind & (CHARACTER_SPACE | CHARACTER_INVISIBLE);
}

/** Runs of spaces that include no-break spaces. */
static size_t count_runs(struct text line)
{
	size_t count = 0;

	for (size_t at = 0; at < line.size;) {
		struct character c;

		if (!(line.data[at] & 0x80) || !character_read(line, at, &c) ||
		    c.kind != CHARACTER_SPACE) {
			at++;
			continue;
		}
		count += !at || line.data[at - 1] == ' ' ||
		         is_blank_at(line, at + c.size);
		at += c.size;
	}
	return count;
}

bool characters_spaces(struct text in, struct str *out, size_t *ret_count)
{
	struct finder finder = finder_of(in, "\xc2\xe2\xe3\xef");
	struct text line;
	size_t runs = 0;
	bool found = false;

	while (!found && next_line(&finder, &line)) {
		if (!count_kind(line, CHARACTER_SPACE))
			continue;
		runs += count_runs(line);
		found = runs >= HABIT ||
		        line_kind(line) != line_kind_plain(line);
	}
	if (!found)
		return false;
	*ret_count = replace(in, CHARACTER_SPACE, out);
	return *ret_count > 0;
}

/** `0x` followed by one of them: only a program writes that. */
static bool has_cut_address(struct text line)
{
	for (size_t at = 1; at < line.size; at++) {
		struct character c;

		if (line.data[at] & 0x80 && line.data[at - 1] == '0' &&
		    character_read(line, at, &c) &&
		    c.kind == CHARACTER_INVISIBLE &&
		    text_starts(text_after(line, at + c.size), "x"))
			return true;
	}
	return false;
}

/** Names of apps may contain them; Apple's words and addresses do not. */
bool characters_invisible(struct text in, struct str *out, size_t *ret_count)
{
	struct finder finder = finder_of(in, "\xc2\xe2\xef");
	struct text line;
	bool found = false;

	while (!found && next_line(&finder, &line))
		found = count_kind(line, CHARACTER_INVISIBLE) &&
		        (line_kind(line) != line_kind_plain(line) ||
		         has_cut_address(line));
	if (!found)
		return false;
	*ret_count = replace(in, CHARACTER_INVISIBLE, out);
	return *ret_count > 0;
}

// Typographic marks

static bool begins_with_mark(struct text line)
{
	struct text rest = text_trim_left(line);
	struct character c;

	return rest.size && character_read(rest, 0, &c) &&
	       c.kind == CHARACTER_MARK && c.text[0] == '"' &&
	       (holds(rest, "\xe2\x80\x9d:") || holds(rest, "\xe2\x80\x9d :"));
}

/**
 * Typographic marks in places where a report has ASCII, outside of its texts.
 */
static bool has_mark_of_report(struct text line)
{
	enum line_kind kind = line_kind_plain(line);

	if (!count_kind(line, CHARACTER_MARK))
		return false;
	if (kind != line_kind(line) || begins_with_mark(line))
		return true;
	if (kind == LINE_FRAME || kind == LINE_IMAGE)
		return holds(line, "\xe2\x80\x93") ||
		       holds(line, "\xe2\x80\x94") ||
		       holds(line, "\xe2\x80\x91");
	return holds(line, "exception \xe2\x80\x98") ||
	       holds(line, "\xe2\x80\x93[") || holds(line, "\xe2\x80\x94[");
}

/** In JSON, other quotes are part of a text. */
static bool is_delimiter(struct text in, size_t at, size_t size)
{
	struct text before = text_trim_right(text_first(in, at));
	struct text after = text_trim_left(text_after(in, at + size));
	char last = before.size ? before.data[before.size - 1] : '{';

	return !after.size || strchr("{[,:", last) ||
	       (at && in.data[at - 1] == '\\') || strchr(",:}]", after.data[0]);
}

static size_t replace_marks_of_json(struct text in, struct str *out)
{
	size_t count = 0;

	for (size_t at = 0; at < in.size;) {
		struct character c;

		if (in.data[at] != '\xe2' || !character_read(in, at, &c) ||
		    c.kind != CHARACTER_MARK ||
		    (c.text[0] == '"' && !is_delimiter(in, at, c.size))) {
			str_add_char(out, in.data[at++]);
			continue;
		}
		str_add_bytes(out, c.text, c.text_size);
		at += c.size;
		count++;
	}
	return count;
}

bool characters_marks(struct text in, struct str *out, size_t *ret_count)
{
	struct finder finder = finder_of(in, "\xe2");
	struct text line;
	bool found = false;

	while (!found && next_line(&finder, &line))
		found = has_mark_of_report(line);
	if (!found)
		return false;
	*ret_count = text_starts(text_trim_left(in), "{")
	                     ? replace_marks_of_json(in, out)
	                     : replace(in, CHARACTER_MARK, out);
	return *ret_count > 0;
}
