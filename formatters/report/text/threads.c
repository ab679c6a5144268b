// SPDX-License-Identifier: MIT
#include "formatters/report/text/frames.h"
#include "formatters/report/text/parts.h"

#include <inttypes.h>

void crash_text_backtraces(const struct report *report, enum text_style style,
                           struct out *out)
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
