// SPDX-License-Identifier: MIT
#include "formatters/report/text/parts.h"

#include <inttypes.h>
#include <string.h>

#define CELLS_PER_ROW 4

/** Apple begins a row here, full or not. */
static bool begins_row(const char *name, const char *before)
{
	return !strcmp(name, "far") || !strcmp(name, "tmp0") ||
	       (!strcmp(name, "sp") && !strcmp(before, "lr"));
}

unsigned crash_text_digits(const char *name, bool narrow)
{
	return narrow || !strcmp(name, "cpsr") || !strcmp(name, "esr") ? 8 : 16;
}

static void add_register(const struct report_register *reg, bool narrow,
                         struct out *out)
{
	size_t size = strlen(reg->name);

	// PLCrashReporter's `eflags` and `trapno` are wider than the column.
	out_addf(out, "%*s", size < 5 ? (int)(5 - size) : 1, "");
	out_add_visible(out, reg->name);
	if (reg->available)
		out_addf(out, ": 0x%0*" PRIx64,
		         (int)crash_text_digits(reg->name, narrow), reg->value);
	else
		out_add(out, ": <unavailable>");
	// Print a value's meaning, but not its target.
	if (reg->note && !strcmp(reg->name, "esr")) {
		out_add(out, " ");
		out_add_visible(out, reg->note);
	}
}

/** x86: facts about the trap, one per line, below the registers. */
static void add_trap(const struct report *report, struct out *out)
{
	static const char *const labels[] = { CRASH_TEXT_TRAP_LABELS };
	bool is_first = true;

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		const char *value = report_field(report, labels[i]);

		if (!value)
			continue;
		out_addf(out, "%s%s:%*s", is_first ? "  \n" : "", labels[i],
		         (int)(16 - strlen(labels[i])), "");
		out_add_visible(out, value);
		out_add(out, "\n");
		is_first = false;
	}
}

void crash_text_state(const struct report *report,
                      const struct report_thread *thread, struct out *out)
{
	const struct report_thread_state *state = &thread->state;
	const char *before = "";
	size_t cells = 0;
	bool narrow;
	bool is_arm;

	if (!state->flavor)
		return;
	narrow = strstr(state->flavor, "32-bit");
	is_arm = !strncmp(state->flavor, "ARM", 3);
	out_addf(out, "\nThread %" PRIu64 " crashed with ", thread->number);
	out_add_visible(out, state->flavor);
	out_add(out, ":\n");
	for (size_t i = 0; i < state->count; i++) {
		const struct report_register *reg = &state->registers[i];

		if (cells &&
		    (cells == CELLS_PER_ROW || begins_row(reg->name, before))) {
			out_add(out, "\n");
			cells = 0;
		}
		if (!cells && is_arm)
			out_add(out, " ");
		add_register(reg, narrow, out);
		before = reg->name;
		cells++;
	}
	if (cells)
		out_add(out, "\n");
	add_trap(report, out);
}
