// SPDX-License-Identifier: MIT
/**
 * The frames of a log that wait for their names: all of a block are named at
 * once, then written in their order, with the text between them as it is.
 *
 *     frame = &log_batch_frames(filter)[filter->count++];
 *     …
 *     log_batch_finish(filter, end);
 */
#ifndef APMTOOL_CMD_RUN_LOG_BATCH_H
#define APMTOOL_CMD_RUN_LOG_BATCH_H

#include "cmd/run/log_state.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stddef.h>

/** Room for all frames of a batch and of one more line. */
struct log_batch_frame *log_batch_frames(struct log_filter *filter);

/** Name and write what waits, and the text up to @p end. */
void log_batch_finish(struct log_filter *filter, const char *end);

/** The number of the image of a frame in the report; added if it is new. */
size_t log_batch_image(struct report *report,
                       const struct log_batch_frame *frame,
                       struct arena *arena);

/** Look up the names of the frames of a report. */
void log_batch_name(struct log_filter *filter, struct report *report);

/** Add text of ours within a line, free of workflow commands. */
void log_add_guarded(struct log_filter *filter, struct text text);

/** Add text of the log, byte for byte unless a terminal would act on it. */
void log_copy(struct log_filter *filter, struct text text);

#endif
