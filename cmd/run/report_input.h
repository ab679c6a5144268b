// SPDX-License-Identifier: MIT
/**
 * Fills batches with the inputs of a command that works on reports: files as
 * they are, large files and standard input as streams, whose lines may be
 * reports.
 */
#ifndef APMTOOL_CMD_RUN_REPORT_INPUT_H
#define APMTOOL_CMD_RUN_REPORT_INPUT_H

#include "cmd/run/batch.h"
#include "cmd/run/lines.h"

#include <stdbool.h>
#include <stddef.h>

struct pipeline;

/** All zeros but for the first members, at the first input. */
struct report_input {
	const struct inputs *inputs;
	struct pipeline *pipeline; ///< that it reads for
	bool takes_groups;         ///< operands may be tables of groups

	size_t next; ///< input
	// Of the stream that is open:
	const struct input *stream; ///< NULL: none is
	struct source source;
	struct lines lines;
	struct str block;
	bool has_block;     ///< of which some lines are still to be read
	bool is_broken;     ///< its last line is too long
	struct text unread; ///< of the block
	size_t line;        ///< number of the first line in it
	struct error *err;  ///< why the stream ends early
};

/**
 * Add the next inputs to a batch, which is empty.
 *
 * @param ret_more  Set where the next batch can be read without waiting.
 * @return How many were added; 0 at the end.
 */
size_t report_input_read(struct report_input *in, struct batch *batch,
                         bool *ret_more);

void report_input_release(struct report_input *in);

#endif
