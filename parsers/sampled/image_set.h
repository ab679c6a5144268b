// SPDX-License-Identifier: MIT
/**
 * The images of several processes as those of one report.
 *
 * A spindump lists the images of each process again: the kernel and the shared
 * cache hundreds of times. Each image counts once, and the frames of a process
 * lie in its own images only: another one may have loaded other code at the
 * same address.
 */
#ifndef APMTOOL_PARSERS_SAMPLED_IMAGE_SET_H
#define APMTOOL_PARSERS_SAMPLED_IMAGE_SET_H

#include "lib/base/map.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zeros to begin. */
struct image_set {
	struct map map;     ///< indexes of the report's images
	size_t image_count; ///< those of the report that are in the set
};

void image_set_release(struct image_set *set);

/**
 * The images, to be freed, as a spindump means them: one whose end is not known
 * covers nothing but its beginning, so that a frame lies in it only if its own
 * offset says so.
 */
struct report_image *image_set_closed(const struct report_image *images,
                                      size_t count);

/** What belongs to one process. */
struct image_set_part {
	size_t first_tree; ///< to the last one of the report
	bool has_lists;    ///< the report's application backtraces as well
	const char *code_type;
};

/**
 * Place the frames of @p part in the images that were added to @p report since
 * the last call, then drop those of them that the report had already.
 */
void image_set_close(struct image_set *set, struct report *report,
                     const struct image_set_part *part);

#endif
