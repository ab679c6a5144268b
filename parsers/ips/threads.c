// SPDX-License-Identifier: MIT
#include "parsers/ips/crash.h"

#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "lib/darwin/pointer.h"

#include <inttypes.h>
#include <string.h>

// Frames

struct frame_entry {
	uint64_t image;
	bool has_image;
	uint64_t offset;
	bool has_offset;
	const char *symbol;
	uint64_t symbol_offset;
	bool has_symbol_offset;
	const char *file;
	uint64_t line;
	bool has_line;
	bool inlined;
};

// In the order of Apple's writers, for fast lookup.
static const struct json_field frame_fields[] = {
	JSON_FIELD_HAS("imageOffset", JSON_FIELD_U64, struct frame_entry,
	               offset, has_offset),
	JSON_FIELD_HAS("sourceLine", JSON_FIELD_U64, struct frame_entry, line,
	               has_line),
	JSON_FIELD("sourceFile", JSON_FIELD_TEXT, struct frame_entry, file),
	JSON_FIELD("symbol", JSON_FIELD_TEXT, struct frame_entry, symbol),
	JSON_FIELD_HAS("imageIndex", JSON_FIELD_U64, struct frame_entry, image,
	               has_image),
	JSON_FIELD_HAS("symbolLocation", JSON_FIELD_U64, struct frame_entry,
	               symbol_offset, has_symbol_offset),
	JSON_FIELD("inline", JSON_FIELD_BOOL, struct frame_entry, inlined),
};

/** A stack being read. */
struct stack_reader {
	struct report_stack *stack;
	/** The last entry is an inlined call; its caller follows. */
	struct frame_entry last;
	bool group_open;
	size_t call_cap; ///< of the last frame's calls
};

/** `[imageIndex, imageOffset]`, as macOS 11 betas wrote frames. */
static void read_pair(const cJSON *pair, struct frame_entry *entry)
{
	const cJSON *image = cJSON_GetArrayItem(pair, 0);
	const cJSON *offset = image ? image->next : NULL;

	entry->has_image = json_as_u64(image, &entry->image);
	entry->has_offset = json_as_u64(offset, &entry->offset);
}

static bool read_entry(const struct json_place *place, const cJSON *value,
                       struct frame_entry *entry)
{
	if (cJSON_IsObject(value))
		json_place_fields(place, value, frame_fields,
		                  ARRAY_SIZE(frame_fields), entry);
	else if (cJSON_IsArray(value))
		read_pair(value, entry);
	// In a truncated report, ignore an incomplete frame.
	if (place->reader->report->truncated && !value->next &&
	    !(entry->has_image && entry->has_offset))
		return false;
	if (entry->has_image || entry->has_offset)
		return true;
	json_place_note(place, NULL,
	                "skipped: no imageIndex and no imageOffset");
	return false;
}

/** Part of the note about a frame whose image is not listed. */
#define PAST_IMAGES " is past the last image"

/**
 * If the list of images is truncated, every frame of missing images has such a
 * note: merge them into one with a count.
 */
static void fold_image_notes(struct report *report, struct arena *arena)
{
	struct notice *first = NULL;
	size_t kept = 0;
	size_t more = 0;

	for (size_t i = 0; i < report->note_count; i++) {
		struct notice *note = &report->notes[i];
		bool is_one = text_ends(text_from(note->text), PAST_IMAGES);

		if (is_one && first) {
			more++;
			continue;
		}
		report->notes[kept] = *note;
		if (is_one)
			first = &report->notes[kept];
		kept++;
	}
	report->note_count = kept;
	if (more)
		first->text = arena_printf(arena, "%s, as in %zu more frames",
		                           first->text, more);
}

/** Set image and address; a frame with an unknown image is kept. */
static void place_frame(const struct json_place *place,
                        const struct frame_entry *entry,
                        struct report_frame *frame)
{
	const struct report *report = place->reader->report;
	const struct report_image *image;

	frame->address = entry->offset;
	if (!entry->has_image)
		return;
	if (entry->image >= report->image_count) {
		// Without any images there is one note, see ips_read_crash().
		if (report->image_count)
			json_place_note(place, "imageIndex",
			                "%" PRIu64 PAST_IMAGES, entry->image);
		return;
	}
	image = &report->images[entry->image];
	// 'A' is no image: the offset is the address itself.
	if (image->kind == 'A')
		return;
	frame->image = (size_t)entry->image;
	frame->image_offset = entry->offset;
	frame->address = image->base + entry->offset;
}

