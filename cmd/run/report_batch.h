// SPDX-License-Identifier: MIT
/**
 * What a run does with each batch of reports: they go through the command's
 * hook, and are written in the order of their inputs, while other jobs read the
 * next batch and format.
 */
#ifndef APMTOOL_CMD_RUN_REPORT_BATCH_H
#define APMTOOL_CMD_RUN_REPORT_BATCH_H

#include "cmd/run/reports.h"
#include "lib/base/error.h"

/** From now on there is more than one document; none has been written yet. */
void report_batch_several(struct report_run *run);

/** An input is done; @p err is why it failed, or part of it; borrowed. */
void report_batch_end_input(struct report_run *run, const char *name,
                            const struct error *err);

/** Read, work on and write what is in the batch, and what is read already. */
void report_batch_handle(struct report_run *run);

/** For a `deliver`: append a report as it is printed; each once, in order. */
void report_batch_format(struct report_run *run, const struct report *report,
                         struct out *to);

/** Do reports get what they mean, for the format that shows it? */
bool report_batch_explains(const struct report_run *run);

/** Make room in the batch; what is in it may wait to be written. */
void report_batch_next(struct report_run *run);

#endif
