// SPDX-License-Identifier: MIT
#include "parsers/crash_text/header.h"

#include "lib/base/number.h"
#include "parsers/crash_text/exception.h"
#include "parsers/text/bracket.h"

#include <stddef.h>
#include <string.h>

#define APP_INFORMATION "Application Specific Information"

enum label_kind {
	LABEL_STRING, ///< the value goes to a string of the report
	LABEL_NAMED,  ///< the value has a reader of its own
	LABEL_SECTION,
	LABEL_FIELD, ///< known, and kept as a field only
};

typedef void (*read_value)(struct crash_text_reader *reader, struct text value);

struct label {
	const char *name;
	enum label_kind kind;
	size_t offset; ///< LABEL_STRING: of the string in struct report
	read_value read;
};

static const char *keep_value(struct crash_text_reader *reader,
                              struct text value)
{
	return arena_text(reader->text.arena, text_trim(value));
}

/**
 * ` [61` at the end of the text: an incomplete number is not part of the name.
 */
static bool is_cut_pid(struct text value, size_t open)
{
	if (open == TEXT_NOWHERE || !open ||
	    !text_is_space(value.data[open - 1]))
		return false;
	for (size_t i = open + 1; i < value.size; i++)
		if (!text_is_digit(value.data[i]))
			return false;
	return true;
}

/** `Name [pid]`; the name may contain brackets, so the last pair counts. */
static void read_process_ref(struct crash_text_reader *reader,
                             struct text value, struct report_process_ref *ret)
{
	size_t open = text_find_last_char(value, '[');

	if (text_ends(value, "]") && open != TEXT_NOWHERE &&
	    number_decimal(text_first(text_after(value, open + 1),
	                              value.size - open - 2),
	                   &ret->pid)) {
		ret->has_pid = true;
		value = text_first(value, open);
	} else if (is_cut_pid(value, open)) {
		value = text_first(value, open);
	}
	ret->name = keep_value(reader, value);
}

static void read_process(struct crash_text_reader *reader, struct text value)
{
	read_process_ref(reader, value, &reader->text.report->process);
}

static void read_parent(struct crash_text_reader *reader, struct text value)
{
	read_process_ref(reader, value, &reader->text.report->parent);
}

static void read_responsible(struct crash_text_reader *reader,
                             struct text value)
{
	read_process_ref(reader, value, &reader->text.report->responsible);
}

static void read_terminating(struct crash_text_reader *reader,
                             struct text value)
{
	read_process_ref(reader, value, &reader->text.report->termination.by);
}

static void read_version(struct crash_text_reader *reader, struct text value)
{
	text_bracket_version(value, reader->text.report, reader->text.arena);
}

static void read_code_type(struct crash_text_reader *reader, struct text value)
{
	struct text type;
	struct text how;

	text_bracket_split(value, &type, &how);
	reader->text.report->code_type = keep_value(reader, type);
	reader->text.report->translated = text_is(how, "Translated");
}

static void read_os_version(struct crash_text_reader *reader, struct text value)
{
	text_bracket_os_version(value, reader->text.report, reader->text.arena);
}

static void read_triggered_thread(struct crash_text_reader *reader,
                                  struct text value)
{
	struct report *report = reader->text.report;

	if (!report->has_triggered_thread)
		report->has_triggered_thread = number_decimal(
		        text_take_digits(&value), &report->triggered_thread);
}

#define STRING(label, field)                                              \
	{                                                                 \
		label, LABEL_STRING, offsetof(struct report, field), NULL \
	}
#define READ(label, function)                   \
	{                                       \
		label, LABEL_NAMED, 0, function \
	}
#define SECTION(label)                        \
	{                                     \
		label, LABEL_SECTION, 0, NULL \
	}
#define FIELD(label)                        \
	{                                   \
		label, LABEL_FIELD, 0, NULL \
	}

