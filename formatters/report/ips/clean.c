// SPDX-License-Identifier: MIT
#include "formatters/report/ips/clean.h"

#include "lib/base/utf8.h"

/** Does @p text end inside of a string? */
static bool ends_in_string(struct text text, bool in_string)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '"')
			in_string = !in_string;
		else if (in_string && text.data[i] == '\\')
			i++;
	}
	return in_string;
}

static void escape(struct ips_cleaner *cleaner, struct text character)
{
	uint32_t c = 0xfffd;

	str_clear(&cleaner->escape);
	if (cleaner->in_string) {
		utf8_decode(character, 0, &c);
		str_add(&cleaner->escape, "\\u");
		str_add_hex(&cleaner->escape, c, 4);
	} else if (text_is(character, "\r")) {
		str_add_char(&cleaner->escape, '\n');
	} else if (character.data[0]) {
		// A character exists, since the search found it.
		utf8_add_visible(&cleaner->escape, character);
	}
}

bool ips_clean_next(struct ips_cleaner *cleaner, struct text *same)
{
	struct text rest = cleaner->rest;
	size_t end;
	size_t size;
	uint32_t c;

	if (!rest.size)
		return false;
	if (!cleaner->visible)
		cleaner->visible = utf8_find_hidden(rest, 0);
	end = workflow_find(&cleaner->workflow,
	                    text_first(rest, cleaner->visible), 0);
	str_clear(&cleaner->escape);
	*same = text_first(rest, end);
	cleaner->rest = TEXT_NONE;
	if (end == rest.size)
		return true;
	cleaner->in_string = ends_in_string(*same, cleaner->in_string);
	rest = text_after(rest, end);
	size = utf8_decode(rest, 0, &c);
	size = size ? size : 1;
	escape(cleaner, text_first(rest, size));
	workflow_find(&cleaner->workflow, str_text(&cleaner->escape), 0);
	cleaner->rest = text_after(rest, size);
	cleaner->visible -= end < cleaner->visible ? end + size : end;
	return true;
}

void ips_cleaner_release(struct ips_cleaner *cleaner)
{
	str_release(&cleaner->escape);
}

void ips_add_clean(struct out *out, struct text json)
{
	SCOPED(ips_cleaner_release)
	struct ips_cleaner cleaner = { .rest = json };
	struct text same;

	while (ips_clean_next(&cleaner, &same)) {
		out_add_bytes(out, same.data, same.size);
		if (cleaner.escape.size)
			out_add(out, str_cstr(&cleaner.escape));
	}
}
