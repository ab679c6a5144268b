// SPDX-License-Identifier: MIT
#include "formatters/report/text/parts.h"

#include "lib/darwin/exceptions.h"

#include <inttypes.h>

/** `Label: ` padded to the header's columns on macOS, unchanged elsewhere. */
static void add_label(const char *label, bool macos, struct out *out)
{
	out_addf(out, macos ? "%-23s" : "%s ", label);
}

static void add_fact(const char *label, const char *value, bool macos,
                     struct out *out)
{
	if (!value)
		return;
	add_label(label, macos, out);
	out_add_visible(out, value);
	out_add(out, "\n");
}

static void add_exception_type(const struct report_exception *exception,
                               bool macos, struct out *out)
{
	const char *type = exception->type;
	const char *signal = exception->signal;

	// A report with only a signal prints it alone, like PLCrashReporter.
	if (!type) {
		type = signal;
		signal = NULL;
	}
	if (!type)
		return;
	// Apple prints two blanks where columns are not padded.
	add_label(macos ? "Exception Type:" : "Exception Type: ", macos, out);
	out_add_visible(out, type);
	if (signal) {
		out_add(out, " (");
		out_add_visible(out, signal);
		out_add(out, ")");
	}
	out_add(out, "\n");
}

static void add_region(const struct report *report, struct out *out)
{
	const char *region = report_section(report, "VM Region Info");

	if (!region)
		return;
	out_add(out, "VM Region Info: ");
	crash_text_block(region, out);
}

static void add_termination(const struct report_termination *termination,
                            bool macos, struct out *out)
{
	const char *space = termination->namespace_name;

	if (!termination->verbatim && !space && !termination->has_code)
		return;
	add_label("Termination Reason:", macos, out);
	if (termination->verbatim) {
		crash_text_block(termination->verbatim, out);
		return;
	}
	if (space) {
		out_add(out, macos ? "Namespace " : "");
		out_add_visible(out, space);
	}
	if (termination->has_code && !space)
		out_addf(out, "Code 0x%" PRIx64, termination->code);
	else if (termination->has_code)
		out_addf(out, "%s %" PRIu64, macos ? ", Code" : "",
		         termination->code);
	if (termination->indicator) {
		out_add(out, " ");
		out_add_visible(out, termination->indicator);
	}
	out_add(out, "\n");
}

static void add_termination_details(const struct report_termination *end,
                                    bool macos, struct out *out)
{
	for (size_t i = 0; i < end->reason_count; i++)
		crash_text_block(end->reasons[i], out);
	for (size_t i = 0; i < end->detail_count; i++)
		crash_text_block(end->details[i], out);
	if (!end->by.name && !end->by.has_pid)
		return;
	add_label("Terminating Process:", macos, out);
	out_add_visible(out, end->by.name ? end->by.name : "???");
	if (end->by.has_pid)
		out_addf(out, " [%" PRIu64 "]", end->by.pid);
	out_add(out, "\n");
}

static void add_exception_104(const struct report *report, struct out *out)
{
	const struct report_exception *exception = &report->exception;

	out_add(out, "\n");
	add_exception_type(exception, false, out);
	add_fact("Exception Subtype:", exception->subtype, false, out);
	add_fact("Exception Message:", exception->message, false, out);
	add_fact("Exception Codes:", exception->codes, false, out);
	add_region(report, out);
	add_fact("Exception Note: ", exception->note, false, out);
	add_termination(&report->termination, false, out);
	add_termination_details(&report->termination, false, out);
}

static void add_exception_12(const struct report *report, struct out *out)
{
	const struct report_exception *exception = &report->exception;
	const struct report_termination *termination = &report->termination;

	out_add(out, "\n");
	add_exception_type(exception, true, out);
	// The subtype goes under the label of the codes, above the raw ones.
	add_fact("Exception Codes:", exception->subtype, true, out);
	add_fact("Exception Codes:", exception->codes, true, out);
	add_fact("Exception Message:", exception->message, true, out);
	add_fact("Exception Note:", exception->note, true, out);
	if (termination->namespace_name || termination->verbatim ||
	    termination->by.name || termination->by.has_pid) {
		out_add(out, "\n");
		add_termination(termination, true, out);
		add_termination_details(termination, true, out);
	}
	if (report_section(report, "VM Region Info")) {
		out_add(out, "\n");
		add_region(report, out);
	}
}

static void add_triggered(const struct report *report, bool macos,
                          struct out *out)
{
	const struct report_thread *thread = report_crashed_thread(report);

	out_add(out, "\n");
	add_label(macos ? "Crashed Thread:" : "Triggered by Thread: ", macos,
	          out);
	if (thread || report->has_triggered_thread)
		out_addf(out, "%" PRIu64,
		         thread ? thread->number : report->triggered_thread);
	else
		out_add(out, "Unknown");
	if (macos && thread && thread->name) {
		out_add(out, "  ");
		out_add_visible(out, thread->name);
	}
	if (macos && thread && thread->queue) {
		out_add(out, "  Dispatch queue: ");
		out_add_visible(out, thread->queue);
	}
	out_add(out, "\n");
}

void crash_text_exception(const struct report *report, bool macos,
                          struct out *out)
{
	if (macos) {
		add_triggered(report, true, out);
		add_exception_12(report, out);
	} else {
		add_exception_104(report, out);
		add_triggered(report, false, out);
	}
}
