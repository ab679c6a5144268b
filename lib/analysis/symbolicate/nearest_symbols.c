// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/nearest_symbols.h"

#include "lib/analysis/symbolicate/beside_symbols.h"
#include "lib/base/mem.h"
#include "lib/base/text.h"
#include "lib/symbols/index/bundle_info.h"

#include <stdlib.h>
#include <string.h>

/** Max numeric and letter parts of a build to compare: `1.2.413`, `20A362`. */
#define BUILD_PARTS 6

/**
 * Max comparisons for one name: 10,000 wanted builds with 10,000 existing ones.
 * Only invented reports need more; their other images are just missing.
 */
#define COMPARISONS_MAX ((size_t)100000000)

struct build {
	uint64_t parts[BUILD_PARTS];
};

static struct build build_parse(const char *text)
{
	struct build build = { 0 };
	size_t count = 0;

	while (*text && count < BUILD_PARTS) {
		uint64_t *part = &build.parts[count];

		if (!text_is_digit(*text)) {
			// A letter counts by its code, other characters
			// separate.
			if ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'z') {
				*part = (uint64_t)(*text | 0x20);
				count++;
			}
			text++;
			continue;
		}
		for (; text_is_digit(*text); text++)
			if (*part < UINT64_MAX / 100)
				*part = *part * 10 + (uint64_t)(*text - '0');
		count++;
	}
	return build;
}

static int compare_parts(const struct build *a, const struct build *b)
{
	for (size_t i = 0; i < BUILD_PARTS; i++)
		if (a->parts[i] != b->parts[i])
			return a->parts[i] < b->parts[i] ? -1 : 1;
	return 0;
}

int build_compare(const char *a, const char *b)
{
	struct build x = build_parse(a);
	struct build y = build_parse(b);

	return compare_parts(&x, &y);
}

/** How far apart, part by part; unknown builds are as far as can be. */
static struct build build_distance(const char *a, const char *b)
{
	struct build x, y, distance;

	memset(&distance, 0xff, sizeof(distance));
	if (!a || !b)
		return distance;
	x = build_parse(a);
	y = build_parse(b);
	for (size_t i = 0; i < BUILD_PARTS; i++)
		distance.parts[i] = x.parts[i] > y.parts[i]
		                            ? x.parts[i] - y.parts[i]
		                            : y.parts[i] - x.parts[i];
	return distance;
}

struct candidate {
	const struct uuid_entry *entry;
	struct bundle_info bundle;
};

/** Values of an image and a candidate that both have. */
struct comparison {
	const char *wanted_version;
	const char *wanted_build;
	const char *version;
	const char *build;
};

/**
 * The build of the app is best, if the candidate is in an archive; a
 * framework's own build often never changes. For the system, its build.
 */
static struct comparison compare_builds(const struct missing_image *image,
                                        const struct bundle_info *bundle)
{
	if (image->is_app && image->app_build && bundle->app_build)
		return (struct comparison){
			.wanted_version = image->app_version,
			.wanted_build = image->app_build,
			.version = bundle->app_version,
			.build = bundle->app_build,
		};
	if (!image->is_app && bundle->os_build)
		return (struct comparison){
			.wanted_build = image->os_build,
			.build = bundle->os_build,
		};
	return (struct comparison){
		.wanted_version = image->version,
		.wanted_build = image->build,
		.version = bundle->version,
		.build = bundle->build,
	};
}

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/** Whether @p a is nearer to @p image than @p b; of equals the first stays. */
static bool is_nearer(const struct missing_image *image,
                      const struct candidate *a, const struct candidate *b)
{
	bool a_same = same_text(a->bundle.bundle_id, image->bundle_id);
	bool b_same = same_text(b->bundle.bundle_id, image->bundle_id);
	struct comparison x = compare_builds(image, &a->bundle);
	struct comparison y = compare_builds(image, &b->bundle);
	struct build a_far = build_distance(x.wanted_build, x.build);
	struct build b_far = build_distance(y.wanted_build, y.build);
	int order;

	if (a_same != b_same)
		return a_same;
	order = compare_parts(&a_far, &b_far);
	if (order)
		return order < 0;
	if (!x.build || !y.build)
		return x.build && !y.build;
	return build_compare(x.build, y.build) > 0;
}

static bool is_candidate(const struct missing_image *image,
                         const struct uuid_entry *entry)
{
	return !uuid_is_zero(&entry->uuid) &&
	       (!image->is_app || !entry->is_system) &&
	       uuid_entry_has_arch(entry, image->arch);
}

