// SPDX-License-Identifier: MIT
/**
 * A sampled tree line by line: what text and JSON both show of it.
 *
 * Outermost first, as the tree itself. Calls that were inlined follow the
 * function that holds them, each one level deeper; what a node calls is
 * below the innermost of them.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TREE_LINES_H
#define APMTOOL_FORMATTERS_REPORT_TREE_LINES_H

#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree_line {
	size_t depth;     ///< 0: a root
	uint64_t samples; ///< of this line and those below it; 0: not said
	const struct report_frame *frame;
	const struct report_call *call; ///< NULL: nothing is known
	bool inlined;
};

typedef void (*tree_line_visit)(const struct tree_line *line, void *context);

/** @param inlined  Show inlined calls, too. */
void tree_each_line(const struct report_tree *tree, bool inlined,
                    tree_line_visit visit, void *context);

/** The samples of all roots. */
uint64_t tree_samples(const struct report_tree *tree);

#endif
