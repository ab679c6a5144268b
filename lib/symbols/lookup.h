// SPDX-License-Identifier: MIT
/**
 * Looks up addresses of one file: in the cache, the rest in its debug
 * information.
 *
 * Answers are those of the debug information alone. If the cache fails, in part
 * or as a whole, all is read as without a cache.
 */
#ifndef APMTOOL_LIB_SYMBOLS_LOOKUP_H
#define APMTOOL_LIB_SYMBOLS_LOOKUP_H

#include "lib/base/arena.h"
#include "lib/symbols/cache/debug_cache.h"
#include "lib/symbols/file.h"

#include <stddef.h>
#include <stdint.h>

struct symbol_lookup;

/**
 * As symbol_task_start().
 *
 * @param cache  NULL: none.
 * @param children  Max children for addresses that the cache does not have.
 */
struct symbol_lookup *symbol_lookup_start(struct symbol_file *file,
                                          struct debug_cache *cache,
                                          const uint64_t *addresses,
                                          size_t count, unsigned children);
/** As symbol_task_finish(). */
MUST_CHECK struct error *symbol_lookup_finish(struct symbol_lookup *lookup,
                                              struct arena *arena,
                                              struct symbol_answer *answers,
                                              size_t *bad_units);

#endif
