// SPDX-License-Identifier: MIT
/*
 * Sentry's events, as its SDKs send them and its pages offer them
 * (apmtool-formats(5)). Frames are outermost first.
 */
#include "lib/base/limit.h"
#include "lib/darwin/exceptions.h"
#include "lib/darwin/signals.h"
#include "parsers/events/event.h"
#include "parsers/text/thread_state.h"

#include <string.h>

/** State of an event. */
struct sentry {
	bool has_images;
	struct report_stack *stack; ///< the current one
};

// Images

struct image_entry {
	uint64_t base;
	bool has_base;
	uint64_t size;
	const char *debug_id;
	const char *uuid; ///< in older events
	const char *code_file;
	const char *name; ///< in older events
	const char *arch;
};

static const struct json_field image_fields[] = {
	JSON_FIELD_HAS("image_addr", JSON_FIELD_U64, struct image_entry, base,
	               has_base),
	JSON_FIELD("image_size", JSON_FIELD_U64, struct image_entry, size),
	JSON_FIELD("debug_id", JSON_FIELD_TEXT, struct image_entry, debug_id),
	JSON_FIELD("uuid", JSON_FIELD_TEXT, struct image_entry, uuid),
	JSON_FIELD("code_file", JSON_FIELD_TEXT, struct image_entry, code_file),
	JSON_FIELD("name", JSON_FIELD_TEXT, struct image_entry, name),
	JSON_FIELD("arch", JSON_FIELD_TEXT, struct image_entry, arch),
};

/** A debug id may end in an age, which Mach-O files lack. */
static bool parse_debug_id(const char *id, struct uuid *ret)
{
	struct text text = text_from(id);

	return uuid_parse(text, ret) ||
	       (text.size > UUID_TEXT_SIZE - 1 &&
	        text.data[UUID_TEXT_SIZE - 1] == '-' &&
	        uuid_parse(text_first(text, UUID_TEXT_SIZE - 1), ret));
}

static void read_image(const struct json_place *place, const cJSON *value,
                       void *context)
{
	struct sentry *sentry = context;
	struct image_entry entry = { 0 };
	struct report_image *image;
	const char *id;

	json_place_fields(place, value, image_fields, ARRAY_SIZE(image_fields),
	                  &entry);
	// Source maps and the like have no address.
	if (!entry.has_base)
		return;
	sentry->has_images = true;
	image = report_add_image(place->reader->report, place->reader->arena);
	image->base = entry.base;
	image->size = entry.size;
	image->path = entry.code_file ? entry.code_file : entry.name;
	image->name = text_base_cstr(image->path);
	image->arch = entry.arch;
	id = entry.debug_id ? entry.debug_id : entry.uuid;
	if (id && *id && !parse_debug_id(id, &image->uuid))
		json_place_note(place, "debug_id",
		                "expected a UUID, found '%.64s'", id);
}

// Stacks

static const struct json_field frame_fields[] = {
	JSON_FIELD_HAS("instruction_addr", JSON_FIELD_U64, struct event_frame,
	               address, has_address),
	JSON_FIELD("image_addr", JSON_FIELD_U64, struct event_frame, base),
	JSON_FIELD("package", JSON_FIELD_TEXT, struct event_frame, image),
	JSON_FIELD("function", JSON_FIELD_TEXT, struct event_frame, symbol),
	JSON_FIELD("symbol_addr", JSON_FIELD_U64, struct event_frame,
	           symbol_address),
	JSON_FIELD("abs_path", JSON_FIELD_TEXT, struct event_frame, path),
	JSON_FIELD_HAS("lineno", JSON_FIELD_U64, struct event_frame, line,
	               has_line),
	JSON_FIELD("colno", JSON_FIELD_U64, struct event_frame, column),
	JSON_FIELD("in_app", JSON_FIELD_BOOL, struct event_frame, is_own),
};

