// SPDX-License-Identifier: MIT
#include "parsers/events/event.h"

#include "lib/base/number.h"
#include "lib/base/timestamp.h"
#include "lib/darwin/platforms.h"
#include "lib/darwin/signals.h"
#include "parsers/text/app_hang.h"
#include "parsers/text/platform.h"
#include "parsers/text/program.h"

#include <inttypes.h>
#include <string.h>

/** Max images collected from frames: each is found by linear search. */
#define FRAME_IMAGES_MAX 500

/** Levels of objects and arrays around an event. */
#define WRAPPERS_MAX 3

/** Max events of a document. */
#define EVENTS_MAX 1000

// Frames

static struct report_image *image_at(struct report *report, uint64_t base)
{
	for (size_t i = 0; i < report->image_count && i < FRAME_IMAGES_MAX; i++)
		if (report->images[i].base == base)
			return &report->images[i];
	return NULL;
}

static struct report_image *add_image(struct json_reader *reader,
                                      const struct event_frame *entry)
{
	struct report_image *image;

	if (reader->report->image_count >= FRAME_IMAGES_MAX)
		return NULL;
	image = report_add_image(reader->report, reader->arena);
	image->base = entry->base;
	image->end_unknown = true;
	image->path = entry->image && *entry->image == '/' ? entry->image
	                                                   : NULL;
	image->name = text_base_cstr(entry->image);
	if (entry->uuid)
		uuid_parse(text_from(entry->uuid), &image->uuid);
	return image;
}

/** Images reach to the last of their frames. */
static void see_image(struct json_reader *reader,
                      const struct event_frame *entry)
{
	struct report_image *image = image_at(reader->report, entry->base);

	if (!image)
		image = add_image(reader, entry);
	if (!image)
		return;
	if (image->size <= entry->address - entry->base)
		image->size = entry->address - entry->base + 1;
	image->own |= entry->is_own;
}

static void set_path(struct report_call *call, const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	// A directory is no file.
	if (!path || !*path || (slash && !slash[1]))
		return;
	call->file = slash ? slash + 1 : path;
	call->path = slash ? path : NULL;
}

static void add_call(const struct event_frame *entry, struct arena *arena,
                     struct report_frame *frame)
{
	struct report_call *call;

	if (!entry->symbol || !*entry->symbol ||
	    !strcmp(entry->symbol, "<redacted>") ||
	    !strcmp(entry->symbol, "<unknown>") ||
	    text_starts(text_from(entry->symbol), "0x"))
		return;
	call = arena_alloc(arena, sizeof(*call));
	call->symbol = entry->symbol;
	if (entry->has_symbol_offset) {
		call->symbol_offset = entry->symbol_offset;
		call->has_symbol_offset = true;
	} else if (entry->symbol_address &&
	           entry->symbol_address <= entry->address) {
		call->symbol_offset = entry->address - entry->symbol_address;
		call->has_symbol_offset = true;
	}
	set_path(call, entry->path);
	call->has_line = entry->has_line && entry->line <= UINT32_MAX;
	call->line = call->has_line ? (uint32_t)entry->line : 0;
	call->column = entry->column <= UINT32_MAX ? (uint32_t)entry->column
	                                           : 0;
	frame->calls = call;
	frame->call_count = 1;
	frame->source = REPORT_SOURCE_REPORT;
}

void event_add_frame(const struct json_place *place,
                     const struct event_frame *entry, bool is_listed,
                     struct report_stack *stack)
{
	struct json_reader *reader = place->reader;
	bool has_base = entry->base && entry->base <= entry->address;
	struct report_frame *frame;

	if (!json_place_may_read(place, 1))
		return;
	if (!entry->has_address && !entry->symbol) {
		json_place_note(place, NULL, "skipped: it has no address");
		return;
	}
	if (has_base && !is_listed)
		see_image(reader, entry);
	frame = report_add_frame(stack, reader->arena);
	frame->address = entry->address;
	if (has_base)
		frame->image_offset = entry->address - entry->base;
	if (entry->image && *entry->image)
		frame->image_name = text_base_cstr(entry->image);
	frame->is_pc = entry->is_pc || report_is_after_trampoline(stack);
	add_call(entry, reader->arena, frame);
}

// Cause

