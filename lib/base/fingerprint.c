// SPDX-License-Identifier: MIT
#include "lib/base/fingerprint.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>

struct fingerprint_entry {
	struct fingerprint print;
	uint32_t number;
};

static uint64_t hash_print(uint64_t seed UNUSED, const void *key)
{
	const struct fingerprint *print = key;

	return print->words[0];
}

static bool is_print(const void *table, uint32_t index, const void *key)
{
	const struct fingerprint_entry *entry =
	        (const struct fingerprint_entry *)table + index;

	return fingerprint_equal(&entry->print, key);
}

static const struct map_keys print_keys = { hash_print, is_print };

static void seed(struct fingerprints *map)
{
	while (!map->seeds[0])
		map->seeds[0] = hash_seed() | 1;
	while (!map->seeds[1])
		map->seeds[1] = hash_seed() | 1;
}

struct fingerprint fingerprint_of(struct fingerprints *map, const void *data,
                                  size_t size)
{
	struct fingerprint print;

	seed(map);
	hash_bytes_twice(map->seeds, data, size, print.words);
	return print;
}

uint32_t *fingerprints_find(struct fingerprints *map,
                            const struct fingerprint *print, bool *ret_new)
{
	uint32_t at = map_add(&map->map, &print_keys, map->entries, print,
	                      map->count);

	*ret_new = at == map->count;
	if (*ret_new) {
		MEM_GROW(map->entries, map->count, map->cap);
		map->entries[map->count++] =
		        (struct fingerprint_entry){ .print = *print };
	}
	return &map->entries[at].number;
}

uint32_t *fingerprints_known(const struct fingerprints *map,
                             const struct fingerprint *print)
{
	uint32_t at = map_find(&map->map, &print_keys, map->entries, print);

	return at == MAP_NONE ? NULL : &map->entries[at].number;
}

bool fingerprints_repay(struct fingerprints *map)
{
	if (map->asked > FINGERPRINTS_TRIED)
		return map->count;
	if (map->asked++ < FINGERPRINTS_TRIED ||
	    map->count < FINGERPRINTS_TRIED / 8 * 7)
		return true;
	fingerprints_release(map);
	map->asked = FINGERPRINTS_TRIED + 1;
	return false;
}

void fingerprints_clear(struct fingerprints *map)
{
	map_clear(&map->map);
	map->count = 0;
	map->asked = 0;
}

void fingerprints_release(struct fingerprints *map)
{
	map_release(&map->map);
	free(map->entries);
	*map = (struct fingerprints){ 0 };
}
