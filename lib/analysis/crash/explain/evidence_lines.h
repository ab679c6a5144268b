// SPDX-License-Identifier: MIT
/**
 * Finds lines of a text report by their contents. The result is a place for
 * struct evidence, `line 14`, with the line number that an editor shows.
 *
 * Results are in the arena; NULL if there is no such line. For JSON reports,
 * evidence.c uses the paths of values instead.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_EVIDENCE_LINES_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_EVIDENCE_LINES_H

#include "lib/analysis/crash/explain/claims.h"
#include "lib/model/report.h"

#include <stddef.h>

/** A line by its number, from 1. */
const char *evidence_line(const struct explain *x, size_t number);

/**
 * Find the line that begins with @p label, then the first line with @p needle
 * from there on.
 *
 * @param label   NULL: from the first line on.
 * @param needle  NULL: the line of the label itself.
 */
const char *evidence_line_below(const struct explain *x, const char *label,
                                const char *needle);

/** The first line of a frame of @p stack, by its index. */
const char *evidence_line_of_frame(const struct explain *x,
                                   const struct report_stack *stack,
                                   size_t frame);

/** The line with a register of the crashed thread. */
const char *evidence_line_of_register(const struct explain *x,
                                      const char *name);

#endif