void event_set_fault(struct report *report, struct arena *arena,
                     const struct event_fault *fault)
{
	struct report_exception *exception = &report->exception;

	if (fault->type)
		exception->type = fault->type;
	if (fault->signal)
		exception->signal = fault->signal;
	if (fault->has_code && fault->has_subcode)
		exception->codes =
		        arena_printf(arena, "0x%016" PRIx64 ", 0x%016" PRIx64,
		                     fault->code, fault->subcode);
	else if (fault->has_code)
		exception->codes =
		        arena_printf(arena, "0x%016" PRIx64, fault->code);
}

/** The line `KERN_INVALID_ADDRESS at 0x10.` of a message; or NULL. */
static const char *access_of(const char *message, struct arena *arena)
{
	struct text rest = text_from(message);
	struct text line;

	while (text_next_line(&rest, &line)) {
		line = text_trim(line);
		if (text_ends(line, "."))
			line = text_first(line, line.size - 1);
		if (text_starts(line, "KERN_") &&
		    text_find(line, " at 0x") != TEXT_NOWHERE)
			return arena_text(arena, line);
	}
	return NULL;
}

/** `EXC_BAD_ACCESS`, `SIGSEGV`: of the kernel, not thrown by a program. */
static bool set_kernels(struct report *report, struct arena *arena,
                        const char *type, const char *message)
{
	struct report_exception *exception = &report->exception;

	if (type && text_starts(text_from(type), "EXC_"))
		exception->type = type;
	else if (type && darwin_signal_number(type))
		exception->signal = type;
	else
		return false;
	if (!message)
		return true;
	report_add_section(report, arena, "Application Specific Information",
	                   message);
	exception->subtype = access_of(message, arena);
	return true;
}

/** Errors that services invent, and no program throws. */
static bool set_made_up(struct report *report, struct arena *arena,
                        const char *type, const char *message)
{
	static const char *const memory[] = { "WatchdogTermination",
		                              "Out Of Memory", "OutOfMemory" };

	if (app_hang_set(report, type, message)) {
		report_add_section(
		        report, arena, "Application Specific Information",
		        arena_printf(arena, "%s%s%s", type, message ? ": " : "",
		                     message ? message : ""));
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(memory); i++) {
		if (strcmp(type, memory[i]) != 0)
			continue;
		report_add_section(report, arena,
		                   "Extra Information: Memory Termination",
		                   message ? message : type);
		return true;
	}
	return false;
}

void event_set_error(struct report *report, struct arena *arena,
                     const char *type, const char *message, const char *kind)
{
	struct report_thrown *thrown = &report->thrown;

	if (message && !*message)
		message = NULL;
	if (type && !*type)
		type = NULL;
	if (type && set_made_up(report, arena, type, message))
		return;
	if (!kind && set_kernels(report, arena, type, message))
		return;
	thrown->kind = kind;
	thrown->reason = message;
	if (kind && !strcmp(kind, "cpp-exception"))
		thrown->class_name = type;
	else
		thrown->name = type;
}

// System and date

void event_set_os(struct report *report, struct arena *arena, const char *name,
                  const char *version, const char *build)
{
	if (!name && !version)
		return;
	report->os_version = arena_printf(
	        arena, "%s%s%s%s%s%s", name ? name : "",
	        name && version ? " " : "", version ? version : "",
	        build ? " (" : "", build ? build : "", build ? ")" : "");
	report->os_build = build;
}

// The last second of the year 9999.
#define LAST_SECOND UINT64_C(253402300799)

const char *event_date(const cJSON *value, struct arena *arena)
{
	const char *text = cJSON_GetStringValue(value);
	struct text number = json_scalar(value);
	uint64_t seconds;

	if (text)
		return *text ? arena_strdup(arena, text) : NULL;
	// A fraction of a second is no news.
	number = text_first(number, text_find_char(number, '.'));
	if (!cJSON_IsNumber(value) || !number_decimal(number, &seconds) ||
	    seconds > LAST_SECOND)
		return NULL;
	return arena_printf(arena, "%s +0000",
	                    timestamp_utc((int64_t)seconds, ' ').text);
}

const char *event_text(const cJSON *object, const char *key,
                       struct arena *arena)
{
	struct text text =
	        json_scalar(cJSON_GetObjectItemCaseSensitive(object, key));

