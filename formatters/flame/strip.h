// SPDX-License-Identifier: MIT
/**
 * The samples of a flame graph in chronological order: a track for each report
 * whose order is known. The document has them as text, from which the script
 * draws a strip, a row a track.
 *
 *     stall-1          name of a track
 *     2                number of cells
 *     17 4 200000      frame, weight, time in microseconds
 *     12 1 50000
 *
 * Frames are numbered as in rest.h. A cell is a run of samples in one frame;
 * for a frame that is not in the document, in its nearest caller that is.
 * Without known times, the column is missing.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_STRIP_H
#define APMTOOL_FORMATTERS_FLAME_STRIP_H

#include "formatters/flame/layout.h"
#include "lib/base/out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Limited by the room on a page. */
#define FLAME_STRIP_TRACKS_MAX 100
#define FLAME_STRIP_CELLS_MAX  20000

/** What the document contains. */
struct flame_strip {
	size_t tracks;    ///< first tracks, including those without order
	size_t shown;     ///< tracks with order among them; 0: no strip
	size_t more;      ///< tracks with order that are not shown
	size_t unordered; ///< tracks without order
	bool is_cut;      ///< the only shown track is truncated
};

/** There is no strip unless some report has different samples. */
void flame_strip_measure(const struct flame *flame, struct flame_strip *ret);

/**
 * Write a `<metadata>` element.
 *
 * @param numbers  Number of each node in the document (flame_write_rest()).
 */
void flame_write_strip(const struct flame *flame,
                       const struct flame_strip *strip, const uint32_t *numbers,
                       struct out *out);

#endif
