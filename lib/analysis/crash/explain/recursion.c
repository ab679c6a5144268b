// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/steps.h"
#include "lib/darwin/signals.h"

#include <inttypes.h>
#include <string.h>

/** Max functions of a cycle, and innermost frames in which it is searched. */
#define CYCLE_MAX   16
#define START_MAX   24
#define REPEATS_MIN 8
/** Repetitions that suffice if the stack is known to be full. */
#define REPEATS_FULL 3

/** Max distance of a stack access from the stack pointer. */
#define NEAR_BYTES UINT64_C(0x10000)

struct cycle {
	size_t start;   ///< its first frame
	size_t length;  ///< functions
	size_t repeats; ///< how often it is on the stack
};

/** Is it the same function? Without names, the same address. */
static bool is_same(const struct report_frame *a, const struct report_frame *b)
{
	const char *x = explain_symbol(a);
	const char *y = explain_symbol(b);

	if (x && y)
		return !strcmp(x, y);
	return !x && !y && a->address && a->address == b->address;
}

static size_t run_length(const struct report_stack *stack, size_t start,
                         size_t length)
{
	size_t count = 0;

	while (start + count + length < stack->count &&
	       is_same(&stack->frames[start + count],
	               &stack->frames[start + count + length]))
		count++;
	return count;
}

/** Find the shortest cycle that covers most of the stack. */
static bool find_cycle(const struct report_stack *stack, size_t repeats_min,
                       struct cycle *ret)
{
	size_t best = 0;

	for (size_t start = 0; start < START_MAX && start < stack->count;
	     start++) {
		// Longer ones have no room for the repetitions.
		size_t longest = (stack->count - start) / repeats_min;

		for (size_t length = 1;
		     length <= longest && length <= CYCLE_MAX; length++) {
			size_t run = run_length(stack, start, length);

			if (run / length + 1 < repeats_min || run <= best)
				continue;
			best = run;
			*ret = (struct cycle){ start, length,
				               run / length + 1 };
		}
	}
	return best;
}

/** The functions of the cycle, innermost first. */
static const char *name_cycle(const struct explain *x,
                              const struct report_stack *stack,
                              const struct cycle *cycle)
{
	const char *names = "";

	for (size_t i = 0; i < cycle->length; i++)
		names = arena_printf(
		        x->arena, "%s%s%s", names, i ? ", called by " : "",
		        explain_frame(x, &stack->frames[cycle->start + i]));
	return cycle->length > 1
	               ? arena_printf(x->arena, "%s, and so on", names)
	               : names;
}

static void claim_cycle(struct explain *x, const struct report_stack *stack,
                        const struct cycle *cycle)
{
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "%zu function%s repeat%s %zu times on the stack%s: %s",
	              cycle->length, text_plural(cycle->length),
	              cycle->length == 1 ? "s" : "", cycle->repeats,
	              x->report->truncated ? ", as far as it was read" : "",
	              name_cycle(x, stack, cycle));
	explain_cite(x, evidence_of_frame(x, stack, cycle->start));
	explain_cite(x,
	             evidence_of_frame(x, stack, cycle->start + cycle->length));
}

/** The kernel or the reporter states that the stack was full. */
static bool claim_guard(struct explain *x)
{
	static const char *const words[] = {
		"STACK GUARD",
		"Stack Guard",
		"The stack has overflowed.",
		"Stack overflow in ",
	};
	static const char *const labels[] = { "VM Region Info", "Stack Dump",
		                              "CrashDoctor Diagnosis" };

	for (size_t i = 0; i < x->report->section_count; i++) {
		const struct report_section *section = &x->report->sections[i];
		const char *at = NULL;
		bool may_tell = false;

		for (size_t k = 0; k < ARRAY_SIZE(labels); k++)
			may_tell |= strstr(section->label, labels[k]) != NULL;
		for (size_t k = 0; may_tell && k < ARRAY_SIZE(words) && !at;
		     k++)
			at = strstr(section->text, words[k]);
		if (!at)
			continue;
		// The table of regions shows the neighbours, too.
		if (strstr(section->text, "--->") &&
		    !strstr(explain_line_at(x, section->text,
		                            (size_t)(at - section->text)),
		            "--->"))
			continue;
		explain_claim(x, CONFIDENCE_CERTAIN,
		              !strcmp(section->label, labels[0])
		                      ? "the address lies in the guard page "
		                        "of a stack"
		                      : "the reporter says that the stack has "
		                        "overflowed");
		explain_cite(x, evidence_of_section(x, section->label, NULL));
		return true;
	}
	return false;
}

/** The system's message about a thread with a full stack. */
static bool claim_message(struct explain *x)
{
	const char *message = x->report->exception.message;

	if (!message || !strstr(message, "Thread stack size exceeded"))
		return false;
	explain_claim(x, CONFIDENCE_CERTAIN, "the system says: %s",
	              explain_quote(x, message));
	explain_cite(x, evidence_of(x, PLACE_MESSAGE));
	return true;
}

/** An access right below the stack pointer, or at it. */
static bool claim_near_sp(struct explain *x)
{
	const struct report_register *sp = explain_sp(x);
	uint64_t address = x->facts.address;

	if (!sp || !x->facts.is_access || !x->facts.has_address ||
	    address > sp->value + NEAR_BYTES ||
	    address + NEAR_BYTES < sp->value)
		return false;
	explain_claim(x, CONFIDENCE_CERTAIN,
	              "the address is at the stack pointer, %s 0x%" PRIx64,
	              sp->name, sp->value);
	explain_cite(x, evidence_of_register(x, sp->name));
	return true;
}

/** An access, or a report without its cause. */
static bool can_overflow(const struct explain *x)
{
	return x->facts.is_access ||
	       (!x->facts.exception && !x->facts.signal && !x->report->kind);
}

void explain_overflow(struct explain *x)
{
	const struct report_stack *stack =
	        x->facts.thread ? &x->facts.thread->stack : NULL;
	struct cycle cycle = { 0 };
	bool is_guard = can_overflow(x) && (claim_guard(x) || claim_message(x));
	bool has_cycle = stack &&
	                 find_cycle(stack,
	                            is_guard ? REPEATS_FULL : REPEATS_MIN,
	                            &cycle);
	bool is_near = !is_guard && has_cycle && claim_near_sp(x);
	const char *function;

	if (has_cycle && (is_guard || x->facts.is_access))
		claim_cycle(x, stack, &cycle);
	if (!is_guard && !is_near)
		return;
	if (!has_cycle) {
		explain_advise(x, "look for large local variables, and for "
		                  "recursion that the stack does not show");
		explain_conclude(x, CAUSE_STACK_OVERFLOW, CONFIDENCE_LIKELY,
		                 "%s ran out of stack", x->facts.process);
		return;
	}
	function = explain_frame(x, &stack->frames[cycle.start]);
	explain_advise(x, "look for what should end the recursion");
	explain_conclude(x, CAUSE_STACK_OVERFLOW,
	                 is_guard ? CONFIDENCE_CERTAIN : CONFIDENCE_LIKELY,
	                 "%s ran out of stack by recursion in %s",
	                 x->facts.process, function);
}
