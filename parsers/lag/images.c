// SPDX-License-Identifier: MIT
#include "parsers/lag/reader.h"

#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** An image as in a list. */
struct listed {
	uint64_t base;
	bool has_base;
	uint64_t size;
	uint64_t end;
	struct uuid uuid;
	struct text name; ///< in the report's arena
};

// JSON

static void take_name(struct lag_json *json, struct text *ret)
{
	const struct json_event *event = json_pull_next(json->source.pull);

	if (event->type == JSON_EVENT_TEXT)
		*ret = (struct text){
			arena_text(&json->report->arena, event->text),
			event->text.size,
		};
	else
		json_source_unexpected(&json->source, event, "text");
}

static void take_member(struct lag_json *json, struct text name,
                        struct listed *image)
{
	if (text_is(name, "base_addr"))
		image->has_base =
		        lag_json_take_u64(json, "an address", &image->base);
	else if (text_is(name, "size"))
		lag_json_take_u64(json, "a number of bytes", &image->size);
	else if (text_is(name, "end_addr"))
		lag_json_take_u64(json, "an address", &image->end);
	else if (text_is(name, "uuid"))
		json_take_uuid(&json->source, &image->uuid);
	else if (text_is(name, "name"))
		take_name(json, &image->name);
	else
		json_pull_skip(json->source.pull);
}

static void take_image(struct lag_json *json)
{
	struct listed image = { .name = TEXT_NONE };
	const struct json_event *event;

	while ((event = json_pull_next(json->source.pull))->type !=
	       JSON_EVENT_END_OBJECT)
		take_member(json, event->text, &image);
	if (lag_json_is_broken(json))
		return;
	if (!image.has_base) {
		json_source_note(&json->source, NULL,
		                 "expected \"base_addr\", found none: left "
		                 "out");
		return;
	}
	if (!image.size && image.end > image.base)
		image.size = image.end - image.base;
	lag_images_add(json->report,
	               (struct profile_image){ .base = image.base,
	                                       .size = image.size,
	                                       .uuid = image.uuid },
	               image.name);
}

void lag_images_take(struct lag_json *json)
{
	const struct json_event *event;

	while ((event = json_pull_next(json->source.pull))->type !=
	       JSON_EVENT_END_ARRAY) {
		if (event->type == JSON_EVENT_OBJECT)
			take_image(json);
		else
			json_source_wrong(&json->source, event,
			                  "an image, an object");
	}
}

// All lists

/** Stable for equal bases. */
static int compare_bases(const void *a, const void *b)
{
	const struct profile_image *left =
	        *(const struct profile_image *const *)a;
	const struct profile_image *right =
	        *(const struct profile_image *const *)b;

	if (left->base != right->base)
		return left->base < right->base ? -1 : 1;
	return (left > right) - (left < right);
}

/** Does @p upper begin before the end of @p lower? False for the same image. */
static bool overlaps(const struct profile_image *lower,
                     const struct profile_image *upper)
{
	if (lower->base == upper->base)
		return !uuid_equal(&lower->uuid, &upper->uuid) ||
		       strcmp(lower->name, upper->name) != 0;
	return lower->size > upper->base - lower->base;
}

/** Does @p a, which begins at or after @p b, end later? */
static bool reaches_further(const struct profile_image *a,
                            const struct profile_image *b)
{
	uint64_t distance = a->base - b->base;

	return b->size <= distance || a->size > b->size - distance;
}

static bool are_sorted(const struct profile_images *images)
{
	for (size_t i = 1; i < images->count; i++)
		if (images->items[i].base < images->items[i - 1].base)
			return false;
	return true;
}

static void sort_images(const struct profile_images *images)
{
	SCOPED(mem_drop) const struct profile_image **order = NULL;
	SCOPED(mem_drop) struct profile_image *sorted = NULL;
	size_t count = images->count;

	if (are_sorted(images))
		return;
	order = mem_zalloc(count, sizeof(const struct profile_image *));
	sorted = mem_zalloc(count, sizeof(*sorted));
	for (size_t i = 0; i < count; i++)
		order[i] = &images->items[i];
	qsort(order, count, sizeof(const struct profile_image *),
	      compare_bases);
	for (size_t i = 0; i < count; i++)
		sorted[i] = *order[i];
	memcpy(images->items, sorted, count * sizeof(*sorted));
}

void lag_images_check(struct lag_report *report)
{
	const struct profile_image *images = report->profile.images.items;
	size_t furthest = 0; ///< earlier image with the highest end
	const struct profile_image *lower = NULL;
	const struct profile_image *upper = NULL;
	size_t count = 0;
	SCOPED(arena_release) struct arena arena = { 0 };

	sort_images(&report->profile.images);
	for (size_t i = 1; i < report->profile.images.count; i++) {
		if (overlaps(&images[furthest], &images[i])) {
			if (!count++) {
				lower = &images[furthest];
				upper = &images[i];
			}
		}
		if (reaches_further(&images[i], &images[furthest]))
			furthest = i;
	}
	if (!count)
		return;
	lag_report_note(
	        report, "dyld_images",
	        arena_printf(&arena,
	                     "'%s' at 0x%" PRIx64
	                     " starts inside '%s' at 0x%" PRIx64 "%s",
	                     upper->name, upper->base, lower->name, lower->base,
	                     count == 1 ? ""
	                                : arena_printf(&arena,
	                                               "; and %zu more overlap",
	                                               count - 1)));
}