static void set_file(const struct frame_entry *entry, struct report_call *call)
{
	const char *slash = entry->file ? strrchr(entry->file, '/') : NULL;

	call->file = slash ? slash + 1 : entry->file;
	// `/<compiler-generated>` is no path.
	if (slash && *call->file != '<')
		call->path = entry->file;
	// Newer systems omit an unknown line.
	call->has_line = entry->has_line && entry->line <= UINT32_MAX;
	call->line = call->has_line ? (uint32_t)entry->line : 0;
}

/** Nearly all frames have one call: allocate more on demand. */
static void make_room(struct arena *arena, struct stack_reader *s,
                      struct report_frame *frame)
{
	struct report_call *calls;

	if (frame->call_count < s->call_cap)
		return;
	s->call_cap = s->call_cap ? 2 * s->call_cap : 1;
	calls = arena_array(arena, s->call_cap, sizeof(*calls));
	if (frame->call_count)
		memcpy(calls, frame->calls, frame->call_count * sizeof(*calls));
	frame->calls = calls;
}

static void add_call(const struct frame_entry *entry, struct arena *arena,
                     struct stack_reader *s, struct report_frame *frame)
{
	struct report_call *call;

	if (!entry->symbol)
		return;
	make_room(arena, s, frame);
	call = &frame->calls[frame->call_count++];
	call->symbol = entry->symbol;
	call->symbol_offset = entry->symbol_offset;
	call->has_symbol_offset = entry->has_symbol_offset;
	set_file(entry, call);
	frame->source = REPORT_SOURCE_REPORT;
}

static bool same_address(const struct frame_entry *a,
                         const struct frame_entry *b)
{
	return a->has_image == b->has_image && a->image == b->image &&
	       a->offset == b->offset;
}

static void read_frame(const struct json_place *place, const cJSON *value,
                       struct stack_reader *s)
{
	struct arena *arena = place->reader->arena;
	struct frame_entry entry = { 0 };
	struct report_frame *frame;

	if (!json_place_may_read(place, 1) || !read_entry(place, value, &entry))
		return;
	if (s->group_open && same_address(&s->last, &entry)) {
		frame = &s->stack->frames[s->stack->count - 1];
	} else {
		frame = report_add_frame(s->stack, arena);
		s->call_cap = 0;
		place_frame(place, &entry, frame);
		frame->entry = (uint32_t)place->index;
		frame->is_pc = report_is_after_trampoline(s->stack);
	}
	frame->entry_count++;
	add_call(&entry, arena, s, frame);
	s->group_open = entry.inlined;
	s->last = entry;
}

void ips_read_stack(const struct json_place *outer, const char *name,
                    const cJSON *frames, struct report_stack *stack)
{
	struct json_reader *reader = outer->reader;
	struct json_place place = { reader, outer, name, 0 };
	struct stack_reader s = { .stack = stack };
	size_t count = (size_t)cJSON_GetArraySize(frames);
	bool too_deep = count > limit_get(LIMIT_FRAMES);

	// One more for the caller of a null pointer.
	report_make_room(stack, reader->arena,
	                 (too_deep ? 2 * IPS_FRAMES_KEPT : count) + 1);
	if (too_deep)
		json_place_note(outer, name,
		                "%zu frames: only the first and the last %d "
		                "were read%s",
		                count, IPS_FRAMES_KEPT,
		                limit_hint(LIMIT_FRAMES));
	for (const cJSON *value = cJSON_GetArrayItem(frames, 0); value;
	     value = value->next, place.index++) {
		if (too_deep && place.index >= IPS_FRAMES_KEPT &&
		    place.index < count - IPS_FRAMES_KEPT)
			s.group_open = false;
		else
			read_frame(&place, value, &s);
	}
}

/**
 * A call through a null pointer has no frame of its own: the caller is in the
 * link register. Insert it as the second frame, unless it is there.
 */
static void add_null_pc_caller(const struct json_place *place,
                               struct report_thread *thread)
{
	struct report_stack *stack = &thread->stack;
	uint64_t lr = 0;

