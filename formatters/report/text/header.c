// SPDX-License-Identifier: MIT
#include "formatters/report/text/parts.h"

#include "lib/base/str.h"

#include <inttypes.h>
#include <string.h>

/** Columns of values. */
#define IOS_COLUMNS   21
#define MACOS_COLUMNS 23

/** For a row whose value is not a string of the report. */
#define NO_TEXT SIZE_MAX

/**
 * A header line. Its value is a string of the report, a combination of facts,
 * or the field with that label; lines without a value are omitted.
 */
struct header_row {
	const char *label; ///< NULL: an empty line
	size_t text;       ///< offset of a string in struct report, or NO_TEXT
	void (*compose)(const struct report *report, struct str *value);
};

#define ROW_TEXT(label_, member_)                                           \
	{                                                                   \
		.label = (label_), .text = offsetof(struct report, member_) \
	}
#define ROW_COMPOSED(label_, compose_)                                    \
	{                                                                 \
		.label = (label_), .text = NO_TEXT, .compose = (compose_) \
	}
#define ROW_FIELD(label_)                          \
	{                                          \
		.label = (label_), .text = NO_TEXT \
	}
#define ROW_EMPTY             \
	{                     \
		.label = NULL \
	}

static void compose_process_ref(const struct report_process_ref *process,
                                struct str *value)
{
	if (!process->name && !process->has_pid)
		return;
	str_add(value, process->name ? process->name : "???");
	if (process->has_pid)
		str_addf(value, " [%" PRIu64 "]", process->pid);
}

static void compose_process(const struct report *report, struct str *value)
{
	compose_process_ref(&report->process, value);
}

static void compose_parent(const struct report *report, struct str *value)
{
	compose_process_ref(&report->parent, value);
}

static void compose_responsible(const struct report *report, struct str *value)
{
	compose_process_ref(&report->responsible, value);
}

static void compose_identifier(const struct report *report, struct str *value)
{
	if (report->identifier)
		str_add(value, report->identifier);
	else if (report->process.name)
		str_add(value, report->process.name);
}

static void compose_version(const struct report *report, struct str *value)
{
	if (report->version && report->build)
		str_addf(value, "%s (%s)", report->version, report->build);
	else if (report->version || report->build)
		str_add(value,
		        report->version ? report->version : report->build);
	else
		str_add(value, "???");
}

static void compose_code_type(const struct report *report, struct str *value)
{
	if (report->code_type)
		str_addf(value, "%s (%s)", report->code_type,
		         report->translated ? "Translated" : "Native");
}

/**
 * A fact that Apple's text of macOS leaves out; only a report of another format
 * than Apple's would lose it.
 */
static void compose_foreign(const struct report *report, const char *fact,
                            struct str *value)
{
	if (fact && strcmp(report->format, "ips-crash") != 0)
		str_add(value, fact);
}

static void compose_incident(const struct report *report, struct str *value)
{
	compose_foreign(report, report->incident, value);
}

static void compose_model(const struct report *report, struct str *value)
{
	compose_foreign(report, report->hardware_model, value);
}

static void compose_launch(const struct report *report, struct str *value)
{
	compose_foreign(report, report->launch_time, value);
}

static void compose_104(const struct report *report UNUSED, struct str *value)
{
	str_add(value, "104");
}

static void compose_12(const struct report *report UNUSED, struct str *value)
{
	str_add(value, "12");
}

static const struct header_row rows_104[] = {
	ROW_TEXT("Incident Identifier", incident),
	ROW_FIELD("Beta Identifier"),
	ROW_TEXT("CrashReporter Key", reporter_key),
	ROW_TEXT("Hardware Model", hardware_model),
	ROW_FIELD("Device Model"),
	ROW_COMPOSED("Process", compose_process),
	ROW_TEXT("Path", path),
	ROW_COMPOSED("Identifier", compose_identifier),
	ROW_COMPOSED("Version", compose_version),
	ROW_FIELD("Build Info"),
	ROW_FIELD("AppStoreTools"),
	ROW_FIELD("AppVariant"),
	ROW_FIELD("Beta"),
	ROW_COMPOSED("Code Type", compose_code_type),
	ROW_TEXT("Role", role),
	ROW_COMPOSED("Parent Process", compose_parent),
	ROW_TEXT("Coalition", coalition),
	ROW_COMPOSED("Responsible Process", compose_responsible),
	ROW_FIELD("PlugIn Path"),
	ROW_FIELD("PlugIn Identifier"),
	ROW_FIELD("PlugIn Version"),
	ROW_EMPTY,
	ROW_TEXT("Date/Time", date_time),
	ROW_TEXT("Launch Time", launch_time),
	ROW_TEXT("OS Version", os_version),
	ROW_TEXT("Release Type", release_type),
	ROW_FIELD("Baseband Version"),
	ROW_FIELD("UDID"),
	ROW_COMPOSED("Report Version", compose_104),
};

