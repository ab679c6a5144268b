#include "parsers/parser.h"

#include "parsers/foreign.h"

#include <string.h>

// Those that look at the names of one object first: they take nobody else's.
// Text before `.ips`: an `.ips` header line above it is a line of its report.
// Logs before crashes: they share most labels.
const struct parser *const parsers[] = {
	&kscrash_parser,
	&text_log_parser,
	&crash_text_parser,
	&ips_parser,
	NULL,
};

static bool is_all_nul(struct bytes in)
{
	return !in.data[0] && !memcmp(in.data, in.data + 1, in.size - 1);
}

/** Append @p c as UTF-8 at @p to; returns where the next goes. */
static char *put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/** The next character; U+FFFD, and @p damaged, for half a surrogate pair. */
static uint32_t take_utf16(struct cursor *cursor, bool *damaged)
{
	uint32_t high = cursor_u16(cursor);
	struct cursor ahead = *cursor;
	uint32_t low;

	if (high < 0xd800 || high > 0xdfff)
		return high;
	low = cursor_left(cursor) < 2 ? 0 : cursor_u16(&ahead);
	if (high > 0xdbff || low < 0xdc00 || low > 0xdfff) {
		*damaged = true;
		return 0xfffd;
	}
	*cursor = ahead;
	return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/** The text behind a UTF-16 byte order mark, as UTF-8 in the arena. */
static struct text transcode(struct bytes in, enum cursor_order order,
                             struct arena *arena, const char **note)
{
	struct cursor cursor = cursor_at(in, 2, order);
	// Two bytes become three at most.
	char *data = arena_array(arena, in.size / 2 + 1, 3);
	char *to = data;
	bool damaged = in.size % 2;

	while (cursor_left(&cursor) >= 2)
		to = put_utf8(to, take_utf16(&cursor, &damaged));
	*note = damaged ? "UTF-16 with broken characters; read as UTF-8"
	                : "UTF-16; read as UTF-8";
	return (struct text){ .data = data, .size = (size_t)(to - data) };
}

/** The input without its byte order mark, as UTF-8. */
static struct text decode(struct bytes in, struct arena *arena,
                          const char **note)
{
	struct text text = bytes_text(in);

	if (text_starts(text, "\xff\xfe"))
		return transcode(in, CURSOR_LITTLE, arena, note);
	if (text_starts(text, "\xfe\xff"))
		return transcode(in, CURSOR_BIG, arena, note);
	text_take(&text, "\xef\xbb\xbf");
	return text;
}

static const struct parser *find_parser(struct text text)
{
	for (size_t i = 0; parsers[i]; i++)
		if (parsers[i]->sniff(text))
			return parsers[i];
	return NULL;
}

struct error *parser_read(struct bytes in, struct arena *arena,
                          struct report **ret)
{
	const struct parser *parser;
	const char *note = NULL;
	struct error *err;
	struct text text;

	if (!in.size)
		return error_new(ERROR_FORMAT, "empty file");
	if (is_all_nul(in))
		return error_new(ERROR_FORMAT,
		                 "not a crash report, but NUL bytes only");
	err = foreign_binary(in);
	if (err)
		return err;
	text = decode(in, arena, &note);
	err = foreign_report(text);
	if (err)
		return err;
	parser = find_parser(text);
	if (!parser)
		return foreign_text(text);
	err = parser->parse(text, arena, ret);
	if (!err && note)
		report_add_note(*ret, arena, "all lines", note);
	return err;
}
