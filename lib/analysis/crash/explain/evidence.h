// SPDX-License-Identifier: MIT
/**
 * Where a report shows something (struct evidence): `line 14` of a text, or the
 * path of a value in JSON, `exception.codes`. The place is NULL where the
 * report does not have it.
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
	PLACE_BY, ///< who ended it
	PLACE_REASONS,
	PLACE_DETAILS,
	PLACE_ASI, ///< Application Specific Information
	PLACE_THROWN,
	PLACE_BACKTRACE, ///< of the exception
	PLACE_LAUNCH,
	PLACE_DATE,
	PLACE_TRIGGERED, ///< the thread that the report blames
	PLACE_PANIC,
	PLACE_KIND, ///< what makes it another report than a crash's
	PLACE_COUNT
};

struct evidence evidence_of(const struct explain *x, enum place place);
/** The line of a section that has @p needle; NULL: its first. */
struct evidence evidence_of_section(const struct explain *x, const char *label,
                                    const char *needle);
struct evidence evidence_of_frame(const struct explain *x,
                                  const struct report_stack *stack,
                                  size_t frame);
/**
 * Claim that the report says what the line of @p section says that has
 * @p needle, and cite it.
 *
 * @return The line, in the arena.
 */
const char *explain_claim_line(struct explain *x, enum confidence confidence,
                               const struct report_section *section,
                               const char *needle);
/** Of a line of the header, or of what a format has in its place. */
struct evidence evidence_of_field(const struct explain *x,
                                  const struct report_field *field);
/** Of the crashed thread. */
struct evidence evidence_of_register(const struct explain *x, const char *name);

#endif
