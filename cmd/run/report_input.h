// SPDX-License-Identifier: MIT
/**
 * Fills batches with the inputs of commands that work on reports: whole files;
 * large files and standard input as streams, whose lines may be reports.
 */
#ifndef APMTOOL_CMD_RUN_REPORT_INPUT_H
#define APMTOOL_CMD_RUN_REPORT_INPUT_H

#include "cmd/run/batch.h"
#include "cmd/run/lines.h"

#include <stdbool.h>
#include <stddef.h>

struct pipeline;

/** Zero-initialise, then set the first members. */
struct report_input {
	const struct inputs *inputs;
	struct pipeline *pipeline; ///< to fill
	bool takes_groups;         ///< operands may also be tables of groups

	size_t next; ///< input
	// The open stream:
	const struct input *stream; ///< or NULL
	struct source source;
	struct lines lines;
	struct str block;
	bool has_block;     ///< some of its lines are not read yet
	bool is_broken;     ///< its last line is too long
	struct text unread; ///< rest of the block
	size_t line;        ///< number of its first line
	struct error *err;  ///< failure that ends the stream early
};

/**
 * Add the next inputs to a batch, which is empty.
 *
 * @param ret_more  Set to true if the next batch can be read without waiting.
 * @return The number of inputs added; 0 at the end.
 */
size_t report_input_read(struct report_input *in, struct batch *batch,
                         bool *ret_more);

void report_input_release(struct report_input *in);

#endif
