#include "lib/text/json/writer.h"

#include "lib/base/utf8.h"

#include <assert.h>
#include <inttypes.h>

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

static void start_line(struct json_writer *w)
{
	out_add(w->out, "\n");
	for (unsigned i = 0; i < (w->base + w->depth) * INDENT_COLUMNS; i++)
		out_add(w->out, " ");
}

/** What must not be in a string as it is. */
static bool needs_escape(uint32_t c)
{
	return c == '"' || c == '\\' || c == '\t' || utf8_is_hidden(c);
}

static void add_escaped(struct json_writer *w, uint32_t c)
{
	switch (c) {
	case '"':
		out_add(w->out, "\\\"");
		break;
	case '\\':
		out_add(w->out, "\\\\");
		break;
	case '\n':
		out_add(w->out, "\\n");
		break;
	case '\t':
		out_add(w->out, "\\t");
		break;
	default:
		// All hidden characters lie below U+10000.
		out_addf(w->out, "\\u%04" PRIx32, c);
	}
}

static void add_string(struct json_writer *w, const char *cstr)
{
	struct text text = text_from(cstr);
	size_t plain = 0;

	out_add(w->out, "\"");
	for (size_t at = 0; at < text.size;) {
		uint32_t c;
		size_t size = utf8_decode(text, at, &c);

		if (size && !needs_escape(c)) {
			at += size;
			continue;
		}
		out_add_bytes(w->out, cstr + plain, at - plain);
		if (size)
			add_escaped(w, c);
		else
			out_add(w->out, "\xef\xbf\xbd"); // U+FFFD
		at += size ? size : 1;
		plain = at;
	}
	out_add_bytes(w->out, cstr + plain, text.size - plain);
	out_add(w->out, "\"");
}

/** Comma, line, indentation and key: all that precedes a value. */
static void start_value(struct json_writer *w, const char *key)
{
	if (!w->depth) {
		assert(!key);
		return;
	}
	assert(w->is_array[w->depth - 1] == !key);
	if (w->has_members[w->depth - 1])
		out_add(w->out, ",");
	w->has_members[w->depth - 1] = true;
	if (has_lines(w, w->depth))
		start_line(w);
	if (key) {
		add_string(w, key);
		out_add(w->out, has_lines(w, w->depth) ? ": " : ":");
	}
}

static void open_container(struct json_writer *w, const char *key,
                           bool is_array)
{
	assert(w->depth < JSON_WRITER_DEPTH);
	start_value(w, key);
	out_add(w->out, is_array ? "[" : "{");
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
	assert(w->depth);
	w->depth--;
	if (w->has_members[w->depth] && has_lines(w, w->depth + 1))
		start_line(w);
	out_add(w->out, w->is_array[w->depth] ? "]" : "}");
}

void json_text(struct json_writer *w, const char *key, const char *text)
{
	if (!text)
		return;
	start_value(w, key);
	add_string(w, text);
}

void json_number(struct json_writer *w, const char *key, uint64_t value)
{
	start_value(w, key);
	out_addf(w->out, "%" PRIu64, value);
}

void json_signed(struct json_writer *w, const char *key, int64_t value)
{
	start_value(w, key);
	out_addf(w->out, "%" PRId64, value);
}

void json_decimal(struct json_writer *w, const char *key, const char *digits)
{
	start_value(w, key);
	out_add(w->out, digits);
}

void json_bool(struct json_writer *w, const char *key, bool value)
{
	start_value(w, key);
	out_add(w->out, value ? "true" : "false");
}

void json_null(struct json_writer *w, const char *key)
{
	start_value(w, key);
	out_add(w->out, "null");
}

void json_address(struct json_writer *w, const char *key, uint64_t value)
{
	start_value(w, key);
	out_addf(w->out, "\"0x%" PRIx64 "\"", value);
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
