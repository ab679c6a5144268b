// SPDX-License-Identifier: MIT
/**
 * Names the frames of a block of a log together, then writes them in their
 * order, with the text between them unchanged.
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

/** The frames, with room for a full batch and one more line. */
struct log_batch_frame *log_batch_frames(struct log_filter *filter);

/** Name and write all frames, and the text up to @p end. */
void log_batch_finish(struct log_filter *filter, const char *end);

/** The index of a frame's image in the report; added if new. */
size_t log_batch_image(struct report *report,
                       const struct log_batch_frame *frame,
                       struct arena *arena);

/** Symbolicate the frames of a report. */
void log_batch_name(struct log_filter *filter, struct report *report);

/** Append inserted text within a line, free of workflow commands. */
void log_add_guarded(struct log_filter *filter, struct text text);

/**
 * Append text of the log, unchanged except for control characters on a
 * terminal.
 */
void log_copy(struct log_filter *filter, struct text text);

#endif