static void read_frame(const struct json_place *place, const cJSON *value,
                       void *context)
{
	const struct sentry *sentry = context;
	struct event_frame frame = { 0 };
	bool is_adjusted;

	json_place_fields(place, value, frame_fields, ARRAY_SIZE(frame_fields),
	                  &frame);
	// Else all are return addresses, except of the innermost frame.
	if (json_as_bool(cJSON_GetObjectItemCaseSensitive(
	                         value, "adjust_instruction_addr"),
	                 &is_adjusted))
		frame.is_pc = !is_adjusted;
	if (!frame.path)
		frame.path =
		        event_text(value, "filename", place->reader->arena);
	event_add_frame(place, &frame, sentry->has_images, sentry->stack);
}

/** Innermost first, as the model has them. */
static void turn(struct report_stack *stack)
{
	for (size_t i = 0; i < stack->count / 2; i++) {
		struct report_frame frame = stack->frames[i];

		stack->frames[i] = stack->frames[stack->count - 1 - i];
		stack->frames[stack->count - 1 - i] = frame;
	}
}

static void read_stack(struct sentry *sentry, const struct json_place *outer,
                       const cJSON *value, struct report_stack *stack)
{
	struct json_place place = JSON_PLACE_MEMBER(outer, "stacktrace");
	const cJSON *trace =
	        json_place_member(outer, value, "stacktrace", JSON_OBJECT);

	if (!trace || stack->count)
		return;
	sentry->stack = stack;
	json_place_each(&place, trace, "frames", LIMIT_FRAMES, "frames",
	                read_frame, sentry);
	turn(stack);
}

static void read_registers(const cJSON *value, struct arena *arena,
                           struct report_thread_state *state)
{
	const cJSON *registers = cJSON_GetObjectItemCaseSensitive(
	        cJSON_GetObjectItemCaseSensitive(value, "stacktrace"),
	        "registers");
	const cJSON *at;

	cJSON_ArrayForEach (at, registers) {
		uint64_t number;

		if (json_as_u64(at, &number))
			thread_state_add(state, arena, text_from(at->string),
			                 number);
	}
}

static void read_thread(const struct json_place *place, const cJSON *value,
                        void *context)
{
	static const struct json_field fields[] = {
		JSON_FIELD("id", JSON_FIELD_U64, struct report_thread, number),
		JSON_FIELD("name", JSON_FIELD_TEXT, struct report_thread, name),
		JSON_FIELD("crashed", JSON_FIELD_BOOL, struct report_thread,
		           crashed),
	};
	struct json_reader *reader = place->reader;
	struct report_thread *thread =
	        report_add_thread(reader->report, reader->arena);

	thread->number = place->index;
	json_place_fields(place, value, fields, ARRAY_SIZE(fields), thread);
	read_stack(context, place, value, &thread->stack);
	read_registers(value, reader->arena, &thread->state);
}

// Exceptions

/** `mechanism.meta`: the kernel's message. */
static void read_meta(const cJSON *mechanism, struct report *report,
                      struct arena *arena)
{
	const cJSON *meta = cJSON_GetObjectItemCaseSensitive(mechanism, "meta");
	const cJSON *mach =
	        cJSON_GetObjectItemCaseSensitive(meta, "mach_exception");
	const cJSON *signal = cJSON_GetObjectItemCaseSensitive(meta, "signal");
	struct event_fault fault = { .signal = event_text(signal, "name",
		                                          arena) };
	uint64_t number;

	if (json_as_u64(cJSON_GetObjectItemCaseSensitive(mach, "exception"),
	                &number))
		fault.type = darwin_exception_name(number);
	if (!fault.type)
		fault.type = event_text(mach, "name", arena);
	fault.has_code = json_as_u64(
	        cJSON_GetObjectItemCaseSensitive(mach, "code"), &fault.code);
	fault.has_subcode =
	        json_as_u64(cJSON_GetObjectItemCaseSensitive(mach, "subcode"),
	                    &fault.subcode);
	if (!fault.signal &&
	    json_as_u64(cJSON_GetObjectItemCaseSensitive(signal, "number"),
	                &number))
		fault.signal = darwin_signal_name(number);
	event_set_fault(report, arena, &fault);
}

