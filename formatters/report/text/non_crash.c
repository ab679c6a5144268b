// SPDX-License-Identifier: MIT
/*
 * Reports other than crashes (panics, stackshots, logs) in the style of Apple's
 * text format: facts, details, stacks and images. Missing parts have no
 * heading. The line `Report Kind:` is apmtool's: it identifies the text when it
 * is read again.
 */
#include "formatters/report/text/parts.h"

#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <inttypes.h>

static void add_fact(const char *label, const char *value, struct out *out)
{
	if (value)
		crash_text_fact(label, value, out);
}

static void add_process(const struct report *report, struct out *out)
{
	SCOPED(str_release) struct str value = { 0 };

	if (!report->process.name && !report->process.has_pid)
		return;
	str_add(&value, report->process.name ? report->process.name : "???");
	if (report->process.has_pid)
		str_addf(&value, " [%" PRIu64 "]", report->process.pid);
	add_fact("Process", str_cstr(&value), out);
}

void crash_text_other_facts(const struct report *report, struct out *out)
{
	const struct report_exception *exception = &report->exception;

	add_fact("Incident Identifier", report->incident, out);
	add_fact("CrashReporter Key", report->reporter_key, out);
	add_fact("Hardware Model", report->hardware_model, out);
	add_fact("Report Kind", report->kind, out);
	add_fact("Bug Type", report->bug_type, out);
	add_process(report, out);
	add_fact("Path", report->path, out);
	add_fact("Identifier", report->identifier, out);
	add_fact("Version", report->version, out);
	add_fact("Build Version", report->build, out);
	add_fact("Date/Time", report->date_time, out);
	add_fact("OS Version", report->os_version, out);
	add_fact("Exception Codes", exception->codes, out);
}

/** The lines of a text after a bar, made visible. */
static void add_indented(const char *text, struct out *out)
{
	struct text rest = text_from(text);
	SCOPED(str_release) struct str safe = { 0 };
	struct text line;

	while (text_next_line(&rest, &line)) {
		str_add(&safe, "|   ");
		utf8_add_visible(&safe, line);
		str_add_char(&safe, '\n');
	}
	out_add_bytes(out, str_cstr(&safe), safe.size);
}

/**
 * Other contents of the report. After a bar, since a panic's text may have
 * lines that look like headings or frames, and keys are untrusted.
 */
static void add_details(const struct report *report, struct out *out)
{
	if (report->field_count || report->section_count)
		out_add(out, "\nDetails:\n");
	for (size_t i = 0; i < report->field_count; i++) {
		out_add(out, "| ");
		add_fact(report->fields[i].label, report->fields[i].value, out);
	}
	for (size_t i = 0; i < report->section_count; i++) {
		out_add(out, "| ");
		out_add_visible(out, report->sections[i].label);
		out_add(out, ":\n");
		add_indented(report->sections[i].text, out);
	}
}

void crash_text_other(const struct report *report, enum text_style style,
                      struct out *out)
{
	crash_text_other_facts(report, out);
	add_details(report, out);
	if (report->thread_count || report->tree_count)
		crash_text_threads(report, false, style, out);
	if (report->image_count)
		crash_text_images(report, false, out);
	out_add(out, "\nEOF\n");
}
