// SPDX-License-Identifier: MIT
#include "lib/base/hash.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "parsers/crashlytics/reader.h"

#include <stdlib.h>
#include <string.h>

// Images

struct image_key {
	const char *name;
	const struct uuid *uuid;
};

static uint64_t hash_image(uint64_t seed, const void *key)
{
	const struct image_key *image = key;

	return hash_bytes(hash_bytes(seed, image->name, strlen(image->name)),
	                  image->uuid, sizeof(*image->uuid));
}

static bool is_image(const void *table, uint32_t index, const void *key)
{
	const struct report *report = table;
	const struct report_image *image = &report->images[index];
	const struct image_key *other = key;

	return uuid_equal(&image->uuid, other->uuid) &&
	       !strcmp(image->name, other->name);
}

static const struct map_keys image_keys = { hash_image, is_image };

static size_t find_image(struct crashlytics_reader *reader,
                         const struct image_key *key)
{
	struct report *report = reader->text.report;
	struct report_image *image;
	uint32_t at;

	if (report->image_count == limit_get(LIMIT_IMAGES)) {
		at = map_find(&reader->images, &image_keys, report, key);
		reader->many_images += at == MAP_NONE;
		return at == MAP_NONE ? REPORT_NO_IMAGE : at;
	}
	at = map_add(&reader->images, &image_keys, report, key,
	             report->image_count);
	if (at == report->image_count) {
		image = report_add_image(report, reader->text.arena);
		image->name = key->name;
		image->uuid = *key->uuid;
	}
	return at;
}

void crashlytics_place(struct crashlytics_reader *reader,
                       struct report_frame *frame, const struct uuid *uuid)
{
	struct report_image *image;

	if (!strcmp(frame->image_name, "???"))
		return;
	frame->image_offset = frame->address;
	// Apps are loaded above the first 4 GB, and no image is as large.
	reader->has_addresses |= frame->address > UINT32_MAX;
	frame->image = find_image(
	        reader, &(struct image_key){ frame->image_name, uuid });
	if (frame->image == REPORT_NO_IMAGE)
		return;
	image = &reader->text.report->images[frame->image];
	// Its size is unknown: at least up to its last frame.
	image->end_unknown = true;
	if (image->size <= frame->image_offset)
		image->size = frame->image_offset + 1;
}

// UUIDs

/** The image of a name that has a UUID; by the name alone. */
struct names {
	const struct report *report;
	struct map map;
	size_t *first;  ///< the image, by the index of the name
	bool *is_alone; ///< no other image of that name has one
	size_t count;
};

static uint64_t hash_name(uint64_t seed, const void *key)
{
	return hash_bytes(seed, key, strlen(key));
}

static bool is_name(const void *table, uint32_t index, const void *key)
{
	const struct names *names = table;

	return !strcmp(names->report->images[names->first[index]].name, key);
}

static const struct map_keys name_keys = { hash_name, is_name };

static void names_release(struct names *names)
{
	map_release(&names->map);
	free(names->first);
	free(names->is_alone);
}

static void add_names(struct names *names)
{
	const struct report *report = names->report;

	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *image = &report->images[i];
		uint32_t at;

		if (uuid_is_zero(&image->uuid))
			continue;
		at = map_add(&names->map, &name_keys, names, image->name,
		             names->count);
		names->is_alone[at] = at == names->count;
		if (at == names->count)
			names->first[names->count++] = i;
	}
}

/** The image of the same name with the only UUID; else itself. */
static size_t same_image(const struct names *names, size_t index)
{
	const struct report_image *image = &names->report->images[index];
	uint32_t at;

	if (!uuid_is_zero(&image->uuid))
		return index;
	at = map_find(&names->map, &name_keys, names, image->name);
	return at != MAP_NONE && names->is_alone[at] ? names->first[at] : index;
}

/** New index of each image. */
struct moves {
	size_t *to;
	size_t count;
};

static void move_stack(struct report_stack *stack, void *context)
{
	const struct moves *moves = context;

	for (size_t i = 0; i < stack->count; i++)
		if (stack->frames[i].image < moves->count)
			stack->frames[i].image =
			        moves->to[stack->frames[i].image];
}

static void merge(struct report_image *image, const struct report_image *other)
{
	if (image->size < other->size)
		image->size = other->size;
	image->own |= other->own;
}

/** Merge the images of one name, if the text has one UUID for it. */
static void merge_images(struct report *report)
{
	size_t count = report->image_count;
	SCOPED(names_release)
	struct names names = {
		.report = report,
		.first = mem_zalloc(count, sizeof(*names.first)),
		.is_alone = mem_zalloc(count, sizeof(*names.is_alone)),
	};
	SCOPED(mem_drop) size_t *same = mem_zalloc(count, sizeof(*same));
	SCOPED(mem_drop) size_t *to = mem_zalloc(count, sizeof(*to));

	add_names(&names);
	for (size_t i = 0; i < count; i++)
		same[i] = same_image(&names, i);
	for (size_t i = 0; i < count; i++)
		if (same[i] != i)
			merge(&report->images[same[i]], &report->images[i]);
	report->image_count = 0;
	for (size_t i = 0; i < count; i++) {
		if (same[i] != i)
			continue;
		to[i] = report->image_count;
		report->images[report->image_count++] = report->images[i];
	}
	for (size_t i = 0; i < count; i++)
		to[i] = to[same[i]];
	report_each_stack(report, move_stack,
	                  &(struct moves){ .to = to, .count = count });
}

