// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/log_images.h"

#include "lib/base/mem.h"

#include <stdlib.h>

/** `next` of a list: it is the last, or is used by no process. */
#define NO_LIST   SIZE_MAX
#define FREE_LIST (SIZE_MAX - 1)
/** Max size of an image without a known end. */
#define IMAGE_SIZE_MAX ((uint64_t)1 << 30)

static struct log_process *find_process(struct log_images *images, uint64_t pid)
{
	for (size_t i = 0; i < images->process_count; i++)
		if (images->processes[i].pid == pid)
			return &images->processes[i];
	return NULL;
}

static void clear_list(struct log_images *images, struct log_image_list *list)
{
	images->image_count -= list->count;
	list->count = 0;
}

static size_t add_list(struct log_images *images, uint64_t begin)
{
	for (size_t i = 0; !images->keeps_all && i < images->list_count; i++) {
		if (images->lists[i].next != FREE_LIST)
			continue;
		images->lists[i].next = NO_LIST;
		return i;
	}
	MEM_GROW(images->lists, images->list_count, images->list_cap);
	images->lists[images->list_count] =
	        (struct log_image_list){ .begin = begin, .next = NO_LIST };
	return images->list_count++;
}

/** Drop the oldest process of a log that is read once. */
static void forget_oldest(struct log_images *images)
{
	struct log_image_list *list =
	        &images->lists[images->processes[0].current];

	clear_list(images, list);
	list->next = FREE_LIST;
	images->process_count--;
	memmove(images->processes, images->processes + 1,
	        images->process_count * sizeof(images->processes[0]));
}

/** Make room for one more process and image; false: the limit is reached. */
static bool make_room(struct log_images *images, uint64_t at)
{
	bool names = images->names.count + 2 > LOG_NAMES_MAX;

	if (!names && images->process_count < LOG_PROCESSES_MAX &&
	    images->image_count < LOG_IMAGES_MAX &&
	    images->list_count < LOG_IMAGES_MAX)
		return true;
	if (images->keeps_all) {
		if (!images->is_full)
			images->full_at = at;
		images->is_full = true;
		return false;
	}
	if (names)
		log_images_release(images);
	else if (images->process_count)
		forget_oldest(images);
	return true;
}

static struct log_process *add_process(struct log_images *images, uint64_t pid,
                                       uint64_t at)
{
	struct log_process *process;
	size_t list;

	if (images->is_full || !make_room(images, at))
		return NULL;
	process = find_process(images, pid);
	if (process)
		return process;
	list = add_list(images, 0);
	process = &images->processes[images->process_count++];
	*process = (struct log_process){ .pid = pid,
		                         .first = list,
		                         .current = list };
	return process;
}

/** Another list is valid from @p begin on. */
static void replace_list(struct log_images *images, struct log_process *process,
                         uint64_t begin)
{
	struct log_image_list *list = &images->lists[process->current];

	process->has_frames = false;
	if (!images->keeps_all) {
		clear_list(images, list);
		return;
	}
	if (!list->count && !begin)
		return;
	list->next = images->list_count;
	process->current = add_list(images, begin);
}

void log_images_begin(struct log_images *images, uint64_t pid, uint64_t at)
{
	struct log_process *process = add_process(images, pid, at);

	if (process) {
		process->lists_follow = false;
		replace_list(images, process, at);
	}
}

static bool is_same(const struct log_known_image *a,
                    const struct log_known_image *b)
{
	return a->name == b->name && a->has_base == b->has_base &&
	       a->base == b->base && uuid_equal(&a->uuid, &b->uuid);
}

/** Its size, for others to be inside of it. */
static uint64_t size_of(const struct log_known_image *image)
{
	return image->size ? image->size : 1;
}

/** Can both not be in one process? */
static bool contradicts(const struct log_known_image *a,
                        const struct log_known_image *b)
{
	bool is_one = uuid_equal(&a->uuid, &b->uuid);

	if (!a->has_base || !b->has_base)
		return a->name == b->name && !is_one;
	if (is_one)
		return a->base != b->base;
	return a->base - b->base < size_of(b) || b->base - a->base < size_of(a);
}

