// SPDX-License-Identifier: MIT
#include "formatters/flame/markup.h"

#include "lib/base/units.h"
#include "lib/base/utf8.h"

#include <stdbool.h>

/** The replacement of the character at @p at; or NULL. */
static const char *entity(struct text in, size_t at, size_t *size)
{
	const unsigned char *p = (const unsigned char *)in.data + at;

	*size = 1;
	switch (p[0]) {
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
	case 0xef:
		// Here all is valid UTF-8, so two more bytes follow.
		*size = 3;
		if (p[1] != 0xbf || p[2] < 0xbe)
			return NULL;
		return p[2] == 0xbe ? "\\u{fffe}" : "\\u{ffff}";
	default:
		return NULL;
	}
}

/** Fast path for nearly all names: no escapes. */
static bool is_plain(struct text in)
{
	for (size_t i = 0; i < in.size; i++) {
		char c = in.data[i];

		if (c < 0x20 || c > 0x7e || c == '&' || c == '<' || c == '>' ||
		    c == '"' || c == '\'')
			return false;
	}
	return true;
}

void markup_add_text(struct str *out, struct text in)
{
	SCOPED(str_release) struct str visible = { 0 };
	size_t plain = 0, size;
	struct text text;

	if (is_plain(in)) {
		str_add_text(out, in);
		return;
	}
	utf8_add_visible(&visible, in);
	text = str_text(&visible);
	for (size_t at = 0; at < text.size; at += size) {
		const char *instead = entity(text, at, &size);

		if (!instead)
			continue;
		str_add_bytes(out, text.data + plain, at - plain);
		str_add(out, instead);
		plain = at + size;
	}
	str_add_text(out, text_after(text, plain));
}

void markup_add_count(struct str *out, uint64_t count)
{
	uint64_t group = 1;

	while (count / group >= 1000)
		group *= 1000;
	str_add_number(out, count / group);
	while (group > 1) {
		unsigned digits = (unsigned)(count % group / (group / 1000));
		const char text[] = { ',', (char)('0' + digits / 100),
			              (char)('0' + digits / 10 % 10),
			              (char)('0' + digits % 10) };

		str_add_bytes(out, text, sizeof(text));
		group /= 1000;
	}
}

void markup_add_percent(struct str *out, uint64_t hundredths)
{
	units_add_fixed(out, hundredths, 100, 2);
	str_add(out, " %");
}

void markup_add_ms(struct str *out, uint64_t us)
{
	uint64_t tenths = units_share(us, 1000, 10);

	markup_add_count(out, tenths / 10);
	if (tenths % 10) {
		str_add_char(out, '.');
		str_add_char(out, (char)('0' + tenths % 10));
	}
	str_add(out, " ms");
}

void markup_add_cost(struct str *out, const struct calltree *tree,
                     uint64_t cost)
{
	if (cost)
		str_add(out, cost_origin_mark(tree->cost_origin));
	if (tree->cost_unit == COST_MS) {
		markup_add_ms(out, cost);
	} else if (cost_unit_is_time(tree->cost_unit)) {
		str_add(out, "CPU ");
		markup_add_ms(out, cost);
	} else {
		markup_add_count(out, cost);
		str_addf(out, " %s", cost_unit_title(tree->cost_unit));
	}
}

void markup_add_plural(struct str *out, uint64_t count, const char *noun)
{
	markup_add_count(out, count);
	str_add_char(out, ' ');
	str_add(out, noun);
	if (count != 1)
		str_add_char(out, 's');
}
