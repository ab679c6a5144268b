// SPDX-License-Identifier: MIT
/**
 * Merges the images of several processes into one report.
 *
 * A spindump repeats the images of each process: the kernel and the shared
 * cache hundreds of times. Each image is added once. Frames of a process are
 * placed in its own images only: other processes may have different code at the
 * same address.
 */
#ifndef APMTOOL_PARSERS_SAMPLED_IMAGE_SET_H
#define APMTOOL_PARSERS_SAMPLED_IMAGE_SET_H

#include "lib/base/map.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Starts as all zeros. */
struct image_set {
	struct map map;     ///< indexes of the report's images
	size_t image_count; ///< images of the report that are in the set
};

void image_set_release(struct image_set *set);

/**
 * A copy of the images, owned by the caller, in which an image without an end
 * covers only its start: a frame then lies in it only by its own offset.
 */
struct report_image *image_set_closed(const struct report_image *images,
                                      size_t count);

/** The trees of one process. */
struct image_set_part {
	size_t first_tree; ///< all from here to the report's last
	bool has_lists;    ///< include the report's application backtraces
	const char *code_type;
};

/**
 * Place the frames of @p part in the images added to @p report since the last
 * call, then drop duplicates among those images.
 */
void image_set_close(struct image_set *set, struct report *report,
                     const struct image_set_part *part);

#endif