	if (!stack->count || stack->frames[0].address)
		return;
	for (size_t i = 0; i < thread->state.count; i++)
		if (!strcmp(thread->state.registers[i].name, "lr"))
			lr = thread->state.registers[i].value;
	for (size_t i = 0; i < stack->count; i++)
		if (stack->frames[i].address == lr ||
		    stack->frames[i].address ==
		            pointer_strip(lr, POINTER_WIDTH_47))
			return;
	if (!lr)
		return;
	report_add_frame(stack, place->reader->arena);
	memmove(&stack->frames[2], &stack->frames[1],
	        (stack->count - 2) * sizeof(*stack->frames));
	stack->frames[1] = (struct report_frame){
		.image = REPORT_NO_IMAGE,
		.address = lr,
		.index_width = 4,
	};
	json_place_note(
	        place, "frames[0]",
	        "the program counter is 0: the link register's address was "
	        "added as its caller");
}

// Threads

static bool is_triggered(const cJSON *thread)
{
	bool triggered = false;

	json_as_bool(cJSON_GetObjectItemCaseSensitive(thread, "triggered"),
	             &triggered);
	return triggered;
}

/** The first hex dump row that fits `  00 00 …-00 …  ascii`. */
#define STREAM_COLUMNS 16
#define STREAM_BYTES   4096

/** A row of the dump; the byte at @p mark is bracketed and pointed at. */
static void add_stream_row(struct str *text, const uint8_t *bytes, size_t count,
                           size_t mark)
{
	str_add_char(text, ' ');
	for (size_t i = 0; i < STREAM_COLUMNS; i++) {
		char gap = i == STREAM_COLUMNS / 2 ? '-' : ' ';

		if (i == mark)
			gap = '[';
		else if (i && i - 1 == mark)
			gap = ']';
		if (i < count)
			str_addf(text, "%c%02x", gap, bytes[i]);
		else
			str_add(text, "   ");
	}
	str_add(text, mark == STREAM_COLUMNS - 1 ? "] " : "  ");
	for (size_t i = 0; i < count; i++)
		str_add_char(text, bytes[i] >= 0x20 && bytes[i] < 0x7f
		                           ? (char)bytes[i]
		                           : '.');
	if (mark < count)
		str_add(text, "\t<==");
}

/** `instructionState`: the code around the program counter, on x86. */
static void read_stream(const struct json_place *place, const cJSON *thread,
                        uint64_t number)
{
	const cJSON *stream = cJSON_GetObjectItemCaseSensitive(
	        cJSON_GetObjectItemCaseSensitive(thread, "instructionState"),
	        "instructionStream");
	struct json_reader *reader = place->reader;
	SCOPED(str_release) struct str text = { 0 };
	uint8_t bytes[STREAM_BYTES];
	uint64_t value;
	uint64_t mark = UINT64_MAX;
	size_t count = 0;

	for (const cJSON *byte = cJSON_GetArrayItem(
	             cJSON_GetObjectItemCaseSensitive(stream, "bytes"), 0);
	     byte && count < STREAM_BYTES && json_as_u64(byte, &value) &&
	     value <= UINT8_MAX;
	     byte = byte->next)
		bytes[count++] = (uint8_t)value;
	json_as_u64(cJSON_GetObjectItemCaseSensitive(stream, "offset"), &mark);
	for (size_t i = 0; i < count; i += STREAM_COLUMNS) {
		size_t left = count - i;
		size_t row = left < STREAM_COLUMNS ? left : STREAM_COLUMNS;

		if (i)
			str_add_char(&text, '\n');
		add_stream_row(&text, bytes + i, row,
		               mark >= i && mark - i < row ? mark - i
		                                           : SIZE_MAX);
	}
	if (count)
		report_add_section(reader->report, reader->arena,
		                   arena_printf(reader->arena,
		                                "Thread %" PRIu64
		                                " instruction stream",
		                                number),
		                   arena_text(reader->arena, str_text(&text)));
}

static void read_thread(const struct json_place *place, const cJSON *value,
                        bool crashed)
{
	static const struct json_field fields[] = {
		JSON_FIELD_HAS("id", JSON_FIELD_U64, struct report_thread, id,
		               has_id),
		JSON_FIELD("name", JSON_FIELD_TEXT, struct report_thread, name),
		JSON_FIELD("queue", JSON_FIELD_TEXT, struct report_thread,
		           queue),
		JSON_FIELD("triggered", JSON_FIELD_BOOL, struct report_thread,
		           crashed),
	};
	struct report_thread *thread =
	        report_add_thread(place->reader->report, place->reader->arena);
	const cJSON *state;

	// The number is the position; `id` is the kernel's.
	thread->number = place->index;
	if (!cJSON_IsObject(value))
		json_place_unexpected(place, NULL, value, "an object");
	json_place_fields(place, value, fields, ARRAY_SIZE(fields), thread);
	thread->crashed |= crashed;
	ips_read_stack(place, "frames",
	               json_place_member(place, value, "frames", JSON_ARRAY),
	               &thread->stack);
	state = json_place_member(place, value, "threadState", JSON_OBJECT);
	if (state)
		ips_read_registers(place, state, thread);
	add_null_pc_caller(place, thread);
	read_stream(place, value, thread->number);
}

