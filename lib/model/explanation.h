// SPDX-License-Identifier: MIT
/**
 * The explanation of a report: a verdict, a cause from a fixed list, and claims
 * with their evidence in the report.
 *
 * lib/analysis/crash/explain creates it. There is no claim without evidence,
 * and the cause may be `inconclusive`.
 */
#ifndef APMTOOL_LIB_MODEL_EXPLANATION_H
#define APMTOOL_LIB_MODEL_EXPLANATION_H

#include "lib/model/report.h"

#include <stddef.h>

/** How reliable a claim is. */
enum confidence {
	CONFIDENCE_POSSIBLE, ///< it fits, and so may other explanations
	CONFIDENCE_LIKELY,   ///< nearly always the cause of such a report
	CONFIDENCE_CERTAIN,  ///< in the report, or a consequence of it
};

/** `possible`, `likely`, `certain`. */
const char *confidence_name(enum confidence confidence);

/**
 * A place in a report. @c place is for people and programs; the other members
 * are for formats that can link to the place itself.
 */
struct evidence {
	/** `line 14` of a text, or the path of a value in JSON. */
	const char *place;
	/**
	 * Labels of it in Apple's text, `Exception Codes:`, best first; ends
	 * with NULL. May be NULL.
	 */
	const char *const *labels;
	const char *reg; ///< a register of the crashed thread; or NULL
	const struct report_stack *stack; ///< of a frame; or NULL
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
	const char *verdict; ///< a sentence without full stop
	const char *cause;   ///< `null-dereference`; see apmtool-explain(1)
	enum confidence confidence;
	const char *where; ///< the function to look at; or NULL
	/** The frame of `where`; NULL: a place without a frame. */
	const struct report_frame *where_frame;
	const struct report_call *where_call; ///< of the frame; NULL: no name
	const char *next_step;                ///< or NULL
	struct claim *claims;
	size_t claim_count;
	size_t claim_cap;
};

#endif