	return text.data && text.size ? arena_text(arena, text) : NULL;
}

// The program

static bool is_executable(struct text path)
{
	size_t at = text_find(path, ".app/");

	return at != TEXT_NOWHERE &&
	       text_find_char(text_after(path, at + strlen(".app/")), '/') ==
	               TEXT_NOWHERE;
}

/** The image in the bundle itself, or in its subdirectory on a Mac. */
static void find_in_bundle(struct report *report)
{
	for (size_t i = 0; i < report->image_count && !report->path; i++) {
		const struct report_image *image = &report->images[i];
		struct text path = text_from(image->path ? image->path : "");

		if (!is_executable(path) &&
		    text_find(path, ".app/Contents/MacOS/") == TEXT_NOWHERE)
			continue;
		report->path = image->path;
		report->process.name = image->name;
	}
}

void event_finish(struct report *report)
{
	if (report->os_version && !report->platform)
		text_platform_set(report);
	report_place_frames(report);
	if (!report->path)
		find_in_bundle(report);
	text_program_set(report);
	if (report->has_triggered_thread)
		return;
	for (size_t i = 0; i < report->thread_count; i++)
		if (report->threads[i]->crashed) {
			report->has_triggered_thread = true;
			report->triggered_thread = report->threads[i]->number;
			return;
		}
}

// The document

struct reading {
	const char *format;
	event_is is;
	event_read read;
	struct sink *sink;
	size_t count;
};

static void read_event(struct reading *reading, const struct json_place *where,
                       const cJSON *event)
{
	struct json_reader reader = {
		.report = report_new(reading->sink->arena),
		.arena = reading->sink->arena,
	};
	struct json_place place = *where;

	place.reader = &reader;
	reader.report->format = reading->format;
	reading->read(&place, event);
	event_finish(reader.report);
	sink_report(reading->sink, reader.report);
	reading->count++;
}

static void find_events(struct reading *reading, const struct json_place *place,
                        const cJSON *value, unsigned depth)
{
	static const char *const wrappers[] = { "event", "events", "payload" };
	struct json_place element = *place;

	if (depth > WRAPPERS_MAX || reading->count == EVENTS_MAX)
		return;
	if (cJSON_IsObject(value) && reading->is(value)) {
		read_event(reading, place, value);
		return;
	}
	for (size_t i = 0; cJSON_IsObject(value) && i < ARRAY_SIZE(wrappers);
	     i++) {
		struct json_place inner = JSON_PLACE_MEMBER(place, wrappers[i]);

		find_events(
		        reading, &inner,
		        cJSON_GetObjectItemCaseSensitive(value, wrappers[i]),
		        depth + 1);
	}
	element.index = 0;
	for (const cJSON *at =
	             cJSON_IsArray(value) ? cJSON_GetArrayItem(value, 0) : NULL;
	     at; at = at->next, element.index++)
		find_events(reading, &element, at, depth + 1);
}

/** Set `report 2` if there are several. */
static void set_origins(struct sink *sink)
{
	size_t number = 0;

	if (!sink->first || !sink->first->next)
		return;
	for (struct report *at = sink->first; at; at = at->next)
		at->origin = arena_printf(sink->arena, "report %zu", ++number);
}

struct error *event_read_all(const struct envelope *envelope,
                             const char *format, event_is is, event_read read,
                             struct sink *sink)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	struct json_place root = JSON_PLACE_ROOT(NULL);
	struct sink part = sink_part(sink);
	struct reading reading = {
		.format = format,
		.is = is,
		.read = read,
		.sink = &part,
	};
	struct error *err;
	size_t used;

	err = json_salvage(text_trim_left(envelope->text), &used, &doc);
	if (err)
		return err;
	find_events(&reading, &root, json_root(doc), 0);
	if (!part.first)
		return NULL;
	json_note_document(doc, NULL, part.first, sink->arena);
	set_origins(&part);
	sink_report(sink, part.first);
	return NULL;
}

uint64_t event_names(const struct envelope *in)
{
	struct text rest = text_trim_left(in->text);

	if (in->names)
		return in->names;
	return text_take(&rest, "[") ? json_shape(text_trim_left(rest)).names
	                             : 0;
}
