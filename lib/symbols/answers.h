// SPDX-License-Identifier: MIT
/**
 * Answers by the offset that was looked up.
 */
#ifndef APMTOOL_LIB_SYMBOLS_ANSWERS_H
#define APMTOOL_LIB_SYMBOLS_ANSWERS_H

#include "lib/base/map.h"
#include "lib/symbols/answer.h"

#include <stddef.h>
#include <stdint.h>

struct symbol_cache_entry {
	uint64_t offset;
	struct symbol_answer answer;
};

/** All zeros is empty. */
struct symbol_cache {
	struct map map; ///< indexes of entries
	struct symbol_cache_entry *entries;
	size_t count;
	size_t cap;
};

/** NULL where the offset is not known; an answer may be "no name". */
const struct symbol_answer *symbol_cache_find(const struct symbol_cache *cache,
                                              uint64_t offset);

/** Make room for so many new ones. */
void symbol_cache_room(struct symbol_cache *cache, size_t more);

/** Remember the answer for a new offset; its strings are borrowed. */
void symbol_cache_add(struct symbol_cache *cache, uint64_t offset,
                      const struct symbol_answer *answer);

void symbol_cache_release(struct symbol_cache *cache);

#endif
