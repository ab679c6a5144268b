// SPDX-License-Identifier: MIT
/**
 * Which line of a text report shows something, as a reader would count it: the
 * place `line 14` of struct evidence.
 *
 * All results are in the arena, or NULL where no line shows it. Reports in JSON
 * have no lines: evidence.c names the paths of their values.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_EVIDENCE_LINES_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_EVIDENCE_LINES_H

#include "lib/analysis/crash/explain/claims.h"
#include "lib/model/report.h"

#include <stddef.h>

/** A line by its number, from 1 on. */
const char *evidence_line(const struct explain *x, size_t number);

/**
 * The first line that has @p needle, from the one that begins with @p label
 * on.
 *
 * @param label   NULL: from the first of all on.
 * @param needle  NULL: the line of the label itself.
 */
const char *evidence_line_below(const struct explain *x, const char *label,
                                const char *needle);

/** The first line of a frame of @p stack, by its index. */
const char *evidence_line_of_frame(const struct explain *x,
                                   const struct report_stack *stack,
                                   size_t frame);

/** The line that has the value of a register of the crashed thread. */
const char *evidence_line_of_register(const struct explain *x,
                                      const char *name);

#endif
