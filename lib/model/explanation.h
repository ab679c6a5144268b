// SPDX-License-Identifier: MIT
/**
 * What a report means: a verdict, one of a fixed set of causes, and the claims
 * that lead there, each with the places of the report that show it.
 *
 * lib/analysis/crash/explain makes it from what the report says. A claim that
 * no place shows is not made, and `inconclusive` is an answer.
 */
#ifndef APMTOOL_LIB_MODEL_EXPLANATION_H
#define APMTOOL_LIB_MODEL_EXPLANATION_H

#include "lib/model/report.h"

#include <stddef.h>

/** How far something can be relied on. */
enum confidence {
	CONFIDENCE_POSSIBLE, ///< it fits, and so may other things
	CONFIDENCE_LIKELY,   ///< what nearly always is behind such a report
	CONFIDENCE_CERTAIN,  ///< the report says so, or it follows from it
};

/** `possible`, `likely`, `certain`. */
const char *confidence_name(enum confidence confidence);

/**
 * Where a report shows something. For people and programs, the place says it;
 * the other members are for outputs that can point at the place itself.
 */
struct evidence {
	/** `line 14` of a text, or the path of a value in JSON. */
	const char *place;
	/**
	 * The labels that Apple's text has for it, `Exception Codes:`, the best
	 * first; ends with NULL. NULL: none.
	 */
	const char *const *labels;
	const char *reg; ///< a register of the crashed thread; NULL: none
	const struct report_stack *stack; ///< of a frame; NULL: none
	size_t frame;
};

struct claim {
	const char *text;          ///< a sentence without full stop
	struct evidence *evidence; ///< at least one
	size_t evidence_count;
	size_t evidence_cap;
	enum confidence confidence;
};

struct explanation {
	const struct report *report;
	const char *verdict; ///< one sentence, without full stop
	const char *cause;   ///< `null-dereference`; see apmtool-explain(1)
	enum confidence confidence;
	const char *where; ///< the function to look at; NULL: not known
	/** Of the report: what `where` names; NULL: a place without a frame. */
	const struct report_frame *where_frame;
	const struct report_call *where_call; ///< of the frame; NULL: unnamed
	const char *next_step;                ///< NULL: none to suggest
	struct claim *claims;
	size_t claim_count;
	size_t claim_cap;
};

#endif
