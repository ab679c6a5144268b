// SPDX-License-Identifier: MIT
/**
 * `--source-root`: reads source lines for pages, around the frames of the
 * crashed thread or the exception, or around the call of an explanation. Only
 * reads files below the directory, without following links, and within limits,
 * because paths in reports are not trusted.
 */
#ifndef APMTOOL_CMD_RUN_SOURCE_LINES_H
#define APMTOOL_CMD_RUN_SOURCE_LINES_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/model/excerpt.h"
#include "lib/model/report.h"

#include <stddef.h>

struct source_lines {
	const char *root; ///< NULL: read nothing
	int directory;
	size_t bytes_left; ///< of files, for all reports of a batch
	struct excerpts excerpts;
};

/** @param root  NULL: read nothing. Not a directory: an ERROR_USAGE. */
MUST_CHECK struct error *source_lines_open(struct source_lines *lines,
                                           const char *root);

/** Read the lines for these reports into @p arena; drops earlier ones. */
void source_lines_read(struct source_lines *lines,
                       struct report *const *reports, size_t count,
                       struct arena *arena);

/**
 * As source_lines_read(), for one call, within the rest of the batch's limit.
 *
 * @param call  NULL: read nothing.
 */
void source_lines_read_call(struct source_lines *lines,
                            const struct report_call *call,
                            struct arena *arena);

void source_lines_close(struct source_lines *lines);

#endif
