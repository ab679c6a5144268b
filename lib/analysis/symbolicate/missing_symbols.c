// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/missing_symbols.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/darwin/cpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *missing_status_name(enum missing_status status)
{
	static const char *const names[] = {
		[MISSING_FOUND] = "found",
		[MISSING_SYMBOLS_ONLY] = "symbols-only",
		[MISSING_ABSENT] = "missing",
		[MISSING_WRONG_UUID] = "wrong-uuid",
		[MISSING_UNREADABLE] = "unreadable",
		[MISSING_MALFORMED] = "malformed",
	};

	return names[status];
}

struct image_key {
	const struct uuid *uuid;
	const char *name;
};

static uint64_t hash_image(uint64_t seed, const void *key)
{
	const struct image_key *image = key;

	// Images without a UUID are identified by name.
	if (uuid_is_zero(image->uuid) && image->name)
		return hash_bytes(seed, image->name, strlen(image->name));
	return hash_bytes(seed, image->uuid, sizeof(*image->uuid));
}

static bool is_image(const void *table, uint32_t index, const void *key)
{
	const struct missing_symbols *images = table;
	const struct missing_image *image = &images->images[index];
	const struct image_key *other = key;

	// Reports without its name mean the same image.
	return uuid_equal(&image->uuid, other->uuid) &&
	       (text_same(image->name, other->name) ||
	        (!uuid_is_zero(other->uuid) && (!image->name || !other->name)));
}

static const struct map_keys image_keys = { hash_image, is_image };

/** Is this the program itself, described in the report's header? */
static bool is_main(const struct report *report,
                    const struct report_image *image)
{
	if (report->path && image->path)
		return !strcmp(report->path, image->path);
	return text_same(report->process.name, image->name) && image->name;
}

/** Max bytes of values that each image repeats from its report. */
#define REPEATED_BYTES_MAX 256

/** NULL for NULL. A version of 100 kB in each row is a bomb. */
static const char *shortened(struct arena *arena, const char *cstr)
{
	return cstr ? arena_abridge(arena, cstr, REPEATED_BYTES_MAX) : NULL;
}

static const char *copy_short(struct missing_symbols *images, const char *cstr)
{
	const char *kept = shortened(&images->arena, cstr);

	return kept == cstr ? arena_strdup(&images->arena, cstr) : kept;
}

static void describe_image(struct missing_symbols *images,
                           const struct report *report,
                           const struct report_image *from,
                           struct missing_image *to)
{
	bool main = is_main(report, from);
	bool is_app = report_image_is_app(report, from);
	const char *arch = from->arch;

	// In `sample` and on macOS, images have no architecture of their own.
	if (is_app && !arch)
		arch = report->code_type;
	arch = darwin_arch_of_code_type(arch);

	*to = (struct missing_image){
		.uuid = from->uuid,
		.name = arena_strdup(&images->arena, from->name),
		.arch = arena_strdup(&images->arena, arch),
		.bundle_id = copy_short(images, from->bundle_id),
		.version = copy_short(images, from->version),
		.build = copy_short(images, from->build),
		.app_version = copy_short(images, report->version),
		.app_build = copy_short(images, report->build),
		.os_version = copy_short(images, report->os_version),
		.os_build = copy_short(images, report->os_build),
		.input = arena_strdup(&images->arena, report->file
		                                              ? report->file
		                                              : report->input),
		.is_app = is_app,
		.is_system = report_image_is_system(report, from),
		.has_path = from->path != NULL,
	};
	if (!main)
		return;
	if (!to->bundle_id)
		to->bundle_id = copy_short(images, report->identifier);
	if (!to->version && !to->build) {
		to->version = to->app_version;
		to->build = to->app_build;
	}
}

/** The first report with the image's name has more data than earlier ones. */
static void complete_image(struct missing_symbols *images,
                           const struct report *report,
                           const struct report_image *from,
                           struct missing_image *to)
{
	struct missing_image named;

