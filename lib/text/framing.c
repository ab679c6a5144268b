// SPDX-License-Identifier: MIT
#include "lib/text/framing.h"

#include <string.h>

/** Of a length in decimal: more would be beyond any limit. */
#define LENGTH_DIGITS_MAX 10

/** An empty buffer that was larger is given back. */
#define BUFFER_BYTES_KEPT ((size_t)1 << 20)

/** Bytes that were given and are not used up. */
static struct text left(const struct framing_reader *reader)
{
	return text_after(str_text(&reader->buffer), reader->at);
}

static void use(struct framing_reader *reader, size_t size)
{
	reader->at += size;
	reader->searched = reader->at;
}

/** Skip what was given of a frame that is too large. */
static void skip(struct framing_reader *reader)
{
	struct text rest = left(reader);
	size_t size = rest.size;

	if (reader->skips_line) {
		const char *end = memchr(rest.data, '\n', rest.size);

		if (end)
			size = (size_t)(end - rest.data) + 1;
		reader->skips_line = !end;
	} else if (size > reader->skip_bytes) {
		size = (size_t)reader->skip_bytes;
	}
	if (reader->skip_bytes)
		reader->skip_bytes -= size;
	use(reader, size);
}

void framing_give(struct framing_reader *reader, const char *data, size_t size)
{
	struct str *buffer = &reader->buffer;

	if (reader->at) {
		memmove(buffer->data, buffer->data + reader->at,
		        buffer->size - reader->at);
		buffer->size -= reader->at;
		reader->searched -= reader->at;
		reader->at = 0;
	}
	if (!buffer->size && buffer->cap > BUFFER_BYTES_KEPT)
		str_release(buffer);
	reader->has_ended |= !size;
	str_add_bytes(buffer, data, size);
}

static enum framing_found next_line(struct framing_reader *reader,
                                    struct text *ret)
{
	struct text rest = left(reader);
	size_t from = reader->searched - reader->at;
	const char *end = memchr(rest.data + from, '\n', rest.size - from);
	size_t size = end ? (size_t)(end - rest.data) : rest.size;

	reader->searched = reader->buffer.size;
	if (size > reader->limit_bytes) {
		use(reader, size + (end != NULL));
		reader->skips_line = !end;
		return FRAMING_TOO_LARGE;
	}
	if (!end && !(reader->has_ended && size))
		return FRAMING_MORE;
	*ret = text_first(rest, size);
	use(reader, size + (end != NULL));
	return FRAMING_WHOLE;
}

/** @param extra  Bytes after the frame. */
static enum framing_found next_sized(struct framing_reader *reader, size_t head,
                                     uint64_t size, size_t extra,
                                     struct text *ret)
{
	struct text rest = text_after(left(reader), head);

	if (size > reader->limit_bytes) {
		reader->skip_bytes = size + extra;
		use(reader, head);
		skip(reader);
		return FRAMING_TOO_LARGE;
	}
	if (rest.size < size + extra)
		return reader->has_ended ? FRAMING_BROKEN : FRAMING_MORE;
	*ret = text_first(rest, (size_t)size);
	use(reader, head + (size_t)size + extra);
	return FRAMING_WHOLE;
}

static enum framing_found next_u32(struct framing_reader *reader,
                                   struct text *ret)
{
	struct text rest = left(reader);
	uint64_t size = 0;

	if (rest.size < FRAMING_LENGTH_BYTES)
		return reader->has_ended && rest.size ? FRAMING_BROKEN
		                                      : FRAMING_MORE;
	for (size_t i = 0; i < FRAMING_LENGTH_BYTES; i++)
		size = size << 8 | (unsigned char)rest.data[i];
	return next_sized(reader, FRAMING_LENGTH_BYTES, size, 0, ret);
}

static enum framing_found next_netstring(struct framing_reader *reader,
                                         struct text *ret)
{
	struct text rest = left(reader);
	uint64_t size = 0;
	size_t at = 0;
	enum framing_found found;

	while (at < rest.size && at < LENGTH_DIGITS_MAX &&
	       text_is_digit(rest.data[at]))
		size = size * 10 + (uint64_t)(rest.data[at++] - '0');
	if (at == rest.size)
		return reader->has_ended && at ? FRAMING_BROKEN : FRAMING_MORE;
	if (!at || rest.data[at] != ':' || (at > 1 && rest.data[0] == '0'))
		return FRAMING_BROKEN;
	found = next_sized(reader, at + 1, size, 1, ret);
	if (found == FRAMING_WHOLE && ret->data[ret->size] != ',')
		return FRAMING_BROKEN;
	return found;
}

enum framing_found framing_next(struct framing_reader *reader, struct text *ret)
{
	if (reader->skips_line || reader->skip_bytes)
		skip(reader);
	if (reader->skips_line || reader->skip_bytes || !left(reader).size)
		return FRAMING_MORE;
	switch (reader->framing) {
	case FRAMING_LINES:
		return next_line(reader, ret);
	case FRAMING_NETSTRING:
		return next_netstring(reader, ret);
	case FRAMING_U32:
		return next_u32(reader, ret);
	}
	return FRAMING_BROKEN;
}

void framing_length(size_t size, unsigned char ret[FRAMING_LENGTH_BYTES])
{
	for (size_t i = 0; i < FRAMING_LENGTH_BYTES; i++)
		ret[i] = (unsigned char)(size >>
		                         8 * (FRAMING_LENGTH_BYTES - 1 - i));
}

void framing_write(enum framing framing, struct text answer, struct out *out)
{
	unsigned char length[FRAMING_LENGTH_BYTES];

	switch (framing) {
	case FRAMING_LINES:
		out_add_bytes(out, answer.data, answer.size);
		out_add(out, "\n");
		break;
	case FRAMING_NETSTRING:
		out_addf(out, "%zu:", answer.size);
		out_add_bytes(out, answer.data, answer.size);
		out_add(out, ",");
		break;
	case FRAMING_U32:
		framing_length(answer.size, length);
		out_add_bytes(out, length, sizeof(length));
		out_add_bytes(out, answer.data, answer.size);
		break;
	}
}

void framing_release(struct framing_reader *reader)
{
	str_release(&reader->buffer);
}
