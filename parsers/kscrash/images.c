// SPDX-License-Identifier: MIT
#include "parsers/kscrash/parts.h"

#include "lib/base/limit.h"
#include "lib/darwin/cpu.h"

#include <string.h>

struct image_entry {
	uint64_t base;
	bool has_base;
	uint64_t size;
	uint64_t cpu_type;
	uint64_t cpu_subtype;
	const char *path;
	const char *uuid;
	uint64_t major;
	uint64_t minor;
	uint64_t revision;
};

static const struct json_field image_fields[] = {
	JSON_FIELD_HAS("image_addr", JSON_FIELD_U64, struct image_entry, base,
	               has_base),
	JSON_FIELD("image_size", JSON_FIELD_U64, struct image_entry, size),
	JSON_FIELD("cpu_type", JSON_FIELD_U64, struct image_entry, cpu_type),
	JSON_FIELD("cpu_subtype", JSON_FIELD_U64, struct image_entry,
	           cpu_subtype),
	JSON_FIELD("name", JSON_FIELD_TEXT, struct image_entry, path),
	JSON_FIELD("uuid", JSON_FIELD_TEXT, struct image_entry, uuid),
	JSON_FIELD("major_version", JSON_FIELD_U64, struct image_entry, major),
	JSON_FIELD("minor_version", JSON_FIELD_U64, struct image_entry, minor),
	JSON_FIELD("revision_version", JSON_FIELD_U64, struct image_entry,
	           revision),
};

static void set_version(const struct image_entry *entry,
                        struct report_image *image, struct arena *arena)
{
	// Apps have no version: all zeros.
	if (!entry->major && !entry->minor && !entry->revision)
		return;
	image->version = arena_printf(arena, "%u.%u.%u",
	                              (unsigned)entry->major & 0xffff,
	                              (unsigned)entry->minor & 0xff,
	                              (unsigned)entry->revision & 0xff);
}

static void read_image(const struct json_place *place, const cJSON *value)
{
	struct json_reader *reader = place->reader;
	struct image_entry entry = { 0 };
	struct report_image *image;

	if (!cJSON_IsObject(value)) {
		json_place_unexpected(place, NULL, value, "an object");
		return;
	}
	json_place_fields(place, value, image_fields, ARRAY_SIZE(image_fields),
	                  &entry);
	if (!entry.has_base)
		json_place_note(place, "image_addr",
		                "the image has no load address");
	image = report_add_image(reader->report, reader->arena);
	image->base = entry.base;
	image->size = entry.size;
	image->arch = darwin_arch_name(entry.cpu_type, entry.cpu_subtype);
	if (entry.path && *entry.path) {
		image->path = entry.path;
		image->name = text_base_cstr(entry.path);
	}
	set_version(&entry, image, reader->arena);
	if (entry.uuid && *entry.uuid &&
	    !uuid_parse(text_from(entry.uuid), &image->uuid))
		json_place_note(place, "uuid", "expected a UUID, found '%.64s'",
		                entry.uuid);
}

// Reports without a list

/** Max images collected from frames: each is found by linear search. */
#define FRAME_IMAGES_MAX 500

static struct report_image *image_at(struct report *report, uint64_t base)
{
	for (size_t i = 0; i < report->image_count; i++)
		if (report->images[i].base == base)
			return &report->images[i];
	return NULL;
}

/** The app itself: its UUID and path are in `system`. */
static void complete_app_image(const struct kscrash *ks,
                               struct report_image *image)
{
	const struct report *report = ks->place.reader->report;
	const char *uuid = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(ks->system, "app_uuid"));
	const char *name = text_base_cstr(report->path);

	if (!image->name || !name || strcmp(image->name, name))
		return;
	image->path = report->path;
	if (uuid)
		uuid_parse(text_from(uuid), &image->uuid);
}

