// SPDX-License-Identifier: MIT
#include "parsers/plcrash/message.h"

static void take_numbers(struct plcrash_numbers *numbers,
                         const struct protobuf_field *found)
{
	struct protobuf_numbers all = protobuf_numbers(found);
	uint64_t value;

	while (numbers->count < PLCRASH_NUMBERS_KEPT &&
	       protobuf_next_number(&all, &value))
		numbers->values[numbers->count++] = value;
}

static void enter(struct plcrash_message *message,
                  const struct plcrash_field *field, size_t index,
                  const struct protobuf_field *found, void *target)
{
	struct plcrash_message inner = {
		.reader = message->reader,
		.place = JSON_PLACE_MEMBER(&message->place, field->name),
		.shortened = message->wire.truncated,
	};

	if (field->kind == PLCRASH_MESSAGES)
		inner.place.index = index;
	if (protobuf_enter(&message->wire, found, &inner.wire))
		field->read(&inner, target);
}

static bool fits(enum plcrash_kind kind, enum protobuf_wire wire)
{
	if (kind == PLCRASH_NUMBERS)
		return true;
	return (kind == PLCRASH_NUMBER) == (wire != PROTOBUF_BYTES);
}

static void take(struct plcrash_message *message,
                 const struct plcrash_field *field, size_t index,
                 const struct protobuf_field *found, void *target)
{
	void *to = (char *)target + field->offset;
	bool is_message = field->kind == PLCRASH_MESSAGE ||
	                  field->kind == PLCRASH_MESSAGES;

	if (!fits(field->kind, found->wire)) {
		bool wants_number = field->kind == PLCRASH_NUMBER;

		json_place_note(&message->place, field->name,
		                "expected %s, found %s",
		                wants_number ? "a number" : "bytes",
		                wants_number ? "bytes" : "a number");
		return;
	}
	// Half a path, or half a UUID, would be another one.
	if (found->truncated && !is_message)
		return;
	if (is_message)
		enter(message, field, index, found, target);
	else if (field->kind == PLCRASH_NUMBER)
		*(struct plcrash_number *)to =
		        (struct plcrash_number){ found->value, true };
	else if (field->kind == PLCRASH_NUMBERS)
		take_numbers(to, found);
	else if (field->kind == PLCRASH_TEXT)
		*(const char **)to = arena_text(message->reader->notes.arena,
		                                bytes_text(found->bytes));
	else
		*(struct bytes *)to = found->bytes;
}

/** Note why the message ended early, if it did. */
static void note_end(const struct plcrash_message *message)
{
	const struct protobuf *wire = &message->wire;

	if (!message->place.outer && wire->truncated) {
		message->reader->notes.report->truncated = true;
		json_place_note(&message->place, NULL,
		                "the report is truncated: everything complete "
		                "was kept");
	} else if (wire->truncated && !message->shortened) {
		json_place_note(&message->place, NULL,
		                "a field extends beyond its message");
	} else if (wire->fault && !wire->truncated) {
		json_place_note(&message->place, NULL,
		                "offset 0x%zx: %s; the rest is left out",
		                wire->fault_offset, wire->fault);
	}
}

void plcrash_read(struct plcrash_message *message,
                  const struct plcrash_field *fields, size_t count,
                  void *target)
{
	size_t indexes[PLCRASH_FIELDS_MAX] = { 0 };
	struct protobuf_field found;

	while (protobuf_next(&message->wire, &found))
		for (size_t i = 0; i < count; i++)
			if (fields[i].number == found.number) {
				take(message, &fields[i], indexes[i]++, &found,
				     target);
				break;
			}
	note_end(message);
}
