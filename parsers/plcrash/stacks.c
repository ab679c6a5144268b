// SPDX-License-Identifier: MIT
/*
 * Repeated parts of a PLCrashReporter report: threads with frames and
 * registers, and images.
 */
#include "parsers/plcrash/plcrash.h"

#include "lib/base/limit.h"

#include <string.h>

#define REGISTER_LIMIT 256
// A stack deeper than this keeps its first and last frames.
#define FRAMES_KEPT 512

// Numbers of fields with frames.
#define THREAD_FRAMES    2
#define EXCEPTION_FRAMES 3

#define UUID_BYTES 16

/** State of a stack. */
struct plcrash_stack {
	struct report_stack *stack;
	size_t total; ///< frames that the message has
};

struct plcrash_symbol {
	const char *name;
	struct plcrash_number start;
};

struct plcrash_frame {
	struct plcrash_number pc;
	struct plcrash_symbol symbol;
};

static void read_symbol(struct plcrash_message *message, void *target)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "name", PLCRASH_TEXT, struct plcrash_symbol,
		              name),
		PLCRASH_FIELD(2, "start_address", PLCRASH_NUMBER,
		              struct plcrash_symbol, start),
	};
	struct plcrash_frame *frame = target;

	plcrash_read(message, fields, ARRAY_SIZE(fields), &frame->symbol);
}

/** As in the linker, `_main`: the text format drops one underscore, too. */
static const char *symbol_name(const char *name)
{
	return name[0] == '_' && name[1] ? name + 1 : name;
}

static void add_symbol(const struct plcrash_symbol *symbol,
                       struct report_frame *frame, struct arena *arena)
{
	struct report_call *call;

	if (!symbol->name || !*symbol->name)
		return;
	call = arena_alloc(arena, sizeof(*call));
	call->symbol = symbol_name(symbol->name);
	call->has_symbol_offset = symbol->start.found &&
	                          symbol->start.value <= frame->address;
	if (call->has_symbol_offset)
		call->symbol_offset = frame->address - symbol->start.value;
	frame->calls = call;
	frame->call_count = 1;
	frame->source = REPORT_SOURCE_REPORT;
}

static bool is_left_out(const struct plcrash_message *message,
                        const struct plcrash_stack *stack)
{
	if (stack->total > limit_get(LIMIT_FRAMES) &&
	    message->place.index >= FRAMES_KEPT &&
	    message->place.index < stack->total - FRAMES_KEPT)
		return true;
	message->reader->frame_count++;
	return !json_place_may_read(&message->place, 1);
}

static void read_frame(struct plcrash_message *message, void *target)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(3, "pc", PLCRASH_NUMBER, struct plcrash_frame,
		              pc),
		// 4 and 5 are a fork's.
		PLCRASH_INNER(6, "symbol", PLCRASH_MESSAGE, read_symbol),
	};
	struct arena *arena = message->reader->notes.arena;
	struct plcrash_stack *stack = target;
	struct plcrash_frame found = { 0 };
	struct report_frame *frame;

	if (is_left_out(message, stack))
		return;
	plcrash_read(message, fields, ARRAY_SIZE(fields), &found);
	if (!found.pc.found) {
		if (!message->shortened)
			json_place_note(&message->place, "pc",
			                "there is none; the frame is left out");
		return;
	}
	frame = report_add_frame(stack->stack, arena);
	frame->address = found.pc.value;
	add_symbol(&found.symbol, frame, arena);
}

static size_t count_fields(struct protobuf message, uint64_t number)
{
	struct protobuf_field field;
	size_t count = 0;

	while (protobuf_next(&message, &field))
		count += field.number == number;
	return count;
}

static void note_depth(const struct plcrash_message *message,
                       const struct plcrash_stack *stack)
{
	if (stack->total > limit_get(LIMIT_FRAMES))
		json_place_note(&message->place, "frames",
		                "there are %zu; only the first and the last %d "
		                "are read%s",
		                stack->total, FRAMES_KEPT,
		                limit_hint(LIMIT_FRAMES));
}

struct exception_facts {
	const char *name;
	const char *reason;
	struct plcrash_stack stack;
};

static void read_thrown_frame(struct plcrash_message *message, void *target)
{
	struct exception_facts *facts = target;

	read_frame(message, &facts->stack);
}

void plcrash_read_exception(struct plcrash_message *message,
                            void *target UNUSED)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "name", PLCRASH_TEXT, struct exception_facts,
		              name),
		PLCRASH_FIELD(2, "reason", PLCRASH_TEXT, struct exception_facts,
		              reason),
		PLCRASH_INNER(EXCEPTION_FRAMES, "frames", PLCRASH_MESSAGES,
		              read_thrown_frame),
	};
	struct report *report = message->reader->notes.report;
	struct exception_facts facts = {
		.stack = { .stack = &report->exception_backtrace,
		           .total = count_fields(message->wire,
		                                 EXCEPTION_FRAMES) },
	};

	note_depth(message, &facts.stack);
	plcrash_read(message, fields, ARRAY_SIZE(fields), &facts);
	report->thrown.name = facts.name;
	report->thrown.reason = facts.reason;
}

struct thread_facts {
	struct report_thread *thread;
	struct plcrash_stack stack;
	struct plcrash_number number;
	struct plcrash_number crashed;
};

