// SPDX-License-Identifier: MIT
#include "parsers/text/panic.h"

#include "lib/base/number.h"

#include <string.h>

/** The rest of the line after @p mark; or empty. */
static struct text after_mark(struct text text, const char *mark)
{
	size_t at = text_find(text, mark);
	struct text rest;
	struct text line = TEXT_NONE;

	if (at == TEXT_NOWHERE)
		return TEXT_NONE;
	rest = text_after(text, at + strlen(mark));
	text_next_line(&rest, &line);
	return line;
}

/** Up to @p c, or all. */
static struct text until(struct text text, char c)
{
	size_t end = text_find_char(text, c);

	return text_first(text, end == TEXT_NOWHERE ? text.size : end);
}

static void add_title(struct text panic, struct arena *arena,
                      struct report *report)
{
	size_t at = text_find(panic, PANIC_TEXT_MARK);
	struct text rest = at == TEXT_NOWHERE ? text_trim_left(panic)
	                                      : text_after(panic, at);
	struct text line;

	if (text_next_line(&rest, &line))
		report_add_field(report, arena, "Panic",
		                 arena_text(arena, text_trim(line)));
}

/**
 * `userspace watchdog timeout: no successful checkins from com.apple.x (1
 * induced crashes) in 180 seconds`: the panic is watchdogd's, the fault is not.
 */
static void add_service(struct text panic, struct arena *arena,
                        struct report *report)
{
	struct text name = until(
	        text_trim(after_mark(panic, "no successful checkins from ")),
	        ' ');

	if (name.size)
		report_add_field(report, arena, "Unresponsive Service",
		                 arena_text(arena, name));
}

/** `Panicked task 0x…: 3422 pages, 204 threads: pid 0: kernel_task` */
static void read_task(struct text panic, struct arena *arena,
                      struct report_process_ref *process)
{
	struct text line = after_mark(panic, "Panicked task ");
	struct text pid = after_mark(line, ": pid ");
	struct text name = text_trim(after_mark(pid, ": "));

	if (!name.size)
		// Kernels before 2017, and on Intel.
		name = text_trim(after_mark(panic,
		                            "BSD process name corresponding to "
		                            "current thread: "));
	else if (number_decimal(until(pid, ':'), &process->pid))
		process->has_pid = true;
	if (name.size)
		process->name = arena_text(arena, name);
}

/** `Panicked thread: 0x…, backtrace: 0x…, tid: 342` */
static void mark_thread(struct text panic, struct report *report)
{
	struct text line = after_mark(panic, "Panicked thread: ");
	struct text id = text_trim(after_mark(line, "tid: "));
	uint64_t tid;

	if (!number_decimal(id, &tid))
		return;
	for (size_t i = 0; i < report->thread_count; i++) {
		struct report_thread *thread = report->threads[i];

		if (!thread->has_id || thread->id != tid)
			continue;
		thread->crashed = true;
		report->triggered_thread = thread->number;
		report->has_triggered_thread = true;
		return;
	}
}

void panic_text_read(struct text panic, struct arena *arena,
                     struct report *report)
{
	add_title(panic, arena, report);
	add_service(panic, arena, report);
	read_task(panic, arena, &report->process);
	mark_thread(panic, report);
}
