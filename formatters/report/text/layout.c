#include "formatters/report/text/layout.h"

#include "formatters/report/text/frames.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <string.h>

/** Which of Apple's layouts a report gets, in its two halves. */
struct layout {
	bool macos_header;
	bool macos_body;
};

static bool is_simulator(int platform)
{
	return platform == 7 || platform == 8 || platform == 9 ||
	       platform == 12;
}

static struct layout layout_of(const struct report *report)
{
	struct text os =
	        text_from(report->os_version ? report->os_version : "");
	bool macos = report->platform == 1 || text_starts(os, "macOS") ||
	             text_starts(os, "Mac OS X");

	return (struct layout){
		.macos_header = macos && !is_simulator(report->platform),
		.macos_body = macos,
	};
}

void crash_text_block(const char *text, struct out *out)
{
	SCOPED(str_release) struct str safe = { 0 };
	struct text rest = text_from(text);
	struct text line;

	while (text_next_line(&rest, &line)) {
		utf8_add_visible(&safe, line);
		str_add_char(&safe, '\n');
	}
	out_add_bytes(out, str_cstr(&safe), safe.size);
}

/** `Label: ` padded to the header's columns on macOS, as it is elsewhere. */
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
	const char *type = exception->type ? exception->type
	                                   : exception->signal;

	if (!type)
		return;
	// Two blanks where the columns are not padded: Apple's own habit.
	add_label(macos ? "Exception Type:" : "Exception Type: ", macos, out);
	out_add_visible(out, type);
	if (exception->type && exception->signal) {
		out_add(out, " (");
		out_add_visible(out, exception->signal);
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

	if (!termination->verbatim && !space)
		return;
	add_label("Termination Reason:", macos, out);
	if (termination->verbatim) {
		crash_text_block(termination->verbatim, out);
		return;
	}
	out_add(out, macos ? "Namespace " : "");
	out_add_visible(out, space);
	if (termination->has_code)
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

/** Where a section stands; those of one place keep the report's order. */
enum section_place {
	SECTION_ELSEWHERE, ///< printed by the code for that part
	SECTION_BEFORE_THREADS,
	SECTION_AFTER_STATE,
	SECTION_AFTER_IMAGES,
	SECTION_LAST,
	SECTION_EXTRA,
};

/** What KSCrash's own text has behind `EOF` is labelled like this. */
#define EXTRA "Extra Information: "

struct section_rule {
	const char *label;
	enum section_place place;
	bool ends_empty; ///< its text brings an empty line along
	bool macos_only; ///< Report Version 104 leaves it out
};

static const struct section_rule section_rules[] = {
	{ "VM Region Info", SECTION_ELSEWHERE, false, false },
	{ "Application Specific Information", SECTION_ELSEWHERE, false, false },
	{ "Application Specific Signatures", SECTION_BEFORE_THREADS, true,
	  false },
	{ "Kernel Triage", SECTION_BEFORE_THREADS, true, false },
	{ "External Modification Summary", SECTION_AFTER_IMAGES, false, true },
	{ "VM Region Summary", SECTION_LAST, false, true },
	{ "Error Formulating Crash Report", SECTION_LAST, false, false },
	{ "Filtered log messages", SECTION_LAST, false, false },
	{ "Diagnostic Output", SECTION_LAST, false, false },
};

static const struct section_rule *rule_of(const char *label)
{
	// `Thread 0 instruction stream`
	static const struct section_rule stream = {
		.place = SECTION_AFTER_STATE,
	};
	static const struct section_rule extra = { .place = SECTION_EXTRA };
	static const struct section_rule other = {
		.place = SECTION_BEFORE_THREADS,
	};

	if (text_starts(text_from(label), EXTRA))
		return &extra;
	for (size_t i = 0; i < ARRAY_SIZE(section_rules); i++)
		if (!strcmp(section_rules[i].label, label))
			return &section_rules[i];
	return text_ends(text_from(label), " instruction stream") ? &stream
	                                                          : &other;
}

static void add_sections(const struct report *report, enum section_place place,
                         bool macos, struct out *out)
{
	for (size_t i = 0; i < report->section_count; i++) {
		const struct report_section *section = &report->sections[i];
		const struct section_rule *rule = rule_of(section->label);

		if (rule->place != place || (rule->macos_only && !macos))
			continue;
		out_add(out, "\n");
		out_add_visible(out, section->label);
		out_add(out, ":\n");
		crash_text_block(section->text, out);
		if (rule->ends_empty)
			out_add(out, "\n");
	}
}

/** A part for each section, under one heading. */
static void add_extra(const struct report *report, struct out *out)
{
	const char *before = "\nExtra Information:\n";

	for (size_t i = 0; i < report->section_count; i++) {
		const struct report_section *section = &report->sections[i];
		struct text title = text_from(section->label);

		if (!text_take(&title, EXTRA))
			continue;
		out_add(out, before);
		out_add(out, "\n");
		out_add_visible(out, section->label + strlen(EXTRA));
		// A diagnosis is a sentence: it begins on the same line.
		out_add(out, text_ends(title, "Diagnosis") ? ": " : ":\n");
		crash_text_block(section->text, out);
		before = "";
	}
}

/**
 * The line by which readers know what was thrown. Apple's translation drops
 * these facts where the program did not print them itself.
 */
static void add_thrown(const struct report_thrown *thrown, struct out *out)
{
	if (thrown->name) {
		out_add(out, "*** Terminating app due to uncaught exception '");
		out_add_visible(out, thrown->name);
		out_add(out, "'");
		if (thrown->reason) {
			out_add(out, ", reason: '");
			out_add_visible(out, thrown->reason);
			out_add(out, "'");
		}
	} else {
		out_add(out, "terminating with uncaught exception of type ");
		out_add_visible(out, thrown->class_name ? thrown->class_name
		                                        : "unknown");
		if (thrown->reason) {
			out_add(out, ": ");
			out_add_visible(out, thrown->reason);
		}
	}
	out_add(out, "\n");
}

static void add_app_information(const struct report *report, struct out *out)
{
	const struct report_thrown *thrown = &report->thrown;
	const char *text =
	        report_section(report, "Application Specific Information");
	bool needs_thrown =
	        (thrown->name || thrown->class_name || thrown->reason) &&
	        !(text && strstr(text, "uncaught exception"));

	if (!text && !needs_thrown)
		return;
	out_add(out, "\nApplication Specific Information:\n");
	if (needs_thrown)
		add_thrown(thrown, out);
	if (text)
		crash_text_block(text, out);
	out_add(out, "\n");
}

static void add_other_backtraces(const struct report *report,
                                 enum text_style style, struct out *out)
{
	for (size_t i = 0; i < report->app_backtrace_count; i++) {
		out_addf(out, "\nApplication Specific Backtrace %zu:\n", i);
		crash_text_stack(report, report->app_backtraces[i], style, out);
		out_add(out, "\n");
	}
	if (report->exception_backtrace.count) {
		out_add(out, "\nLast Exception Backtrace:\n");
		crash_text_stack(report, &report->exception_backtrace, style,
		                 out);
	}
}

static void add_name_and_queue(const struct report_thread *thread,
                               struct out *out)
{
	out_add_visible(out, thread->name ? thread->name : "");
	if (thread->queue) {
		out_add(out, " Dispatch queue: ");
		out_add_visible(out, thread->queue);
	}
}

/** iOS names a thread on a line above its header, macOS in the header. */
static void add_thread_header(const struct report_thread *thread, bool macos,
                              struct out *out)
{
	bool named = thread->name || thread->queue;

	out_add(out, "\n");
	if (named && !macos) {
		out_addf(out, "Thread %" PRIu64 " name:  ", thread->number);
		add_name_and_queue(thread, out);
		out_add(out, "\n");
	}
	out_addf(out, "Thread %" PRIu64 "%s:", thread->number,
	         thread->crashed ? " Crashed" : "");
	if (named && macos) {
		out_add(out, ": ");
		add_name_and_queue(thread, out);
	}
	out_add(out, "\n");
}

void crash_text_threads(const struct report *report, bool macos,
                        enum text_style style, struct out *out)
{
	const struct report_thread *crashed = report_crashed_thread(report);

	if (!report->thread_count && !report->tree_count)
		out_add(out, "\nBacktrace not available\n");
	for (size_t i = 0; i < report->thread_count; i++) {
		add_thread_header(report->threads[i], macos, out);
		crash_text_stack(report, &report->threads[i]->stack, style,
		                 out);
	}
	if (crashed && crashed->state.flavor) {
		out_add(out, "\n");
		crash_text_state(report, crashed, out);
	}
	crash_text_trees(report, style, out);
}

void crash_text_layout(const struct report *report, enum text_style style,
                       struct out *out)
{
	struct layout layout = layout_of(report);

	if (report->kind) {
		crash_text_other(report, style, out);
		return;
	}
	crash_text_header(report, layout.macos_header, out);
	if (layout.macos_header) {
		add_triggered(report, true, out);
		add_exception_12(report, out);
	} else {
		add_exception_104(report, out);
		add_triggered(report, false, out);
	}
	add_app_information(report, out);
	add_other_backtraces(report, style, out);
	add_sections(report, SECTION_BEFORE_THREADS, layout.macos_header, out);
	crash_text_threads(report, layout.macos_body, style, out);
	add_sections(report, SECTION_AFTER_STATE, layout.macos_header, out);
	crash_text_images(report, layout.macos_body, out);
	add_sections(report, SECTION_AFTER_IMAGES, layout.macos_header, out);
	add_sections(report, SECTION_LAST, layout.macos_header, out);
	if (!layout.macos_header)
		out_add(out, "\nEOF\n");
	add_extra(report, out);
}
