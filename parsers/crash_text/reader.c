// SPDX-License-Identifier: MIT
#include "parsers/crash_text/reader.h"

// Longer text before a colon is not a label.
#define LABEL_MAX 60

void crash_text_begin_part(struct crash_text_reader *reader,
                           enum crash_text_part part,
                           void (*end)(struct crash_text_reader *reader))
{
	crash_text_end_part(reader);
	crash_text_close_section(reader);
	reader->part = part;
	reader->end_part = end;
}

void crash_text_end_part(struct crash_text_reader *reader)
{
	void (*end)(struct crash_text_reader * reader) = reader->end_part;

	reader->part = CRASH_TEXT_LABELS;
	reader->end_part = NULL;
	if (end)
		end(reader);
}

void crash_text_open_section(struct crash_text_reader *reader,
                             const char *label, const char *text)
{
	crash_text_close_section(reader);
	reader->open_at = reader->text.report->section_count;
	reader->is_open = true;
	report_add_section(reader->text.report, reader->text.arena, label,
	                   text);
}

void crash_text_close_section(struct crash_text_reader *reader)
{
	struct report *report = reader->text.report;

	if (reader->is_open && reader->more.size)
		report->sections[reader->open_at].text =
		        arena_text(reader->text.arena, str_text(&reader->more));
	str_clear(&reader->more);
	reader->is_open = false;
	reader->heading = NULL;
}

bool crash_text_go_on(struct crash_text_reader *reader, struct text line)
{
	if (!reader->is_open)
		return false;
	if (!reader->more.size)
		str_add(&reader->more,
		        reader->text.report->sections[reader->open_at].text);
	for (size_t i = 0; reader->more.size && i <= reader->blanks; i++)
		str_add_char(&reader->more, '\n');
	str_add_text(&reader->more, line);
	return true;
}

bool crash_text_split_label(struct text line, struct text *name,
                            struct text *value)
{
	size_t colon = text_find_char(line, ':');

	if (colon == TEXT_NOWHERE || !colon || colon > LABEL_MAX ||
	    !text_is_letter(line.data[0]))
		return false;
	*name = text_first(line, colon);
	*value = text_trim(text_after(line, colon + 1));
	return true;
}

/** A section of the app's own, or of an unknown system. */
static bool begin_own_section(struct crash_text_reader *reader,
                              struct text line)
{
	struct text name;
	struct text value;

	if (!reader->blanks || !crash_text_split_label(line, &name, &value) ||
	    value.size)
		return false;
	crash_text_open_section(reader, arena_text(reader->text.arena, name),
	                        "");
	return true;
}

void crash_text_keep_unknown(struct crash_text_reader *reader, struct text line)
{
	bool is_known = false;

	if (reader->part == CRASH_TEXT_LABELS) {
		if (reader->heading)
			crash_text_open_section(reader, reader->heading, "");
		is_known = begin_own_section(reader, line) ||
		           crash_text_go_on(reader, line);
	}
	if (is_known)
		line_reader_keep(&reader->text, line.data);
	else
		line_reader_keep_unread(&reader->text, line.data);
}

bool crash_text_is_plain_frame(struct text line, struct frame_line *ret)
{
	size_t wide = text_find(line, "  ");

	line = text_trim_right(line);
	return line.size && text_ends(line, ")") && wide && wide < line.size &&
	       text_is_alnum(line.data[0]) &&
	       text_find_char(text_first(line, wide), ' ') == TEXT_NOWHERE &&
	       text_find_char(text_first(line, wide), ':') == TEXT_NOWHERE &&
	       frame_line_parse_unnumbered(line, ret) && !ret->has_address &&
	       ret->has_symbol_offset && ret->symbol.size && ret->has_line;
}

bool crash_text_is_frame(struct text line, struct frame_line *ret)
{
	line = text_trim(line);
	return line.size && text_is_digit(line.data[0]) &&
	       frame_line_parse(line, ret) &&
	       (ret->has_address || ret->has_symbol_offset);
}
