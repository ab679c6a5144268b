// SPDX-License-Identifier: MIT
/**
 * Places in a report (struct evidence): `line 14` of a text, or the path of a
 * value in JSON, `exception.codes`. NULL if the report has no such place.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_EVIDENCE_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_EVIDENCE_H

#include "lib/analysis/crash/explain/claims.h"

enum place {
	PLACE_TYPE,
	PLACE_SIGNAL,
	PLACE_CODES,
	PLACE_ADDRESS,
	PLACE_SUBTYPE,
	PLACE_MESSAGE,
	PLACE_NOTE,
	PLACE_TERMINATION,
	PLACE_INDICATOR,
	PLACE_BY, ///< the terminating process
	PLACE_REASONS,
	PLACE_DETAILS,
	PLACE_ASI, ///< Application Specific Information
	PLACE_THROWN,
	PLACE_BACKTRACE, ///< of the exception
	PLACE_LAUNCH,
	PLACE_DATE,
	PLACE_TRIGGERED, ///< the thread that the report marks
	PLACE_PANIC,
	PLACE_KIND, ///< what distinguishes it from a crash report
	PLACE_COUNT
};

struct evidence evidence_of(const struct explain *x, enum place place);
/** The section's line with @p needle; its first line if that is NULL. */
struct evidence evidence_of_section(const struct explain *x, const char *label,
                                    const char *needle);
struct evidence evidence_of_frame(const struct explain *x,
                                  const struct report_stack *stack,
                                  size_t frame);
/**
 * Find the line of @p section that contains @p needle. Make a claim of its
 * text, with the line as evidence.
 *
 * @return The line, in the arena.
 */
const char *explain_claim_line(struct explain *x, enum confidence confidence,
                               const struct report_section *section,
                               const char *needle);
/** Place of a header line, or its equivalent in other formats. */
struct evidence evidence_of_field(const struct explain *x,
                                  const struct report_field *field);
/** Place of a register of the crashed thread. */
struct evidence evidence_of_register(const struct explain *x, const char *name);

#endif
