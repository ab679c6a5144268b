// SPDX-License-Identifier: MIT
/** The stacks of a report as JSON: threads, other backtraces, sampled trees. */
#ifndef APMTOOL_FORMATTERS_REPORT_JSON_STACKS_H
#define APMTOOL_FORMATTERS_REPORT_JSON_STACKS_H

#include "lib/model/report.h"
#include "lib/text/json/writer.h"

/** The member `threads`. */
void json_add_threads(struct json_writer *w, const struct report *report);

/** The members `exception_backtrace` and `app_backtraces`, if present. */
void json_add_backtraces(struct json_writer *w, const struct report *report);

/** The member `trees`, if there are any. */
void json_add_trees(struct json_writer *w, const struct report *report);

/**
 * The member @p name: one call of a frame, without its index.
 *
 * @param call  NULL: no name.
 */
void json_add_place(struct json_writer *w, const char *name,
                    const struct report *report,
                    const struct report_frame *frame,
                    const struct report_call *call);

#endif