/** The index of the faulting thread; or JSON_NO_INDEX. */
static size_t find_faulting(const struct json_place *place, const cJSON *body,
                            const cJSON *threads)
{
	const cJSON *faulting =
	        cJSON_GetObjectItemCaseSensitive(body, "faultingThread");
	size_t count = (size_t)cJSON_GetArraySize(threads);
	size_t triggered = JSON_NO_INDEX;
	size_t at = 0;
	uint64_t index;

	for (const cJSON *value = cJSON_GetArrayItem(threads, 0); value;
	     value = value->next, at++) {
		if (!is_triggered(value))
			continue;
		if (triggered == JSON_NO_INDEX)
			triggered = at;
		else
			json_place_note(
			        place, "threads",
			        "thread %zu is marked as triggered, and so is "
			        "thread %zu",
			        at, triggered);
	}
	if (json_as_u64(faulting, &index) && index < count)
		return triggered == JSON_NO_INDEX ? (size_t)index : triggered;
	// In a truncated report the thread may be missing.
	if (cJSON_IsNumber(faulting))
		json_place_note(
		        place, "faultingThread", "there is no thread %s",
		        json_number_text(faulting, place->reader->arena));
	else if (!json_is_null(faulting))
		json_place_unexpected(place, "faultingThread", faulting,
		                      "a number");
	return triggered;
}

/** `legacyInfo` has the thread's name if its own entry does not. */
static void read_legacy(const struct json_place *body_place, const cJSON *body)
{
	static const struct json_field fields[] = {
		JSON_FIELD("name", JSON_FIELD_TEXT, struct report_thread, name),
		JSON_FIELD("queue", JSON_FIELD_TEXT, struct report_thread,
		           queue),
	};
	struct json_reader *reader = body_place->reader;
	struct report *report = reader->report;
	const cJSON *legacy =
	        cJSON_GetObjectItemCaseSensitive(body, "legacyInfo");
	const cJSON *highlighted =
	        cJSON_GetObjectItemCaseSensitive(legacy, "threadHighlighted");
	struct report_thread named = { 0 };

	json_place_fields(
	        body_place,
	        cJSON_GetObjectItemCaseSensitive(legacy, "threadTriggered"),
	        fields, ARRAY_SIZE(fields), &named);
	for (size_t i = 0; i < report->thread_count; i++) {
		struct report_thread *thread = report->threads[i];

		if (!report->has_triggered_thread ||
		    thread->number != report->triggered_thread)
			continue;
		if (!thread->name)
			thread->name = named.name;
		if (!thread->queue)
			thread->queue = named.queue;
	}
	if (cJSON_IsNumber(highlighted))
		report_add_field(report, reader->arena, "Highlighted by Thread",
		                 json_number_text(highlighted, reader->arena));
}

void ips_read_threads(const struct json_place *body_place, const cJSON *body)
{
	const cJSON *threads =
	        json_place_member(body_place, body, "threads", JSON_ARRAY);
	struct report *report = body_place->reader->report;
	struct json_place place = { .reader = body_place->reader,
		                    .name = "threads" };
	size_t faulting = find_faulting(body_place, body, threads);

	ips_read_stack(body_place, "lastExceptionBacktrace",
	               json_place_member(body_place, body,
	                                 "lastExceptionBacktrace", JSON_ARRAY),
	               &report->exception_backtrace);
	for (const cJSON *value = cJSON_GetArrayItem(threads, 0); value;
	     value = value->next, place.index++) {
		if (place.index == limit_get(LIMIT_THREADS)) {
			json_place_note_limit(
			        body_place, "threads", LIMIT_THREADS,
			        (size_t)cJSON_GetArraySize(threads), "threads");
			break;
		}
		read_thread(&place, value, place.index == faulting);
	}
	report->has_triggered_thread = faulting < report->thread_count;
	if (report->has_triggered_thread)
		report->triggered_thread = faulting;
	read_legacy(body_place, body);
	fold_image_notes(report, body_place->reader->arena);
}
