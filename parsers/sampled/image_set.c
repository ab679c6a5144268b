#include "parsers/sampled/image_set.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 256

void image_set_release(struct image_set *set)
{
	free(set->slots);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_same(const struct report_image *a, const struct report_image *b)
{
	return a->base == b->base && a->size == b->size &&
	       uuid_equal(&a->uuid, &b->uuid) && same_text(a->name, b->name) &&
	       same_text(a->path, b->path);
}

static uint64_t hash_text(const struct image_set *set, const char *text)
{
	return text ? hash_bytes(set->seed, text, strlen(text)) : 0;
}

/** The slot of an image, or the free one that is to be its. */
static size_t *find_slot(const struct image_set *set,
                         const struct report *report,
                         const struct report_image *image)
{
	// Thousands may claim one base and one UUID.
	const uint64_t key[] = {
		hash_bytes(set->seed, image->uuid.bytes,
		           sizeof(image->uuid.bytes)),
		hash_text(set, image->name),
		hash_text(set, image->path),
		image->base,
		image->size,
	};
	uint64_t hash = hash_bytes(set->seed, key, sizeof(key));
	size_t at = (size_t)hash & (set->slot_count - 1);

	while (set->slots[at] &&
	       !is_same(&report->images[set->slots[at] - 1], image))
		at = (at + 1) & (set->slot_count - 1);
	return &set->slots[at];
}

/** Never more than half full; a power of two. */
static void make_room(struct image_set *set, const struct report *report)
{
	if (!set->seed)
		set->seed = hash_seed();
	if (2 * report->image_count < set->slot_count)
		return;
	if (!set->slot_count)
		set->slot_count = SLOTS_MIN;
	while (2 * report->image_count >= set->slot_count)
		set->slot_count *= 2;
	free(set->slots);
	set->slots = mem_zalloc(set->slot_count, sizeof(*set->slots));
	for (size_t i = 0; i < set->image_count; i++)
		*find_slot(set, report, &report->images[i]) = i + 1;
}

/** Where each new image went, counted from the first of them. */
static size_t *fold(struct image_set *set, struct report *report)
{
	size_t first = set->image_count;
	size_t count = report->image_count - first;
	size_t *indices = mem_zalloc(count + 1, sizeof(*indices));

	make_room(set, report);
	report->image_count = first;
	for (size_t i = 0; i < count; i++) {
		const struct report_image image = report->images[first + i];
		size_t *slot = find_slot(set, report, &image);

		if (!*slot) {
			report->images[report->image_count++] = image;
			*slot = report->image_count;
		}
		indices[i] = *slot - 1;
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

/**
 * An image whose end is not known covers nothing but its beginning, so that a
 * frame lies in it only if its own offset says so.
 */
static struct report_image *copy_images(const struct report_image *images,
                                        size_t count)
{
	struct report_image *copy = mem_zalloc(count, sizeof(*copy));

	memcpy(copy, images, count * sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		if (!copy[i].size)
			copy[i].size = 1;
	return copy;
}

void image_set_close(struct image_set *set, struct report *report,
                     const struct image_set_part *part)
{
	size_t first = set->image_count;
	struct report own = {
		.code_type = part->is_arm64 ? "ARM-64" : "",
		.image_count = report->image_count - first,
		.tree_count = report->tree_count - part->first_tree,
	};
	SCOPED(mem_drop) size_t *indices = NULL;

	if (!own.image_count)
		return;
	if (own.tree_count)
		own.trees = report->trees + part->first_tree;
	own.images = copy_images(report->images + first, own.image_count);
	if (part->has_lists) {
		own.app_backtraces = report->app_backtraces;
		own.app_backtrace_count = report->app_backtrace_count;
	}
	report_place_frames(&own);
	free(own.images);
	indices = fold(set, report);
	report_each_stack(&own, move_frames, indices);
}
