/**
 * Many addresses of one image looked up at once, by several threads.
 *
 * They are cut into pieces by their count alone: what is found does not depend
 * on the number of threads.
 */
#ifndef APMTOOL_LIB_SYMBOLS_GSYM_BATCH_H
#define APMTOOL_LIB_SYMBOLS_GSYM_BATCH_H

#include "lib/base/arena.h"
#include "lib/symbols/gsym/gsym.h"

#include <stddef.h>
#include <stdint.h>

/**
 * As gsym_walk_lookup(), of all @p addresses.
 *
 * @param addresses  Best in ascending order.
 * @param jobs       At most so many threads.
 * @param answers    One for each address; without calls where nothing was
 *                   found.
 */
void gsym_walk_lookup_all(struct gsym_walk *walk, const uint64_t *addresses,
                          size_t count, unsigned jobs, struct arena *arena,
                          struct gsym_answer *answers);

#endif
