// SPDX-License-Identifier: MIT
/**
 * A hash map from keys to indexes: the one way to find things again by what
 * they are.
 *
 * A map holds no keys. The entries are in an array (or any other store) of the
 * caller's; for each of them the map knows its index and 32 bits of its hash.
 * What a key is, the caller says with two functions. They are inlined where
 * the struct that names them is a constant.
 *
 *     static uint64_t hash_file(uint64_t seed, const void *key);
 *     static bool is_file(const void *table, uint32_t index, const void *key);
 *     static const struct map_keys file_keys = { hash_file, is_file };
 *
 *     at = map_add(&table->map, &file_keys, table, &file, table->count);
 *     if (at == table->count)
 *             table->files[table->count++] = file;
 *
 * What is hashed comes from the input; so each map has a seed of its own, and
 * nothing that is printed or stored depends on the order of its slots.
 */
#ifndef APMTOOL_LIB_BASE_MAP_H
#define APMTOOL_LIB_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Not an index. */
#define MAP_NONE UINT32_MAX

/** Open addressing; three quarters full at most, so that runs stay short. */
struct map_slot {
	uint32_t hash;
	uint32_t number; ///< index + 1; 0: free
};

/** All zeros is empty. */
struct map {
	struct map_slot *slots;
	uint32_t mask; ///< slots - 1, a power of two less one
	uint32_t count;
	uint64_t seed; ///< set with the first key
};

/** What the keys of a map are; @p key is what map_find() was given. */
struct map_keys {
	/** At least the upper 32 bits must be well mixed. */
	uint64_t (*hash)(uint64_t seed, const void *key);
	/** Is @p key that of the entry @p index of @p table? */
	bool (*equal)(const void *table, uint32_t index, const void *key);
};

/**
 * A hash for keys that are one number: both halves of a product with a factor
 * that the seed hides, so that no input can choose numbers that collide.
 */
static inline uint64_t map_hash_number(uint64_t seed, uint64_t number)
{
	__extension__ unsigned __int128 product =
	        (unsigned __int128)(number ^ seed) *
	        ((seed << 32 | seed >> 32) ^ UINT64_C(0x9e3779b97f4a7c15));

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/** So many keys have so many slots at most. */
static inline size_t map_most(size_t slots)
{
	return slots / 4 * 3;
}

/** Make room for one more; sets the seed of an empty map. */
void map_grow(struct map *map);

/** Make room for @p more at once, where so many are known to come. */
void map_room(struct map *map, size_t more);

/** The slot of a key, or the free one where it belongs. */
__attribute__((always_inline)) static inline struct map_slot *map_slot(
        const struct map *map, const struct map_keys *keys, const void *table,
        const void *key, uint32_t hash)
{
	for (uint32_t at = hash & map->mask;; at = (at + 1) & map->mask) {
		struct map_slot *slot = &map->slots[at];

		if (!slot->number ||
		    (slot->hash == hash &&
		     keys->equal(table, slot->number - 1, key)))
			return slot;
	}
}

/** The index of a key; MAP_NONE where it was never added. */
__attribute__((always_inline)) static inline uint32_t map_find(
        const struct map *map, const struct map_keys *keys, const void *table,
        const void *key)
{
	if (!map->count)
		return MAP_NONE;
	// Of a free slot: 0 - 1 is MAP_NONE.
	return map_slot(map, keys, table, key,
	                (uint32_t)(keys->hash(map->seed, key) >> 32))
	               ->number -
	       1;
}

/**
 * The index of a key. Where it is new, @p index becomes its own; the caller
 * then puts the entry there before the map is used again.
 *
 * @param index  Less than MAP_NONE.
 */
__attribute__((always_inline)) static inline uint32_t map_add(
        struct map *map, const struct map_keys *keys, const void *table,
        const void *key, size_t index)
{
	struct map_slot *slot;
	uint32_t hash;

	if (map->count >= map_most((size_t)map->mask + 1))
		map_grow(map);
	hash = (uint32_t)(keys->hash(map->seed, key) >> 32);
	slot = map_slot(map, keys, table, key, hash);
	if (!slot->number) {
		*slot = (struct map_slot){ .hash = hash,
			                   .number = (uint32_t)index + 1 };
		map->count++;
	}
	return slot->number - 1;
}

/**
 * Forget all keys and keep the memory, unless that is far more than they
 * needed: one large input must not slow down a million small ones after it.
 */
void map_clear(struct map *map);

void map_release(struct map *map);

#endif
