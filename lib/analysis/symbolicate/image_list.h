// SPDX-License-Identifier: MIT
/**
 * Lists the images with frames in many reports.
 *
 * An image is listed at its first frame, again for each report. The store is
 * asked for a file once for each UUID. Finally the list is sorted.
 *
 *     struct image_list list = { .store = store };
 *
 *     image_list_begin(&list, report);             // each report
 *     at = image_list_find(&list, frame->image);   // each frame
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
	struct report_image *image; ///< the same, writable
	uint32_t place;             ///< among the images of all reports
	uint32_t build;             ///< index in the list's builds
};

/** An image in all its reports. */
struct listed_build {
	const struct uuid *uuid;
	bool has_file;
	size_t count; ///< entries in the list
	size_t next;  ///< position of its next entry while sorting
};

/** All zeros, except the store, is empty. */
struct image_list {
	struct symbol_store *store;
	struct listed_image *items; ///< in order of their first frames
	size_t count;
	size_t cap;
	struct map map; ///< indexes of builds by UUID
	struct listed_build *builds;
	size_t build_count;
	size_t build_cap;
	struct report *report;
	/** for each of its images, 1 + index in @c items; or 0 */
	uint32_t *numbers;
	size_t number_cap;
	uint32_t first_place; ///< of its first image
};

/** Begin the images of @p report, which is borrowed. */
void image_list_begin(struct image_list *list, struct report *report);

/** The index of an image of the report; added if it is new. */
size_t image_list_find(struct image_list *list, size_t image);

/** Is there a file for it, usable or not? */
static inline bool image_list_has_file(const struct image_list *list,
                                       const struct listed_image *image)
{
	return list->builds[image->build].has_file;
}

/**
 * Sort the images by UUID; equal ones stay in the order of the reports.
 *
 * @param ret  In the arena.
 */
void image_list_sort(struct image_list *list, struct arena *arena,
                     struct symbolicate_result *ret);

void image_list_release(struct image_list *list);

#endif
