#include "lib/base/mem.h"
#include "lib/model/pointer.h"
#include "lib/model/report.h"

#include <stdlib.h>
#include <string.h>

/** From @p start to the next segment, this image is the smallest. */
struct segment {
	uint64_t start;
	size_t image; ///< REPORT_NO_IMAGE: a gap
};

struct image_start {
	uint64_t base;
	size_t image;
};

/** The images' ranges made disjoint, so that one binary search finds one. */
struct image_map {
	const struct report *report;
	struct image_start *starts; ///< of usable images, by base
	size_t start_count;
	struct segment *segments;
	size_t segment_count;
	bool strips_pac;
};

/** Images whose ranges hold the point that the sweep has reached. */
struct open_images {
	const struct report *report;
	size_t *heap; ///< smallest range first
	size_t count;
};

/**
 * No user code lies at 0: an image there is the stand-in for "no image", and
 * one of those claims the whole address space.
 */
static bool is_placed(const struct report_image *image)
{
	return image->base && image->size;
}

/** Inclusive. */
static uint64_t image_end(const struct report_image *image)
{
	uint64_t end;

	if (__builtin_add_overflow(image->base, image->size - 1, &end))
		return UINT64_MAX;
	return end;
}

static bool covers(const struct report_image *image, uint64_t address)
{
	return is_placed(image) && address >= image->base &&
	       address <= image_end(image);
}

size_t report_find_image(const struct report *report, uint64_t address)
{
	size_t found = REPORT_NO_IMAGE;

	for (size_t i = 0; i < report->image_count; i++)
		if (covers(&report->images[i], address) &&
		    (found == REPORT_NO_IMAGE ||
		     report->images[i].size < report->images[found].size))
			found = i;
	return found;
}

/** By size, then by place in the report, as report_find_image() does. */
static bool is_smaller(const struct open_images *open, size_t a, size_t b)
{
	const struct report_image *images = open->report->images;

	if (images[a].size != images[b].size)
		return images[a].size < images[b].size;
	return a < b;
}

static void swap_images(size_t *a, size_t *b)
{
	size_t kept = *a;

	*a = *b;
	*b = kept;
}

