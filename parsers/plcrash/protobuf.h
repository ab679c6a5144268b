// SPDX-License-Identifier: MIT
/**
 * Protocol Buffers on the wire: the fields of a message, one after the other.
 *
 * There are no generated classes: a reader walks a message, looks at the
 * numbers it knows, enters the messages inside, and lets the rest pass. What
 * is not known is skipped by its wire type. Groups, which proto2 gave up, are
 * refused.
 *
 *     struct protobuf message = protobuf_open(bytes, 0);
 *     struct protobuf_field field;
 *
 *     while (protobuf_next(&message, &field))
 *             if (field.number == 3 && protobuf_enter(&message, &field, &it))
 *                     read_thread(&it);
 *     if (message.fault)
 *             … what preceded the fault was given
 *
 * A message that was truncated gives all that is complete: a field that lost
 * its end comes with what is there of it, and marked; entered, it gives its
 * own complete fields, and so on down.
 */
#ifndef APMTOOL_PARSERS_PLCRASH_PROTOBUF_H
#define APMTOOL_PARSERS_PLCRASH_PROTOBUF_H

#include "lib/base/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Deepest nesting that is entered (reliability: depth 32). */
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
	unsigned depth;      ///< 0: the outermost
	const char *fault;   ///< what ended it, constant; NULL: nothing
	size_t fault_offset; ///< in the input
	bool truncated;      ///< it ends early, itself or the input
};

struct protobuf_field {
	uint64_t number; ///< never 0
	enum protobuf_wire wire;
	uint64_t value;     ///< of a number
	struct bytes bytes; ///< of PROTOBUF_BYTES; borrowed
	size_t offset;      ///< of the value in the input
	bool truncated;     ///< @c bytes has lost its end
};

/** @param base  Where @p in lies in the input, for offsets. */
struct protobuf protobuf_open(struct bytes in, size_t base);

/**
 * The next field. A fault ends the message: no number is guessed.
 *
 * @return false at the end, or at a fault, which is reported in @p message.
 */
bool protobuf_next(struct protobuf *message, struct protobuf_field *ret);

/**
 * The message inside a field of @p outer.
 *
 * @return false where the field is not of PROTOBUF_BYTES, or too deep.
 */
bool protobuf_enter(const struct protobuf *outer,
                    const struct protobuf_field *field, struct protobuf *ret);

/** The numbers of a repeated field: packed into one field, or a field each. */
struct protobuf_numbers {
	struct cursor packed;
	uint64_t single;
	bool has_single;
};

struct protobuf_numbers protobuf_numbers(const struct protobuf_field *field);
bool protobuf_next_number(struct protobuf_numbers *numbers, uint64_t *ret);

#endif
