#include "lib/base/intern.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>

#define SLOTS_LEAST 256

struct intern_slot {
	uint32_t hash;
	uint32_t id; ///< INTERN_NONE: free
};

/** Where the text is, or the free slot where it belongs. */
static struct intern_slot *find_slot(const struct intern *intern,
                                     struct text text, uint64_t hash)
{
	uint32_t at = (uint32_t)(hash >> 32) & intern->slot_mask;

	for (;; at = (at + 1) & intern->slot_mask) {
		struct intern_slot *slot = &intern->slots[at];

		if (slot->id == INTERN_NONE)
			return slot;
		if (slot->hash == (uint32_t)hash &&
		    text_equal(intern->texts[slot->id], text))
			return slot;
	}
}

/** Twice the slots, or the first of them. */
static void grow_slots(struct intern *intern)
{
	size_t count = intern->slots ? 2 * ((size_t)intern->slot_mask + 1)
	                             : SLOTS_LEAST;

	if (!intern->slots)
		intern->seed = hash_seed();
	free(intern->slots);
	intern->slots = mem_zalloc(count, sizeof(*intern->slots));
	intern->slot_mask = (uint32_t)(count - 1);
	for (size_t i = 0; i < count; i++)
		intern->slots[i].id = INTERN_NONE;
	for (uint32_t id = 0; id < intern->count; id++) {
		struct text text = intern->texts[id];
		uint64_t hash = hash_bytes(intern->seed, text.data, text.size);

		*find_slot(intern, text, hash) =
		        (struct intern_slot){ .hash = (uint32_t)hash,
			                      .id = id };
	}
}

uint32_t intern_add(struct intern *intern, struct text text)
{
	struct intern_slot *slot;
	struct text *kept;
	uint64_t hash;

	if (!intern->slots)
		grow_slots(intern);
	hash = hash_bytes(intern->seed, text.data, text.size);
	slot = find_slot(intern, text, hash);
	if (slot->id != INTERN_NONE)
		return slot->id;
	if (intern->count >= INTERN_MAX)
		mem_fail();
	if (intern->count == intern->cap) {
		size_t cap = intern->cap;

		intern->texts = mem_grow(intern->texts, &cap,
		                         (size_t)intern->count + 1,
		                         sizeof(*intern->texts));
		intern->cap = (uint32_t)cap;
	}
	*slot = (struct intern_slot){ .hash = (uint32_t)hash,
		                      .id = intern->count };
	kept = &intern->texts[intern->count++];
	kept->data = arena_text(&intern->arena, text);
	kept->size = text.size;
	// Half full at most: runs of slots stay short.
	if (intern->count > intern->slot_mask / 2)
		grow_slots(intern);
	return intern->count - 1;
}

uint32_t intern_find(const struct intern *intern, struct text text)
{
	if (!intern->slots)
		return INTERN_NONE;
	return find_slot(intern, text,
	                 hash_bytes(intern->seed, text.data, text.size))
	        ->id;
}

void intern_release(struct intern *intern)
{
	free(intern->texts);
	free(intern->slots);
	arena_release(&intern->arena);
	*intern = (struct intern){ 0 };
}
