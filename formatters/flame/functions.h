// SPDX-License-Identifier: MIT
/**
 * The heaviest functions of a call tree: by what ended in them, and by what
 * they held with all that they called. A function that calls itself holds a
 * sample once. Of two trees that are compared, those that changed most.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_FUNCTIONS_H
#define APMTOOL_FORMATTERS_FLAME_FUNCTIONS_H

#include "formatters/flame/layout.h"

#include <stddef.h>

/** Cost, or samples, as the tree is shown. */
struct flame_function {
	uint32_t frame;
	uint64_t self;
	uint64_t total;
	uint64_t before_self; ///< 0 where nothing is compared
	uint64_t before_total;
};

#define FLAME_FUNCTIONS_MOST 20

/**
 * The heaviest first, then by name; none without weight. Where trees are
 * compared, what changed most comes first; none that did not.
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
