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

struct claim {
	const char *text; ///< a sentence without full stop
	/**
	 * Where the report shows it: `line 14` of its text, or the path of a
	 * value in its JSON, `exception.codes`; at least one.
	 */
	const char **evidence;
	size_t evidence_count;
	size_t evidence_cap;
	enum confidence confidence;
};

struct explanation {
	const struct report *report;
	const char *verdict; ///< one sentence, without full stop
	const char *cause;   ///< `null-dereference`; see apmtool-explain(1)
	enum confidence confidence;
	const char *where;     ///< the function to look at; NULL: not known
	const char *next_step; ///< NULL: none to suggest
	struct claim *claims;
	size_t claim_count;
	size_t claim_cap;
};

#endif
