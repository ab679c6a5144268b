/**
 * Answers by the offset that was looked up: a hash table that only grows.
 */
#ifndef APMTOOL_LIB_SYMBOLS_SYMBOL_CACHE_H
#define APMTOOL_LIB_SYMBOLS_SYMBOL_CACHE_H

#include "lib/symbols/symbol_store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_cache_slot {
	uint64_t offset;
	bool used;
	struct symbol_answer answer;
};

/** All zeros is empty. */
struct symbol_cache {
	struct symbol_cache_slot *slots; ///< a power of two of them
	size_t slot_count;
	size_t used_count;
	uint64_t seed; ///< of the hash: reports choose the offsets
};

/** NULL where the offset is not known; an answer may be "no name". */
const struct symbol_answer *symbol_cache_find(const struct symbol_cache *cache,
                                              uint64_t offset);

/** Remember an answer; its strings are borrowed. */
void symbol_cache_add(struct symbol_cache *cache, uint64_t offset,
                      const struct symbol_answer *answer);

void symbol_cache_release(struct symbol_cache *cache);

#endif
