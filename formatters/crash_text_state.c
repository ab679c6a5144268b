#include "formatters/crash_text_layout.h"

#include <inttypes.h>
#include <string.h>

#define CELLS_PER_ROW 4

/**
 * x86 states close with what the trap said, one a line, below the registers;
 * the meaning of the error code comes as the note of the trap number.
 */
struct trap_state {
	const struct report_register *cpu;
	const struct report_register *error;
	const struct report_register *trap;
};

static bool take_trap_state(const struct report_register *reg,
                            struct trap_state *trap)
{
	if (!strcmp(reg->name, "cpu"))
		trap->cpu = reg;
	else if (!strcmp(reg->name, "err"))
		trap->error = reg;
	else if (!strcmp(reg->name, "trap"))
		trap->trap = reg;
	else
		return false;
	return true;
}

/** Apple begins a row here, full or not. */
static bool begins_row(const char *name, const char *before)
{
	return !strcmp(name, "far") || !strcmp(name, "tmp0") ||
	       (!strcmp(name, "sp") && !strcmp(before, "lr"));
}

static unsigned digits_of(const char *name, bool narrow)
{
	return narrow || !strcmp(name, "cpsr") || !strcmp(name, "esr") ? 8 : 16;
}

static void add_register(const struct report_register *reg, bool narrow,
                         struct out *out)
{
	size_t size = strlen(reg->name);

	if (size < 5)
		out_addf(out, "%*s", (int)(5 - size), "");
	out_add_visible(out, reg->name);
	if (reg->available)
		out_addf(out, ": 0x%0*" PRIx64,
		         (int)digits_of(reg->name, narrow), reg->value);
	else
		out_add(out, ": <unavailable>");
	if (reg->note) {
		out_add(out, " ");
		out_add_visible(out, reg->note);
	}
}

static void add_trap_state(const struct trap_state *trap, struct out *out)
{
	if (!trap->cpu && !trap->error && !trap->trap)
		return;
	out_add(out, "  \n");
	if (trap->cpu)
		out_addf(out, "Logical CPU:     %" PRIu64 "\n",
		         trap->cpu->value);
	if (trap->error) {
		out_addf(out, "Error Code:      0x%08" PRIx64 " ",
		         trap->error->value);
		if (trap->trap && trap->trap->note)
			out_add_visible(out, trap->trap->note);
		out_add(out, "\n");
	}
	if (trap->trap)
		out_addf(out, "Trap Number:     %" PRIu64 "\n",
		         trap->trap->value);
}

void crash_text_state(const struct report_thread *thread, struct out *out)
{
	const struct report_thread_state *state = &thread->state;
	struct trap_state trap = { 0 };
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

		if (take_trap_state(reg, &trap))
			continue;
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
	add_trap_state(&trap, out);
}
