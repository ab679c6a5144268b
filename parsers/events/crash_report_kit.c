// SPDX-License-Identifier: MIT
/*
 * CrashReportKit's reports, which an extension of iOS 27 writes for a crashed
 * app (apmtool-formats(5)).
 */
#include "lib/base/limit.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/signals.h"
#include "parsers/events/event.h"
#include "parsers/text/bracket.h"
#include "parsers/text/thread_state.h"

#include <string.h>

// Images and frames

static void read_image(const struct json_place *place, const cJSON *value,
                       void *context UNUSED)
{
	struct report *report = place->reader->report;
	struct arena *arena = place->reader->arena;
	struct report_image *image = report_add_image(report, arena);
	const char *uuid = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(value, "uuid"));

	if (!json_as_u64(cJSON_GetObjectItemCaseSensitive(value, "baseAddress"),
	                 &image->base))
		json_place_note(place, "baseAddress",
		                "the image has no load address");
	json_as_u64(cJSON_GetObjectItemCaseSensitive(value, "size"),
	            &image->size);
	image->path = event_text(value, "path", arena);
	image->name = text_base_cstr(image->path);
	if (uuid && !uuid_parse(text_from(uuid), &image->uuid))
		json_place_note(place, "uuid", "expected a UUID, found '%.64s'",
		                uuid);
}

struct image_entry {
	const char *name;
	const char *path;
	const char *uuid;
	uint64_t offset;
	bool has_offset;
};

/** The device's name, whose first part may be an inlined call. */
static void read_symbol(const cJSON *symbols, struct arena *arena,
                        struct event_frame *frame)
{
	static const char *const names[] = { "symbol", "symbolName", "name" };
	static const char *const offsets[] = { "symbolOffset", "offset" };
	const cJSON *symbol = cJSON_GetArrayItem(symbols, 0);

	if (cJSON_GetStringValue(symbol))
		frame->symbol =
		        arena_strdup(arena, cJSON_GetStringValue(symbol));
	for (size_t i = 0; !frame->symbol && i < ARRAY_SIZE(names); i++)
		frame->symbol = event_text(symbol, names[i], arena);
	for (size_t i = 0; !frame->has_symbol_offset && i < ARRAY_SIZE(offsets);
	     i++)
		frame->has_symbol_offset = json_as_u64(
		        cJSON_GetObjectItemCaseSensitive(symbol, offsets[i]),
		        &frame->symbol_offset);
}

static void read_frame(const struct json_place *place, const cJSON *value,
                       void *context)
{
	static const struct json_field fields[] = {
		JSON_FIELD("name", JSON_FIELD_TEXT, struct image_entry, name),
		JSON_FIELD("path", JSON_FIELD_TEXT, struct image_entry, path),
		JSON_FIELD("uuid", JSON_FIELD_TEXT, struct image_entry, uuid),
		JSON_FIELD_HAS("offset", JSON_FIELD_U64, struct image_entry,
		               offset, has_offset),
	};
	struct json_place image_place = JSON_PLACE_MEMBER(place, "image");
	const cJSON *image =
	        json_place_member(place, value, "image", JSON_OBJECT);
	struct image_entry entry = { 0 };
	struct event_frame frame = { 0 };

	if (image)
		json_place_fields(&image_place, image, fields,
		                  ARRAY_SIZE(fields), &entry);
	frame.has_address =
	        json_as_u64(cJSON_GetObjectItemCaseSensitive(value, "address"),
	                    &frame.address);
	if (entry.has_offset && entry.offset <= frame.address)
		frame.base = frame.address - entry.offset;
	frame.image = entry.path ? entry.path : entry.name;
	frame.uuid = entry.uuid;
	read_symbol(cJSON_GetObjectItemCaseSensitive(value, "symbols"),
	            place->reader->arena, &frame);
	event_add_frame(place, &frame, false, context);
}

// Threads

static void add_register(const cJSON *registers, const char *name,
                         struct arena *arena, struct report_thread_state *state)
{
	uint64_t value;

	if (json_as_u64(cJSON_GetObjectItemCaseSensitive(registers, name),
	                &value))
		thread_state_add(state, arena, text_from(name), value);
}

static void read_registers(const cJSON *registers, struct arena *arena,
                           struct report_thread_state *state)
{
	static const char *const names[] = { "fp", "lr", "sp", "pc", "cpsr" };
	const cJSON *numbered =
	        cJSON_GetObjectItemCaseSensitive(registers, "x");
	size_t number = 0;

