// SPDX-License-Identifier: MIT
#include "parsers/sampled/image_set.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

void image_set_release(struct image_set *set)
{
	map_release(&set->map);
}

static uint64_t hash_text(uint64_t seed, const char *text)
{
	return text ? hash_bytes(seed, text, strlen(text)) : 0;
}

static uint64_t hash_image(uint64_t seed, const void *key)
{
	const struct report_image *image = key;
	// Hashes all fields: thousands may claim one base and one UUID.
	const uint64_t words[] = {
		hash_bytes(seed, image->uuid.bytes, sizeof(image->uuid.bytes)),
		hash_text(seed, image->name),
		hash_text(seed, image->path),
		image->base,
		image->size,
	};

	return hash_bytes(seed, words, sizeof(words));
}

static bool is_image(const void *table, uint32_t index, const void *key)
{
	const struct report_image *a = (const struct report_image *)table +
	                               index;
	const struct report_image *b = key;

	return a->base == b->base && a->size == b->size &&
	       uuid_equal(&a->uuid, &b->uuid) && text_same(a->name, b->name) &&
	       text_same(a->path, b->path);
}

static const struct map_keys image_keys = { hash_image, is_image };

/** New index of each added image, relative to the first. */
static size_t *fold(struct image_set *set, struct report *report)
{
	size_t first = set->image_count;
	size_t count = report->image_count - first;
	size_t *indices = mem_zalloc(count + 1, sizeof(*indices));

	report->image_count = first;
	for (size_t i = 0; i < count; i++) {
		const struct report_image image = report->images[first + i];

		indices[i] = map_add(&set->map, &image_keys, report->images,
		                     &image, report->image_count);
		if (indices[i] == report->image_count)
			report->images[report->image_count++] = image;
	}
	set->image_count = report->image_count;
	return indices;
}

static void move_frames(struct report_stack *stack, void *context)
{
	const size_t *indices = context;

	for (size_t i = 0; i < stack->count; i++)
		if (stack->frames[i].image != REPORT_NO_IMAGE)
			stack->frames[i].image =
			        indices[stack->frames[i].image];
}

struct report_image *image_set_closed(const struct report_image *images,
                                      size_t count)
{
	struct report_image *copy = mem_zalloc(count + 1, sizeof(*copy));

	for (size_t i = 0; i < count; i++) {
		copy[i] = images[i];
		if (!copy[i].size)
			copy[i].size = 1;
	}
	return copy;
}

void image_set_close(struct image_set *set, struct report *report,
                     const struct image_set_part *part)
{
	size_t first = set->image_count;
	struct report own = {
		.code_type = part->code_type,
		.image_count = report->image_count - first,
		.tree_count = report->tree_count - part->first_tree,
	};
	SCOPED(mem_drop) size_t *indices = NULL;

	if (!own.image_count)
		return;
	if (own.tree_count)
		own.trees = report->trees + part->first_tree;
	own.images = image_set_closed(report->images + first, own.image_count);
	if (part->has_lists) {
		own.app_backtraces = report->app_backtraces;
		own.app_backtrace_count = report->app_backtrace_count;
	}
	report_place_frames(&own);
	free(own.images);
	indices = fold(set, report);
	report_each_stack(&own, move_frames, indices);
}