static void take_nearest(struct missing_image *image,
                         const struct candidate *nearest, struct arena *arena)
{
	struct comparison builds = compare_builds(image, &nearest->bundle);

	if (uuid_is_zero(&image->uuid)) {
		image->same_name = arena_strdup(arena, nearest->entry->path);
		return;
	}
	image->status = MISSING_WRONG_UUID;
	image->path = arena_strdup(arena, nearest->entry->path);
	image->nearest_uuid = nearest->entry->uuid;
	image->nearest_version = arena_strdup(arena, builds.version);
	image->nearest_build = arena_strdup(arena, builds.build);
	image->wanted_version = builds.wanted_version;
	image->wanted_build = builds.wanted_build;
}

/**
 * Choose among candidates; with @p same_bundle only those with the same bundle
 * id, since file names do not match.
 */
static void choose(struct missing_image *image,
                   const struct candidate *candidates, size_t count,
                   bool same_bundle, struct arena *arena)
{
	const struct candidate *nearest = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct candidate *c = &candidates[i];

		if (!is_candidate(image, c->entry))
			continue;
		if (same_bundle &&
		    !same_text(c->bundle.bundle_id, image->bundle_id))
			continue;
		if (!nearest || is_nearer(image, c, nearest))
			nearest = c;
	}
	if (nearest)
		take_nearest(image, nearest, arena);
}

/** Ask the bundles of @p entries, all or dSYMs only. Free with free(). */
static struct candidate *list_candidates(const struct uuid_entry *entries,
                                         size_t count, bool dsyms_only,
                                         struct arena *scratch,
                                         size_t *ret_count)
{
	struct candidate *list = mem_zalloc(count, sizeof(*list));
	const struct candidate *last = NULL;
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		struct candidate *c = &list[used];

		if (dsyms_only && !uuid_entry_is_dsym(&entries[i]))
			continue;
		c->entry = &entries[i];
		// The slices of a file follow each other.
		if (last && last->entry->path == c->entry->path)
			c->bundle = last->bundle;
		else
			bundle_info_read(c->entry->path, scratch, &c->bundle);
		last = c;
		used++;
	}
	*ret_count = used;
	return list;
}

static const char *name_of(const struct missing_image *image)
{
	return image->name ? image->name : "";
}

static int compare_names(const void *a, const void *b)
{
	const struct missing_image *x = *(struct missing_image *const *)a;
	const struct missing_image *y = *(struct missing_image *const *)b;

	return strcmp(name_of(x), name_of(y));
}

/** Stable for equal names. */
static int compare_images(const void *a, const void *b)
{
	const struct missing_image *x = *(struct missing_image *const *)a;
	const struct missing_image *y = *(struct missing_image *const *)b;
	int order = compare_names(a, b);

	return order ? order : (x > y) - (x < y);
}

/** `'p' has x86_64, the report needs arm64`: of a file of the image's name. */
static void explain_file(struct missing_image *image,
                         const struct candidate *list, size_t count,
                         struct arena *arena)
{
	SCOPED(str_release) struct str archs = { 0 };
	const struct uuid_entry *first = NULL;
	bool has_uuid = false;

	for (size_t i = 0; i < count; i++) {
		const struct uuid_entry *entry = list[i].entry;

		if (entry->is_system ||
		    (first && strcmp(entry->path, first->path) != 0))
			continue;
		str_addf(&archs, "%s%s", first ? " and " : "",
		         uuid_entry_arch(entry));
		has_uuid = has_uuid || !uuid_is_zero(&entry->uuid);
		first = first ? first : entry;
	}
	if (first && !has_uuid)
		image->reason =
		        arena_printf(arena, "'%s' has no UUID", first->path);
	else if (first)
		image->reason = arena_printf(
		        arena, "'%s' is for %s, the report needs %s",
		        first->path, str_cstr(&archs),
		        image->arch ? image->arch : "another build");
}

/** Find files for images [0, count), which all have one name. */
static void find_by_name(struct missing_image **images, size_t count,
                         struct uuid_index *index, struct arena *arena)
{
	SCOPED(arena_release) struct arena scratch = { 0 };
	SCOPED(mem_drop) struct candidate *list = NULL;
	const struct uuid_entry *entries;
	size_t found;

