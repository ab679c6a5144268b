#include "lib/base/intern.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>

static uint64_t hash_text(uint64_t seed, const void *key)
{
	const struct text *text = key;

	return hash_bytes(seed, text->data, text->size);
}

static bool is_text(const void *table, uint32_t index, const void *key)
{
	const struct intern *intern = table;
	const struct text *text = key;

	return text_equal(intern->texts[index], *text);
}

static const struct map_keys text_keys = { hash_text, is_text };

uint32_t intern_add(struct intern *intern, struct text text)
{
	uint32_t id =
	        map_add(&intern->map, &text_keys, intern, &text, intern->count);
	struct text *kept;

	if (id < intern->count)
		return id;
	if (id >= INTERN_MAX)
		mem_fail();
	MEM_GROW(intern->texts, intern->count, intern->cap);
	kept = &intern->texts[intern->count++];
	kept->data = arena_text(&intern->arena, text);
	kept->size = text.size;
	return id;
}

uint32_t intern_find(const struct intern *intern, struct text text)
{
	return map_find(&intern->map, &text_keys, intern, &text);
}

void intern_release(struct intern *intern)
{
	free(intern->texts);
	map_release(&intern->map);
	arena_release(&intern->arena);
	*intern = (struct intern){ 0 };
}
