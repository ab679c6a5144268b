// SPDX-License-Identifier: MIT
/**
 * The frames of a flame graph that are not drawn, because they are too narrow
 * or gone. They are in the document, where the script reads them: it draws them
 * when a zoom makes room, searches them, and builds other views from all
 * frames. The heaviest are text:
 *
 *     2                      number of functions
 *     a3 -[Feed draw:]       class and name, then its place
 *     Demo · Feed.m:42
 *     s1 read
 *     1 0 3                  caller, function, weight; if compared, before
 *     2 1 2
 *     30 -17 17              17 further frames, summed up
 *
 * If anything is known about the reports of nodes, the number of functions is
 * followed by the number of texts about reports. These texts follow the
 * functions, with tabs between their lines, and each frame ends with the number
 * of its text, from 1, or 0.
 *
 * Frames are numbered from 0: first the boxes in order, then these. The caller
 * is given as the distance back to it.
 *
 * More frames follow in a second element of the same format, escaped,
 * compressed with gzip and encoded in Base64. Browsers decompress it after the
 * first picture, if they have DecompressionStream. Functions and texts continue
 * the numbers of the first element.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_REST_H
#define APMTOOL_FORMATTERS_FLAME_REST_H

#include "formatters/flame/layout.h"
#include "lib/base/out.h"
#include "lib/base/str.h"

/** Max frames written as text, heaviest first: about 2 MB. */
#define FLAME_REST_MAX 100000

/**
 * Max frames in text and compressed, heaviest first; others are summed up below
 * their callers.
 */
#define FLAME_PACKED_MAX 500000

/** Max different texts about reports; other frames have none. */
#define FLAME_ORIGINS_MAX 1000

/** Append the class of a function's color: `a` or `s`, and its shade. */
void flame_add_class(struct str *out, const struct calltree_frame *frame);

/** Number of a node that is not in the document's text. */
#define FLAME_NO_NUMBER UINT32_MAX

/**
 * Write the `<metadata>` elements; nothing if all frames are drawn.
 *
 * @param left  Set to the number of frames that are only in sums.
 * @return Number of each node, or FLAME_NO_NUMBER; owned by the caller. NULL if
 * there are no boxes.
 */
uint32_t *flame_write_rest(const struct flame *flame, struct out *out,
                           size_t *left);

#endif
