#include "lib/symbols/path_set.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** The slot of @p path, or the free one where it belongs. */
static const char **find_slot(const char **slots, size_t count, uint64_t seed,
                              const char *path)
{
	size_t at = (size_t)hash_bytes(seed, path, strlen(path)) & (count - 1);

	while (slots[at] && strcmp(slots[at], path))
		at = (at + 1) & (count - 1);
	return &slots[at];
}

static void grow(struct path_set *set)
{
	size_t count = set->slot_count ? set->slot_count * 2 : 64;
	const char **slots = mem_zalloc(count, sizeof(*slots));

	if (!set->slot_count)
		set->seed = hash_seed();
	for (size_t i = 0; i < set->slot_count; i++)
		if (set->slots[i])
			*find_slot(slots, count, set->seed, set->slots[i]) =
			        set->slots[i];
	free(set->slots);
	set->slots = slots;
	set->slot_count = count;
}

const char *path_set_add(struct path_set *set, struct arena *arena,
                         const char *path)
{
	const char **slot;

	if (set->count >= set->slot_count / 2)
		grow(set);
	slot = find_slot(set->slots, set->slot_count, set->seed, path);
	if (*slot)
		return NULL;
	*slot = arena_strdup(arena, path);
	set->count++;
	return *slot;
}

void path_set_release(struct path_set *set)
{
	free(set->slots);
	*set = (struct path_set){ 0 };
}
