// SPDX-License-Identifier: MIT
/**
 * Copies a log and adds names to its frames, for `symbolicate --log`. It reads
 * whole lines and writes them before a read that would block. Other text is
 * copied unchanged.
 *
 *     SCOPED(log_filter_release)
 *     struct log_filter filter = { .search = &search, .out = out, … };
 *
 *     err = log_filter_add_images(&filter, "report.ips");
 *     err = log_filter_run(&filter, "-");
 *     log_filter_notice(&filter, notices);
 *
 * A frame is resolved with the images known at its place, independent of block
 * sizes. A regular file is read twice, so all its lists of images are known
 * from the start (lib/analysis/symbolicate/log_images.h).
 */
#ifndef APMTOOL_CMD_RUN_LOG_FILTER_H
#define APMTOOL_CMD_RUN_LOG_FILTER_H

#include "cmd/run/log_state.h"
#include "lib/base/error.h"

/** Add the images of a report, or of any text with a list, to all processes. */
MUST_CHECK struct error *log_filter_add_images(struct log_filter *filter,
                                               const char *path);

/** Filter a log; `-` is standard input. */
MUST_CHECK struct error *log_filter_run(struct log_filter *filter,
                                        const char *path);

/** At the end: report unnamed frames, and why they are unnamed. */
void log_filter_notice(struct log_filter *filter,
                       const struct notices *notices);

void log_filter_release(struct log_filter *filter);

#endif
