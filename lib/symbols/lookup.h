// SPDX-License-Identifier: MIT
/**
 * Addresses of one file looked up: what the cache knows, and the rest in the
 * debug information.
 *
 * The answers are those of the debug information alone. Where reading it fails,
 * in part or as a whole, it is read as if there were no cache.
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
 * @param cache     NULL where nothing is kept.
 * @param children  At most so many read what the cache does not know.
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
