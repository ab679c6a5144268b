// SPDX-License-Identifier: MIT
#include "parsers/kscrash/parts.h"

#include "lib/base/limit.h"

#include <inttypes.h>
#include <string.h>

// Frames

struct frame_entry {
	uint64_t address;
	bool has_address;
	uint64_t object_address;
	bool has_object_address;
	const char *object_name;
	uint64_t symbol_address;
	const char *symbol;
	uint64_t repeat_count;
};

static const struct json_field frame_fields[] = {
	JSON_FIELD_HAS("instruction_addr", JSON_FIELD_U64, struct frame_entry,
	               address, has_address),
	JSON_FIELD_HAS("object_addr", JSON_FIELD_U64, struct frame_entry,
	               object_address, has_object_address),
	JSON_FIELD("object_name", JSON_FIELD_TEXT, struct frame_entry,
	           object_name),
	JSON_FIELD("symbol_addr", JSON_FIELD_U64, struct frame_entry,
	           symbol_address),
	JSON_FIELD("symbol_name", JSON_FIELD_TEXT, struct frame_entry, symbol),
	JSON_FIELD("repeat_count", JSON_FIELD_U64, struct frame_entry,
	           repeat_count),
};

void kscrash_set_symbol(struct report_frame *frame, const char *symbol,
                        uint64_t address, struct arena *arena)
{
	struct report_call *call;

	// So the device hides a name.
	if (!symbol || !*symbol || !strcmp(symbol, "<redacted>"))
		return;
	call = arena_alloc(arena, sizeof(*call));
	call->symbol = symbol;
	if (address && address <= frame->address) {
		call->symbol_offset = frame->address - address;
		call->has_symbol_offset = true;
	}
	frame->calls = call;
	frame->call_count = 1;
	frame->source = REPORT_SOURCE_REPORT;
}

void kscrash_read_frame(const struct json_place *place, const cJSON *value,
                        struct report_stack *stack)
{
	struct arena *arena = place->reader->arena;
	struct frame_entry entry = { 0 };
	struct report_frame *frame;

	if (!json_place_may_read(place, 1))
		return;
	if (cJSON_IsObject(value))
		json_place_fields(place, value, frame_fields,
		                  ARRAY_SIZE(frame_fields), &entry);
	else
		entry.has_address = json_as_u64(value, &entry.address);
	if (!entry.has_address) {
		json_place_note(place, NULL,
		                "skipped: it has no instruction_addr");
		return;
	}
	frame = report_add_frame(stack, arena);
	frame->address = entry.address;
	if (entry.object_name && *entry.object_name)
		frame->image_name = entry.object_name;
	// If no image covers the address, this yields the image that the device
	// recorded.
	if (entry.has_object_address && entry.object_address &&
	    entry.object_address < entry.address)
		frame->image_offset = entry.address - entry.object_address;
	frame->is_pc = report_is_after_trampoline(stack);
	frame->repeat_count = entry.repeat_count;
	kscrash_set_symbol(frame, entry.symbol, entry.symbol_address, arena);
}

void kscrash_read_frames(const struct json_place *place, const cJSON *frames,
                         struct report_stack *stack)
{
	struct json_place element = *place;
	size_t count = (size_t)cJSON_GetArraySize(frames);
	size_t max = limit_get(LIMIT_FRAMES);

	report_make_room(stack, place->reader->arena,
	                 count < max ? count : max);
	element.index = 0;
	for (const cJSON *value = cJSON_GetArrayItem(frames, 0); value;
	     value = value->next, element.index++) {
		if (element.index == max) {
			json_place_note_limit(place, NULL, LIMIT_FRAMES, count,
			                      "frames");
			return;
		}
		kscrash_read_frame(&element, value, stack);
	}
}

/** @param key  Member of a thread, or of the crash. */
static void read_backtrace(const struct json_place *outer, const cJSON *object,
                           const char *key, struct report_stack *stack)
{
	const cJSON *backtrace =
	        json_place_member(outer, object, key, JSON_OBJECT);
	struct json_place place = JSON_PLACE_MEMBER(outer, key);
	struct json_place frames_place = JSON_PLACE_MEMBER(&place, "contents");
	const char *error = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(backtrace, "error"));
	uint64_t skipped = 0;

	kscrash_read_frames(
	        &frames_place,
	        json_place_member(&place, backtrace, "contents", JSON_ARRAY),
	        stack);
	if (error)
		json_place_note(&place, "error", "%s", error);
	if (json_as_u64(cJSON_GetObjectItemCaseSensitive(backtrace, "skipped"),
	                &skipped) &&
	    skipped)
		json_place_note(&place, "skipped",
		                "%" PRIu64 " outer frames were not recorded",
		                skipped);
}

// Threads

struct thread_entry {
	struct report_thread thread;
	bool has_number;
};

/** Since 2.6 the stack of the exception is separate from the handler's. */
static bool has_exception_backtrace(const struct kscrash *ks)
{
	return cJSON_GetObjectItemCaseSensitive(ks->crash,
	                                        "last_exception_backtrace");
}

