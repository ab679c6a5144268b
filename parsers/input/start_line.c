// SPDX-License-Identifier: MIT
#include "parsers/input/start_line.h"

#include "parsers/input/repair/line_kind.h"

bool start_line_is_process(struct text line)
{
	size_t open;

	if (!text_take(&line, "Process:"))
		return false;
	line = text_trim(line);
	open = text_find_last_char(line, '[');
	if (open == TEXT_NOWHERE || open < 2)
		return false;
	line = text_after(line, open + 1);
	return text_take_digits(&line).size && text_is(line, "]");
}

bool start_line_has(struct text rest, const char *label)
{
	struct text line;
	struct text own;

	rest = text_first(rest, START_LINE_HEAD_BYTES);
	text_next_line(&rest, &line);
	own = text_first(line, text_find_char(line, ':'));
	// Up to the next such line only, so that each line is read once.
	while (text_next_line(&rest, &line) && line.size &&
	       !text_starts(line, "Process:") &&
	       !text_equal(text_first(line, own.size), own))
		if (text_starts(line, label))
			return true;
	return false;
}

/** Max lines between the runtime's message and the crash log. */
#define SWIFT_LINES 8

bool start_line_is_swift(struct text rest)
{
	struct text line;

	rest = text_first(rest, START_LINE_HEAD_BYTES);
	text_next_line(&rest, &line);
	if (line_is_swift_head(line))
		return true;
	if (text_find(line, "Fatal error") == TEXT_NOWHERE)
		return false;
	for (size_t i = 0; i < SWIFT_LINES && text_next_line(&rest, &line); i++)
		if (line_is_swift_head(line))
			return true;
	return false;
}

bool start_line_is_sample(struct text line)
{
	return text_starts(line, "Analysis of sampling ");
}

bool start_line_is_crashlytics(struct text line)
{
	text_take(&line, "# ");
	return text_starts(line, "Crashlytics - ");
}

bool start_line_is_rule(struct text line)
{
	bool has_dash = false;

	while (text_take(&line, "-"))
		has_dash = true;
	return has_dash && !line.size;
}

bool start_line_is_console(struct text rest)
{
	struct text line;

	return text_starts(rest, "-----") && text_next_line(&rest, &line) &&
	       start_line_is_rule(line) &&
	       text_starts(rest, "Translated Report (Full Report Below)");
}
