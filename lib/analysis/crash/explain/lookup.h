// SPDX-License-Identifier: MIT
/**
 * What several subjects ask of a report. Texts that are returned live in the
 * arena of the explanation, or in the report.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_LOOKUP_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_LOOKUP_H

#include "lib/analysis/crash/explain/claims.h"

/**
 * The call of a frame that people wrote: not a check that the compiler made.
 * NULL: it has no name.
 */
const struct report_call *explain_call(const struct report_frame *frame);

/** A section that has @p needle in its text; NULL: none has. */
const struct report_section *explain_find_text(const struct explain *x,
                                               const char *needle);
/** The header's field of this label; NULL: it has none. */
const struct report_field *explain_field(const struct explain *x,
                                         const char *label);
/** The line that has @p at of @p text, in the arena, trimmed. */
const char *explain_line_at(const struct explain *x, const char *text,
                            size_t at);
/** The register of the crashed thread; NULL where it is not known. */
const struct report_register *explain_register(const struct explain *x,
                                               const char *name);
/** The program counter, whatever the processor calls it. */
const struct report_register *explain_pc(const struct explain *x);
const struct report_register *explain_sp(const struct explain *x);
/** The name of a frame's real function; NULL if it has none. */
const char *explain_symbol(const struct report_frame *frame);
/** Is it code of several functions, folded into one: which is not known? */
bool explain_is_folded(const struct report_frame *frame);
/** Is one of the calls at the frame named so: does its name begin with it? */
bool explain_calls(const struct report_frame *frame, const char *prefix);
/** The first of the innermost @p most frames that calls one of @p prefixes. */
bool explain_find_call(const struct report_stack *stack, size_t most,
                       const char *const *prefixes, size_t *ret);
/**
 * Is it no function, but what the hardened C++ library says when a check
 * fails, `vector:1393: assertion __n < size() failed`, as an inlined call?
 */
bool explain_is_check_message(const struct report_call *call);
/** The image of a frame; NULL where it is not known. */
const char *explain_image(const struct explain *x,
                          const struct report_frame *frame);
/** `Reader::next (feed.cpp:12) in Demo`, in the arena. */
const char *explain_frame(const struct explain *x,
                          const struct report_frame *frame);
/** `Demo [612]`, in the arena. */
const char *explain_process(const struct explain *x,
                            const struct report_process_ref *process);
/** The first line of @p text, shortened for a sentence, in the arena. */
const char *explain_quote(const struct explain *x, const char *text);

#endif
