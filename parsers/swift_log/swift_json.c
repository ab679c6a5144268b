// SPDX-License-Identifier: MIT
/*
 * Swift's crash logs in JSON (apmtool-formats(5)), written by swift-backtrace
 * with `format=json`.
 */
#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "lib/text/json/json.h"
#include "parsers/json/lines.h"
#include "parsers/json/place.h"
#include "parsers/reader.h"
#include "parsers/swift_log/reason.h"
#include "parsers/swift_log/stacks.h"
#include "parsers/text/platform.h"
#include "parsers/text/program.h"
#include "parsers/text/thread_state.h"

#include <inttypes.h>
#include <string.h>

#define MEMORY "Extra Information: Captured Memory"

// Frames

struct frame_entry {
	const char *kind;
	uint64_t address;
	bool has_address;
	uint64_t count; ///< of omitted frames
	const char *symbol;
	const char *description; ///< demangled symbol
	uint64_t offset;
	bool has_offset;
	const char *image;
	bool inlined;
	bool is_failure;
	bool is_thunk;
	bool is_system;
};

static const struct json_field frame_fields[] = {
	JSON_FIELD("kind", JSON_FIELD_TEXT, struct frame_entry, kind),
	JSON_FIELD_HAS("address", JSON_FIELD_U64, struct frame_entry, address,
	               has_address),
	JSON_FIELD("count", JSON_FIELD_U64, struct frame_entry, count),
	JSON_FIELD("inlined", JSON_FIELD_BOOL, struct frame_entry, inlined),
	JSON_FIELD("runtimeFailure", JSON_FIELD_BOOL, struct frame_entry,
	           is_failure),
	JSON_FIELD("thunk", JSON_FIELD_BOOL, struct frame_entry, is_thunk),
	JSON_FIELD("system", JSON_FIELD_BOOL, struct frame_entry, is_system),
	JSON_FIELD("symbol", JSON_FIELD_TEXT, struct frame_entry, symbol),
	JSON_FIELD("description", JSON_FIELD_TEXT, struct frame_entry,
	           description),
	JSON_FIELD("image", JSON_FIELD_TEXT, struct frame_entry, image),
};

struct source_entry {
	const char *file;
	uint64_t line;
	bool has_line;
	uint64_t column;
};

static const struct json_field source_fields[] = {
	JSON_FIELD("file", JSON_FIELD_TEXT, struct source_entry, file),
	JSON_FIELD_HAS("line", JSON_FIELD_U64, struct source_entry, line,
	               has_line),
	JSON_FIELD("column", JSON_FIELD_U64, struct source_entry, column),
};

static unsigned tags_of(const struct frame_entry *entry)
{
	bool is_return = text_same(entry->kind, "returnAddress");
	bool is_async = text_same(entry->kind, "asyncResumePoint");

	return (is_return ? SWIFT_TAG_RETURN : 0) |
	       (is_async ? SWIFT_TAG_ASYNC : 0) |
	       (entry->inlined ? SWIFT_TAG_INLINED : 0) |
	       (entry->is_thunk ? SWIFT_TAG_THUNK : 0) |
	       (entry->is_system ? SWIFT_TAG_SYSTEM : 0);
}

/** The name in the source, without the offset that the log adds to it. */
static struct text name_of(const struct frame_entry *entry)
{
	struct text name = text_from(entry->description ? entry->description
	                                                : entry->symbol);
	size_t sign = text_find_last(name, entry->has_offset ? " + " : " - ");
	uint64_t offset;

	if (entry->description && sign != TEXT_NOWHERE && sign &&
	    number_decimal(text_after(name, sign + strlen(" + ")), &offset))
		name = text_first(name, sign);
	return name;
}

static void read_source(const struct json_place *place, const cJSON *frame,
                        struct swift_call *call)
{
	struct json_place source_place =
	        JSON_PLACE_MEMBER(place, "sourceLocation");
	struct source_entry entry = { 0 };
	const cJSON *source =
	        json_place_member(place, frame, "sourceLocation", JSON_OBJECT);

	if (!source)
		return;
	json_place_fields(&source_place, source, source_fields,
	                  ARRAY_SIZE(source_fields), &entry);
	if (!entry.file)
		return;
	call->path = text_from(entry.file);
	if (text_is(call->path, "/<compiler-generated>"))
		call->path = text_after(call->path, 1);
	call->has_line = entry.has_line && entry.line &&
	                 entry.line <= UINT32_MAX;
	call->line = call->has_line ? (uint32_t)entry.line : 0;
	call->column = entry.column <= UINT32_MAX ? (uint32_t)entry.column : 0;
}

static void add_frame_call(const struct json_place *place, const cJSON *value,
                           const struct frame_entry *entry,
                           struct report_frame *frame)
{
	struct swift_call call = { .path = TEXT_NONE };

