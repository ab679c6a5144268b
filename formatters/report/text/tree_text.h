// SPDX-License-Identifier: MIT
/**
 * Lines of call trees that were read from text (parsers/sampled/tree_text.h),
 * printed in the format they came in: `sample`'s, or spindump's.
 *
 *     main (in Demo) (main.m:16) [0x100f0c92c]
 *     main + 24 (main.m:16 in Demo + 51500) [0x100f0c92c] (running)
 *
 * A line that was not named stays as it was. Calls that were inlined follow
 * the function that holds them, a line each, with its count, one level further
 * in and marked `[inlined]`; what they call moves along. So a tool that knows
 * nothing of them still finds a child below its parent and sums that add up.
 * In a plain list all lines are below each other.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TEXT_TREE_TEXT_H
#define APMTOOL_FORMATTERS_REPORT_TEXT_TREE_TEXT_H

#include "lib/base/out.h"
#include "lib/model/format_options.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

/** All zeros but for the first three to begin; lines come in their order. */
struct tree_text_writer {
	const struct report *report;
	enum text_style style;
	struct out *out;
	const struct report_stack *stack; ///< the current one
	size_t next_tree;                 ///< of the report
	const struct report_tree *tree;   ///< NULL: the stack is a plain list
	/** For each depth, columns that its nodes moved to the right. */
	long *moved;
	size_t moved_count;
	size_t moved_cap;
};

void tree_text_writer_release(struct tree_text_writer *w);

/** Is this run of frames one of such lines? */
bool tree_text_is(const struct report_line *line);

void tree_text_write(struct tree_text_writer *w,
                     const struct report_line *line);

#endif
