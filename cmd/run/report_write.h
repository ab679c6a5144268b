// SPDX-License-Identifier: MIT
/**
 * Writes the reports of a batch in input order, with notes and failures of each
 * input, and the number of other lines in a stream.
 */
#ifndef APMTOOL_CMD_RUN_REPORT_WRITE_H
#define APMTOOL_CMD_RUN_REPORT_WRITE_H

#include "cmd/run/reports.h"

/** There will be several documents; call before the first one. */
void report_write_several(struct report_run *run);

/**
 * Write a report; reports of an entry are passed in order.
 *
 * @param text  The formatted report; NULL: not formatted yet.
 */
void report_write(struct report_run *run, const struct batch_entry *entry,
                  const struct report *report, struct out *text);

/** Count an entry, after its reports, if any. */
void report_write_end(struct report_run *run, const struct batch_entry *entry);

#endif
