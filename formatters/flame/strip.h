// SPDX-License-Identifier: MIT
/**
 * The samples behind a flame graph in the order in which they were taken: a
 * track for each report whose order is known. They are in the document as text,
 * of which the script draws a strip, a row a track.
 *
 *     stall-1          name of a track
 *     2                how many cells follow
 *     17 4 200000      frame, weight, time in microseconds
 *     12 1 50000
 *
 * Frames are counted as callers are in rest.h. A cell is what followed each
 * other in one frame; of a frame that is not in the document, in the caller
 * that is. Where no time is known, its column is missing.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_STRIP_H
#define APMTOOL_FORMATTERS_FLAME_STRIP_H

#include "formatters/flame/layout.h"
#include "lib/base/out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a page has room for, and a reader an eye. */
#define FLAME_STRIP_TRACKS_MAX 100
#define FLAME_STRIP_CELLS_MAX  20000

/** What of it is in the document. */
struct flame_strip {
	size_t tracks;    ///< from the first on; those without order between
	size_t shown;     ///< of these, those that have an order; 0: no strip
	size_t more;      ///< that have an order, and are not shown
	size_t unordered; ///< that have none
	bool is_cut;      ///< the only one that is shown lost its end
};

/** There is no strip where no report has samples that differ. */
void flame_strip_measure(const struct flame *flame, struct flame_strip *ret);

/**
 * Write a `<metadata>` element.
 *
 * @param numbers  By node: its number in the document (flame_write_rest()).
 */
void flame_write_strip(const struct flame *flame,
                       const struct flame_strip *strip, const uint32_t *numbers,
                       struct out *out);

#endif
