// SPDX-License-Identifier: MIT
/**
 * An explanation that is being made: what its report says, in numbers, and the
 * claims so far.
 *
 * A subject (steps.h) makes claims and cites the places that show them. If it
 * knows the cause, it concludes; the first conclusion stays.
 *
 *     explain_claim(x, CONFIDENCE_CERTAIN, "the address is 0x%" PRIx64, a);
 *     explain_cite(x, evidence_of(x, PLACE_CODES));
 *     explain_conclude(x, CAUSE_NULL_DEREFERENCE, CONFIDENCE_LIKELY, "…");
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_CLAIMS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_CLAIMS_H

#include "lib/analysis/crash/signature/functions.h"
#include "lib/base/arena.h"
#include "lib/model/explanation.h"

#include <stdbool.h>
#include <stdint.h>

enum cause {
#define CAUSE(name, word, what) CAUSE_##name,
#include "lib/analysis/crash/explain/causes.def"
#undef CAUSE
};

/** A cause that explanations name. */
struct explain_cause {
	const char *word; ///< `null-dereference`
	const char *what; ///< in a few words
};

/** All of them; ends with a NULL word. */
extern const struct explain_cause explain_causes[];

/** What the fields of a report say, in numbers (facts.c). */
struct crash_facts {
	uint64_t exception; ///< Mach's number; 0: not said
	uint64_t signal;    ///< Darwin's number; 0: not said
	uint64_t code;      ///< the raw codes of the exception
	uint64_t subcode;
	bool has_code;
	bool has_subcode;
	/** Was it an access to memory that failed? */
	bool is_access;
	uint64_t address; ///< of the access, as the report has it
	bool has_address;
	/** The kernel's answer or the processor's, by name; NULL: not said. */
	const char *kern;
	/** The thread that crashed; NULL: not said. */
	const struct report_thread *thread;
	size_t thread_index; ///< in the report
	/** The stack to blame: the exception's, else of that thread; or NULL.
	 */
	const struct report_stack *stack;
	const char *process; ///< its name, or "the process"
};

/** What the frames of a stack mean, looked for once (frames.c). */
struct frame_found {
	const struct report_stack *stack;    ///< NULL: not looked for yet
	const struct frame_meaning *meaning; ///< NULL: nothing
	const char *name;                    ///< of the function; or NULL
	size_t frame;
};

/** An explanation that is being made. */
struct explain {
	const struct report *report;
	struct crash_functions *functions; ///< NULL: no rules
	struct frame_found found;          ///< what the frames mean
	struct arena *arena;
	struct explanation *answer;
	struct crash_facts facts;
	bool concluded;
};

/** A new claim, which explain_cite() gives its evidence. */
void explain_claim(struct explain *x, enum confidence confidence,
                   const char *format, ...) PRINTF_LIKE(3, 4);
/** What shows the last claim; without a place it adds nothing. */
void explain_cite(struct explain *x, struct evidence evidence);
/** The verdict, unless there is one already. */
void explain_conclude(struct explain *x, enum cause cause,
                      enum confidence confidence, const char *format, ...)
        PRINTF_LIKE(4, 5);
/**
 * What to do next, unless it is said; before the conclusion that it belongs
 * to. Borrowed; NULL adds nothing.
 */
void explain_advise(struct explain *x, const char *advice);

/** A claim that no place shows is not made. */
void explain_drop_unproven(struct explain *x);

#endif