	for (const cJSON *at = cJSON_GetArrayItem(numbered, 0);
	     at && number < 32; at = at->next, number++) {
		uint64_t value;

		if (json_as_u64(at, &value))
			thread_state_add(
			        state, arena,
			        text_from(arena_printf(arena, "x%zu", number)),
			        value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		add_register(registers, names[i], arena, state);
}

static void read_thread(const struct json_place *place, const cJSON *value,
                        void *context UNUSED)
{
	static const struct json_field fields[] = {
		JSON_FIELD("index", JSON_FIELD_U64, struct report_thread,
		           number),
		JSON_FIELD_HAS("id", JSON_FIELD_U64, struct report_thread, id,
		               has_id),
		JSON_FIELD("name", JSON_FIELD_TEXT, struct report_thread, name),
		JSON_FIELD("crashed", JSON_FIELD_BOOL, struct report_thread,
		           crashed),
	};
	struct json_reader *reader = place->reader;
	struct report_thread *thread =
	        report_add_thread(reader->report, reader->arena);

	thread->number = place->index;
	json_place_fields(place, value, fields, ARRAY_SIZE(fields), thread);
	json_place_each(place, value, "frames", LIMIT_FRAMES, "frames",
	                read_frame, &thread->stack);
	read_registers(cJSON_GetObjectItemCaseSensitive(value, "registers"),
	               reader->arena, &thread->state);
}

// Reader

static void read_process(const cJSON *process, struct report *report,
                         struct arena *arena)
{
	const char *os = event_text(process, "operatingSystem", arena);
	struct text rest = text_from(os ? os : "");

	report->process.name = event_text(process, "name", arena);
	report->identifier = event_text(process, "bundleIdentifier", arena);
	report->version = event_text(process, "version", arena);
	report->build = event_text(process, "build", arena);
	report->hardware_model = event_text(process, "deviceModel", arena);
	if (!os)
		return;
	// `Version 27.0 (Build 24A5300)`: the extension runs on iOS alone.
	if (text_take(&rest, "Version "))
		os = arena_printf(arena, "iPhone OS %s", rest.data);
	text_bracket_os_version(text_from(os), report, arena);
}

static void read_exception(const cJSON *exception, struct report *report,
                           struct arena *arena)
{
	const cJSON *codes =
	        cJSON_GetObjectItemCaseSensitive(exception, "codes");
	const cJSON *first = cJSON_GetArrayItem(codes, 0);
	struct event_fault fault = {
		.type = event_text(exception, "type", arena),
	};
	uint64_t number;

	if (json_as_u64(cJSON_GetObjectItemCaseSensitive(exception, "rawValue"),
	                &number) &&
	    darwin_exception_name(number))
		fault.type = darwin_exception_name(number);
	fault.has_code = json_as_u64(first, &fault.code);
	fault.has_subcode = first && json_as_u64(first->next, &fault.subcode);
	number = darwin_default_signal(darwin_exception_number(fault.type),
	                               fault.code, fault.subcode);
	fault.signal = darwin_signal_name(number);
	event_set_fault(report, arena, &fault);
}

static void read_report(const struct json_place *place, const cJSON *root)
{
	struct report *report = place->reader->report;
	struct arena *arena = place->reader->arena;

	report->incident = event_text(root, "id", arena);
	report->date_time = event_date(
	        cJSON_GetObjectItemCaseSensitive(root, "capturedAt"), arena);
	report->code_type = "ARM-64";
	read_process(cJSON_GetObjectItemCaseSensitive(root, "process"), report,
	             arena);
	read_exception(cJSON_GetObjectItemCaseSensitive(root, "exception"),
	               report, arena);
	json_place_each(place, root, "binaryImages", LIMIT_IMAGES, "images",
	                read_image, NULL);
	json_place_each(place, root, "threads", LIMIT_THREADS, "threads",
	                read_thread, NULL);
	report->has_triggered_thread = json_as_u64(
	        cJSON_GetObjectItemCaseSensitive(root, "faultingThread"),
	        &report->triggered_thread);
}

static bool is_report(const cJSON *object)
{
	// Its members are sorted: threads come last, and may be truncated.
	return cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(
	               object, "binaryImages")) &&
	       (cJSON_GetObjectItemCaseSensitive(object, "formatVersion") ||
	        cJSON_GetObjectItemCaseSensitive(object, "capturedAt") ||
	        cJSON_GetObjectItemCaseSensitive(object, "process"));
}

static bool crash_report_kit_sniff(const struct envelope *in)
{
	const uint64_t names = event_names(in);

	// A stackshot has such members, too.
	return names & JSON_HAS(IMAGES_OF_KIT) &&
	       !(names & JSON_HAS(PROCESS_BY_PID)) &&
	       (names & JSON_HAS(THREADS) || names & JSON_HAS(EXCEPTION));
}

static struct error *crash_report_kit_read(const struct envelope *in,
                                           struct sink *sink)
{
	return event_read_all(in, crash_report_kit_reader.name, is_report,
	                      read_report, sink);
}

const struct reader crash_report_kit_reader = {
	.name = "crash-report-kit",
	.summary = "CrashReportKit's reports of iOS 27 (JSON)",
	.yields = YIELDS_REPORTS,
	.sniff = crash_report_kit_sniff,
	.read = crash_report_kit_read,
};
