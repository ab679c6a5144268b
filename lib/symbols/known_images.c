// SPDX-License-Identifier: MIT
#include "lib/symbols/known_images.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/symbols/cache/debug_cache.h"

#include <stdlib.h>

/** Max memory of answers, and max open files. */
#define CACHE_BYTES_MAX ((size_t)64 << 20)
#define OPEN_FILES_MAX  64
/** Max memory of files decompressed from archives. */
#define UNPACKED_BYTES_MAX ((size_t)1 << 30)

void known_image_close(struct known_image *image)
{
	for (size_t i = 0; i < image->files.count; i++) {
		struct image_file *file = &image->files.all[i];

		debug_cache_close(file->cache);
		symbol_file_close(file->file);
		file->cache = NULL;
		file->file = NULL;
	}
}

static void image_forget(struct known_image *image)
{
	for (size_t i = 0; i < image->files.count; i++)
		if (image->files.all[i].file)
			symbol_file_forget(image->files.all[i].file);
	symbol_answers_release(&image->answers);
}

/** All at once, as images share names. */
static void forget_answers(struct known_images *images)
{
	for (size_t i = 0; i < images->count; i++)
		image_forget(images->images[i]);
	printed_names_release(&images->printed);
	arena_release(&images->arena);
}

void known_images_release(struct known_images *images)
{
	forget_answers(images);
	for (size_t i = 0; i < images->count; i++) {
		struct known_image *image = images->images[i];

		known_image_close(image);
		image_files_release(&image->files);
		free(image);
	}
	free(images->images);
	*images = (struct known_images){ 0 };
}

/**
 * @param entries  Of the index, now.
 */
static void begin(struct known_image *image, const struct uuid_entry *entries,
                  size_t count)
{
	image->has_all_files = false;
	image->entry_count = count;
	image_files_init(&image->files, entries, count);
}

/** After a trim, pointers into it are invalid. */
static void renew(struct known_image *image, const struct uuid_entry *entries,
                  size_t count)
{
	image_forget(image);
	known_image_close(image);
	image_files_release(&image->files);
	begin(image, entries, count);
}

struct known_image *known_images_get(struct known_images *images,
                                     const struct uuid *uuid,
                                     const struct uuid_entry *entries,
                                     size_t count)
{
	struct known_image **all = images->images;
	size_t place = SORTED_SKIP(i, images->count,
	                           uuid_compare(&all[i]->uuid, uuid) < 0);
	struct known_image *image;

	if (place < images->count && uuid_equal(&all[place]->uuid, uuid)) {
		image = all[place];
		if (image->trims != images->trims && count > image->entry_count)
			renew(image, entries, count);
		image->trims = images->trims;
		return image;
	}
	MEM_GROW(images->images, images->count, images->cap);
	all = images->images;
	for (size_t i = images->count; i > place; i--)
		all[i] = all[i - 1];
	all[place] = image = mem_zalloc(1, sizeof(*image));
	images->count++;
	image->uuid = *uuid;
	image->trims = images->trims;
	begin(image, entries, count);
	return image;
}

/** Resources of open files. */
struct held {
	size_t files;
	size_t unpacked_bytes;
};

static struct held held_by(const struct known_image *image)
{
	struct held held = { 0 };

	for (size_t i = 0; i < image->files.count; i++) {
		struct symbol_file *file = image->files.all[i].file;

		held.files += file != NULL;
		if (file)
			held.unpacked_bytes += symbol_file_unpacked_bytes(file);
	}
	return held;
}

void known_images_trim(struct known_images *images)
{
	struct held all = { 0 };

	images->trims++;
	// Keep files if only answers are over the max: opening them is costly.
	if (images->arena.total_bytes > CACHE_BYTES_MAX)
		forget_answers(images);
	for (size_t i = 0; i < images->count; i++) {
		struct held held = held_by(images->images[i]);

		all.files += held.files;
		all.unpacked_bytes += held.unpacked_bytes;
	}
	for (size_t i = 0;
	     i < images->count && (all.files > OPEN_FILES_MAX ||
	                           all.unpacked_bytes > UNPACKED_BYTES_MAX);
	     i++) {
		struct held held = held_by(images->images[i]);

		all.files -= held.files;
		all.unpacked_bytes -= held.unpacked_bytes;
		known_image_close(images->images[i]);
	}
}
