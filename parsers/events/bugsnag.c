// SPDX-License-Identifier: MIT
/*
 * Bugsnag's events, from its SDKs and from its pages (apmtool-formats(5)). Each
 * frame has the UUID of its image.
 */
#include "lib/base/limit.h"
#include "lib/darwin/exceptions.h"
#include "parsers/events/event.h"

#include <string.h>

static const struct json_field frame_fields[] = {
	JSON_FIELD_HAS("frameAddress", JSON_FIELD_U64, struct event_frame,
	               address, has_address),
	JSON_FIELD("machoLoadAddress", JSON_FIELD_U64, struct event_frame,
	           base),
	JSON_FIELD("machoFile", JSON_FIELD_TEXT, struct event_frame, image),
	JSON_FIELD("machoUUID", JSON_FIELD_TEXT, struct event_frame, uuid),
	JSON_FIELD("method", JSON_FIELD_TEXT, struct event_frame, symbol),
	JSON_FIELD("symbolAddress", JSON_FIELD_U64, struct event_frame,
	           symbol_address),
	JSON_FIELD("file", JSON_FIELD_TEXT, struct event_frame, path),
	JSON_FIELD_HAS("lineNumber", JSON_FIELD_U64, struct event_frame, line,
	               has_line),
	JSON_FIELD("columnNumber", JSON_FIELD_U64, struct event_frame, column),
	JSON_FIELD("isPC", JSON_FIELD_BOOL, struct event_frame, is_pc),
	JSON_FIELD("inProject", JSON_FIELD_BOOL, struct event_frame, is_own),
};

static void read_frame(const struct json_place *place, const cJSON *value,
                       void *context)
{
	struct event_frame frame = { 0 };

	json_place_fields(place, value, frame_fields, ARRAY_SIZE(frame_fields),
	                  &frame);
	// Its pages put the image where other languages have the source file.
	if (frame.path && frame.image && !strcmp(frame.path, frame.image))
		frame.path = NULL;
	event_add_frame(place, &frame, false, context);
}

static void read_stack(const struct json_place *place, const cJSON *value,
                       struct report_stack *stack)
{
	if (!stack->count)
		json_place_each(place, value, "stacktrace", LIMIT_FRAMES,
		                "frames", read_frame, stack);
}

static void read_thread(const struct json_place *place, const cJSON *value,
                        void *context UNUSED)
{
	static const struct json_field fields[] = {
		JSON_FIELD("name", JSON_FIELD_TEXT, struct report_thread, name),
		JSON_FIELD("errorReportingThread", JSON_FIELD_BOOL,
		           struct report_thread, crashed),
	};
	struct json_reader *reader = place->reader;
	struct report_thread *thread =
	        report_add_thread(reader->report, reader->arena);

	// Text of digits, mostly.
	if (!json_as_u64(cJSON_GetObjectItemCaseSensitive(value, "id"),
	                 &thread->number))
		thread->number = place->index;
	json_place_fields(place, value, fields, ARRAY_SIZE(fields), thread);
	read_stack(place, value, &thread->stack);
}

static struct report_thread *crashed_thread(struct report *report,
                                            struct arena *arena)
{
	struct report_thread *thread;

	for (size_t i = 0; i < report->thread_count; i++)
		if (report->threads[i]->crashed)
			return report->threads[i];
	if (report->thread_count == limit_get(LIMIT_THREADS))
		return NULL;
	thread = report_add_thread(report, arena);
	thread->crashed = !report->kind;
	return thread;
}

/** The kernel's message as the SDK keeps it, or only the signal. */
static void read_fault(const cJSON *event, struct report *report,
                       struct arena *arena)
{
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(
	        cJSON_GetObjectItemCaseSensitive(event, "metaData"), "error");
	const cJSON *mach = cJSON_GetObjectItemCaseSensitive(error, "mach");
	const cJSON *reason = cJSON_GetObjectItemCaseSensitive(
	        cJSON_GetObjectItemCaseSensitive(event, "severityReason"),
	        "attributes");
	struct event_fault fault = {
		.signal = event_text(
		        cJSON_GetObjectItemCaseSensitive(error, "signal"),
		        "name", arena),
	};
	uint64_t number;

	if (!fault.signal)
		fault.signal = event_text(reason, "signalType", arena);
	if (json_as_u64(cJSON_GetObjectItemCaseSensitive(mach, "exception"),
	                &number))
		fault.type = darwin_exception_name(number);
	fault.has_code = json_as_u64(
	        cJSON_GetObjectItemCaseSensitive(mach, "code"), &fault.code);
	fault.has_subcode =
	        json_as_u64(cJSON_GetObjectItemCaseSensitive(mach, "subcode"),
	                    &fault.subcode);
	event_set_fault(report, arena, &fault);
}

