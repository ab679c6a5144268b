// SPDX-License-Identifier: MIT
#include "lib/text/json/writer.h"

#include "lib/base/block.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"
#include "lib/base/workflow.h"

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

/** Do values at this depth have lines of their own? */
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

/** Must it be escaped in a string? */
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
		// All hidden characters are below U+10000.
		str_add(to, "\\u");
		str_add_hex(to, c, 4);
	}
}

/** Bytes outside ASCII, or that may need an escape. */
static block special_bytes(block bytes)
{
	return block_unusual(bytes, 0x20) | block_of(bytes, '"') |
	       block_of(bytes, '\\') | block_of(bytes, 0x7f) |
	       block_of(bytes, '#');
}

/** Position of the first such byte from @p at on. */
static size_t plain_end(struct text text, size_t at)
{
	for (; text.size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
		unsigned found =
		        block_bits(special_bytes(block_load(text.data + at)));

		if (found)
			return at + block_first(found);
	}
	while (at < text.size && text.data[at] >= 0x20 &&
	       text.data[at] < 0x7f && text.data[at] != '"' &&
	       text.data[at] != '\\' && text.data[at] != '#')
		at++;
	return at;
}

/** Append from the first character on that may need escaping. */
static void add_special(struct str *to, struct text text)
{
	// Line ends are escaped, so no line begins within a string.
	struct workflow state = { .line = WORKFLOW_TEXT, .own_lines = true };
	size_t command = workflow_find(&state, text, 0);
	size_t plain = 0;

	for (size_t at = 0;
	     (at = plain_end(text_first(text, command), at)) < text.size;) {
		uint32_t c;
		size_t size = utf8_decode(text, at, &c);

		if (at == command) {
			command = workflow_find(&state, text, at + 1);
		} else if (size && !needs_escape(c)) {
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

/**
 * Write a string in quotes to @p room, which is large enough.
 *
 * @return The end after the closing quote; NULL if the string needs escaping.
 */
static char *put_plain(char *room, const char *data, size_t size)
{
	block special;

	*room++ = '"';
	// Do not read back what was just written: processors would wait.
	if (size < BLOCK_BYTES) {
		special = special_bytes(block_load_few(data, size, ' '));
		block_copy(room, data, size);
	} else {
		const size_t last = size - BLOCK_BYTES;

		special = special_bytes(block_load(data + last));
		for (size_t at = 0; at < last; at += BLOCK_BYTES) {
			block bytes = block_load(data + at);

			special |= special_bytes(bytes);
			block_store(room + at, bytes);
		}
		block_store(room + last, block_load(data + last));
	}
	room[size] = '"';
	return block_bits(special) ? NULL : room + size + 1;
}

static void add_string(struct str *to, struct text text)
{
	char *room = str_room(to, text.size + 2);
	const char *end = put_plain(room, text.data, text.size);

	if (end) {
		str_end(to, (size_t)(end - room));
		return;
	}
	str_add_char(to, '"');
	add_special(to, text);
	str_add_char(to, '"');
}

/** Writes whole blocks; the next output overwrites the rest. */
static char *put_spaces(char *room, size_t count)
{
	for (size_t i = 0; i < count; i += BLOCK_BYTES)
		block_store(room + i, block_each(' '));
	return room + count;
}

/** The comma after the member before, and the beginning of a line. */
static char *put_start(const struct json_writer *w, char *room)
{
	*room = ',';
	room += w->has_members[w->depth - 1];
	if (!has_lines(w, w->depth))
		return room;
	*room = '\n';
	return put_spaces(room + 1, indent(w));
}

static char *put_colon(const struct json_writer *w, char *room)
{
	room[0] = ':';
	room[1] = ' ';
	return room + 1 + has_lines(w, w->depth);
}

struct str *json_writer_start(struct json_writer *w, const char *key,
                              size_t size)
{
	struct str *to = out_str(w->out);
	char *room;
	char *at;
	char *end;

	if (!w->depth) {
		assert(!key);
		return to;
	}
	assert(w->is_array[w->depth - 1] == !key);
	// Comma, line end, quotes, colon, blank: one room for all.
	room = str_room(to, indent(w) + size + 6 + BLOCK_BYTES);
	at = put_start(w, room);
	w->has_members[w->depth - 1] = true;
	end = key ? put_plain(at, key, size) : at;
	if (key && !end) {
		str_end(to, (size_t)(at - room));
		add_string(to, (struct text){ .data = key, .size = size });
		room = str_room(to, 2);
		end = room;
	}
	if (key)
		end = put_colon(w, end);
	str_end(to, (size_t)(end - room));
	return to;
}

static void open_container(struct json_writer *w, const char *key,
                           bool is_array)
{
	assert(w->depth < JSON_WRITER_DEPTH);
	str_add_char(json_start(w, key), is_array ? '[' : '{');
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

void json_writer_add(struct str *to, const char *text)
{
	add_string(to, text_from(text));
}

void json_signed(struct json_writer *w, const char *key, int64_t value)
{
	struct str *to = json_start(w, key);

	if (value < 0)
		str_add_char(to, '-');
	str_add_number(to, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_ms(struct json_writer *w, const char *key, uint64_t us)
{
	units_add_exact(json_start(w, key), us, 1000);
}

void json_decimal(struct json_writer *w, const char *key, const char *digits)
{
	str_add(json_start(w, key), digits);
}

void json_address(struct json_writer *w, const char *key, uint64_t value)
{
	struct str *to = json_start(w, key);

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
