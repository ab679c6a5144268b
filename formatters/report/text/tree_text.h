// SPDX-License-Identifier: MIT
/**
 * Prints call trees that were read from text (parsers/sampled/tree_text.h), in
 * the format of the input, `sample` or spindump.
 *
 *     main (in Demo) (main.m:16) [0x100f0c92c]
 *     main + 24 (main.m:16 in Demo + 51500) [0x100f0c92c] (running)
 *
 * Lines without a new name stay unchanged. Inlined calls follow their outer
 * function, a line each, with its count, one level deeper and marked
 * `[inlined]`; their callees move along. So tools that do not know the mark
 * still find each child below its parent, and correct sums. In a plain list all
 * lines have one level.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TEXT_TREE_TEXT_H
#define APMTOOL_FORMATTERS_REPORT_TEXT_TREE_TEXT_H

#include "lib/base/out.h"
#include "lib/model/format_options.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

/** All zeros except the first three; then call it for each line in order. */
struct tree_text_writer {
	const struct report *report;
	enum text_style style;
	struct out *out;
	const struct report_stack *stack; ///< the current one
	size_t next_tree;                 ///< of the report
	const struct report_tree *tree;   ///< NULL: the stack is a plain list
	/** By depth: columns that its nodes moved to the right. */
	long *moved;
	size_t moved_count;
	size_t moved_cap;
};

void tree_text_writer_release(struct tree_text_writer *w);

/** Is this run of frames a line of such a tree? */
bool tree_text_is(const struct report_line *line);

void tree_text_write(struct tree_text_writer *w,
                     const struct report_line *line);

#endif
