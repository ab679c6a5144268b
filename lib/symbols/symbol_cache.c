#include "lib/symbols/symbol_cache.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>

#define SLOTS_MIN 64

/** The slot of @p offset, or the free one where it would go. */
static struct symbol_cache_slot *slot_of(const struct symbol_cache *cache,
                                         uint64_t offset)
{
	size_t i = (size_t)hash_bytes(cache->seed, &offset, sizeof(offset));

	for (;; i++) {
		struct symbol_cache_slot *slot =
		        &cache->slots[i & (cache->slot_count - 1)];

		if (!slot->used || slot->offset == offset)
			return slot;
	}
}

const struct symbol_answer *symbol_cache_find(const struct symbol_cache *cache,
                                              uint64_t offset)
{
	const struct symbol_cache_slot *slot;

	if (!cache->slot_count)
		return NULL;
	slot = slot_of(cache, offset);
	return slot->used ? &slot->answer : NULL;
}

static void grow(struct symbol_cache *cache)
{
	struct symbol_cache larger = {
		.slot_count = cache->slot_count ? cache->slot_count * 2
		                                : SLOTS_MIN,
		.used_count = cache->used_count,
		.seed = cache->slot_count ? cache->seed : hash_seed(),
	};

	larger.slots = mem_zalloc(larger.slot_count, sizeof(*larger.slots));
	for (size_t i = 0; i < cache->slot_count; i++)
		if (cache->slots[i].used)
			*slot_of(&larger, cache->slots[i].offset) =
			        cache->slots[i];
	free(cache->slots);
	*cache = larger;
}

void symbol_cache_add(struct symbol_cache *cache, uint64_t offset,
                      const struct symbol_answer *answer)
{
	struct symbol_cache_slot *slot;

	if (cache->used_count * 4 >= cache->slot_count * 3)
		grow(cache);
	slot = slot_of(cache, offset);
	cache->used_count += !slot->used;
	*slot = (struct symbol_cache_slot){
		.offset = offset,
		.used = true,
		.answer = *answer,
	};
}

void symbol_cache_release(struct symbol_cache *cache)
{
	free(cache->slots);
	*cache = (struct symbol_cache){ 0 };
}
