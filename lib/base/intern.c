// SPDX-License-Identifier: MIT
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

/** State of intern_shorten(). */
struct shortening {
	const struct intern *intern;
	struct text (*shorten)(struct text text);
};

static bool is_shortened(const void *table, uint32_t index, const void *key)
{
	const struct shortening *s = table;
	const struct text *text = key;

	return text_equal(s->shorten(s->intern->texts[index]), *text);
}

static const struct map_keys shortened_keys = { hash_text, is_shortened };

bool intern_shorten(struct intern *intern,
                    struct text (*shorten)(struct text text))
{
	const struct shortening s = { intern, shorten };
	struct map map = { 0 };

	for (uint32_t i = 0; i < intern->count; i++) {
		struct text text = shorten(intern->texts[i]);

		if (map_add(&map, &shortened_keys, &s, &text, i) == i)
			continue;
		map_release(&map);
		return false;
	}
	map_release(&intern->map);
	intern->map = map;
	for (uint32_t i = 0; i < intern->count; i++)
		intern->texts[i] = shorten(intern->texts[i]);
	return true;
}

void intern_release(struct intern *intern)
{
	free(intern->texts);
	map_release(&intern->map);
	arena_release(&intern->arena);
	*intern = (struct intern){ 0 };
}