	if (entry->image && *entry->image)
		frame->image_name = entry->image;
	if (!entry->symbol && !entry->description)
		return;
	call.symbol = name_of(entry);
	if (entry->symbol && !text_is(call.symbol, entry->symbol))
		call.mangled = entry->symbol;
	call.has_symbol_offset = entry->has_offset;
	call.symbol_offset = entry->offset;
	read_source(place, value, &call);
	if (call.symbol.size && !text_is(call.symbol, "<unknown>"))
		swift_add_call(frame, &call, place->reader->arena);
}

/** Read omitted frames; false if it is a frame. */
static bool read_gap(const struct json_place *place,
                     const struct frame_entry *entry)
{
	if (text_same(entry->kind, "truncated"))
		json_place_note(place, NULL,
		                "frames further out were not recorded");
	else if (!text_same(entry->kind, "omittedFrames"))
		return false;
	else if (entry->count)
		json_place_note(place, NULL,
		                "%" PRIu64 " frame%s omitted by the log",
		                entry->count, text_plural(entry->count));
	else
		json_place_note(place, NULL, "frames omitted by the log");
	return true;
}

static void read_frame(const struct json_place *place, const cJSON *value,
                       void *context)
{
	struct swift_stack *stack = context;
	struct frame_entry entry = { 0 };
	struct report_frame *frame;

	if (!json_place_may_read(place, 1))
		return;
	json_place_fields(place, value, frame_fields, ARRAY_SIZE(frame_fields),
	                  &entry);
	// A negative one is before the function: the log knows no better.
	entry.has_offset =
	        json_as_u64(cJSON_GetObjectItemCaseSensitive(value, "offset"),
	                    &entry.offset) &&
	        entry.offset <= INT64_MAX;
	if (read_gap(place, &entry)) {
		stack->is_open = false;
		return;
	}
	if (!entry.has_address && !entry.symbol && !entry.description) {
		json_place_note(place, NULL, "skipped: it has no address");
		return;
	}
	frame = swift_stack_frame(stack, entry.has_address, entry.address,
	                          tags_of(&entry), place->reader->arena);
	if (entry.is_failure)
		frame->tags |= REPORT_FRAME_RUNTIME_FAILURE;
	add_frame_call(place, value, &entry, frame);
}

static void read_frames(const struct json_place *place, const cJSON *thread,
                        struct report_stack *stack)
{
	struct swift_stack reading = { .stack = stack };

	json_place_each(place, thread, "frames", LIMIT_FRAMES, "frames",
	                read_frame, &reading);
	reading.has_tags = true;
	swift_stack_end(&reading);
}

// Threads

static void read_registers(const struct json_place *place, const cJSON *thread,
                           struct report_thread_state *state)
{
	const cJSON *registers =
	        json_place_member(place, thread, "registers", JSON_OBJECT);
	const cJSON *value;

	cJSON_ArrayForEach (value, registers) {
		uint64_t number;

		if (json_as_u64(value, &number))
			thread_state_add(state, place->reader->arena,
			                 text_from(value->string), number);
	}
}

static void read_thread(const struct json_place *place, const cJSON *value,
                        void *context UNUSED)
{
	static const struct json_field fields[] = {
		JSON_FIELD("name", JSON_FIELD_TEXT, struct report_thread, name),
		JSON_FIELD("crashed", JSON_FIELD_BOOL, struct report_thread,
		           crashed),
	};
	struct report *report = place->reader->report;
	struct report_thread *thread;

	thread = report_add_thread(report, place->reader->arena);
	thread->number = place->index;
	json_place_fields(place, value, fields, ARRAY_SIZE(fields), thread);
	if (thread->crashed && !report->has_triggered_thread) {
		report->has_triggered_thread = true;
		report->triggered_thread = thread->number;
	}
	read_frames(place, value, &thread->stack);
	read_registers(place, value, &thread->state);
}

static void read_threads(const struct json_place *root_place, const cJSON *root)
{
	uint64_t omitted = 0;

	json_place_each(root_place, root, "threads", LIMIT_THREADS, "threads",
	                read_thread, NULL);
	if (json_as_u64(
	            cJSON_GetObjectItemCaseSensitive(root, "omittedThreads"),
	            &omitted) &&
	    omitted)
		json_place_note(root_place, "omittedThreads",
		                "%" PRIu64 " thread%s omitted by the log, and "
		                "the numbers of all are lost",
		                omitted, text_plural(omitted));
}

// Images

struct image_entry {
	const char *name;
	const char *build_id;
	const char *path;
	uint64_t base;
	bool has_base;
	uint64_t end;
};

