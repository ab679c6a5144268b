// SPDX-License-Identifier: MIT
/**
 * A log in, the same log out, with names for the frames in it: what
 * `symbolicate --log` does. Whole lines are read, and written before a read
 * that would wait; all that is no frame passes byte for byte.
 *
 *     SCOPED(log_filter_release)
 *     struct log_filter filter = { .search = &search, .out = out, … };
 *
 *     err = log_filter_add_images(&filter, "report.ips");
 *     err = log_filter_run(&filter, "-");
 *     log_filter_notice(&filter, notices);
 *
 * What is known of images when a frame comes is all that counts, whatever is
 * read at once; of a regular file it is all that the file says, which is read
 * twice (lib/analysis/symbolicate/log_images.h).
 */
#ifndef APMTOOL_CMD_RUN_LOG_FILTER_H
#define APMTOOL_CMD_RUN_LOG_FILTER_H

#include "cmd/run/log_state.h"
#include "lib/base/error.h"

/** A report or any text with a list: its images are those of all processes. */
MUST_CHECK struct error *log_filter_add_images(struct log_filter *filter,
                                               const char *path);

/** Let a log pass; `-` is standard input. */
MUST_CHECK struct error *log_filter_run(struct log_filter *filter,
                                        const char *path);

/** Say at the end what stayed unnamed, and why. */
void log_filter_notice(struct log_filter *filter,
                       const struct notices *notices);

void log_filter_release(struct log_filter *filter);

#endif
