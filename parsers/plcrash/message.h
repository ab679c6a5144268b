// SPDX-License-Identifier: MIT
/**
 * Reads messages of a PLCrashReporter report by tables: number, name, type and
 * target of each field. Absent fields stay unchanged, unknown ones are skipped;
 * a wrong type becomes a note with its place: `threads[3].frames[0].pc:
 * expected a number, found bytes`.
 */
#ifndef APMTOOL_PARSERS_PLCRASH_MESSAGE_H
#define APMTOOL_PARSERS_PLCRASH_MESSAGE_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "parsers/json/place.h"
#include "parsers/plcrash/protobuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** State of a report. */
struct plcrash_reader {
	struct json_reader notes;
	size_t frame_count;     ///< in all stacks
	uint64_t main_cpu_type; ///< of the first image; 0: unknown
};

/** A message, and its place in the outer messages. */
struct plcrash_message {
	struct plcrash_reader *reader;
	struct json_place place; ///< named as the format's definition does
	struct protobuf wire;
	bool shortened; ///< the input ends inside of it
};

enum plcrash_kind {
	PLCRASH_NUMBER,   ///< struct plcrash_number
	PLCRASH_NUMBERS,  ///< struct plcrash_numbers: repeated, packed or not
	PLCRASH_TEXT,     ///< const char *, copied into the arena
	PLCRASH_BYTES,    ///< struct bytes, borrowed from the input
	PLCRASH_MESSAGE,  ///< handed to @c read
	PLCRASH_MESSAGES, ///< repeated
};

struct plcrash_number {
	uint64_t value;
	bool found; ///< absent and 0 differ
};

#define PLCRASH_NUMBERS_KEPT 4

struct plcrash_numbers {
	uint64_t values[PLCRASH_NUMBERS_KEPT]; ///< the first ones
	size_t count;
};

/** Max fields in a message of the format. */
#define PLCRASH_FIELDS_MAX 10

struct plcrash_field {
	uint64_t number;
	const char *name; ///< as the format's definition calls it
	enum plcrash_kind kind;
	size_t offset; ///< in the target; unused for messages
	void (*read)(struct plcrash_message *message, void *target);
};

#define PLCRASH_FIELD(number_, name_, kind_, type_, member_)           \
	{                                                              \
		.number = (number_), .name = (name_), .kind = (kind_), \
		.offset = offsetof(type_, member_)                     \
	}
#define PLCRASH_INNER(number_, name_, kind_, read_)                    \
	{                                                              \
		.number = (number_), .name = (name_), .kind = (kind_), \
		.read = (read_)                                        \
	}

/** Read @p message by @p fields, at most PLCRASH_FIELDS_MAX. */
void plcrash_read(struct plcrash_message *message,
                  const struct plcrash_field *fields, size_t count,
                  void *target);

#endif