static const char *kind_of(const cJSON *mechanism)
{
	static const struct {
		const char *type;
		const char *kind;
	} kinds[] = {
		{ "nsexception", "objc-exception" },
		{ "NSException", "objc-exception" },
		{ "cpp_exception", "cpp-exception" },
		{ "NSError", "user-reported" },
		{ "user", "user-reported" },
	};
	const char *type = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(mechanism, "type"));
	bool handled = false;

	json_as_bool(cJSON_GetObjectItemCaseSensitive(mechanism, "handled"),
	             &handled);
	for (size_t i = 0; type && i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(type, kinds[i].type))
			return kinds[i].kind;
	return handled ? "user-reported" : NULL;
}

/** The thread that it is about, or a new one. */
static struct report_thread *thread_of(const cJSON *exception,
                                       struct report *report,
                                       struct arena *arena)
{
	struct report_thread *thread;
	uint64_t id = 0;
	bool has_id = json_as_u64(
	        cJSON_GetObjectItemCaseSensitive(exception, "thread_id"), &id);

	for (size_t i = 0; i < report->thread_count; i++)
		if (has_id ? report->threads[i]->number == id
		           : report->threads[i]->crashed)
			return report->threads[i];
	if (report->thread_count == limit_get(LIMIT_THREADS))
		return NULL;
	thread = report_add_thread(report, arena);
	thread->number = id;
	return thread;
}

static void read_exception(struct sentry *sentry,
                           const struct json_place *place, const cJSON *value)
{
	struct report *report = place->reader->report;
	struct arena *arena = place->reader->arena;
	const cJSON *mechanism =
	        cJSON_GetObjectItemCaseSensitive(value, "mechanism");
	const char *kind = kind_of(mechanism);
	struct report_thread *thread;

	event_set_error(report, arena, event_text(value, "type", arena),
	                event_text(value, "value", arena), kind);
	read_meta(mechanism, report, arena);
	if (report->thrown.name || report->thrown.class_name) {
		report->exception_backtrace.all_return_addresses = true;
		read_stack(sentry, place, value, &report->exception_backtrace);
	}
	thread = thread_of(value, report, arena);
	if (!thread)
		return;
	thread->crashed = !report->kind;
	if (!report->exception_backtrace.count)
		read_stack(sentry, place, value, &thread->stack);
	read_registers(value, arena, &thread->state);
}

/** Exceptions are a chain of causes; the last one was thrown. */
static void read_exceptions(struct sentry *sentry,
                            const struct json_place *root_place,
                            const cJSON *root)
{
	struct json_place outer = JSON_PLACE_MEMBER(root_place, "exception");
	struct json_place place = JSON_PLACE_MEMBER(&outer, "values");
	const cJSON *exception =
	        cJSON_GetObjectItemCaseSensitive(root, "exception");
	const cJSON *value = cJSON_GetArrayItem(
	        cJSON_GetObjectItemCaseSensitive(exception, "values"), 0);

	place.index = 0;
	// A single exception, or an array.
	if (!value && cJSON_IsArray(exception))
		value = cJSON_GetArrayItem(exception, 0);
	if (!value && cJSON_IsObject(exception) &&
	    cJSON_GetObjectItemCaseSensitive(exception, "type")) {
		read_exception(sentry, &outer, exception);
		return;
	}
	for (; value && value->next; value = value->next)
		place.index++;
	if (cJSON_IsObject(value))
		read_exception(sentry, &place, value);
}

// App, system, date

/** `com.example.demo@1.0+12` */
static void read_release(const char *release, struct report *report,
                         struct arena *arena)
{
	struct text text = text_from(release ? release : "");
	size_t at = text_find_last_char(text, '@');
	struct text version = text_after(text, at == TEXT_NOWHERE ? 0 : at + 1);
	size_t plus = text_find_char(version, '+');

	if (!text.size)
		return;
	if (at != TEXT_NOWHERE && !report->identifier)
		report->identifier = arena_text(arena, text_first(text, at));
	if (!report->version)
		report->version = arena_text(arena, text_first(version, plus));
	if (!report->build && plus != TEXT_NOWHERE)
		report->build =
		        arena_text(arena, text_after(version, plus + 1));
}

static void read_contexts(const cJSON *root, struct report *report,
                          struct arena *arena)
{
	const cJSON *contexts =
	        cJSON_GetObjectItemCaseSensitive(root, "contexts");
	const cJSON *app = cJSON_GetObjectItemCaseSensitive(contexts, "app");
	const cJSON *device =
	        cJSON_GetObjectItemCaseSensitive(contexts, "device");
	const cJSON *os = cJSON_GetObjectItemCaseSensitive(contexts, "os");

