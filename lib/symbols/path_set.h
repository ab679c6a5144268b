/**
 * Paths, each kept once.
 */
#ifndef APMTOOL_LIB_SYMBOLS_PATH_SET_H
#define APMTOOL_LIB_SYMBOLS_PATH_SET_H

#include "lib/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/** All zeros is the empty set. Open addressing, at most half full. */
struct path_set {
	const char **slots; ///< NULL where one is free
	size_t slot_count;  ///< a power of two, or 0
	size_t count;
	uint64_t seed;
};

/** A copy of @p path in @p arena; NULL where it has been added before. */
const char *path_set_add(struct path_set *set, struct arena *arena,
                         const char *path);

void path_set_release(struct path_set *set);

#endif
