// SPDX-License-Identifier: MIT
#include "parsers/input/repair/mail.h"

// Max line is 76; some writers count differently.
#define LINE_MAX 78
// Bytes before the mark of a wrapped line.
#define LINE_FULL 75

/** Size and meaning of the escape `=…` at @p at; or 0. */
static size_t read_escape(struct text at, struct text *ret, char *byte)
{
	size_t blanks = 1;

	*ret = TEXT_NONE;
	if (at.size > 2 && text_is_hex_digit(at.data[1]) &&
	    text_is_hex_digit(at.data[2])) {
		*byte = (char)(text_hex_value(at.data[1]) << 4 |
		               text_hex_value(at.data[2]));
		*ret = (struct text){ .data = byte, .size = 1 };
		return 3;
	}
	// Blanks after it were added on the way.
	while (blanks < at.size && blanks < LINE_MAX &&
	       (at.data[blanks] == ' ' || at.data[blanks] == '\t' ||
	        at.data[blanks] == '\r'))
		blanks++;
	if (blanks == at.size)
		return blanks;
	return at.data[blanks] == '\n' ? blanks + 1 : 0;
}

/** Are all lines short enough, except those of surrounding text? */
static bool has_short_lines(struct text in)
{
	struct text line;
	size_t lines = 0;
	size_t longer = 0;

	while (text_next_line(&in, &line)) {
		lines++;
		longer += line.size > LINE_MAX;
	}
	return longer * 20 <= lines;
}

bool mail_is_encoded(struct text in)
{
	size_t line = 0; // start of the line
	size_t seen = 0; // how far its beginning has been looked for
	size_t good = 0;
	size_t bad = 0;

	for (size_t at = 0; at < in.size;) {
		size_t step = text_find_char(text_after(in, at), '=');
		struct text before;
		struct text value;
		size_t size;
		size_t end;
		char byte;

		if (step == TEXT_NOWHERE)
			break;
		at += step;
		before = text_after(text_first(in, at), seen);
		end = text_find_last_char(before, '\n');
		if (end != TEXT_NOWHERE)
			line = seen + end + 1;
		seen = at;
		size = read_escape(text_after(in, at), &value, &byte);
		good += size > 0;
		// One is enough at the max length of a line.
		good += size > 0 && !value.size && at - line == LINE_FULL;
		// So is an escaped blank at the end of a line.
		good += value.size && text_is_space(byte) &&
		        text_starts(text_after(in, at + size), "\n");
		bad += !size;
		at += size ? size : 1;
	}
	return good > 1 && bad * 10 <= good && has_short_lines(in);
}

bool mail_decode(struct text in, struct str *out, size_t *ret_count)
{
	size_t count = 0;
	size_t from = 0;

	if (!mail_is_encoded(in))
		return false;
	for (size_t at = 0; at < in.size;) {
		size_t step = text_find_char(text_after(in, at), '=');
		struct text value;
		size_t size;
		char byte;

		if (step == TEXT_NOWHERE)
			break;
		at += step;
		size = read_escape(text_after(in, at), &value, &byte);
		if (!size) {
			at++;
			continue;
		}
		str_add_bytes(out, in.data + from, at - from);
		str_add_text(out, value);
		at += size;
		from = at;
		count++;
	}
	str_add_text(out, text_after(in, from));
	*ret_count = count;
	return true;
}
