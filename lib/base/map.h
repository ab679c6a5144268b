// SPDX-License-Identifier: MIT
/**
 * The hash map of apmtool, from keys to indexes.
 *
 * A map stores no keys. The caller has the entries in an array or elsewhere;
 * the map stores the index of each entry and 32 bits of its hash. Two functions
 * of the caller define the keys. They are inlined if the struct with them is a
 * constant.
 *
 *     static uint64_t hash_file(uint64_t seed, const void *key);
 *     static bool is_file(const void *table, uint32_t index, const void *key);
 *     static const struct map_keys file_keys = { hash_file, is_file };
 *
 *     at = map_add(&table->map, &file_keys, table, &file, table->count);
 *     if (at == table->count)
 *             table->files[table->count++] = file;
 *
 * Keys come from the input, so each map has its own seed, and output never
 * depends on the order of slots.
 */
#ifndef APMTOOL_LIB_BASE_MAP_H
#define APMTOOL_LIB_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Not an index. */
#define MAP_NONE UINT32_MAX

/** Open addressing, at most three quarters full, so that probes stay short. */
struct map_slot {
	uint32_t hash;
	uint32_t number; ///< index + 1; 0: free
};

/** All zeros is empty. */
struct map {
	struct map_slot *slots;
	uint32_t mask; ///< slots - 1, a power of two less one
	uint32_t count;
	uint64_t seed; ///< chosen with the first key
};

/** Functions for the keys; @p key is the argument of map_find(). */
struct map_keys {
	/** At least the upper 32 bits must be well mixed. */
	uint64_t (*hash)(uint64_t seed, const void *key);
	/** Is @p key the key of entry @p index in @p table? */
	bool (*equal)(const void *table, uint32_t index, const void *key);
};

/**
 * Hash of a number as key: both halves of a product with a factor derived from
 * the seed, so that an input cannot cause collisions.
 */
static inline uint64_t map_hash_number(uint64_t seed, uint64_t number)
{
	__extension__ unsigned __int128 product =
	        (unsigned __int128)(number ^ seed) *
	        ((seed << 32 | seed >> 32) ^ UINT64_C(0x9e3779b97f4a7c15));

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/** Max keys for a number of slots. */
static inline size_t map_most(size_t slots)
{
	return slots / 4 * 3;
}

/** Make room for one more; chooses the seed of an empty map. */
void map_grow(struct map *map);

/** Make room for @p more keys at once. */
void map_room(struct map *map, size_t more);

/** The slot of a key, or the free slot for it. */
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

/** The index of a key; or MAP_NONE. */
__attribute__((always_inline)) static inline uint32_t map_find(
        const struct map *map, const struct map_keys *keys, const void *table,
        const void *key)
{
	if (!map->count)
		return MAP_NONE;
	// For a free slot: 0 - 1 is MAP_NONE.
	return map_slot(map, keys, table, key,
	                (uint32_t)(keys->hash(map->seed, key) >> 32))
	               ->number -
	       1;
}

/**
 * The index of a key. A new key gets @p index; the caller must store its entry
 * before the next use of the map.
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
 * Remove all keys. Keeps the memory unless it is much more than they needed: a
 * large input must not slow down later small ones.
 */
void map_clear(struct map *map);

void map_release(struct map *map);

#endif
