#include "formatters/markup.h"

#include "lib/base/utf8.h"

#include <inttypes.h>

/** What stands for the character at @p at; NULL: it stays. */
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

void markup_add_text(struct str *out, struct text in)
{
	SCOPED(str_release) struct str visible = { 0 };
	size_t plain = 0, size;
	struct text text;

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
	char digits[27]; // 20 digits, 6 commas
	size_t at = sizeof(digits), written = 0;

	do {
		if (written && written % 3 == 0)
			digits[--at] = ',';
		digits[--at] = (char)('0' + count % 10);
		count /= 10;
		written++;
	} while (count);
	str_add_bytes(out, digits + at, sizeof(digits) - at);
}

void markup_add_hundredths(struct str *out, uint64_t hundredths)
{
	unsigned rest = (unsigned)(hundredths % 100);

	str_addf(out, "%" PRIu64, hundredths / 100);
	if (rest % 10)
		str_addf(out, ".%02u", rest);
	else if (rest)
		str_addf(out, ".%u", rest / 10);
}

void markup_add_percent(struct str *out, uint64_t hundredths)
{
	str_addf(out, "%" PRIu64 ".%02u %%", hundredths / 100,
	         (unsigned)(hundredths % 100));
}

void markup_add_ms(struct str *out, uint64_t us)
{
	unsigned tenth = (unsigned)(us / 100 % 10);

	markup_add_count(out, us / 1000);
	if (tenth)
		str_addf(out, ".%u", tenth);
	str_add(out, " ms");
}

void markup_add_plural(struct str *out, uint64_t count, const char *noun)
{
	markup_add_count(out, count);
	str_addf(out, " %s%s", noun, count == 1 ? "" : "s");
}
