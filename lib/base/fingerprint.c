#include "lib/base/fingerprint.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_LEAST 64
#define SLOTS_KEPT  4096

struct fingerprint_slot {
	struct fingerprint print;
	uint32_t number;
	bool used;
};

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

/** The slot of a fingerprint, or the free one where it belongs. */
static struct fingerprint_slot *find_slot(const struct fingerprints *map,
                                          const struct fingerprint *print)
{
	size_t mask = map->slot_count - 1;

	for (size_t at = print->words[0] & mask;; at = (at + 1) & mask) {
		struct fingerprint_slot *slot = &map->slots[at];

		if (!slot->used || (slot->print.words[0] == print->words[0] &&
		                    slot->print.words[1] == print->words[1]))
			return slot;
	}
}

static void grow(struct fingerprints *map)
{
	struct fingerprint_slot *old = map->slots;
	size_t old_count = map->slot_count;

	map->slot_count = old_count ? 2 * old_count : SLOTS_LEAST;
	map->slots = mem_zalloc(map->slot_count, sizeof(*map->slots));
	for (size_t i = 0; i < old_count; i++)
		if (old[i].used)
			*find_slot(map, &old[i].print) = old[i];
	free(old);
}

uint32_t *fingerprints_find(struct fingerprints *map,
                            const struct fingerprint *print, bool *ret_new)
{
	struct fingerprint_slot *slot;

	// Half full at most: runs of slots stay short.
	if (map->count >= map->slot_count / 2)
		grow(map);
	slot = find_slot(map, print);
	*ret_new = !slot->used;
	if (!slot->used) {
		*slot = (struct fingerprint_slot){ .print = *print,
			                           .used = true };
		map->count++;
	}
	return &slot->number;
}

void fingerprints_clear(struct fingerprints *map)
{
	if (map->slot_count > SLOTS_KEPT) {
		free(map->slots);
		map->slots = NULL;
		map->slot_count = 0;
	} else if (map->count) {
		memset(map->slots, 0, map->slot_count * sizeof(*map->slots));
	}
	map->count = 0;
}

void fingerprints_release(struct fingerprints *map)
{
	free(map->slots);
	*map = (struct fingerprints){ 0 };
}