static void read_image(const struct json_place *place, const cJSON *value,
                       void *context UNUSED)
{
	static const struct json_field fields[] = {
		JSON_FIELD("name", JSON_FIELD_TEXT, struct image_entry, name),
		JSON_FIELD("buildId", JSON_FIELD_TEXT, struct image_entry,
		           build_id),
		JSON_FIELD("path", JSON_FIELD_TEXT, struct image_entry, path),
		JSON_FIELD_HAS("baseAddress", JSON_FIELD_U64,
		               struct image_entry, base, has_base),
		JSON_FIELD("endOfText", JSON_FIELD_U64, struct image_entry,
		           end),
	};
	struct image_entry entry = { 0 };
	struct report_image *image;

	json_place_fields(place, value, fields, ARRAY_SIZE(fields), &entry);
	if (!entry.has_base)
		json_place_note(place, "baseAddress",
		                "the image has no load address");
	image = report_add_image(place->reader->report, place->reader->arena);
	image->base = entry.base;
	image->size = number_difference(entry.end, entry.base);
	image->path = entry.path;
	image->name = entry.name ? entry.name : text_base_cstr(entry.path);
	// Other systems have longer ones, not UUIDs.
	if (entry.build_id)
		uuid_parse(text_from(entry.build_id), &image->uuid);
}

static void read_images(const struct json_place *root_place, const cJSON *root)
{
	uint64_t omitted = 0;

	json_place_each(root_place, root, "images", LIMIT_IMAGES, "images",
	                read_image, NULL);
	if (json_as_u64(cJSON_GetObjectItemCaseSensitive(root, "omittedImages"),
	                &omitted) &&
	    omitted)
		json_place_note(root_place, "omittedImages",
		                "%" PRIu64
		                " image%s without frames omitted by the log",
		                omitted, text_plural(omitted));
}

// Reader

/** `Bad pointer dereference`, with the address from its own member. */
static void read_reason(const cJSON *root, struct report *report,
                        struct arena *arena)
{
	const char *description = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(root, "description"));
	struct text reason =
	        text_trim(text_from(description ? description : ""));
	uint64_t address;

	text_take(&reason, "Program crashed: ");
	if (!reason.size)
		return;
	if (text_find(reason, " at 0x") == TEXT_NOWHERE &&
	    json_as_u64(cJSON_GetObjectItemCaseSensitive(root, "faultAddress"),
	                &address))
		reason = text_from(arena_printf(arena, "%s at 0x%016" PRIx64,
		                                arena_text(arena, reason),
		                                address));
	swift_set_reason(report, arena, reason);
}

static void read_memory(const cJSON *root, struct report *report,
                        struct arena *arena)
{
	const cJSON *memory =
	        cJSON_GetObjectItemCaseSensitive(root, "capturedMemory");
	SCOPED(str_release) struct str text = { 0 };

	if (!cJSON_GetArrayItem(memory, 0))
		return;
	json_lines_add(&text, memory);
	json_lines_section(report, arena, MEMORY, &text);
}

static void read_root(const struct json_place *place, const cJSON *root)
{
	struct report *report = place->reader->report;
	struct arena *arena = place->reader->arena;
	const char *date = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(root, "timestamp"));
	const char *arch = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(root, "architecture"));
	const char *os = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(root, "platform"));

	read_reason(root, report, arena);
	if (date)
		report->date_time = arena_strdup(arena, date);
	if (os)
		swift_set_os(report, arena, text_from(os));
	read_threads(place, root);
	read_images(place, root);
	if (arch)
		swift_set_arch(report, arena, text_from(arch));
	text_platform_set(report);
	report_place_frames(report);
	text_program_set(report);
	read_memory(root, report, arena);
}

static struct error *swift_json_read(const struct envelope *envelope,
                                     struct sink *sink)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	struct json_reader reader = {
		.report = report_new(sink->arena),
		.arena = sink->arena,
	};
	struct json_place place = JSON_PLACE_ROOT(&reader);
	const cJSON *root;
	struct error *err;
	size_t used;

	err = json_salvage(text_trim_left(envelope->text), &used, &doc);
	if (err)
		return err;
	root = json_root(doc);
	if (!cJSON_IsObject(root))
		return error_new(
		        ERROR_FORMAT, "%s",
		        json_unexpected(root, "an object", sink->arena));
	reader.report->format = swift_json_reader.name;
	read_root(&place, root);
	json_note_document(doc, NULL, reader.report, sink->arena);
	sink_report(sink, reader.report);
	return NULL;
}

static bool swift_json_sniff(const struct envelope *in)
{
	const uint64_t names = JSON_HAS(FAULT_ADDRESS) | JSON_HAS(THREADS);

	return (in->names & names) == names ||
	       (in->names & JSON_HAS(FAULT_ADDRESS) &&
	        text_find(in->text, "\"crashReport\"") != TEXT_NOWHERE);
}

const struct reader swift_json_reader = {
	.name = "swift-json",
	.summary = "Swift's own crash logs (swift-backtrace), in JSON",
	.yields = YIELDS_REPORTS,
	.sniff = swift_json_sniff,
	.read = swift_json_read,
};
