// SPDX-License-Identifier: MIT
#include "lib/base/map.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_LEAST 64
/** Slots that are cleared as fast as they are allocated. */
#define SLOTS_KEPT 4096

static size_t slot_count(const struct map *map)
{
	return map->slots ? (size_t)map->mask + 1 : 0;
}

/**
 * Distribute the keys over more slots in place, from the start of a run:
 * earlier keys of the run are then at their final slot or further left, so that
 * none is separated from its slot by a free one.
 */
static void spread(struct map_slot *slots, size_t old_count, size_t count)
{
	size_t begin = 0;

	while (begin < old_count && slots[begin].number)
		begin++;
	for (size_t i = 1; i < old_count; i++) {
		struct map_slot *from = &slots[(begin + i) & (old_count - 1)];
		const struct map_slot slot = *from;
		size_t at = slot.hash & (count - 1);

		if (!slot.number)
			continue;
		from->number = 0;
		while (slots[at].number)
			at = (at + 1) & (count - 1);
		slots[at] = slot;
	}
}

static void set_slots(struct map *map, size_t count)
{
	size_t old_count = slot_count(map);

	if (count > (size_t)1 << 31)
		mem_fail();
	if (!map->seed)
		map->seed = hash_seed();
	if (old_count) {
		map->slots =
		        mem_realloc(map->slots, count, sizeof(*map->slots));
		memset(map->slots + old_count, 0,
		       (count - old_count) * sizeof(*map->slots));
		spread(map->slots, old_count, count);
	} else {
		map->slots = mem_zalloc(count, sizeof(*map->slots));
	}
	map->mask = (uint32_t)(count - 1);
}

void map_grow(struct map *map)
{
	size_t count = slot_count(map);

	set_slots(map, count ? 2 * count : SLOTS_LEAST);
}

void map_room(struct map *map, size_t more)
{
	size_t before = slot_count(map);
	size_t count = before ? before : SLOTS_LEAST;

	if (more >= MAP_NONE)
		mem_fail();
	while (map_most(count) < map->count + more)
		count *= 2;
	if (count > before)
		set_slots(map, count);
}

void map_clear(struct map *map)
{
	size_t count = slot_count(map);

	if (count > SLOTS_KEPT && map->count < count / 16) {
		free(map->slots);
		map->slots = NULL;
		map->mask = 0;
	} else if (map->count) {
		memset(map->slots, 0, count * sizeof(*map->slots));
	}
	map->count = 0;
}

void map_release(struct map *map)
{
	free(map->slots);
	*map = (struct map){ 0 };
}
