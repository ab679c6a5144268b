// SPDX-License-Identifier: MIT
#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/darwin/cpu.h"
#include "parsers/metrickit/reader.h"

#include <string.h>

// Payloads have no list of images: frames describe them. `address` minus
// `offsetIntoBinaryTextSegment` is the load address.

// Images are loaded at a page; the smallest are these.
#define PAGE_BYTES UINT64_C(0x1000)

// Start of the shared cache of system libraries on 64-bit ARM; on Intel it is
// higher. Apps and their libraries are at lower addresses.
#define SHARED_CACHE UINT64_C(0x180000000)

void metrickit_images_release(struct metrickit_images *images)
{
	map_release(&images->map);
	*images = (struct metrickit_images){ 0 };
}

// Offsets

/**
 * iOS 14 writes the load address in place of the offset. A load address is
 * page-aligned, an offset hardly ever.
 */
static bool is_load_address(const struct metrickit_frame *from)
{
	bool page = from->offset && from->offset % PAGE_BYTES == 0;

	return page && ((from->address - from->offset) % PAGE_BYTES ||
	                from->offset >= UINT64_C(1) << 32);
}

/** Load address of the frame's image, or 0; false if the offset is unknown. */
static bool find_base(struct metrickit_images *images,
                      const struct metrickit_frame *from, uint64_t *ret)
{
	if (!from->has_offset)
		return false;
	// The UUID and the offset are enough to name it.
	if (!from->has_address) {
		*ret = 0;
		return true;
	}
	if (from->offset > from->address) {
		images->bad_offset_count++;
		return false;
	}
	if (is_load_address(from)) {
		images->load_address_count++;
		*ret = from->offset;
	} else {
		*ret = from->address - from->offset;
	}
	return true;
}

// The table

struct image_key {
	const struct metrickit_frame *from;
	uint64_t base;
};

/** An image without a UUID is known by its name and place. */
static uint64_t hash_image(uint64_t seed, const void *key)
{
	const struct image_key *image = key;
	const struct uuid *uuid = &image->from->uuid;

	if (uuid_is_zero(uuid))
		return map_hash_number(seed, image->base);
	return hash_bytes(seed, uuid->bytes, sizeof(uuid->bytes));
}

static bool is_image(const void *table, uint32_t index, const void *key)
{
	const struct report *report = table;
	const struct report_image *image = &report->images[index];
	const struct image_key *other = key;
	const struct metrickit_frame *from = other->from;

	if (!uuid_equal(&image->uuid, &from->uuid))
		return false;
	if (!uuid_is_zero(&from->uuid))
		return true;
	return image->base == other->base && image->name && from->name &&
	       !strcmp(image->name, from->name);
}

static const struct map_keys image_keys = { hash_image, is_image };

static size_t add_image(struct metrickit_reader *r,
                        const struct metrickit_frame *from, uint64_t base)
{
	struct report *report = r->at->report;
	const char *arch = r->at->arch;
	struct report_image *image = report_add_image(report, r->arena);

	image->base = base;
	image->uuid = from->uuid;
	image->name = from->name;
	// A device that runs arm64e runs apps of arm64.
	if (arch && *arch &&
	    !darwin_arch_matches(arch, DARWIN_CPU_ARM64, DARWIN_SUBTYPE_ARM64E))
		image->arch = arch;
	return report->image_count - 1;
}

static size_t find_image(struct metrickit_reader *r,
                         struct metrickit_images *images,
                         const struct metrickit_frame *from, uint64_t base)
{
	const struct report *report = r->at->report;
	const struct image_key key = { from, base };
	uint32_t at;

	if (report->image_count == METRICKIT_IMAGES_MAX) {
		at = map_find(&images->map, &image_keys, report, &key);
		if (at != MAP_NONE)
			return at;
		images->over_limit_count++;
		return REPORT_NO_IMAGE;
	}
	at = map_add(&images->map, &image_keys, report, &key,
	             report->image_count);
	return at < report->image_count ? at : add_image(r, from, base);
}

void metrickit_place(struct metrickit_reader *r,
                     struct metrickit_images *images,
                     const struct metrickit_frame *from,
                     struct report_frame *frame)
{
	struct report_image *image;
	uint64_t base;

	frame->address = from->address;
	frame->image_name = from->name;
	if ((uuid_is_zero(&from->uuid) && !from->name) ||
	    !find_base(images, from, &base))
		return;
	frame->image = find_image(r, images, from, base);
	if (frame->image == REPORT_NO_IMAGE)
		return;
	image = &r->at->report->images[frame->image];
	if (!image->name)
		image->name = from->name;
	if (!from->has_address) {
		frame->image_offset = from->offset;
		return;
	}
	if (!image->base)
		image->base = base;
	frame->image_offset = from->address - base;
	images->moved_count += image->base != base;
	// Its size is unknown: at least up to its last frame.
	image->end_unknown = true;
	if (image->size <= frame->image_offset)
		image->size = frame->image_offset + 1;
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

/**
 * A payload has no process name. Its bundle identifier usually ends in it, or
 * in something similar.
 */
static void name_process(struct report *report)
{
	struct text id;
	size_t dot;

	if (report->process.name || !report->identifier)
		return;
	id = text_from(report->identifier);
	dot = text_find_last_char(id, '.');
	id = text_after(id, dot == TEXT_NOWHERE ? 0 : dot + 1);
	for (size_t i = 0; id.size && i < report->image_count; i++) {
		const struct report_image *image = &report->images[i];

		if (image->own && image->name &&
		    is_alike(text_from(image->name), id)) {
			report->process.name = image->name;
			return;
		}
	}
}

/** Apple's, and yet outside the shared cache. */
static bool is_system_name(const char *name)
{
	return !strcmp(name, "dyld") || !strncmp(name, "libswift", 8) ||
	       !strncmp(name, "libsystem", 9);
}

void metrickit_finish_images(struct metrickit_reader *r,
                             const struct metrickit_images *images)
{
	struct report *report = r->at->report;

	for (size_t i = 0; i < report->image_count; i++) {
		struct report_image *image = &report->images[i];

		// The name of an app's image is missing if the app was updated
		// since.
		image->own = !image->name || (image->base < SHARED_CACHE &&
		                              !is_system_name(image->name));
	}
	name_process(report);
	if (images->load_address_count)
		json_source_note(
		        &r->source, "callStackTree",
		        "offsetIntoBinaryTextSegment holds load "
		        "addresses, as iOS 14 writes them, in %zu frames: "
		        "their offsets were computed",
		        images->load_address_count);
	if (images->moved_count)
		json_source_note(&r->source, "callStackTree",
		                 images->moved_count == 1
		                         ? "%zu frame is from a session with "
		                           "other load addresses: its offset "
		                           "is used"
		                         : "%zu frames are from sessions with "
		                           "other load addresses: their "
		                           "offsets are used",
		                 images->moved_count);
	if (images->bad_offset_count)
		json_source_note(&r->source, "callStackTree",
		                 "offsetIntoBinaryTextSegment lies beyond the "
		                 "address in %zu frames: they have no image",
		                 images->bad_offset_count);
	if (images->over_limit_count)
		json_source_note(&r->source, "callStackTree",
		                 "more than %d images: %zu frames have none",
		                 METRICKIT_IMAGES_MAX,
		                 images->over_limit_count);
}
