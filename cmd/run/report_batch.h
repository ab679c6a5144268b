// SPDX-License-Identifier: MIT
/**
 * Stages for batches of reports: parse, call the command's hook, and write in
 * input order.
 */
#ifndef APMTOOL_CMD_RUN_REPORT_BATCH_H
#define APMTOOL_CMD_RUN_REPORT_BATCH_H

#include "cmd/run/reports.h"

/** Their context is a struct report_run. */
extern const struct pipeline_stages report_batch_stages;

/** Allocate the blocks of the run's pipeline. */
void report_batch_init(struct report_run *run);
void report_batch_release(struct report_run *run);

/** Does the format explain reports, with or without a signature? */
bool report_batch_explains(const struct report_run *run);

#endif