	describe_image(images, report, from, &named);
	to->name = named.name;
	to->is_app = named.is_app;
	to->is_system = named.is_system;
	to->has_path = named.has_path;
	to->arch = to->arch ? to->arch : named.arch;
	to->bundle_id = to->bundle_id ? to->bundle_id : named.bundle_id;
	if (!to->version && !to->build) {
		to->version = named.version;
		to->build = named.build;
	}
}

/** The entry of an image; created at its first use. */
static struct missing_image *get_image(struct missing_symbols *images,
                                       const struct report *report,
                                       const struct report_image *image)
{
	const struct image_key key = { &image->uuid, image->name };
	uint32_t at =
	        map_add(&images->map, &image_keys, images, &key, images->count);

	if (at == images->count) {
		MEM_GROW(images->images, images->count, images->cap);
		describe_image(images, report, image,
		               &images->images[images->count++]);
	} else if (!images->images[at].name && image->name) {
		complete_image(images, report, image, &images->images[at]);
	}
	return &images->images[at];
}

static enum missing_status status_of(const struct symbol_image *found)
{
	if (found->status == SYMBOL_FILE_MISSING)
		return MISSING_ABSENT;
	if (found->status == SYMBOL_FILE_UNREADABLE)
		return MISSING_UNREADABLE;
	if (found->status == SYMBOL_FILE_MALFORMED)
		return MISSING_MALFORMED;
	return found->has_debug_info ? MISSING_FOUND : MISSING_SYMBOLS_ONLY;
}

bool missing_is_damage(const struct symbol_image *found)
{
	return status_of(found) >= MISSING_UNREADABLE;
}

/** @param is_first  No earlier report had it. */
static void take_result(struct missing_symbols *images,
                        struct missing_image *image,
                        const struct symbol_image *found, bool is_first)
{
	enum missing_status status = status_of(found);

	if (!image->arch)
		image->arch = arena_strdup(&images->arena, found->arch);
	if (!is_first && status <= image->status)
		return;
	image->status = status;
	image->path = arena_strdup(&images->arena, found->path);
	if (found->reason)
		image->reason = arena_strdup(&images->arena, found->reason);
}

static bool is_within(const struct symbolicate_image *image,
                      enum missing_scope scope)
{
	if (scope == MISSING_ALL)
		return true;
	return symbolicate_image_needs_dsym(image) &&
	       (scope == MISSING_LINES || missing_is_damage(image->result));
}

void missing_symbols_add(struct missing_symbols *images,
                         const struct symbolicate_result *result,
                         enum missing_scope scope)
{
	for (size_t i = 0; i < result->count; i++) {
		const struct symbolicate_image *from = &result->images[i];
		struct missing_image *image;

		if (!is_within(from, scope))
			continue;
		image = get_image(images, from->report, from->image);
		image->report_count++;
		image->frame_count += scope == MISSING_ALL
		                              ? from->frame_count
		                              : from->lineless_count;
		take_result(images, image, from->result,
		            image->report_count == 1);
	}
}

/** @p text if both are equal; else NULL. */
static const char *same_or_none(const char *text, const char *other)
{
	return text_same(text, other) ? text : NULL;
}

void missing_symbols_add_image(struct missing_symbols *images,
                               const struct report *report,
                               const struct report_image *image,
                               const struct symbol_image *found,
                               uint64_t frame_count, uint64_t report_count)
{
	struct missing_image *to = get_image(images, report, image);
	SCOPED(arena_release) struct arena arena = { 0 };
	bool is_first = !to->report_count;

	to->input = same_or_none(to->input, report->input);
	to->os_version = same_or_none(to->os_version,
	                              shortened(&arena, report->os_version));
	to->frame_count += frame_count;
	to->report_count += report_count;
	take_result(images, to, found, is_first);
}

static void add_frameless(struct missing_symbols *images,
                          const struct report *report,
                          struct symbol_store *store)
{
	for (size_t i = 0; i < report->image_count; i++) {
		const struct report_image *from = &report->images[i];
		struct symbol_request request = { .uuid = from->uuid };
		struct missing_image *image;

		// Those with frames have their state from symbolication.
		if (from->symbols)
			continue;
		image = get_image(images, report, from);
		if (image->report_count++)
			continue;
		symbol_store_resolve(store, &request, 1);
		take_result(images, image, &request.image, true);
	}
}