static void open_add(struct open_images *open, size_t image)
{
	size_t at = open->count++;

	open->heap[at] = image;
	while (at &&
	       is_smaller(open, open->heap[at], open->heap[(at - 1) / 2])) {
		swap_images(&open->heap[at], &open->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
}

static void open_drop_first(struct open_images *open)
{
	size_t at = 0;

	open->heap[0] = open->heap[--open->count];
	for (;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
			if (child < open->count &&
			    is_smaller(open, open->heap[child],
			               open->heap[least]))
				least = child;
		if (least == at)
			return;
		swap_images(&open->heap[at], &open->heap[least]);
		at = least;
	}
}

/** The smallest image that is open at @p point. */
static size_t open_first(struct open_images *open, uint64_t point)
{
	while (open->count &&
	       image_end(&open->report->images[open->heap[0]]) < point)
		open_drop_first(open);
	return open->count ? open->heap[0] : REPORT_NO_IMAGE;
}

static int compare_starts(const void *a, const void *b)
{
	const struct image_start *left = a;
	const struct image_start *right = b;

	if (left->base != right->base)
		return left->base < right->base ? -1 : 1;
	return (left->image > right->image) - (left->image < right->image);
}

static int compare_points(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/**
 * Sweep over all beginnings and ends in order; at each, the smallest of the
 * open images owns what follows.
 */
static void sweep(struct image_map *map, const uint64_t *points,
                  size_t point_count, struct open_images *open)
{
	size_t next = 0;

	for (size_t i = 0; i < point_count; i++) {
		size_t owner;

		while (next < map->start_count &&
		       map->starts[next].base == points[i])
			open_add(open, map->starts[next++].image);
		owner = open_first(open, points[i]);
		if (map->segment_count &&
		    map->segments[map->segment_count - 1].image == owner)
			continue;
		map->segments[map->segment_count++] = (struct segment){
			.start = points[i],
			.image = owner,
		};
	}
}

/** As the code type says, else as an image does. */
static bool is_arm64(const struct report *report)
{
	if (report->code_type)
		return !strncmp(report->code_type, "ARM-64", 6) ||
		       !strncmp(report->code_type, "ARM64", 5);
	for (size_t i = 0; i < report->image_count; i++)
		if (report->images[i].arch &&
		    !strncmp(report->images[i].arch, "arm64", 5))
			return true;
	return false;
}

static void image_map_init(struct image_map *map, const struct report *report)
{
	size_t count = report->image_count;
	SCOPED(mem_drop)
	uint64_t *points = mem_zalloc(2 * count + 1, sizeof(*points));
	SCOPED(mem_drop) size_t *heap = mem_zalloc(count + 1, sizeof(*heap));
	struct open_images open = { .report = report, .heap = heap };
	size_t point_count = 0;

	*map = (struct image_map){
		.report = report,
		.starts = mem_zalloc(count + 1, sizeof(*map->starts)),
		.segments = mem_zalloc(2 * count + 1, sizeof(*map->segments)),
		.strips_pac = is_arm64(report),
	};
	for (size_t i = 0; i < count; i++) {
		const struct report_image *image = &report->images[i];

		if (!is_placed(image))
			continue;
		map->starts[map->start_count++] =
		        (struct image_start){ image->base, i };
		points[point_count++] = image->base;
		if (image_end(image) < UINT64_MAX)
			points[point_count++] = image_end(image) + 1;
	}
	qsort(map->starts, map->start_count, sizeof(*map->starts),
	      compare_starts);
	qsort(points, point_count, sizeof(*points), compare_points);
	sweep(map, points, point_count, &open);
}

static void image_map_release(struct image_map *map)
{
	free(map->starts);
	free(map->segments);
}

static size_t image_map_find(const struct image_map *map, uint64_t address)
{
	size_t low = 0;
	size_t high = map->segment_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->segments[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? map->segments[low - 1].image : REPORT_NO_IMAGE;
}

/** The image that is loaded at exactly @p base. */
static size_t image_map_find_base(const struct image_map *map, uint64_t base)
{
	size_t low = 0;
	size_t high = map->start_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->starts[middle].base < base)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < map->start_count && map->starts[low].base == base)
		return map->starts[low].image;
	return REPORT_NO_IMAGE;
}

static bool place_at(const struct image_map *map, struct report_frame *frame,
                     uint64_t address)
{
	size_t image = image_map_find(map, address);

	if (image == REPORT_NO_IMAGE)
		return false;
	frame->image = image;
	frame->image_offset = address - map->report->images[image].base;
	return true;
}

static void place_frame(const struct image_map *map, struct report_frame *frame)
{
	uint64_t address = frame->address;
	size_t image;

	if (frame->image != REPORT_NO_IMAGE || !address ||
	    place_at(map, frame, address))
		return;
	if (map->strips_pac && pointer_may_be_signed(address))
		for (size_t i = 0; i < POINTER_WIDTHS; i++)
			if (place_at(map, frame, pointer_strip(address, i)))
				return;
	if (!frame->image_offset)
		return;
	image = image_map_find_base(map, address - frame->image_offset);
	if (image != REPORT_NO_IMAGE)
		frame->image = image;
}

static void place_stack(struct report_stack *stack, void *context)
{
	for (size_t i = 0; i < stack->count; i++)
		place_frame(context, &stack->frames[i]);
}

void report_place_frames(struct report *report)
{
	struct image_map map;

	image_map_init(&map, report);
	report_each_stack(report, place_stack, &map);
	image_map_release(&map);
}

void report_each_stack(struct report *report, report_stack_visit visit,
                       void *context)
{
	visit(&report->exception_backtrace, context);
	for (size_t i = 0; i < report->app_backtrace_count; i++)
		visit(report->app_backtraces[i], context);
	for (size_t i = 0; i < report->thread_count; i++)
		visit(&report->threads[i]->stack, context);
	for (size_t i = 0; i < report->tree_count; i++)
		visit(&report->trees[i]->frames, context);
}

/** iOS reports write a path with `/private` or without, in one text. */
static struct text public_path(const char *path)
{
	struct text text = text_from(path);

	if (text_starts(text, "/private/"))
		text = text_after(text, strlen("/private"));
	return text;
}

/** The outermost bundle of @p path with its `/`; empty if there is none. */
static struct text bundle_of(struct text path)
{
	static const char *const endings[] = { ".app/", ".appex/" };

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		size_t at = text_find(path, endings[i]);

		if (at != TEXT_NOWHERE)
			return text_first(path, at + strlen(endings[i]));
	}
	return TEXT_NONE;
}

static bool is_system_path(struct text path)
{
	static const char *const folders[] = {
		"/System/",  "/usr/lib/",       "/usr/libexec/",
		"/usr/bin/", "/usr/sbin/",      "/bin/",
		"/sbin/",    "/Library/Apple/", "/Developer/",
	};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (text_starts(path, folders[i]))
			return true;
	// The simulator's copy of the system.
	return text_find(path, ".simruntime/") != TEXT_NOWHERE;
}

/** Apple's Swift runtime, which apps for old systems carry along. */
static bool is_swift_runtime(struct text path)
{
	size_t slash = text_find_last_char(path, '/');

	return slash != TEXT_NOWHERE &&
	       text_starts(text_after(path, slash + 1), "libswift") &&
	       text_ends(path, ".dylib");
}

/** Does the platform let an app load code from anywhere? */
static bool is_mac(const struct report *report)
{
	return report->platform == 1 || report->platform == 6;
}

bool report_image_is_app(const struct report *report,
                         const struct report_image *image)
{
	struct text path;
	struct text bundle;

	if (image->app_rule != REPORT_APP_UNKNOWN)
		return image->app_rule == REPORT_APP_YES;
	if (!image->path || !report->path) {
		if (image->name && report->process.name &&
		    !strcmp(image->name, report->process.name))
			return true;
		if (!image->path)
			return !report->path && image->own;
	}
	path = public_path(image->path);
	if (is_swift_runtime(path))
		return false;
	if (!report->path)
		return bundle_of(path).size && !is_system_path(path);
	if (text_equal(path, public_path(report->path)))
		return true;
	bundle = bundle_of(public_path(report->path));
	if (bundle.size && path.size > bundle.size &&
	    text_equal(text_first(path, bundle.size), bundle))
		return true;
	if (is_mac(report) || text_find(path, "/*/") != TEXT_NOWHERE)
		return (text_starts(path, "/") || text_starts(path, "*/")) &&
		       !is_system_path(path);
	return false;
}
