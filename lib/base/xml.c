// SPDX-License-Identifier: MIT
#include "lib/base/xml.h"

#include "lib/base/utf8.h"

#include <stdbool.h>

/** The replacement of a character; or NULL. */
static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/** The escape of U+FFFE and U+FFFF at the beginning; or NULL. */
static const char *forbidden(struct text in)
{
	if (text_starts(in, "\xef\xbf\xbe"))
		return "\\u{fffe}";
	return text_starts(in, "\xef\xbf\xbf") ? "\\u{ffff}" : NULL;
}

/** Fast path for nearly all names: no escapes. */
static bool is_plain(struct text in)
{
	for (size_t i = 0; i < in.size; i++)
		if (in.data[i] < 0x20 || in.data[i] > 0x7e ||
		    entity(in.data[i]))
			return false;
	return true;
}

void xml_add_text(struct str *out, struct text in)
{
	SCOPED(str_release) struct str visible = { 0 };

	if (is_plain(in)) {
		str_add_text(out, in);
		return;
	}
	utf8_add_visible(&visible, in);
	xml_add_document(out, str_text(&visible));
}

void xml_add_document(struct str *out, struct text in)
{
	size_t plain = 0;

	for (size_t at = 0; at < in.size; at++) {
		const char *instead = entity(in.data[at]);
		size_t size = 1;

		if (!instead) {
			instead = forbidden(text_after(in, at));
			size = 3;
		}
		if (!instead)
			continue;
		str_add_bytes(out, in.data + plain, at - plain);
		str_add(out, instead);
		plain = at + size;
		at += size - 1;
	}
	str_add_text(out, text_after(in, plain));
}
