// SPDX-License-Identifier: MIT
/*
 * The kernel's messages about processes it kills for memory, as in `log
 * stream`, idevicesyslog and Console.app (apmtool-formats(5)).
 */
#include "lib/base/units.h"
#include "lib/darwin/kernel_memory.h"
#include "parsers/jetsam/jetsam.h"
#include "parsers/reader.h"

#include <string.h>

/** Max processes of a log: each line searches them for its own. */
#define PROCESSES_MAX 1000

static bool kernel_sniff(const struct envelope *in)
{
	struct text rest = in->text;
	struct kernel_memory kernel;
	struct text line;

	while (text_next_line(&rest, &line))
		if (kernel_memory_read(line, &kernel))
			return true;
	return false;
}

// The log

static struct jetsam_process *find_process(struct jetsam *jetsam,
                                           struct arena *arena,
                                           const struct kernel_memory *line)
{
	struct jetsam_process *process;

	for (size_t i = jetsam->process_count; i > 0; i--) {
		process = &jetsam->processes[i - 1];
		if (process->pid.value == line->pid &&
		    text_is(line->name, process->name))
			return process;
	}
	if (jetsam->process_count == PROCESSES_MAX)
		return NULL;
	process = jetsam_add_process(jetsam, arena);
	process->name = arena_text(arena, line->name);
	process->pid = (struct jetsam_number){ line->pid, true };
	process->kernel = arena_alloc(arena, sizeof(*process->kernel));
	return process;
}

/** Consecutive lines about one kill complement each other. */
static void add_line(struct jetsam_process *process, struct arena *arena,
                     const struct kernel_memory *line)
{
	if (line->reason.size && !process->reason)
		process->reason = arena_text(arena, line->reason);
	if (line->has_priority && line->priority <= 1000) {
		process->priority = (int)line->priority;
		process->has_priority = true;
	}
	if (line->has_footprint)
		process->kernel->footprint_bytes =
		        (struct jetsam_number){ line->footprint_kib * 1024,
			                        true };
	if (!line->has_limit)
		return;
	process->kernel->limit_bytes =
	        (struct jetsam_number){ line->limit_mib * UNITS_MIB, true };
	process->kernel->limit_name = arena_text(arena, line->limit_name);
}

static struct error *kernel_read(const struct envelope *in, struct sink *sink)
{
	struct report *report = jetsam_report_new(sink->arena, "kernel-log");
	struct text rest = in->text;
	struct kernel_memory kernel;
	struct text line;

	report->truncated = true;
	report->jetsam->part = JETSAM_EXCERPT;
	while (text_next_line(&rest, &line)) {
		struct jetsam_process *process = NULL;

		if (!kernel_memory_read(line, &kernel))
			continue;
		process = find_process(report->jetsam, sink->arena, &kernel);
		if (process)
			add_line(process, sink->arena, &kernel);
	}
	if (report->jetsam->process_count == PROCESSES_MAX)
		report_add_note(report, sink->arena, "log",
		                "only the first 1000 processes are read");
	sink_report(sink, report);
	return NULL;
}

const struct reader jetsam_kernel_reader = {
	.name = "kernel-log",
	.summary = "lines of the kernel's log about memory limits and kills",
	.yields = YIELDS_JETSAM,
	.sniff = kernel_sniff,
	.read = kernel_read,
};