	entries = uuid_index_find_name(index, name_of(images[0]), &found);
	if (!found)
		return;
	list = list_candidates(entries, found, false, &scratch, &found);
	for (size_t i = 0; i < count && i < COMPARISONS_MAX / found; i++) {
		choose(images[i], list, found, false, arena);
		if (images[i]->status == MISSING_ABSENT && images[i]->is_app &&
		    !images[i]->same_name)
			explain_file(images[i], list, found, arena);
	}
}

/** App images without a result may have a dSYM with another name. */
static void find_by_bundle(struct missing_image **images, size_t count,
                           struct uuid_index *index, struct arena *arena)
{
	SCOPED(arena_release) struct arena scratch = { 0 };
	SCOPED(mem_drop) struct candidate *list = NULL;
	const struct uuid_entry *entries;
	size_t found = 1;

	for (size_t i = 0; i < count && i < COMPARISONS_MAX / found; i++) {
		const struct missing_image *image = images[i];

		if (image->status != MISSING_ABSENT || !image->is_app ||
		    !image->bundle_id || image->same_name)
			continue;
		if (!list) {
			entries = uuid_index_all(index, &found);
			list = list_candidates(entries, found, true, &scratch,
			                       &found);
			if (!found)
				break;
		}
		choose(images[i], list, found, true, arena);
	}
}

/** @p images are sorted here, so that all of a name are served at once. */
static void find_nearest(struct missing_image **images, size_t count,
                         struct uuid_index *index, struct arena *arena)
{
	if (!count)
		return;
	qsort(images, count, sizeof(*images), compare_images);
	for (size_t first = 0, end; first < count; first = end) {
		end = first + 1;
		while (end < count &&
		       !compare_names(&images[first], &images[end]))
			end++;
		find_by_name(&images[first], end - first, index, arena);
	}
	find_by_bundle(images, count, index, arena);
}

/** An unreadable file without a UUID, with the image's name. */
static const struct uuid_problem *find_problem(
        const struct missing_image *image, struct uuid_index *index)
{
	const struct uuid_problem *problems;
	size_t count;

	problems = uuid_index_problems(index, &count);
	for (size_t i = 0; i < count && image->name; i++)
		if (!strcmp(text_base_cstr(problems[i].path), image->name))
			return &problems[i];
	return NULL;
}

/** The places searched, for an image without any file of its name. */
static const char *explain_search(const struct uuid_searched *searched,
                                  struct arena *arena)
{
	bool no_macho = !searched->macho_count;
	size_t count = no_macho ? searched->file_count : searched->macho_count;
	const char *where;

	if (!searched->path_count)
		return NULL;
	where = searched->path_count == 1
	                ? arena_printf(arena, "'%s'", searched->path)
	                : arena_printf(arena, "the %zu paths searched",
	                               searched->path_count);
	if (!count)
		return arena_printf(arena, "%s %s empty", where,
		                    searched->path_count == 1 ? "is" : "are");
	if (no_macho)
		return arena_printf(arena,
		                    "%s: no dSYM or Mach-O file among %zu "
		                    "file%s",
		                    where, count, text_plural(count));
	return arena_printf(arena,
	                    "%s: no file of this name among %zu "
	                    "symbol file%s",
	                    where, count, text_plural(count));
}

/** Set the reason of images that are still absent. */
static void explain_absent(struct missing_symbols *images,
                           struct uuid_index *index)
{
	images->searched =
	        explain_search(uuid_index_searched(index), &images->arena);
	for (size_t i = 0; i < images->count; i++) {
		struct missing_image *image = &images->images[i];

		if (image->status == MISSING_ABSENT && image->is_app &&
		    !image->reason)
			image->reason = images->searched;
	}
}

void nearest_symbols_find(struct missing_symbols *images,
                          struct uuid_index *index)
{
	SCOPED(mem_drop)
	struct missing_image **absent =
	        mem_zalloc(images->count, sizeof(*absent));
	size_t count = 0;

	for (size_t i = 0; i < images->count; i++) {
		struct missing_image *image = &images->images[i];
		const struct uuid_problem *problem;

		if (image->status != MISSING_ABSENT)
			continue;
		problem = image->is_app ? find_problem(image, index) : NULL;
		if (!problem) {
			absent[count++] = image;
			continue;
		}
		image->status = MISSING_MALFORMED;
		image->path = arena_strdup(&images->arena, problem->path);
		image->reason = arena_strdup(&images->arena, problem->reason);
	}
	find_nearest(absent, count, index, &images->arena);
	explain_absent(images, index);
	beside_symbols_find(images);
}
