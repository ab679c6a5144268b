// SPDX-License-Identifier: MIT
#include "parsers/jetsam/jetsam.h"

#include "lib/base/block.h"
#include "lib/base/utf8.h"

#include <string.h>

/** Longer ones are truncated. */
#define STATE_BYTES_MAX 64

struct report *jetsam_report_new(struct arena *arena, const char *format)
{
	struct report *report = report_new(arena);

	report->format = format;
	report->kind = "jetsam log";
	report->jetsam = arena_alloc(arena, sizeof(*report->jetsam));
	return report;
}

bool jetsam_add_state(struct jetsam_process *process, struct arena *arena,
                      struct text name)
{
	const char *before = process->states_text;
	size_t size = before ? strlen(before) + 2 : 0;
	size_t count = 0;
	char *text;

	for (const char *at = before; at && (at = strchr(at, ',')); at++)
		count++;
	if (count + 1 >= JETSAM_STATES_MAX)
		return false;
	name = utf8_first(name, STATE_BYTES_MAX);
	text = arena_take(arena, size + name.size + 1);
	if (before) {
		block_copy(text, before, size - 2);
		memcpy(text + size - 2, ", ", 2);
	}
	block_copy(text + size, name.data, name.size);
	text[size + name.size] = '\0';
	process->states |= jetsam_state_find(text + size);
	process->states_text = text;
	return true;
}

void jetsam_note_missing(struct report *report, struct arena *arena)
{
	const struct jetsam *jetsam = report->jetsam;
	const char *how = jetsam->part == JETSAM_DAMAGED ? "damaged"
	                                                 : "truncated";
	const char *lost;

	if (report->is_limited)
		return;
	if (jetsam->process_count)
		lost = arena_printf(arena,
		                    "the log is %s: only %zu process%s of its "
		                    "list %s readable",
		                    how, jetsam->process_count,
		                    jetsam->process_count == 1 ? "" : "es",
		                    jetsam->process_count == 1 ? "is" : "are");
	else if (jetsam->has_process_list)
		lost = arena_printf(
		        arena, "the log is %s: its processes are lost", how);
	else if (jetsam->memory.free.known)
		lost = arena_printf(
		        arena, "the log is %s before its list of processes",
		        how);
	else
		lost = arena_printf(arena,
		                    "the log is %s: memory pages and the list "
		                    "of processes are lost",
		                    how);
	report_add_note(report, arena, "log", lost);
}
