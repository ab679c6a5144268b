// SPDX-License-Identifier: MIT
/**
 * Lines of a sampled tree, for text and JSON output.
 *
 * Outermost first, like the tree. Inlined calls follow their outer function,
 * each one level deeper; callees of the node are below its innermost call.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TREE_LINES_H
#define APMTOOL_FORMATTERS_REPORT_TREE_LINES_H

#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree_line {
	size_t depth;     ///< 0 for a root
	uint64_t samples; ///< including lines below; 0: unknown
	const struct report_frame *frame;
	const struct report_call *call; ///< NULL: no name
	bool inlined;
};

typedef void (*tree_line_visit)(const struct tree_line *line, void *context);

/** @param inlined  Visit inlined calls, too. */
void tree_each_line(const struct report_tree *tree, bool inlined,
                    tree_line_visit visit, void *context);

/** Samples of all roots. */
uint64_t tree_samples(const struct report_tree *tree);

#endif
