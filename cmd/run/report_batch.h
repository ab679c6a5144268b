// SPDX-License-Identifier: MIT
/**
 * What a run does with each batch of reports: they are parsed, go through the
 * command's hook, and are written in input order.
 */
#ifndef APMTOOL_CMD_RUN_REPORT_BATCH_H
#define APMTOOL_CMD_RUN_REPORT_BATCH_H

#include "cmd/run/reports.h"

/** Its context is a struct report_run. */
extern const struct pipeline_stages report_batch_stages;

/** Make the blocks of the run's pipeline. */
void report_batch_init(struct report_run *run);
void report_batch_release(struct report_run *run);

/** Does the format explain reports, with a signature or without? */
bool report_batch_explains(const struct report_run *run);

#endif
