// SPDX-License-Identifier: MIT
/**
 * Images with frames, of many reports.
 *
 * An image is listed with its first frame, and again for each report that it
 * is in. Whether there is a file for it is asked once for each UUID. At the end
 * all of them are put in order.
 *
 *     struct image_list list = { .store = store };
 *
 *     image_list_begin(&list, report);             // each of them
 *     at = image_list_find(&list, frame->image);   // each of its frames
 *     list.items[at].is.frame_count++;
 *     image_list_sort(&list, arena, &result);
 *     image_list_release(&list);
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_IMAGE_LIST_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_IMAGE_LIST_H

#include "lib/analysis/symbolicate/result.h"
#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/symbols/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct listed_image {
	struct symbolicate_image is;
	struct report_image *image; ///< the same as its own
	uint32_t place;             ///< among the images of all reports
	uint32_t build;             ///< index in the builds of the list
};

/** The same image in any number of reports. */
struct listed_build {
	const struct uuid *uuid;
	bool has_file;
	size_t count; ///< how often it is listed
	size_t next;  ///< where the next one goes when they are put in order
};

/** All zeros, but for the store, is empty. */
struct image_list {
	struct symbol_store *store;
	struct listed_image *items; ///< in the order of their first frames
	size_t count;
	size_t cap;
	struct map map; ///< indexes of builds by UUID
	struct listed_build *builds;
	size_t build_count;
	size_t build_cap;
	struct report *report;
	uint32_t *numbers; ///< of its images: 1 + that in @c items, or 0
	size_t number_cap;
	uint32_t first_place; ///< that of its first image
};

/** The next images are those of @p report, which is borrowed. */
void image_list_begin(struct image_list *list, struct report *report);

/** The index of an image of the report, which is listed if it was not yet. */
size_t image_list_find(struct image_list *list, size_t image);

/** Is there a file for it, whatever it may be good for? */
static inline bool image_list_has_file(const struct image_list *list,
                                       const struct listed_image *image)
{
	return list->builds[image->build].has_file;
}

/**
 * All images by their UUIDs, and those of one as they are in the reports.
 *
 * @param ret  In the arena.
 */
void image_list_sort(struct image_list *list, struct arena *arena,
                     struct symbolicate_result *ret);

void image_list_release(struct image_list *list);

#endif
