// SPDX-License-Identifier: MIT
/**
 * Removes reports from a batch that are not selected, or that the command
 * cannot use, before any other work.
 */
#ifndef APMTOOL_CMD_RUN_REPORT_REFUSE_H
#define APMTOOL_CMD_RUN_REPORT_REFUSE_H

#include "cmd/run/reports.h"

/** Remove them from an entry, which fails if none is left. */
void report_refuse(struct report_run *run, struct batch_entry *entry);

#endif
