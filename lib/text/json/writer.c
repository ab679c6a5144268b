#include "lib/text/json/writer.h"

#include "lib/base/octets.h"
#include "lib/base/utf8.h"

#include <assert.h>
#include <string.h>

#define INDENT_COLUMNS 2

struct json_writer json_writer_to(struct out *out)
{
	return (struct json_writer){ .out = out,
		                     .line_depth = JSON_WRITER_DEPTH + 1 };
}

struct json_writer json_writer_compact(struct out *out)
{
	return (struct json_writer){ .out = out };
}

/** Does what is at this depth have a line of its own? */
static bool has_lines(const struct json_writer *w, unsigned depth)
{
	return depth < w->line_depth;
}

static size_t indent(const struct json_writer *w)
{
	return (size_t)(w->base + w->depth) * INDENT_COLUMNS;
}

static void start_line(const struct json_writer *w, struct str *to)
{
	str_add_char(to, '\n');
	str_add_repeat(to, ' ', indent(w));
}

/** What must not be in a string as it is. */
static bool needs_escape(uint32_t c)
{
	return c == '"' || c == '\\' || c == '\t' || utf8_is_hidden(c);
}

static void add_escaped(struct str *to, uint32_t c)
{
	switch (c) {
	case '"':
		str_add(to, "\\\"");
		break;
	case '\\':
		str_add(to, "\\\\");
		break;
	case '\n':
		str_add(to, "\\n");
		break;
	case '\t':
		str_add(to, "\\t");
		break;
	default:
		// All hidden characters lie below U+10000.
		str_add(to, "\\u");
		str_add_hex(to, c, 4);
	}
}

/** Bytes that are not ASCII, or need an escape. */
static uint64_t special_bytes(uint64_t word)
{
	return octets_above_ascii(word) | octets_below(word, 0x20) |
	       octets_of(word, '"') | octets_of(word, '\\') |
	       octets_of(word, 0x7f);
}

/** The first such byte from @p at on. */
static size_t plain_end(struct text text, size_t at)
{
	for (; text.size - at >= OCTETS; at += OCTETS) {
		uint64_t found = special_bytes(octets_load(text.data + at));

		if (found)
			return at + octets_first(found);
	}
	if (at < text.size &&
	    !special_bytes(octets_load_few(text.data + at, text.size - at)))
		return text.size;
	while (at < text.size && text.data[at] >= 0x20 &&
	       text.data[at] < 0x7f && text.data[at] != '"' &&
	       text.data[at] != '\\')
		at++;
	return at;
}

/** From the first character on that may not stay as it is. */
static void add_special(struct str *to, struct text text)
{
	size_t plain = 0;

	for (size_t at = 0; (at = plain_end(text, at)) < text.size;) {
		uint32_t c;
		size_t size = utf8_decode(text, at, &c);

		if (size && !needs_escape(c)) {
			at += size;
			continue;
		}
		str_add_bytes(to, text.data + plain, at - plain);
		if (size)
			add_escaped(to, c);
		else
			str_add(to, "\xef\xbf\xbd"); // U+FFFD
		at += size ? size : 1;
		plain = at;
	}
	str_add_text(to, text_after(text, plain));
}

static void add_string(struct str *to, const char *cstr)
{
	struct text text = text_from(cstr);
	size_t plain = plain_end(text, 0);
	char *room = str_room(to, plain + 2);

	room[0] = '"';
	memcpy(room + 1, text.data, plain);
	room[plain + 1] = '"';
	str_end(to, plain + (plain == text.size ? 2 : 1));
	if (plain == text.size)
		return;
	add_special(to, text_after(text, plain));
	str_add_char(to, '"');
}

/**
 * Comma, line, indentation and key: all that precedes a value, which is to be
 * appended to what this returns.
 */
static struct str *start_value(struct json_writer *w, const char *key)
{
	struct str *to = out_str(w->out);
	bool *has_members;

	if (!w->depth) {
		assert(!key);
		return to;
	}
	assert(w->is_array[w->depth - 1] == !key);
	has_members = &w->has_members[w->depth - 1];
	if (has_lines(w, w->depth)) {
		size_t blanks = indent(w);
		char *room = str_room(to, blanks + 2);

		*room = ',';
		room += *has_members;
		*room = '\n';
		memset(room + 1, ' ', blanks);
		str_end(to, blanks + 1 + *has_members);
	} else if (*has_members) {
		str_add_char(to, ',');
	}
	*has_members = true;
	if (key) {
		add_string(to, key);
		str_add(to, has_lines(w, w->depth) ? ": " : ":");
	}
	return to;
}

static void open_container(struct json_writer *w, const char *key,
                           bool is_array)
{
	assert(w->depth < JSON_WRITER_DEPTH);
	str_add_char(start_value(w, key), is_array ? '[' : '{');
	w->is_array[w->depth] = is_array;
	w->has_members[w->depth] = false;
	w->depth++;
}

void json_open_object(struct json_writer *w, const char *key)
{
	open_container(w, key, false);
}

void json_open_array(struct json_writer *w, const char *key)
{
	open_container(w, key, true);
}

void json_close(struct json_writer *w)
{
	struct str *to = out_str(w->out);

	assert(w->depth);
	w->depth--;
	if (w->has_members[w->depth] && has_lines(w, w->depth + 1))
		start_line(w, to);
	str_add_char(to, w->is_array[w->depth] ? ']' : '}');
}

void json_text(struct json_writer *w, const char *key, const char *text)
{
	if (text)
		add_string(start_value(w, key), text);
}

void json_number(struct json_writer *w, const char *key, uint64_t value)
{
	str_add_number(start_value(w, key), value);
}

void json_signed(struct json_writer *w, const char *key, int64_t value)
{
	struct str *to = start_value(w, key);

	if (value < 0)
		str_add_char(to, '-');
	str_add_number(to, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_decimal(struct json_writer *w, const char *key, const char *digits)
{
	str_add(start_value(w, key), digits);
}

void json_bool(struct json_writer *w, const char *key, bool value)
{
	str_add(start_value(w, key), value ? "true" : "false");
}

void json_null(struct json_writer *w, const char *key)
{
	str_add(start_value(w, key), "null");
}

void json_address(struct json_writer *w, const char *key, uint64_t value)
{
	struct str *to = start_value(w, key);

	str_add(to, "\"0x");
	str_add_hex(to, value, 1);
	str_add_char(to, '"');
}

void json_uuid(struct json_writer *w, const char *key, const struct uuid *uuid)
{
	char text[UUID_TEXT_SIZE];

	if (!uuid_is_zero(uuid))
		json_text(w, key, uuid_format(uuid, text));
}

void json_members(struct json_writer *w, struct text members)
{
	if (!members.size)
		return;
	assert(w->depth && !w->is_array[w->depth - 1]);
	if (w->has_members[w->depth - 1])
		out_add(w->out, ",");
	w->has_members[w->depth - 1] = true;
	out_add_bytes(w->out, members.data, members.size);
}

void json_finish(struct json_writer *w)
{
	assert(!w->depth);
	out_add(w->out, "\n");
}

void json_text_or_null(struct json_writer *w, const char *key, const char *text)
{
	if (text)
		json_text(w, key, text);
	else
		json_null(w, key);
}

void json_texts(struct json_writer *w, const char *key,
                const char *const *texts, size_t count)
{
	if (!count)
		return;
	json_open_array(w, key);
	for (size_t i = 0; i < count; i++)
		json_text(w, NULL, texts[i]);
	json_close(w);
}
