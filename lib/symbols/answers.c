// SPDX-License-Identifier: MIT
#include "lib/symbols/answers.h"

#include "lib/base/mem.h"

#include <stdlib.h>

static uint64_t hash_offset(uint64_t seed, const void *key)
{
	return map_hash_number(seed, *(const uint64_t *)key);
}

static bool is_offset(const void *table, uint32_t index, const void *key)
{
	const struct symbol_cache *cache = table;

	return cache->entries[index].offset == *(const uint64_t *)key;
}

static const struct map_keys offset_keys = { hash_offset, is_offset };

const struct symbol_answer *symbol_cache_find(const struct symbol_cache *cache,
                                              uint64_t offset)
{
	uint32_t at = map_find(&cache->map, &offset_keys, cache, &offset);

	return at == MAP_NONE ? NULL : &cache->entries[at].answer;
}

void symbol_cache_room(struct symbol_cache *cache, size_t more)
{
	map_room(&cache->map, more);
	MEM_ROOM(cache->entries, cache->count + more, cache->cap);
}

void symbol_cache_add(struct symbol_cache *cache, uint64_t offset,
                      const struct symbol_answer *answer)
{
	MEM_GROW(cache->entries, cache->count, cache->cap);
	if (map_add(&cache->map, &offset_keys, cache, &offset, cache->count) <
	    cache->count)
		return;
	cache->entries[cache->count++] = (struct symbol_cache_entry){
		.offset = offset,
		.answer = *answer,
	};
}

void symbol_cache_release(struct symbol_cache *cache)
{
	map_release(&cache->map);
	free(cache->entries);
	*cache = (struct symbol_cache){ 0 };
}
