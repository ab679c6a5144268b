// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/image_list.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const struct symbol_image no_file = { .status = SYMBOL_FILE_MISSING };

static uint64_t hash_uuid(uint64_t seed, const void *key)
{
	return hash_bytes(seed, key, sizeof(struct uuid));
}

static bool is_uuid(const void *table, uint32_t index, const void *key)
{
	const struct image_list *list = table;

	return uuid_equal(list->builds[index].uuid, key);
}

static const struct map_keys uuid_keys = { hash_uuid, is_uuid };

void image_list_begin(struct image_list *list, struct report *report)
{
	size_t count = report->image_count;

	if (list->report)
		list->first_place += (uint32_t)list->report->image_count;
	list->report = report;
	MEM_ROOM(list->numbers, count, list->number_cap);
	if (count)
		memset(list->numbers, 0, count * sizeof(*list->numbers));
}

static uint32_t build_of(struct image_list *list,
                         const struct report_image *image)
{
	const struct uuid *uuid = &image->uuid;
	uint32_t at =
	        map_add(&list->map, &uuid_keys, list, uuid, list->build_count);

	if (at == list->build_count) {
		MEM_GROW(list->builds, list->build_count, list->build_cap);
		list->builds[list->build_count++] = (struct listed_build){
			.uuid = uuid,
			.has_file = symbol_store_has(list->store, uuid,
			                             image->arch),
		};
	}
	list->builds[at].count++;
	return at;
}

size_t image_list_find(struct image_list *list, size_t image)
{
	struct report_image *found = &list->report->images[image];
	uint32_t *number = &list->numbers[image];

	if (*number)
		return *number - 1;
	MEM_GROW(list->items, list->count, list->cap);
	list->items[list->count] = (struct listed_image){
		.is = { .report = list->report,
		        .image = found,
		        .result = &no_file,
		        .is_app = report_image_is_app(list->report, found) },
		.image = found,
		.place = list->first_place + (uint32_t)image,
		.build = build_of(list, found),
	};
	*number = (uint32_t)++list->count;
	return *number - 1;
}

static int compare_builds(const void *a, const void *b)
{
	const struct listed_build *const *left = a;
	const struct listed_build *const *right = b;

	return uuid_compare((*left)->uuid, (*right)->uuid);
}

/** Give the images of each build their places, in the order of the UUIDs. */
static void place_builds(struct image_list *list)
{
	SCOPED(mem_drop)
	struct listed_build **sorted =
	        mem_zalloc(list->build_count, sizeof(*sorted));
	size_t next = 0;

	for (size_t i = 0; i < list->build_count; i++)
		sorted[i] = &list->builds[i];
	qsort(sorted, list->build_count, sizeof(*sorted), compare_builds);
	for (size_t i = 0; i < list->build_count; i++) {
		sorted[i]->next = next;
		next += sorted[i]->count;
	}
}

static int compare_places(const void *a, const void *b)
{
	const struct listed_image *const *left = a;
	const struct listed_image *const *right = b;

	return ((*left)->place > (*right)->place) -
	       ((*left)->place < (*right)->place);
}

/**
 * Images are listed in the order of the reports: only where a report has
 * several of a UUID, or without one, may these be out of order.
 */
static void sort_places(struct listed_image **images, size_t count)
{
	size_t at = 1;

	while (at < count && images[at - 1]->place < images[at]->place)
		at++;
	if (at < count)
		qsort(images, count, sizeof(struct listed_image *),
		      compare_places);
}

void image_list_sort(struct image_list *list, struct arena *arena,
                     struct symbolicate_result *ret)
{
	SCOPED(mem_drop)
	struct listed_image **sorted = mem_zalloc(list->count, sizeof(*sorted));
	struct symbolicate_image *images =
	        arena_array(arena, list->count, sizeof(*images));

	place_builds(list);
	for (size_t i = 0; i < list->count; i++) {
		struct listed_image *image = &list->items[i];

		sorted[list->builds[image->build].next++] = image;
	}
	for (size_t i = 0; i < list->build_count; i++) {
		const struct listed_build *build = &list->builds[i];

		sort_places(sorted + (build->next - build->count),
		            build->count);
	}
	for (size_t i = 0; i < list->count; i++)
		images[i] = sorted[i]->is;
	*ret = (struct symbolicate_result){ .images = images,
		                            .count = list->count };
}

void image_list_release(struct image_list *list)
{
	free(list->items);
	free(list->builds);
	free(list->numbers);
	map_release(&list->map);
}
