// SPDX-License-Identifier: MIT
/**
 * The rows of a call tree in text output: heaviest function first; calls that
 * are too light for a row of their own are counted together. A function with
 * one callee is above it without indentation; each branch begins a new level.
 */
#ifndef APMTOOL_FORMATTERS_CALLTREE_ROWS_H
#define APMTOOL_FORMATTERS_CALLTREE_ROWS_H

#include "lib/model/calltree_walk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A row: a node, or the light callees of a node together. */
struct calltree_row {
	uint32_t node;   ///< CALLTREE_ROOT for light callees
	uint32_t folded; ///< number of light callees
	uint32_t level;  ///< branches above it
	bool branch;     ///< one of several callees
	bool last;       ///< the last of them
	struct calltree_weight weight;
	struct calltree_weight before;
};

/** Iterator over the rows. */
struct calltree_rows {
	const struct calltree *tree;
	double min_percent; ///< min share of a row
	uint64_t total;
	uint64_t total_before; ///< 0 without an older tree
	uint32_t *ranks;
	struct calltree_row *rows; ///< a stack; the next row is last
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

/** Visit all rows from top to bottom; may be repeated. */
void calltree_rows_each(struct calltree_rows *rows, calltree_row_visit visit,
                        void *context);

/** The row of one node; for CALLTREE_ROOT, of the whole tree. */
struct calltree_row calltree_row_of(const struct calltree_rows *rows,
                                    uint32_t node);

/** Share of a row in percent, and its share in the older tree. */
double calltree_share(const struct calltree_rows *rows,
                      const struct calltree_row *row);
double calltree_share_before(const struct calltree_rows *rows,
                             const struct calltree_row *row);

/**
 * The callee with at least half of its caller's weight, or CALLTREE_ROOT. Of
 * the outermost functions, always the heaviest.
 */
uint32_t calltree_heavy_call(const struct calltree_rows *rows, uint32_t caller);

#endif