/** Does it add a load address? */
static bool completes(struct log_known_image *old,
                      const struct log_known_image *image)
{
	if (old->name != image->name || !uuid_equal(&old->uuid, &image->uuid))
		return false;
	if (!old->has_base)
		*old = *image;
	return old->base == image->base || !image->has_base;
}

/** @return True if the list has it already. */
static bool compare(struct log_image_list *list,
                    const struct log_known_image *image, bool *ret_contradicts)
{
	for (size_t i = 0; i < list->count; i++) {
		struct log_known_image *old = &list->items[i];

		if (is_same(old, image) || completes(old, image))
			return true;
		*ret_contradicts |= contradicts(old, image);
	}
	return false;
}

static uint32_t keep_text(struct log_images *images, struct text text,
                          size_t bytes_max)
{
	return text.size && text.size <= bytes_max
	               ? intern_add(&images->names, text)
	               : INTERN_NONE;
}

/** Position from which the new list is valid. */
static uint64_t begin_of_next(const struct log_images *images,
                              const struct log_process *process, uint64_t at)
{
	const struct log_image_list *list = &images->lists[process->current];

	// If lists follow frames in this log, so does this one.
	return process->lists_follow ? list->end + 1 : at;
}

void log_images_add(struct log_images *images, uint64_t pid, uint64_t at,
                    const struct log_given_image *image)
{
	struct log_known_image known = {
		.uuid = image->uuid,
		.has_base = image->has_base,
		.base = image->base,
		.size = image->size,
	};
	struct log_process *process;
	struct log_image_list *list;
	bool is_other = false;

	if (image->name.size > LOG_NAME_BYTES_MAX)
		return;
	process = add_process(images, pid, at);
	if (!process)
		return;
	known.name = keep_text(images, image->name, LOG_NAME_BYTES_MAX);
	known.path = keep_text(images, image->path, LOG_PATH_BYTES_MAX);
	if (compare(&images->lists[process->current], &known, &is_other))
		return;
	if (is_other)
		replace_list(images, process,
		             image->is_inferred
		                     ? image->since
		                     : begin_of_next(images, process, at));
	list = &images->lists[process->current];
	if (list->count == LOG_LIST_MAX)
		return;
	if (!list->count && !list->begin && !image->is_inferred)
		process->lists_follow = process->has_frames;
	process->has_frames = false;
	MEM_GROW(list->items, list->count, list->cap);
	list->items[list->count++] = known;
	list->end = at;
	images->image_count++;
}

void log_images_note_frame(struct log_images *images, uint64_t pid, uint64_t at)
{
	struct log_process *process = add_process(images, pid, at);

	if (process)
		process->has_frames = true;
}

void log_images_rewind(struct log_images *images)
{
	for (size_t i = 0; i < images->process_count; i++)
		images->processes[i].current = images->processes[i].first;
}

static const struct log_image_list *list_at(const struct log_images *images,
                                            struct log_process *process,
                                            uint64_t at)
{
	const struct log_image_list *list = &images->lists[process->current];

	while (list->next != NO_LIST && images->lists[list->next].begin <= at) {
		process->current = list->next;
		list = &images->lists[process->current];
	}
	return list;
}

/** Does the image extend to @p offset, without another one in between? */
static bool reaches(const struct log_image_list *list,
                    const struct log_known_image *image, uint64_t offset)
{
	if (image->size)
		return offset < image->size;
	for (size_t i = 0; i < list->count; i++) {
		const struct log_known_image *other = &list->items[i];
		uint64_t distance = other->base - image->base;

		if (other->has_base && distance && distance <= offset)
			return false;
	}
	return offset < IMAGE_SIZE_MAX;
}

