// SPDX-License-Identifier: MIT
/**
 * The rows of a call tree as text shows them: each function heaviest first,
 * what is too light for a row of its own counted together with its like. A
 * function that calls one other is above it without an indentation; only
 * where the tree branches is there a new level.
 */
#ifndef APMTOOL_FORMATTERS_CALLTREE_ROWS_H
#define APMTOOL_FORMATTERS_CALLTREE_ROWS_H

#include "lib/model/calltree_walk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a line shows: a node, or the light ones of a caller together. */
struct calltree_row {
	uint32_t node;   ///< CALLTREE_ROOT: nodes that are not shown
	uint32_t folded; ///< how many
	uint32_t level;  ///< branches above it
	bool branch;     ///< one of several below its caller
	bool last;       ///< of those
	struct calltree_weight weight;
	struct calltree_weight before;
};

/** The rows that are still to come, and what they are measured by. */
struct calltree_rows {
	const struct calltree *tree;
	double min_percent; ///< a smaller share is too light
	uint64_t total;
	uint64_t total_before; ///< 0 where nothing is compared
	uint32_t *ranks;
	struct calltree_row *rows; ///< the next one last
	size_t count;
	size_t cap;
	struct calltree_turns turns;
	bool *open; ///< by level: more branches follow
	size_t open_cap;
};

void calltree_rows_init(struct calltree_rows *rows, const struct calltree *tree,
                        double min_percent);
void calltree_rows_release(struct calltree_rows *rows);

typedef void (*calltree_row_visit)(const struct calltree_row *row,
                                   void *context);

/** Visit all rows from top to bottom; may be done again. */
void calltree_rows_each(struct calltree_rows *rows, calltree_row_visit visit,
                        void *context);

/** The row of a node, by itself; of CALLTREE_ROOT, all there is. */
struct calltree_row calltree_row_of(const struct calltree_rows *rows,
                                    uint32_t node);

/** The row's part of all in percent, and that of the older tree. */
double calltree_share(const struct calltree_rows *rows,
                      const struct calltree_row *row);
double calltree_share_before(const struct calltree_rows *rows,
                             const struct calltree_row *row);

/**
 * The call that holds at least half of its caller; CALLTREE_ROOT: there is
 * none. Of the outermost functions the heaviest is always one.
 */
uint32_t calltree_heavy_call(const struct calltree_rows *rows, uint32_t caller);

#endif