static void read_exception_backtrace(const struct kscrash *ks,
                                     const struct json_place *crash_place)
{
	struct report_stack *stack =
	        &ks->place.reader->report->exception_backtrace;

	if (!has_exception_backtrace(ks))
		return;
	stack->all_return_addresses = true;
	read_backtrace(crash_place, ks->crash, "last_exception_backtrace",
	               stack);
}

static void read_thread(const struct kscrash *ks,
                        const struct json_place *place, const cJSON *value)
{
	static const struct json_field fields[] = {
		JSON_FIELD_HAS("index", JSON_FIELD_U64, struct thread_entry,
		               thread.number, has_number),
		JSON_FIELD("name", JSON_FIELD_TEXT, struct thread_entry,
		           thread.name),
		JSON_FIELD("dispatch_queue", JSON_FIELD_TEXT,
		           struct thread_entry, thread.queue),
		JSON_FIELD("crashed", JSON_FIELD_BOOL, struct thread_entry,
		           thread.crashed),
	};
	struct json_place registers_place =
	        JSON_PLACE_MEMBER(place, "registers");
	struct thread_entry entry = { 0 };
	struct report_thread *thread;

	if (!cJSON_IsObject(value)) {
		json_place_unexpected(place, NULL, value, "an object");
		return;
	}
	thread = report_add_thread(place->reader->report, place->reader->arena);
	json_place_fields(place, value, fields, ARRAY_SIZE(fields), &entry);
	if (!entry.has_number && place->index != JSON_NO_INDEX)
		entry.thread.number = place->index;
	*thread = entry.thread;
	// An exception's backtrace replaces the stack of the thread that
	// threw it: its innermost frame is a return address like the others.
	thread->stack.all_return_addresses =
	        thread->crashed && !has_exception_backtrace(ks) &&
	        (ks->error_type == KSCRASH_ERROR_NSEXCEPTION ||
	         ks->error_type == KSCRASH_ERROR_CPP_EXCEPTION ||
	         ks->error_type == KSCRASH_ERROR_USER);
	read_backtrace(place, value, "backtrace", &thread->stack);
	kscrash_read_registers(
	        &registers_place,
	        json_place_member(place, value, "registers", JSON_OBJECT),
	        thread);
}

static bool is_marked(const cJSON *thread)
{
	bool crashed = false;

	json_as_bool(cJSON_GetObjectItemCaseSensitive(thread, "crashed"),
	             &crashed);
	return crashed;
}

const cJSON *kscrash_crashed_thread(const struct kscrash *ks)
{
	const cJSON *alone =
	        cJSON_GetObjectItemCaseSensitive(ks->crash, "crashed_thread");
	const cJSON *threads =
	        cJSON_GetObjectItemCaseSensitive(ks->crash, "threads");
	const cJSON *thread;

	cJSON_ArrayForEach (thread, threads)
		if (is_marked(thread))
			return thread;
	return cJSON_IsObject(alone) ? alone : NULL;
}

/** Find the first thread marked as crashed; others keep their mark. */
static void find_triggered(const struct json_place *place,
                           struct report *report)
{
	for (size_t i = 0; i < report->thread_count; i++) {
		if (!report->threads[i]->crashed)
			continue;
		if (report->has_triggered_thread) {
			json_place_note(place, "threads",
			                "more than one thread is marked as "
			                "crashed: the first is used");
			return;
		}
		report->has_triggered_thread = true;
		report->triggered_thread = report->threads[i]->number;
	}
}

/** Not profiles and trees, nor results of the next launch. */
static bool needs_threads(const struct kscrash *ks)
{
	return ks->crash && !(ks->matrix && ks->matrix->tree_count) &&
	       ks->error_type != KSCRASH_ERROR_PROFILE &&
	       !cJSON_GetObjectItemCaseSensitive(ks->error,
	                                         "termination_reason");
}

void kscrash_read_threads(const struct kscrash *ks)
{
	struct json_place crash_place = JSON_PLACE_MEMBER(&ks->place, "crash");
	struct json_place place = JSON_PLACE_MEMBER(&crash_place, "threads");
	const cJSON *threads = json_place_member(&crash_place, ks->crash,
	                                         "threads", JSON_ARRAY);
	const cJSON *alone =
	        cJSON_GetObjectItemCaseSensitive(ks->crash, "crashed_thread");
	struct report *report = ks->place.reader->report;

	place.index = 0;
	for (const cJSON *value = cJSON_GetArrayItem(threads, 0); value;
	     value = value->next, place.index++) {
		if (place.index == limit_get(LIMIT_THREADS)) {
			json_place_note_limit(
			        &crash_place, "threads", LIMIT_THREADS,
			        (size_t)cJSON_GetArraySize(threads), "threads");
			break;
		}
		read_thread(ks, &place, value);
	}
	// A minimal report has the one thread only; development versions named
	// its number here.
	if (!report->thread_count && cJSON_IsObject(alone)) {
		struct json_place alone_place =
		        JSON_PLACE_MEMBER(&crash_place, "crashed_thread");

		read_thread(ks, &alone_place, alone);
	}
	read_exception_backtrace(ks, &crash_place);
	if (needs_threads(ks) && !report->thread_count)
		json_place_note(&crash_place, "threads",
		                "the report has no threads");
	find_triggered(&crash_place, report);
}
