// SPDX-License-Identifier: MIT
/*
 * KSCrash's conclusion at the next launch that the app was killed for memory:
 * its footprint and limit are the last recorded ones.
 */
#include "lib/analysis/jetsam/evidence.h"
#include "lib/base/text.h"
#include "lib/darwin/jetsam.h"

/** KSCrash's reasons, as the kernel calls them. */
static const struct {
	const char *found;
	const char *reason;
} reasons[] = {
	{ "memory_limit", JETSAM_HARD_LIMIT },
	{ "memory_pressure", "vm-pageshortage" },
};

static const char *find_reason(const struct report *report)
{
	const struct report_termination *end = &report->termination;

	if (!text_same(end->namespace_name, "KSCRASH"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (text_same(end->indicator, reasons[i].found))
			return reasons[i].reason;
	return NULL;
}

bool jetsam_is_termination(const struct report *report)
{
	// Older versions do not distinguish the two reasons.
	return !report->jetsam &&
	       (find_reason(report) ||
	        report_section(report,
	                       "Extra Information: Memory Termination"));
}

/** The last recorded memory values. */
static void take_memory(const struct report *report,
                        struct jetsam_process *process)
{
	const struct memory_limit *limit = report->memory_limits;

	if (!report->memory_limit_count ||
	    limit->evidence != MEMORY_EVIDENCE_SUM)
		return;
	process->kernel->footprint_bytes =
	        (struct jetsam_number){ limit->footprint_bytes, true };
	process->kernel->limit_bytes =
	        (struct jetsam_number){ limit->bytes, true };
	process->kernel->limit_name = "footprint + available memory";
}

void jetsam_take_termination(struct report *report, struct arena *arena)
{
	const char *reason = find_reason(report);
	struct jetsam_process *process;

	report->jetsam = arena_alloc(arena, sizeof(*report->jetsam));
	report->jetsam->part = JETSAM_EXCERPT;
	report->truncated = true;
	process = jetsam_add_process(report->jetsam, arena);
	process->name = report->process.name;
	process->pid = (struct jetsam_number){ report->process.pid,
		                               report->process.has_pid };
	process->reason = reason ? reason : "memory";
	process->kernel = arena_alloc(arena, sizeof(*process->kernel));
	if (text_same(report->role, "Foreground")) {
		process->states = JETSAM_FRONTMOST;
		process->states_text = "frontmost";
	}
	take_memory(report, process);
	report_add_note(report, arena, "crash.error",
	                "found at the next launch, from what the app recorded "
	                "last: likely, not certain");
}