static const struct header_row rows_12[] = {
	ROW_COMPOSED("Incident Identifier", compose_incident),
	ROW_COMPOSED("Hardware Model", compose_model),
	ROW_COMPOSED("Process", compose_process),
	ROW_TEXT("Path", path),
	ROW_COMPOSED("Identifier", compose_identifier),
	ROW_COMPOSED("Version", compose_version),
	ROW_FIELD("Build Info"),
	ROW_FIELD("App Item ID"),
	ROW_FIELD("App External ID"),
	ROW_COMPOSED("Code Type", compose_code_type),
	ROW_COMPOSED("Parent Process", compose_parent),
	ROW_COMPOSED("Responsible", compose_responsible),
	ROW_TEXT("User ID", user_id),
	ROW_FIELD("PlugIn Path"),
	ROW_FIELD("PlugIn Identifier"),
	ROW_FIELD("PlugIn Version"),
	ROW_EMPTY,
	ROW_TEXT("Date/Time", date_time),
	ROW_COMPOSED("Launch Time", compose_launch),
	ROW_TEXT("OS Version", os_version),
	ROW_COMPOSED("Report Version", compose_12),
	ROW_FIELD("Bridge OS Version"),
	ROW_TEXT("Anonymous UUID", reporter_key),
	ROW_EMPTY,
	ROW_FIELD("Sleep/Wake UUID"),
	ROW_EMPTY,
	ROW_FIELD("Time Awake Since Boot"),
	ROW_FIELD("Time Since Wake"),
	ROW_EMPTY,
	ROW_FIELD("System Integrity Protection"),
};

static void add_labelled(const char *label, const char *value, int width,
                         struct out *out)
{
	SCOPED(str_release) struct str head = { 0 };

	str_addf(&head, "%s:", label);
	out_add_visible(out, str_cstr(&head));
	out_addf(out, "%*s",
	         head.size < (size_t)width ? width - (int)head.size : 1, "");
	out_add_visible(out, value);
	out_add(out, "\n");
}

void crash_text_fact(const char *label, const char *value, struct out *out)
{
	add_labelled(label, value, IOS_COLUMNS, out);
}

static void add_row(const struct report *report, const struct header_row *row,
                    int width, struct out *out)
{
	SCOPED(str_release) struct str composed = { 0 };
	const char *value;

	if (!row->label) {
		out_add(out, "\n");
		return;
	}
	if (row->compose) {
		row->compose(report, &composed);
		value = composed.size ? composed.data : NULL;
	} else if (row->text != NO_TEXT) {
		memcpy(&value, (const char *)report + row->text, sizeof(value));
	} else {
		value = report_field(report, row->label);
	}
	if (value)
		add_labelled(row->label, value, width, out);
}

static bool has_row(const struct header_row *rows, size_t count,
                    const char *label)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].label && !strcmp(rows[i].label, label))
			return true;
	return false;
}

/** Printed elsewhere, or known to every system and left out by this one. */
static bool is_left_out(const char *label, bool macos)
{
	static const char *const trap[] = { CRASH_TEXT_TRAP_LABELS };

	for (size_t i = 0; i < ARRAY_SIZE(trap); i++)
		if (!strcmp(trap[i], label))
			return true;
	return !macos && has_row(rows_12, ARRAY_SIZE(rows_12), label);
}

/** Fields without a row: never lost, though in another place. */
static void add_other_fields(const struct report *report, bool macos, int width,
                             struct out *out)
{
	const struct header_row *rows = macos ? rows_12 : rows_104;
	size_t count = macos ? ARRAY_SIZE(rows_12) : ARRAY_SIZE(rows_104);
	// macOS has notes in a paragraph of their own.
	const char *before = macos ? "\n" : "";

	for (size_t i = 0; i < report->field_count; i++) {
		const struct report_field *field = &report->fields[i];

		if (has_row(rows, count, field->label) ||
		    is_left_out(field->label, macos))
			continue;
		out_add(out, before);
		add_labelled(field->label, field->value, width, out);
		before = "";
	}
}

void crash_text_header(const struct report *report, bool macos, struct out *out)
{
	const struct header_row *rows = macos ? rows_12 : rows_104;
	size_t count = macos ? ARRAY_SIZE(rows_12) : ARRAY_SIZE(rows_104);
	int width = macos ? MACOS_COLUMNS : IOS_COLUMNS;

	for (size_t i = 0; i < count; i++)
		add_row(report, &rows[i], width, out);
	add_other_fields(report, macos, width, out);
}