void missing_symbols_add_frameless(struct missing_symbols *images,
                                   struct report *const *reports, size_t count,
                                   struct symbol_store *store)
{
	for (size_t i = 0; i < count; i++)
		add_frameless(images, reports[i], store);
}

void missing_symbols_count_app(const struct missing_symbols *images,
                               size_t *ret_total, size_t *ret_missing)
{
	*ret_total = *ret_missing = 0;
	for (size_t i = 0; i < images->count; i++) {
		*ret_total += images->images[i].is_app;
		*ret_missing += images->images[i].is_app &&
		                images->images[i].status != MISSING_FOUND;
	}
}

/** `build 412 is here, the report wants 413` */
static void describe_nearest(const struct missing_image *image, struct str *out)
{
	bool other_version =
	        image->nearest_version && image->wanted_version &&
	        strcmp(image->nearest_version, image->wanted_version) != 0;

	if (!image->nearest_build) {
		str_add(out, "another build was found");
	} else if (!image->wanted_build) {
		str_addf(out, "build %s was found, with another UUID",
		         image->nearest_build);
	} else if (text_same(image->nearest_build, image->wanted_build) &&
	           !other_version) {
		str_addf(out, "build %s was found, but compiled separately",
		         image->nearest_build);
	} else if (other_version) {
		str_addf(out,
		         "version %s (%s) was found, the report needs %s (%s)",
		         image->nearest_version, image->nearest_build,
		         image->wanted_version, image->wanted_build);
	} else {
		str_addf(out, "build %s was found, the report needs %s",
		         image->nearest_build, image->wanted_build);
	}
	str_addf(out, ": '%s'", image->path);
}

/** Of an image that is not the app's. */
static void describe_foreign(const struct missing_image *image, struct str *out)
{
	if (image->is_system)
		str_addf(out, "part of %s",
		         image->os_version ? image->os_version : "the system");
	else if (image->has_path)
		str_add(out, "not in the app");
	else
		str_add(out, "not known to be in the app: the report gives no "
		             "path");
}

/** Of an image without a file. */
static void describe_absent(const struct missing_image *image, struct str *out)
{
	if (uuid_is_zero(&image->uuid) && image->same_name)
		str_addf(out,
		         "without a UUID it is not known whether '%s' is of "
		         "this build",
		         image->same_name);
	else if (uuid_is_zero(&image->uuid))
		str_add(out, "the report gives no UUID");
	else if (!image->is_app)
		describe_foreign(image, out);
	else if (image->beside_is_stripped)
		str_addf(out,
		         "'%s' in the report's directory matches, but has no "
		         "debug information",
		         image->beside);
	else if (image->beside && !image->beside_matches)
		str_addf(out,
		         "'%s' in the report's directory is of another build",
		         image->beside);
	else if (!image->beside)
		str_add(out,
		        image->reason ? image->reason : "no --dsym was given");
}

void missing_image_describe(const struct missing_image *image, struct str *out)
{
	switch (image->status) {
	case MISSING_FOUND:
		str_add(out, image->path);
		break;
	case MISSING_SYMBOLS_ONLY:
		str_addf(out, "'%s' has no debug information", image->path);
		break;
	case MISSING_ABSENT:
		describe_absent(image, out);
		break;
	case MISSING_WRONG_UUID:
		describe_nearest(image, out);
		break;
	case MISSING_UNREADABLE:
	case MISSING_MALFORMED:
		str_addf(out, "'%s': %s", image->path, image->reason);
		break;
	}
	if (image->beside_matches)
		str_addf(out,
		         "%sits symbols are in the report's directory: add "
		         "--dsym '%s'",
		         out->size ? "; " : "", image->beside);
}

void missing_symbols_release(struct missing_symbols *images)
{
	free(images->images);
	map_release(&images->map);
	arena_release(&images->arena);
	*images = (struct missing_symbols){ 0 };
}
