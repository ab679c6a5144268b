// SPDX-License-Identifier: MIT
/**
 * `--source-root`: reads the lines around those that frames of the thread that
 * crashed, or of the exception, name, for pages; or those around the call that
 * an answer names. A file is read only from below
 * the directory, without following links, and within limits: what a report
 * names is not trusted.
 */
#ifndef APMTOOL_CMD_RUN_SOURCE_LINES_H
#define APMTOOL_CMD_RUN_SOURCE_LINES_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/model/excerpt.h"
#include "lib/model/report.h"

#include <stddef.h>

struct source_lines {
	const char *root; ///< NULL: nothing is read
	int directory;
	size_t bytes_left; ///< of files, for all reports of a batch
	struct excerpts excerpts;
};

/** @param root  NULL: read nothing. Not a directory: an ERROR_USAGE. */
MUST_CHECK struct error *source_lines_open(struct source_lines *lines,
                                           const char *root);

/** Read what these reports need, instead of what is there; in @p arena. */
void source_lines_read(struct source_lines *lines,
                       struct report *const *reports, size_t count,
                       struct arena *arena);

/**
 * The same for the one call that an answer names: of what is left of the bytes
 * for the batch.
 *
 * @param call  NULL: nothing is read.
 */
void source_lines_read_call(struct source_lines *lines,
                            const struct report_call *call,
                            struct arena *arena);

void source_lines_close(struct source_lines *lines);

#endif
