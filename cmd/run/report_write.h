// SPDX-License-Identifier: MIT
/**
 * Writes the reports of a batch in input order, with what there is to say of
 * each input: notes, failures, and how many lines of a stream were no reports.
 */
#ifndef APMTOOL_CMD_RUN_REPORT_WRITE_H
#define APMTOOL_CMD_RUN_REPORT_WRITE_H

#include "cmd/run/reports.h"

/** From now on there is more than one document; none has been written yet. */
void report_write_several(struct report_run *run);

/**
 * Write a report; the reports of an entry come in their order.
 *
 * @param text  The report as it is formatted already; NULL: it is not.
 */
void report_write(struct report_run *run, const struct batch_entry *entry,
                  const struct report *report, struct out *text);

/** After the reports of an entry, or where it has none: count it. */
void report_write_end(struct report_run *run, const struct batch_entry *entry);

#endif