struct lag_images lag_images_copy(const struct lag_report *report,
                                  struct arena *arena)
{
	size_t notes = report->note_count < LAG_NOTES ? report->note_count
	                                              : LAG_NOTES;
	struct lag_images ret = {
		.items = arena_array(arena, report->profile.images.count,
		                     sizeof(*ret.items)),
		.count = report->profile.images.count,
		.cap = report->profile.images.count,
		.arch = arena_strdup(arena, report->arch),
		.notes = arena_array(arena, notes, sizeof(*ret.notes)),
		.note_count = notes,
	};

	for (size_t i = 0; i < ret.count; i++) {
		ret.items[i] = report->profile.images.items[i];
		ret.items[i].name = arena_strdup(
		        arena, report->profile.images.items[i].name);
		ret.items[i].path = arena_strdup(
		        arena, report->profile.images.items[i].path);
	}
	for (size_t i = 0; i < notes; i++) {
		ret.notes[i].place =
		        arena_strdup(arena, report->notes[i].place);
		ret.notes[i].text = arena_strdup(arena, report->notes[i].text);
	}
	return ret;
}

void lag_images_give(struct lag_images *images, struct lag_report *report)
{
	struct arena *arena = &report->arena;

	for (size_t i = 0; i < images->note_count; i++)
		lag_report_note(report, images->notes[i].place,
		                images->notes[i].text);
	images->note_count = 0;
	if (report->profile.images.count || !images->count)
		return;
	for (size_t i = 0; i < images->count; i++) {
		struct profile_image *image =
		        profile_images_add(&report->profile.images);

		*image = images->items[i];
		image->name = arena_strdup(arena, image->name);
		image->path = arena_strdup(arena, image->path);
	}
	if (!report->arch)
		report->arch = arena_strdup(arena, images->arch);
}

/** Read the members of an object; true if one is a list of images. */
static bool read_members(struct lag_json *json)
{
	struct json_pull *pull = json->source.pull;
	struct lag_report *report = json->report;
	const struct json_event *event;
	bool has_images = false;

	while ((event = json_pull_next(pull))->type != JSON_EVENT_END_OBJECT) {
		bool is_arch = text_is(event->text, "arch");
		bool is_list = text_is(event->text, "dyld_images");

		if (!is_arch && !is_list) {
			json_pull_skip(pull);
			continue;
		}
		event = json_pull_next(pull);
		if (is_list && event->type == JSON_EVENT_ARRAY) {
			has_images = true;
			lag_images_take(json);
		} else if (is_arch && event->type == JSON_EVENT_TEXT) {
			report->arch = arena_text(&report->arena, event->text);
		} else {
			json_source_unexpected(&json->source, event,
			                       is_list ? "an array of images"
			                               : "text");
		}
	}
	return has_images;
}

static struct error *read_json(struct text *in, struct lag_report *report)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(*in, 0);
	struct lag_json json = {
		.report = report,
		.source = lag_json_source(pull, report),
	};
	const struct json_event *event = json_pull_next(pull);
	bool is_bare = event->type == JSON_EVENT_ARRAY;
	bool has_images = false;

	// A bare array of images will do.
	if (is_bare) {
		has_images = true;
		lag_images_take(&json);
	} else if (event->type == JSON_EVENT_OBJECT) {
		has_images = read_members(&json);
	}
	// A list without valid images is another list.
	if (is_bare && !report->profile.images.count)
		has_images = false;
	*in = text_after(*in, json_pull_used(pull));
	if (lag_json_is_broken(&json)) {
		if (json.err)
			return json.err;
		lag_report_note(report, "dyld_images", "the list is truncated");
	}
	return has_images ? NULL
	                  : error_new(ERROR_FORMAT,
	                              is_bare ? "not an image list: no "
	                                        "image has a "
	                                        "\"base_addr\""
	                                      : "expected \"dyld_images\", "
	                                        "found none");
}

struct error *lag_images_read(struct text *in, struct arena *arena,
                              struct lag_images *ret)
{
	struct lag_report report;
	struct error *err;
	struct text rest = *in;

	lag_report_init(&report, NULL);
	text_take(&rest, UTF8_MARK);
	rest = text_trim_left(rest);
	if (text_starts(rest, "[") || lag_first_sign(rest) == ':')
		err = read_json(&rest, &report);
	else
		err = lag_image_text_read(&rest, &report);
	*in = rest;
	if (!err) {
		lag_images_check(&report);
		*ret = lag_images_copy(&report, arena);
	}
	lag_report_release(&report);
	return err;
}
