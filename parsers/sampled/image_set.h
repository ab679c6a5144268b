/**
 * The images of several processes as those of one report.
 *
 * A spindump lists the images of each process anew: the kernel and the shared
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

/** What belongs to one process. */
struct image_set_part {
	size_t first_tree; ///< to the last one of the report
	bool has_lists;    ///< the report's application backtraces as well
	bool is_arm64;
};

/**
 * Place the frames of @p part in the images that were added to @p report since
 * the last call, then drop those of them that the report had already.
 */
void image_set_close(struct image_set *set, struct report *report,
                     const struct image_set_part *part);

#endif
