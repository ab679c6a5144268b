#include "lib/model/redact.h"

#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/model/redact_text.h"

#include <string.h>

/** Labels whose values are the device's or its user's, whatever they are. */
static const char *const device_labels[] = {
	"CrashReporter Key",
	"Crash Reporter Key",
	"Beta Identifier",
	"Anonymous UUID",
	"UDID",
	"Sleep/Wake UUID",
	"systemID",
	"crashReporterKey",
	"device_app_hash",
	"bootSessionUUID",
	"Boot Session UUID",
	"Device Name",
	"deviceIdentifierForVendor",
};

static bool is_device_label(struct text label)
{
	label = text_trim(label);
	for (size_t i = 0; i < ARRAY_SIZE(device_labels); i++)
		if (text_is_nocase(label, device_labels[i]))
			return true;
	return false;
}

/** The same value as in the header: the whole of it, or its parts. */
static const char *redact_value(struct text label, const char *value,
                                struct arena *arena)
{
	return is_device_label(label) ? redact_whole(value, "device", arena)
	                              : redact_text(value, arena);
}

/** `Label:  value`, blanks as they were. */
static const char *redact_line(const char *line, struct arena *arena)
{
	struct text text = text_from(line);
	size_t colon = text_find_char(text, ':');
	size_t blanks;
	struct text value;

	if (colon == TEXT_NOWHERE || !is_device_label(text_first(text, colon)))
		return redact_text(line, arena);
	value = text_after(text, colon + 1);
	blanks = text_count_blanks(value);
	value = text_trim(value);
	if (!value.size)
		return line;
	return arena_printf(
	        arena, "%.*s%s", (int)(colon + 1 + blanks), line,
	        redact_whole(arena_text(arena, value), "device", arena));
}

static void redact_lines(struct report *report, struct arena *arena)
{
	for (size_t i = 0; i < report->line_count; i++)
		if (report->lines[i].text)
			report->lines[i].text =
			        redact_line(report->lines[i].text, arena);
}

static void redact_stack(struct report_stack *stack, void *context)
{
	struct arena *arena = context;

	stack->title = redact_text(stack->title, arena);
	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];

		frame->verbatim = redact_text(frame->verbatim, arena);
		for (size_t k = 0; k < frame->call_count; k++) {
			struct report_call *call = &frame->calls[k];

			call->path = redact_text(call->path, arena);
			call->file = redact_text(call->file, arena);
			call->verbatim = redact_text(call->verbatim, arena);
		}
	}
}

static const char *const *redact_list(const char *const *texts, size_t count,
                                      struct arena *arena)
{
	const char **list = arena_array(arena, count, sizeof(*list));

	for (size_t i = 0; i < count; i++)
		list[i] = redact_text(texts[i], arena);
	return list;
}

static void redact_end(struct report *report, struct arena *arena)
{
	struct report_termination *t = &report->termination;
	const char **texts[] = {
		&report->exception.subtype,
		&report->exception.message,
		&report->exception.note,
		&t->indicator,
		&t->verbatim,
		&report->thrown.name,
		&report->thrown.reason,
		&report->thrown.class_name,
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		*texts[i] = redact_text(*texts[i], arena);
	t->reasons = redact_list(t->reasons, t->reason_count, arena);
	t->details = redact_list(t->details, t->detail_count, arena);
}

static void redact_head(struct report *report, struct arena *arena)
{
	report->reporter_key =
	        redact_whole(report->reporter_key, "device", arena);
	report->path = redact_text(report->path, arena);
	report->coalition = redact_text(report->coalition, arena);
	for (size_t i = 0; i < report->field_count; i++)
		report->fields[i].value =
		        redact_value(text_from(report->fields[i].label),
		                     report->fields[i].value, arena);
	for (size_t i = 0; i < report->image_count; i++)
		report->images[i].path =
		        redact_text(report->images[i].path, arena);
	for (size_t i = 0; i < report->thread_count; i++) {
		struct report_thread *thread = report->threads[i];

		thread->name = redact_text(thread->name, arena);
		thread->queue = redact_text(thread->queue, arena);
	}
}

/** A section has lines, and some are `label: value` as those of the header. */
static const char *redact_section(const char *text, struct arena *arena)
{
	struct text rest = text_from(text);
	struct text line;
	SCOPED(str_release) struct str out = { 0 };
	bool first = true;

	while (text_next_line(&rest, &line)) {
		str_addf(&out, "%s%s", first ? "" : "\n",
		         redact_line(arena_text(arena, line), arena));
		first = false;
	}
	return arena_text(arena, str_text(&out));
}

void report_redact(struct report *report, struct arena *arena)
{
	redact_head(report, arena);
	redact_end(report, arena);
	redact_lines(report, arena);
	report_each_stack(report, redact_stack, arena);
	for (size_t i = 0; i < report->tree_count; i++)
		report->trees[i]->title =
		        redact_text(report->trees[i]->title, arena);
	for (size_t i = 0; i < report->section_count; i++)
		if (report->sections[i].text)
			report->sections[i].text =
			        redact_section(report->sections[i].text, arena);
	for (size_t i = 0; i < report->note_count; i++)
		report->notes[i].text =
		        redact_text(report->notes[i].text, arena);
	report->raw = TEXT_NONE;
}
