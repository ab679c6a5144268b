// SPDX-License-Identifier: MIT
#include "parsers/text/bracket.h"

bool text_bracket_split(struct text value, struct text *text,
                        struct text *inside)
{
	size_t open = text_find(value, " (");

	*text = value;
	*inside = TEXT_NONE;
	if (open == TEXT_NOWHERE || !text_ends(value, ")"))
		return false;
	*text = text_trim(text_first(value, open));
	*inside = text_after(text_first(value, value.size - 1), open + 2);
	return true;
}

void text_bracket_version(struct text value, struct report *report,
                          struct arena *arena)
{
	struct text version;
	struct text build;

	if (text_bracket_split(value, &version, &build))
		report->build = arena_text(arena, text_trim(build));
	report->version = arena_text(arena, text_trim(version));
}

void text_bracket_os_version(struct text value, struct report *report,
                             struct arena *arena)
{
	struct text build;
	size_t open;

	value = text_trim(value);
	report->os_version = arena_text(arena, value);
	open = text_find_last_char(value, '(');
	if (open == TEXT_NOWHERE || !text_ends(value, ")"))
		return;
	build = text_after(text_first(value, value.size - 1), open + 1);
	if (text_take(&build, "Build "))
		report->os_version = arena_printf(
		        arena, "%.*s(%.*s)", TEXT_ARGS(text_first(value, open)),
		        TEXT_ARGS(build));
	build = text_trim(build);
	if (build.size)
		report->os_build = arena_text(arena, build);
}
