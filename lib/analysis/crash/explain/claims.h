// SPDX-License-Identifier: MIT
/**
 * An explanation under construction: facts of its report, and the claims so
 * far.
 *
 * A subject (steps.h) makes claims and cites their evidence. If it knows the
 * cause, it concludes; the first conclusion wins.
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

/** A cause of an explanation. */
struct explain_cause {
	const char *word; ///< `null-dereference`
	const char *what; ///< in a few words
};

/** All causes; ends with a NULL word. */
extern const struct explain_cause explain_causes[];

/** Fields of a report, as numbers (facts.c). */
struct crash_facts {
	uint64_t exception; ///< Mach's number; 0: unknown
	uint64_t signal;    ///< Darwin's number; 0: unknown
	uint64_t code;      ///< the raw codes of the exception
	uint64_t subcode;
	bool has_code;
	bool has_subcode;
	/** Was it a failed memory access? */
	bool is_access;
	uint64_t address; ///< accessed address, as in the report
	bool has_address;
	/** Name of the kernel's or processor's code; or NULL. */
	const char *kern;
	/** The crashed thread; or NULL. */
	const struct report_thread *thread;
	size_t thread_index; ///< in the report
	/**
	 * The stack to explain: of the exception, else of that thread; or NULL.
	 */
	const struct report_stack *stack;
	const char *process; ///< its name, or "the process"
};

/** Meaning of a stack's frames, computed once (frames.c). */
struct frame_found {
	const struct report_stack *stack;    ///< NULL: not computed yet
	const struct frame_meaning *meaning; ///< or NULL
	const char *name;                    ///< of the function; or NULL
	size_t frame;
};

/** State of an explanation. */
struct explain {
	const struct report *report;
	struct crash_functions *functions; ///< NULL: no rules
	struct frame_found found;          ///< meaning of the frames
	struct arena *arena;
	struct explanation *answer;
	struct crash_facts facts;
	bool concluded;
};

/** Add a claim; explain_cite() adds its evidence. */
void explain_claim(struct explain *x, enum confidence confidence,
                   const char *format, ...) PRINTF_LIKE(3, 4);
/** Add evidence to the last claim; ignored without a place. */
void explain_cite(struct explain *x, struct evidence evidence);
/** Set the verdict, unless it is set already. */
void explain_conclude(struct explain *x, enum cause cause,
                      enum confidence confidence, const char *format, ...)
        PRINTF_LIKE(4, 5);
/**
 * Set the next step, unless it is set already; call it before the conclusion.
 * Borrowed; ignores NULL.
 */
void explain_advise(struct explain *x, const char *advice);

/** Remove claims without evidence. */
void explain_drop_unproven(struct explain *x);

#endif