/** Is the frame in this image with its name? */
static bool lies_in(const struct log_image_list *list,
                    const struct log_known_image *image,
                    const struct log_wanted *wanted, uint64_t *ret_offset)
{
	if (wanted->has_offset) {
		*ret_offset = wanted->offset;
		// An offset alone has no address to contradict.
		return !image->has_base || !wanted->address ||
		       wanted->address - wanted->offset == image->base;
	}
	*ret_offset = wanted->address - image->base;
	return image->has_base && wanted->address >= image->base &&
	       reaches(list, image, *ret_offset);
}

static bool find_in(const struct log_image_list *list, uint32_t name,
                    const struct log_wanted *wanted, struct log_place *ret)
{
	bool found = false;

	for (size_t i = 0; i < list->count; i++) {
		const struct log_known_image *image = &list->items[i];
		uint64_t offset;

		if (image->name != name ||
		    !lies_in(list, image, wanted, &offset))
			continue;
		// A name of two builds is ambiguous.
		if (found && !uuid_equal(&ret->image->uuid, &image->uuid))
			return false;
		*ret = (struct log_place){ .image = image, .offset = offset };
		found = true;
	}
	return found;
}

bool log_images_find(struct log_images *images, uint64_t pid, uint64_t at,
                     const struct log_wanted *wanted, struct log_place *ret)
{
	uint32_t name = intern_find(&images->names, wanted->image);
	struct log_process *process = find_process(images, pid);

	if (name == INTERN_NONE || (images->is_full && at >= images->full_at))
		return false;
	if (process && find_in(list_at(images, process, at), name, wanted, ret))
		return true;
	// Lists without a process belong to the first one that can use them.
	if (!pid || (images->owner && images->owner != pid))
		return false;
	process = find_process(images, 0);
	if (!process ||
	    !find_in(list_at(images, process, at), name, wanted, ret))
		return false;
	images->owner = pid;
	return true;
}

bool log_images_find_given(struct log_images *images,
                           const struct log_wanted *wanted,
                           struct log_place *ret)
{
	uint32_t name = intern_find(&images->names, wanted->image);
	bool found = false;

	for (size_t i = 0; name != INTERN_NONE && i < images->list_count; i++) {
		const struct log_image_list *list = &images->lists[i];

		for (size_t j = 0; j < list->count; j++) {
			const struct log_known_image *image = &list->items[j];
			uint64_t offset = wanted->offset;

			if (image->name != name ||
			    (!wanted->has_offset &&
			     !lies_in(list, image, wanted, &offset)))
				continue;
			if (found &&
			    !uuid_equal(&ret->image->uuid, &image->uuid))
				return false;
			*ret = (struct log_place){ .image = image,
				                   .offset = offset };
			found = true;
		}
	}
	return found;
}

bool log_images_find_address(struct log_images *images, uint64_t pid,
                             uint64_t at, uint64_t address,
                             struct log_place *ret)
{
	struct log_process *process = find_process(images, pid);
	const struct log_image_list *list;

	if (!process && (!images->owner || images->owner == pid))
		process = find_process(images, 0);
	if (!process || (images->is_full && at >= images->full_at))
		return false;
	list = list_at(images, process, at);
	for (size_t i = 0; i < list->count; i++) {
		const struct log_known_image *image = &list->items[i];
		uint64_t offset = address - image->base;

		if (!image->has_base || offset >= image->size)
			continue;
		*ret = (struct log_place){ .image = image, .offset = offset };
		return true;
	}
	return false;
}

bool log_images_has_name(const struct log_images *images, struct text name)
{
	return intern_find(&images->names, name) != INTERN_NONE;
}

const char *log_images_name(const struct log_images *images, uint32_t number)
{
	return number == INTERN_NONE ? NULL
	                             : intern_cstr(&images->names, number);
}

void log_images_release(struct log_images *images)
{
	for (size_t i = 0; i < images->list_count; i++)
		free(images->lists[i].items);
	free(images->lists);
	intern_release(&images->names);
	*images = (struct log_images){ .keeps_all = images->keeps_all };
}
