// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/known_names.h"

#include "lib/base/hash.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"

#include <stdlib.h>

static uint64_t hash_name(uint64_t seed, const void *key)
{
	const struct text *mangled = key;

	return hash_bytes(seed, mangled->data, mangled->size);
}

static bool is_name(const void *table, uint32_t index, const void *key)
{
	const struct known_names *names = table;
	const struct text *mangled = key;

	return text_is(*mangled, names->items[index].mangled);
}

static const struct map_keys name_keys = { hash_name, is_name };

/** The entry of @p mangled; a new one has no name yet. */
static struct known_name *entry_of(struct known_names *names,
                                   struct text mangled)
{
	size_t at =
	        map_add(&names->map, &name_keys, names, &mangled, names->count);

	if (at < names->count)
		return &names->items[at];
	MEM_GROW(names->items, names->count, names->cap);
	names->items[names->count] = (struct known_name){ 0 };
	return &names->items[names->count++];
}

struct known_name *known_names_add(struct known_names *names,
                                   struct text mangled, struct arena *arena)
{
	struct known_name *known = entry_of(names, mangled);

	if (!known->mangled) {
		known->mangled = arena_text(arena, mangled);
		known->shown_mangled = arena_abridge(arena, known->mangled,
		                                     limit_get(LIMIT_NAME));
	}
	return known;
}

void known_names_release(struct known_names *names)
{
	free(names->items);
	map_release(&names->map);
	*names = (struct known_names){ 0 };
}
