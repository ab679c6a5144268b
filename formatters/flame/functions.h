// SPDX-License-Identifier: MIT
/**
 * The heaviest functions of a call tree, by self weight and by total weight.
 * Recursive calls count once. In a comparison, the functions that changed most.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_FUNCTIONS_H
#define APMTOOL_FORMATTERS_FLAME_FUNCTIONS_H

#include "formatters/flame/layout.h"

#include <stddef.h>

/** Cost or samples, as the tree is shown. */
struct flame_function {
	uint32_t frame;
	uint64_t self;
	uint64_t total;
	uint64_t before_self; ///< 0 without a comparison
	uint64_t before_total;
};

#define FLAME_FUNCTIONS_MOST 20

/**
 * Heaviest first, then by name; functions without weight are omitted. In a
 * comparison, the largest change first; unchanged ones are omitted.
 */
struct flame_functions {
	struct flame_function by_self[FLAME_FUNCTIONS_MOST];
	size_t self_count;
	struct flame_function by_total[FLAME_FUNCTIONS_MOST];
	size_t total_count;
};

void flame_functions_find(const struct flame *flame,
                          struct flame_functions *ret);

#endif