struct plcrash_register {
	const char *name;
	struct plcrash_number value;
};

static void read_register(struct plcrash_message *message, void *target)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "name", PLCRASH_TEXT, struct plcrash_register,
		              name),
		PLCRASH_FIELD(2, "value", PLCRASH_NUMBER,
		              struct plcrash_register, value),
	};
	struct thread_facts *facts = target;
	struct report_thread_state *state = &facts->thread->state;
	struct plcrash_register found = { 0 };
	struct report_register *reg;

	if (state->count == REGISTER_LIMIT)
		return;
	plcrash_read(message, fields, ARRAY_SIZE(fields), &found);
	if (!found.name)
		return;
	reg = report_add_register(state, message->reader->notes.arena);
	reg->name = found.name;
	reg->value = found.value.value;
	reg->available = found.value.found;
}

static void read_thread_frame(struct plcrash_message *message, void *target)
{
	struct thread_facts *facts = target;

	read_frame(message, &facts->stack);
}

void plcrash_read_thread(struct plcrash_message *message, void *target UNUSED)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "thread_number", PLCRASH_NUMBER,
		              struct thread_facts, number),
		PLCRASH_INNER(THREAD_FRAMES, "frames", PLCRASH_MESSAGES,
		              read_thread_frame),
		PLCRASH_FIELD(3, "crashed", PLCRASH_NUMBER, struct thread_facts,
		              crashed),
		PLCRASH_INNER(4, "registers", PLCRASH_MESSAGES, read_register),
	};
	struct plcrash_reader *reader = message->reader;
	struct report *report = reader->notes.report;
	struct thread_facts facts = { 0 };

	if (report->thread_count == limit_get(LIMIT_THREADS))
		return;
	facts.thread = report_add_thread(report, reader->notes.arena);
	facts.stack.stack = &facts.thread->stack;
	facts.stack.total = count_fields(message->wire, THREAD_FRAMES);
	note_depth(message, &facts.stack);
	plcrash_read(message, fields, ARRAY_SIZE(fields), &facts);
	facts.thread->number = facts.number.found ? facts.number.value
	                                          : message->place.index;
	facts.thread->crashed = facts.crashed.value != 0;
	if (!facts.thread->crashed)
		return;
	report->triggered_thread = facts.thread->number;
	report->has_triggered_thread = true;
}

struct image_facts {
	struct plcrash_number base;
	struct plcrash_number size;
	const char *path;
	struct bytes uuid;
	struct plcrash_cpu cpu;
};

static void read_code_type(struct plcrash_message *message, void *target)
{
	struct image_facts *facts = target;

	plcrash_read_cpu(message, &facts->cpu);
}

static void set_uuid(const struct plcrash_message *message, struct bytes bytes,
                     struct uuid *uuid)
{
	// Empty if the image has no UUID.
	if (bytes.size == UUID_BYTES)
		memcpy(uuid->bytes, bytes.data, UUID_BYTES);
	else if (bytes.size)
		json_place_note(&message->place, "uuid",
		                "expected 16 bytes, found %zu", bytes.size);
}

void plcrash_read_image(struct plcrash_message *message, void *target UNUSED)
{
	static const struct plcrash_field fields[] = {
		PLCRASH_FIELD(1, "base_address", PLCRASH_NUMBER,
		              struct image_facts, base),
		PLCRASH_FIELD(2, "size", PLCRASH_NUMBER, struct image_facts,
		              size),
		PLCRASH_FIELD(3, "name", PLCRASH_TEXT, struct image_facts,
		              path),
		PLCRASH_FIELD(4, "uuid", PLCRASH_BYTES, struct image_facts,
		              uuid),
		PLCRASH_INNER(5, "code_type", PLCRASH_MESSAGE, read_code_type),
	};
	struct report *report = message->reader->notes.report;
	struct image_facts facts = { 0 };
	struct report_image *image;

	if (report->image_count == limit_get(LIMIT_IMAGES))
		return;
	plcrash_read(message, fields, ARRAY_SIZE(fields), &facts);
	if (!facts.base.found) {
		if (!message->shortened)
			json_place_note(&message->place, "base_address",
			                "there is none; the image is left out");
		return;
	}
	image = report_add_image(report, message->reader->notes.arena);
	image->base = facts.base.value;
	image->size = facts.size.value;
	image->path = facts.path;
	image->name = text_base_cstr(facts.path);
	image->arch = plcrash_cpu_arch(&facts.cpu);
	// The app's image is first.
	if (image->arch && report->image_count == 1)
		message->reader->main_cpu_type = facts.cpu.type.value;
	set_uuid(message, facts.uuid, &image->uuid);
}

void plcrash_note_limits(const struct plcrash_message *report)
{
	const struct plcrash_reader *reader = report->reader;

	if (reader->notes.report->thread_count == limit_get(LIMIT_THREADS))
		json_place_note(&report->place, "threads",
		                "%zu or more; only those are read%s",
		                limit_get(LIMIT_THREADS),
		                limit_hint(LIMIT_THREADS));
	if (reader->notes.report->image_count == limit_get(LIMIT_IMAGES))
		json_place_note(&report->place, "binary_images",
		                "%zu or more; only those are read%s",
		                limit_get(LIMIT_IMAGES),
		                limit_hint(LIMIT_IMAGES));
}