static const struct label labels[] = {
	STRING("Incident Identifier", incident),
	STRING("CrashReporter Key", reporter_key),
	STRING("Crash Reporter Key", reporter_key),
	STRING("Beta Identifier", reporter_key),
	STRING("Hardware Model", hardware_model),
	READ("Process", read_process),
	STRING("Path", path),
	STRING("Identifier", identifier),
	READ("Version", read_version),
	READ("Code Type", read_code_type),
	STRING("Role", role),
	READ("Parent Process", read_parent),
	READ("Responsible", read_responsible),
	READ("Responsible Process", read_responsible),
	STRING("Coalition", coalition),
	STRING("User ID", user_id),
	STRING("Date/Time", date_time),
	STRING("Launch Time", launch_time),
	READ("OS Version", read_os_version),
	STRING("Release Type", release_type),
	STRING("Report Version", report_version),
	READ("Exception Type", crash_text_exception_type),
	STRING("Exception Subtype", exception.subtype),
	READ("Exception Codes", crash_text_exception_codes),
	STRING("Exception Message", exception.message),
	STRING("Exception Reason", thrown.reason),
	STRING("Exception Note", exception.note),
	READ("Termination Reason", crash_text_termination),
	READ("Termination Description", crash_text_termination_description),
	READ("Terminating Process", read_terminating),
	READ("Triggered by Thread", read_triggered_thread),
	READ("Crashed Thread", read_triggered_thread),
	READ("Highlighted by Thread", read_triggered_thread),
	READ("Highlighted Thread", read_triggered_thread),
	FIELD("Termination Signal"),
	FIELD("Baseband Version"),
	FIELD("Bridge OS Version"),
	FIELD("Anonymous UUID"),
	FIELD("Sleep/Wake UUID"),
	FIELD("Time Awake Since Boot"),
	FIELD("Time Since Wake"),
	FIELD("System Integrity Protection"),
	SECTION(APP_INFORMATION),
	SECTION("Application Specific Signatures"),
	SECTION("Error Formulating Crash Report"),
	SECTION("Kernel Triage"),
	SECTION("VM Region Info"),
	SECTION("VM Regions Near"),
	SECTION("VM Region Summary"),
	SECTION("Filtered syslog"),
	SECTION("Filtered log messages"),
	SECTION("External Modification Summary"),
	SECTION("External Modification Warnings"),
	SECTION("Dyld Error Message"),
	SECTION("Dyld Version"),
	SECTION("Breadcrumb Trail"),
	SECTION("Custom data"),
	SECTION("Elapsed total CPU time"),
	SECTION("Translated Code Information"),
	SECTION("Diagnostic Output"),
	SECTION("System Profile"),
};

static const struct label *find_label(struct text name)
{
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (labels[i].name[0] == name.data[0] &&
		    text_is(name, labels[i].name))
			return &labels[i];
	return NULL;
}

static void end_section(struct crash_text_reader *reader)
{
	crash_text_thrown(reader, str_text(&reader->block));
	crash_text_open_section(
	        reader, reader->section,
	        arena_text(reader->text.arena, str_text(&reader->block)));
	str_clear(&reader->block);
}

static void begin_section(struct crash_text_reader *reader, struct text name,
                          struct text value)
{
	crash_text_begin_part(reader, CRASH_TEXT_SECTION, end_section);
	reader->section = arena_text(reader->text.arena, name);
	if (value.size)
		str_add_text(&reader->block, value);
}

static void read_label(struct crash_text_reader *reader,
                       const struct label *label, struct text value)
{
	const char **string;

	crash_text_close_section(reader);
	if (label->kind == LABEL_NAMED)
		label->read(reader, value);
	if (label->kind != LABEL_STRING)
		return;
	string = (const char **)(void *)((char *)reader->text.report +
	                                 label->offset);
	if (!*string)
		*string = keep_value(reader, value);
}

/**
 * An unknown field. It may be a line of the app's own text, and then belongs to
 * that; or the heading of a section, if nothing follows the colon.
 */
static void read_unknown(struct crash_text_reader *reader, struct text line,
                         struct text name, struct text value)
{
	const struct report_section *sections = reader->text.report->sections;

	// `libc++abi: terminating …` looks like a label
	crash_text_thrown(reader, value);
	if (value.size && reader->is_open &&
	    !strcmp(sections[reader->open_at].label, APP_INFORMATION)) {
		crash_text_go_on(reader, line);
		return;
	}
	crash_text_close_section(reader);
	if (!value.size)
		reader->heading = arena_text(reader->text.arena, name);
}

bool crash_text_label(struct crash_text_reader *reader, struct text line)
{
	struct report *report = reader->text.report;
	bool in_header = !report->thread_count && !reader->seen_images;
	const struct label *label;
	struct text name;
	struct text value;

	if (!crash_text_split_label(line, &name, &value))
		return false;
	label = find_label(name);
	if (!label && text_starts(name, "VM Regions Near"))
		label = find_label(text_from("VM Regions Near"));
	if (!label && text_starts(name, "Thread ") &&
	    text_ends(name, " instruction stream"))
		label = find_label(text_from("Diagnostic Output"));
	if (!label && (!in_header || reader->part != CRASH_TEXT_LABELS))
		return false;
	crash_text_end_part(reader);
	if (label && label->kind == LABEL_SECTION) {
		begin_section(reader, name, value);
	} else if (in_header) {
		report_add_field(report, reader->text.arena,
		                 arena_text(reader->text.arena, name),
		                 arena_text(reader->text.arena, value));
		if (label)
			read_label(reader, label, value);
		else
			read_unknown(reader, line, name, value);
	} else {
		crash_text_close_section(reader);
		line_reader_keep_unread(&reader->text, line.data);
		return true;
	}
	line_reader_keep(&reader->text, line.data);
	return true;
}

bool crash_text_block_line(struct crash_text_reader *reader, struct text line)
{
	if (reader->part == CRASH_TEXT_TERMINATION) {
		crash_text_termination_reason(reader, line);
	} else if (reader->part == CRASH_TEXT_SECTION) {
		if (reader->block.size)
			str_add_char(&reader->block, '\n');
		str_add_text(&reader->block, line);
	} else {
		return false;
	}
	line_reader_keep(&reader->text, line.data);
	return true;
}