/** Handled errors were reported by the app itself. */
static const char *kind_of(const cJSON *event)
{
	const cJSON *reason =
	        cJSON_GetObjectItemCaseSensitive(event, "severityReason");
	const char *type = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(reason, "type"));
	bool unhandled = true;

	json_as_bool(cJSON_GetObjectItemCaseSensitive(event, "unhandled"),
	             &unhandled);
	return !unhandled || (type && !strcmp(type, "handledException"))
	               ? "user-reported"
	               : NULL;
}

static void read_exceptions(const struct json_place *event_place,
                            const cJSON *event)
{
	struct json_place place = JSON_PLACE_MEMBER(event_place, "exceptions");
	struct report *report = place.reader->report;
	struct arena *arena = place.reader->arena;
	const cJSON *first = cJSON_GetArrayItem(
	        cJSON_GetObjectItemCaseSensitive(event, "exceptions"), 0);
	struct report_thread *thread;

	place.index = 0;
	if (!cJSON_IsObject(first))
		return;
	event_set_error(report, arena, event_text(first, "errorClass", arena),
	                event_text(first, "message", arena), kind_of(event));
	read_fault(event, report, arena);
	if (report->thrown.name) {
		report->exception_backtrace.all_return_addresses = true;
		read_stack(&place, first, &report->exception_backtrace);
	}
	thread = crashed_thread(report, arena);
	if (thread && !report->exception_backtrace.count)
		read_stack(&place, first, &thread->stack);
}

static void read_facts(const cJSON *event, struct report *report,
                       struct arena *arena)
{
	const cJSON *app = cJSON_GetObjectItemCaseSensitive(event, "app");
	const cJSON *device = cJSON_GetObjectItemCaseSensitive(event, "device");
	const char *build = event_text(
	        cJSON_GetObjectItemCaseSensitive(device, "runtimeVersions"),
	        "osBuild", arena);

	report->identifier = event_text(app, "id", arena);
	report->version = event_text(app, "version", arena);
	report->build = event_text(app, "bundleVersion", arena);
	report->hardware_model = event_text(device, "model", arena);
	report->date_time = event_date(
	        cJSON_GetObjectItemCaseSensitive(device, "time"), arena);
	if (!report->date_time)
		report->date_time = event_date(
		        cJSON_GetObjectItemCaseSensitive(event, "receivedAt"),
		        arena);
	event_set_os(report, arena, event_text(device, "osName", arena),
	             event_text(device, "osVersion", arena), build);
}

static void read_event(const struct json_place *place, const cJSON *event)
{
	struct report *report = place->reader->report;
	struct arena *arena = place->reader->arena;

	read_facts(event, report, arena);
	json_place_each(place, event, "threads", LIMIT_THREADS, "threads",
	                read_thread, NULL);
	read_exceptions(place, event);
	if (report->image_count)
		json_place_note(place, "exceptions",
		                "images were taken from the frames, and end at "
		                "the last frame of each");
}

static bool is_event(const cJSON *object)
{
	const cJSON *first = cJSON_GetArrayItem(
	        cJSON_GetObjectItemCaseSensitive(object, "exceptions"), 0);

	return cJSON_IsObject(first) &&
	       (cJSON_GetObjectItemCaseSensitive(first, "errorClass") ||
	        cJSON_GetObjectItemCaseSensitive(first, "stacktrace"));
}

static bool bugsnag_sniff(const struct envelope *in)
{
	const uint64_t names = event_names(in);

	return names & (JSON_HAS(EVENTS) | JSON_HAS(EVENT) |
	                JSON_HAS(EXCEPTIONS)) &&
	       text_find(in->text, "\"errorClass\"") != TEXT_NOWHERE &&
	       text_find(in->text, "\"frameAddress\"") != TEXT_NOWHERE;
}

static struct error *bugsnag_read(const struct envelope *in, struct sink *sink)
{
	return event_read_all(in, bugsnag_reader.name, is_event, read_event,
	                      sink);
}

const struct reader bugsnag_reader = {
	.name = "bugsnag",
	.summary = "Bugsnag's events of native code (JSON)",
	.yields = YIELDS_REPORTS,
	.sniff = bugsnag_sniff,
	.read = bugsnag_read,
};
