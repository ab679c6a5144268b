// SPDX-License-Identifier: MIT
/**
 * Reads Protocol Buffers from the wire, field by field.
 *
 * There are no generated classes: a reader walks a message, picks the field
 * numbers it knows, and enters the messages inside. Unknown fields are skipped
 * by their wire type. Groups, deprecated in proto2, are refused.
 *
 *     struct protobuf message = protobuf_open(bytes, 0);
 *     struct protobuf_field field;
 *
 *     while (protobuf_next(&message, &field))
 *             if (field.number == 3 && protobuf_enter(&message, &field, &it))
 *                     read_thread(&it);
 *     if (message.fault)
 *             … all fields before the fault were returned
 *
 * A truncated message returns all complete fields. The field at the end comes
 * truncated and marked; entered, it returns its own complete fields in turn.
 */
#ifndef APMTOOL_PARSERS_PLCRASH_PROTOBUF_H
#define APMTOOL_PARSERS_PLCRASH_PROTOBUF_H

#include "lib/base/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Max nesting. */
#define PROTOBUF_DEPTH 32

/** The lower three bits of a field's key; 3 and 4 are groups. */
enum protobuf_wire {
	PROTOBUF_VARINT = 0,
	PROTOBUF_FIXED64 = 1,
	PROTOBUF_BYTES = 2, ///< text, bytes, a message, packed numbers
	PROTOBUF_FIXED32 = 5,
};

struct protobuf {
	struct cursor cursor;
	size_t base;         ///< offset of the message in the input
	unsigned depth;      ///< 0: outermost
	const char *fault;   ///< why it ended, constant; NULL: no fault
	size_t fault_offset; ///< in the input
	bool truncated;      ///< the message or the input ends early
};

struct protobuf_field {
	uint64_t number; ///< never 0
	enum protobuf_wire wire;
	uint64_t value;     ///< of a number
	struct bytes bytes; ///< of PROTOBUF_BYTES; borrowed
	size_t offset;      ///< of the value in the input
	bool truncated;     ///< @c bytes is incomplete
};

/** @param base  Offset of @p in in the input, for messages. */
struct protobuf protobuf_open(struct bytes in, size_t base);

/**
 * The next field. Stops at a fault.
 *
 * @return false at the end, or at a fault, see @c fault of @p message.
 */
bool protobuf_next(struct protobuf *message, struct protobuf_field *ret);

/**
 * Open the message inside a field of @p outer.
 *
 * @return false if the field is not PROTOBUF_BYTES, or nested too deep.
 */
bool protobuf_enter(const struct protobuf *outer,
                    const struct protobuf_field *field, struct protobuf *ret);

/** Numbers of a repeated field: packed in one field, or one per field. */
struct protobuf_numbers {
	struct cursor packed;
	uint64_t single;
	bool has_single;
};

struct protobuf_numbers protobuf_numbers(const struct protobuf_field *field);
bool protobuf_next_number(struct protobuf_numbers *numbers, uint64_t *ret);

#endif