// Names

struct named_frame {
	const struct report_frame *frame;
};

/** Frames that have a name, by their places. */
struct named {
	struct named_frame *items;
	size_t count;
	size_t cap;
	struct map map;
};

static void named_release(struct named *named)
{
	map_release(&named->map);
	free(named->items);
}

static uint64_t hash_place(uint64_t seed, const void *key)
{
	const struct report_frame *frame = key;

	return map_hash_number(map_hash_number(seed, frame->image),
	                       frame->image_offset);
}

static bool is_place(const void *table, uint32_t index, const void *key)
{
	const struct named *named = table;
	const struct report_frame *frame = key;
	const struct report_frame *other = named->items[index].frame;

	return other->image == frame->image &&
	       other->image_offset == frame->image_offset;
}

static const struct map_keys place_keys = { hash_place, is_place };

static void add_named(struct report_stack *stack, void *context)
{
	struct named *named = context;

	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];

		if (frame->image == REPORT_NO_IMAGE || !frame->call_count ||
		    map_add(&named->map, &place_keys, named, frame,
		            named->count) != named->count)
			continue;
		MEM_GROW(named->items, named->count, named->cap);
		named->items[named->count++].frame = frame;
	}
}

static void share_names(struct report_stack *stack, void *context)
{
	const struct named *named = context;

	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];
		uint32_t at;

		if (frame->image == REPORT_NO_IMAGE || frame->call_count)
			continue;
		at = map_find(&named->map, &place_keys, named, frame);
		if (at == MAP_NONE)
			continue;
		frame->calls = named->items[at].frame->calls;
		frame->call_count = named->items[at].frame->call_count;
		frame->source = REPORT_SOURCE_REPORT;
	}
}

static void name_places(struct report *report)
{
	SCOPED(named_release) struct named named = { 0 };

	report_each_stack(report, add_named, &named);
	if (named.count)
		report_each_stack(report, share_names, &named);
}

// Owners of images

/** Letters and digits alone, without their case: `Demo App`, `demo-app`. */
static bool is_alike(struct text a, struct text b)
{
	size_t i = 0;
	size_t k = 0;

	for (;;) {
		while (i < a.size && !text_is_alnum(a.data[i]))
			i++;
		while (k < b.size && !text_is_alnum(b.data[k]))
			k++;
		if (i == a.size || k == b.size)
			return i == a.size && k == b.size;
		if ((a.data[i++] | 0x20) != (b.data[k++] | 0x20))
			return false;
	}
}

static bool is_of_app(const struct report *report,
                      const struct report_image *image)
{
	struct text id =
	        text_from(report->identifier ? report->identifier : "");
	size_t dot = text_find_last_char(id, '.');

	id = text_after(id, dot == TEXT_NOWHERE ? 0 : dot + 1);
	return id.size && is_alike(text_from(image->name), id);
}

/**
 * The console gives files for images with an uploaded dSYM: those of the app.
 * The image with main() is the program.
 */
static void see_owners(struct report_stack *stack, void *context)
{
	struct report *report = context;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];
		const struct report_call *call;

		if (frame->image == REPORT_NO_IMAGE || !frame->call_count)
			continue;
		call = &frame->calls[frame->call_count - 1];
		if (call->file)
			report->images[frame->image].own = true;
		if (text_same(call->symbol, "main") && !report->process.name)
			report->process.name =
			        report->images[frame->image].name;
	}
}

static void find_owners(struct report *report)
{
	for (size_t i = 0; i < report->image_count; i++) {
		struct report_image *image = &report->images[i];

		if (!is_of_app(report, image))
			continue;
		image->own = true;
		if (!report->process.name)
			report->process.name = image->name;
	}
	report_each_stack(report, see_owners, report);
}

// Result

static void drop_place(struct report_stack *stack, void *context)
{
	(void)context;
	for (size_t i = 0; i < stack->count; i++) {
		stack->frames[i].image = REPORT_NO_IMAGE;
		stack->frames[i].image_offset = 0;
	}
}

/** Note images without UUID, and unnamed frames. */
static void note_uuids(struct crashlytics_reader *reader)
{
	struct report *report = reader->text.report;
	size_t count = 0;

	for (size_t i = 0; i < report->image_count; i++)
		count += uuid_is_zero(&report->images[i].uuid);
	if (count)
		report_add_note(
		        report, reader->text.arena, "frames",
		        arena_printf(
		                reader->text.arena,
		                "Crashlytics' text has no UUID of %zu of %zu "
		                "images: their frames keep their names",
		                count, report->image_count));
}

void crashlytics_finish_places(struct crashlytics_reader *reader)
{
	struct report *report = reader->text.report;

	if (reader->has_addresses) {
		report_each_stack(report, drop_place, NULL);
		report->image_count = 0;
		report_add_note(report, reader->text.arena, "frames",
		                "the text has addresses and no load addresses: "
		                "no frame can be looked up");
		return;
	}
	if (!report->image_count)
		return;
	merge_images(report);
	find_owners(report);
	name_places(report);
	note_uuids(reader);
}