	report->identifier = event_text(app, "app_identifier", arena);
	report->version = event_text(app, "app_version", arena);
	report->build = event_text(app, "app_build", arena);
	report->launch_time = event_date(
	        cJSON_GetObjectItemCaseSensitive(app, "app_start_time"), arena);
	report->hardware_model = event_text(device, "model", arena);
	event_set_os(report, arena, event_text(os, "name", arena),
	             event_text(os, "version", arena),
	             event_text(os, "build", arena));
	read_release(event_text(root, "release", arena), report, arena);
	if (!report->build)
		report->build = event_text(root, "dist", arena);
}

static void read_event(const struct json_place *place, const cJSON *root)
{
	struct report *report = place->reader->report;
	struct arena *arena = place->reader->arena;
	struct json_place meta = JSON_PLACE_MEMBER(place, "debug_meta");
	struct json_place threads_place = JSON_PLACE_MEMBER(place, "threads");
	const cJSON *threads =
	        cJSON_GetObjectItemCaseSensitive(root, "threads");
	struct sentry sentry = { .stack = NULL };

	report->incident = event_text(root, "event_id", arena);
	report->date_time = event_date(
	        cJSON_GetObjectItemCaseSensitive(root, "timestamp"), arena);
	read_contexts(root, report, arena);
	json_place_each(&meta,
	                cJSON_GetObjectItemCaseSensitive(root, "debug_meta"),
	                "images", LIMIT_IMAGES, "images", read_image, &sentry);
	if (cJSON_IsArray(threads))
		json_place_each(place, root, "threads", LIMIT_THREADS,
		                "threads", read_thread, &sentry);
	else
		json_place_each(&threads_place, threads, "values",
		                LIMIT_THREADS, "threads", read_thread, &sentry);
	read_exceptions(&sentry, place, root);
}

/** Has a value a stack of native code? */
static bool is_native(const cJSON *value)
{
	const cJSON *frames = cJSON_GetObjectItemCaseSensitive(
	        cJSON_GetObjectItemCaseSensitive(value, "stacktrace"),
	        "frames");

	return cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(frames, 0),
	                                        "instruction_addr") != NULL;
}

static bool is_event(const cJSON *object)
{
	const cJSON *value = cJSON_GetArrayItem(
	        cJSON_GetObjectItemCaseSensitive(
	                cJSON_GetObjectItemCaseSensitive(object, "exception"),
	                "values"),
	        0);

	if (cJSON_GetObjectItemCaseSensitive(object, "debug_meta") &&
	    (cJSON_GetObjectItemCaseSensitive(object, "exception") ||
	     cJSON_GetObjectItemCaseSensitive(object, "threads")))
		return true;
	for (; value; value = value->next)
		if (is_native(value))
			return true;
	return is_native(cJSON_GetArrayItem(
	        cJSON_GetObjectItemCaseSensitive(
	                cJSON_GetObjectItemCaseSensitive(object, "threads"),
	                "values"),
	        0));
}

static bool sentry_sniff(const struct envelope *in)
{
	const uint64_t names = event_names(in);
	const uint64_t wrappers = JSON_HAS(EVENT) | JSON_HAS(EVENTS);
	bool is_bare = names & JSON_HAS(DEBUG_META) ||
	               names & JSON_HAS(EXCEPTION) || names & JSON_HAS(THREADS);

	return (is_bare || names & wrappers) &&
	       text_find(in->text, "\"stacktrace\"") != TEXT_NOWHERE &&
	       text_find(in->text, "\"instruction_addr\"") != TEXT_NOWHERE;
}

static struct error *sentry_read(const struct envelope *in, struct sink *sink)
{
	return event_read_all(in, sentry_reader.name, is_event, read_event,
	                      sink);
}

const struct reader sentry_reader = {
	.name = "sentry",
	.summary = "Sentry's events of native code (JSON)",
	.yields = YIELDS_REPORTS,
	.sniff = sentry_sniff,
	.read = sentry_read,
};