static struct report_image *add_frame_image(const struct kscrash *ks,
                                            const cJSON *frame, uint64_t base)
{
	struct json_reader *reader = ks->place.reader;
	const char *name = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(frame, "object_name"));
	// Since 2.6, the list may be omitted.
	const char *uuid = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(frame, "object_uuid"));
	struct report_image *image;

	if (reader->report->image_count == FRAME_IMAGES_MAX)
		return NULL;
	image = report_add_image(reader->report, reader->arena);
	image->base = base;
	image->end_unknown = true;
	if (name && *name)
		image->name = arena_strdup(reader->arena, text_base_cstr(name));
	complete_app_image(ks, image);
	if (uuid && *uuid)
		uuid_parse(text_from(uuid), &image->uuid);
	return image;
}

static void read_frame_image(const struct kscrash *ks, const cJSON *frame)
{
	struct report_image *image;
	uint64_t base;
	uint64_t address;

	if (!json_as_u64(cJSON_GetObjectItemCaseSensitive(frame, "object_addr"),
	                 &base) ||
	    !base ||
	    !json_as_u64(
	            cJSON_GetObjectItemCaseSensitive(frame, "instruction_addr"),
	            &address) ||
	    address < base)
		return;
	image = image_at(ks->place.reader->report, base);
	if (!image)
		image = add_frame_image(ks, frame, base);
	if (image && image->size <= address - base)
		image->size = address - base + 1;
}

static void add_images_of(const struct kscrash *ks, const cJSON *frames)
{
	size_t count = 0;

	for (const cJSON *frame = cJSON_GetArrayItem(frames, 0);
	     frame && count < limit_get(LIMIT_FRAMES);
	     frame = frame->next, count++)
		read_frame_image(ks, frame);
}

static void add_thread_images(const struct kscrash *ks, const cJSON *thread)
{
	add_images_of(ks, cJSON_GetObjectItemCaseSensitive(
	                          cJSON_GetObjectItemCaseSensitive(thread,
	                                                           "backtrace"),
	                          "contents"));
}

/**
 * Collect images from frames, which have their load address: enough to find
 * functions in a dSYM.
 */
static void infer_images(const struct kscrash *ks)
{
	const cJSON *threads =
	        cJSON_GetObjectItemCaseSensitive(ks->crash, "threads");
	const struct report *report = ks->place.reader->report;
	size_t count = 0;

	add_images_of(ks, cJSON_GetObjectItemCaseSensitive(
	                          cJSON_GetObjectItemCaseSensitive(ks->error,
	                                                           "profile"),
	                          "frames"));
	add_images_of(ks,
	              cJSON_GetObjectItemCaseSensitive(
	                      cJSON_GetObjectItemCaseSensitive(
	                              ks->crash, "last_exception_backtrace"),
	                      "contents"));
	add_thread_images(ks, cJSON_GetObjectItemCaseSensitive(
	                              ks->crash, "crashed_thread"));
	for (const cJSON *thread = cJSON_GetArrayItem(threads, 0);
	     thread && count < limit_get(LIMIT_THREADS);
	     thread = thread->next, count++)
		add_thread_images(ks, thread);
	// Profiles have no list by design.
	if (report->image_count && ks->error_type != KSCRASH_ERROR_PROFILE)
		json_place_note(&ks->place, "binary_images",
		                "missing: images were taken from the frames, "
		                "and end at the last frame of each");
}

void kscrash_read_images(const struct kscrash *ks)
{
	const cJSON *images = ks->images;
	struct json_place place =
	        JSON_PLACE_MEMBER(&ks->place, "binary_images");

	place.index = 0;
	for (const cJSON *value = cJSON_GetArrayItem(images, 0); value;
	     value = value->next, place.index++) {
		if (place.index == limit_get(LIMIT_IMAGES)) {
			json_place_note_limit(
			        &ks->place, "binary_images", LIMIT_IMAGES,
			        (size_t)cJSON_GetArraySize(images), "images");
			break;
		}
		read_image(&place, value);
	}
	if (!ks->place.reader->report->image_count)
		infer_images(ks);
}
