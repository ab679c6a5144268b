#include "parsers/plcrash/message.h"

#include "lib/base/str.h"

#include <stdarg.h>

static void add_path(struct str *path, const struct plcrash_message *message)
{
	// Four levels: the chain is as long as our own tables are deep.
	if (message->outer)
		add_path(path, message->outer);
	if (path->size)
		str_add_char(path, '.');
	str_add(path, message->name);
	if (message->index != PLCRASH_NO_INDEX)
		str_addf(path, "[%zu]", message->index);
}

void plcrash_note(const struct plcrash_message *message, const char *name,
                  const char *format, ...)
{
	struct plcrash_reader *reader = message->reader;
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	va_list args;

	if (reader->note_count > PLCRASH_NOTES_MAX)
		return;
	if (reader->note_count++ == PLCRASH_NOTES_MAX) {
		report_add_note(reader->report, reader->arena, "report",
		                "further notes are not listed");
		return;
	}
	add_path(&path, message);
	if (name)
		str_addf(&path, "%s%s", path.size ? "." : "", name);
	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	report_add_note(reader->report, reader->arena,
	                path.size ? arena_text(reader->arena, str_text(&path))
	                          : "report",
	                arena_text(reader->arena, str_text(&text)));
}

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
		.outer = message,
		.name = field->name,
		.index = field->kind == PLCRASH_MESSAGES ? index
		                                         : PLCRASH_NO_INDEX,
		.shortened = message->wire.cut,
	};

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

		plcrash_note(message, field->name, "expected %s, found %s",
		             wants_number ? "a number" : "bytes",
		             wants_number ? "bytes" : "a number");
		return;
	}
	// Half a path, or half a UUID, would be another one.
	if (found->cut && !is_message)
		return;
	if (is_message)
		enter(message, field, index, found, target);
	else if (field->kind == PLCRASH_NUMBER)
		*(struct plcrash_number *)to =
		        (struct plcrash_number){ found->value, true };
	else if (field->kind == PLCRASH_NUMBERS)
		take_numbers(to, found);
	else if (field->kind == PLCRASH_TEXT)
		*(const char **)to = arena_text(message->reader->arena,
		                                bytes_text(found->bytes));
	else
		*(struct bytes *)to = found->bytes;
}

/** Why the message ended before its time, if it did. */
static void note_end(const struct plcrash_message *message)
{
	const struct protobuf *wire = &message->wire;

	if (!message->outer && wire->cut) {
		message->reader->report->truncated = true;
		plcrash_note(message, NULL,
		             "the report is truncated: everything complete "
		             "was kept");
	} else if (wire->cut && !message->shortened) {
		plcrash_note(message, NULL,
		             "a field extends beyond its message");
	} else if (wire->fault && !wire->cut) {
		plcrash_note(message, NULL,
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
