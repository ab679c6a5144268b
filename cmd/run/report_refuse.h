// SPDX-License-Identifier: MIT
/**
 * Takes out of a batch the reports that are not meant, or that a command has no
 * use for, before anything is done with them.
 */
#ifndef APMTOOL_CMD_RUN_REPORT_REFUSE_H
#define APMTOOL_CMD_RUN_REPORT_REFUSE_H

#include "cmd/run/reports.h"

/** An entry has failed where none of its reports is left. */
void report_refuse(struct report_run *run, struct batch_entry *entry);

#endif
