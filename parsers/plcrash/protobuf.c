// SPDX-License-Identifier: MIT
#include "parsers/plcrash/protobuf.h"

struct protobuf protobuf_open(struct bytes in, size_t base)
{
	return (struct protobuf){
		.cursor = cursor_at(in, 0, CURSOR_LITTLE),
		.base = base,
	};
}

/** @param position  In the message. */
static bool end_at(struct protobuf *message, size_t position, const char *fault)
{
	message->fault = fault;
	message->fault_offset = message->base + position;
	return false;
}

/** The cursor failed: the message ends inside a field, or a size is wrong. */
static bool end_at_failure(struct protobuf *message)
{
	const struct cursor *cursor = &message->cursor;

	if (cursor->failed_size <= cursor->in.size - cursor->failed_pos)
		return end_at(message, cursor->failed_pos,
		              "a number that does not fit 64 bits");
	message->truncated = true;
	return end_at(message, cursor->failed_pos,
	              "the message ends inside a field");
}

/** Bytes up to @p size; fewer, and marked, if the message ends. */
static void take_bytes(struct protobuf *message, uint64_t size,
                       struct protobuf_field *field)
{
	size_t left = cursor_left(&message->cursor);

	field->truncated = size > left;
	message->truncated |= field->truncated;
	field->bytes =
	        cursor_bytes(&message->cursor, field->truncated ? left : size);
}

static void take_value(struct protobuf *message, struct protobuf_field *field)
{
	struct cursor *cursor = &message->cursor;
	uint64_t size;

	field->offset = message->base + cursor->pos;
	switch (field->wire) {
	case PROTOBUF_VARINT:
		field->value = cursor_uleb(cursor);
		break;
	case PROTOBUF_FIXED64:
		field->value = cursor_u64(cursor);
		break;
	case PROTOBUF_FIXED32:
		field->value = cursor_u32(cursor);
		break;
	case PROTOBUF_BYTES:
		size = cursor_uleb(cursor);
		field->offset = message->base + cursor->pos;
		if (cursor_ok(cursor))
			take_bytes(message, size, field);
		break;
	}
}

bool protobuf_next(struct protobuf *message, struct protobuf_field *ret)
{
	struct cursor *cursor = &message->cursor;
	size_t start = cursor->pos;
	struct protobuf_field field = { 0 };
	uint64_t key;

	if (message->fault || message->truncated || !cursor_left(cursor))
		return false;
	key = cursor_uleb(cursor);
	if (!cursor_ok(cursor))
		return end_at_failure(message);
	field.number = key >> 3;
	if (!field.number)
		return end_at(message, start, "a field without a number");
	switch (key & 7) {
	case PROTOBUF_VARINT:
	case PROTOBUF_FIXED64:
	case PROTOBUF_BYTES:
	case PROTOBUF_FIXED32:
		field.wire = (enum protobuf_wire)(key & 7);
		break;
	default:
		return end_at(message, start, "a field of an unknown type");
	}
	take_value(message, &field);
	if (!cursor_ok(cursor))
		return end_at_failure(message);
	*ret = field;
	return true;
}

bool protobuf_enter(const struct protobuf *outer,
                    const struct protobuf_field *field, struct protobuf *ret)
{
	if (field->wire != PROTOBUF_BYTES || outer->depth + 1 >= PROTOBUF_DEPTH)
		return false;
	*ret = protobuf_open(field->bytes, field->offset);
	ret->depth = outer->depth + 1;
	return true;
}

struct protobuf_numbers protobuf_numbers(const struct protobuf_field *field)
{
	return (struct protobuf_numbers){
		.packed = cursor_at(field->bytes, 0, CURSOR_LITTLE),
		.single = field->value,
		.has_single = field->wire != PROTOBUF_BYTES,
	};
}

bool protobuf_next_number(struct protobuf_numbers *numbers, uint64_t *ret)
{
	uint64_t value;

	if (numbers->has_single) {
		numbers->has_single = false;
		*ret = numbers->single;
		return true;
	}
	if (!cursor_ok(&numbers->packed) || !cursor_left(&numbers->packed))
		return false;
	value = cursor_uleb(&numbers->packed);
	if (!cursor_ok(&numbers->packed))
		return false;
	*ret = value;
	return true;
}
