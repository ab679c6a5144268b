// SPDX-License-Identifier: MIT
/**
 * The frames that a flame graph does not draw: too narrow, or gone. They are
 * in the document, and the script reads them: it draws them where a zoom makes
 * room, a search counts them, and other views of the tree are made of all its
 * frames. The heaviest are there as text:
 *
 *     2                      how many functions follow
 *     a3 -[Feed draw:]       class and name, then where it is
 *     Demo · Feed.m:42
 *     s1 read
 *
 *     1 0 3                  caller, function, weight; if compared, before
 *     2 1 2
 *     30 -17 17              17 frames that are too many, summed up
 *
 * Where anything is known of the reports of a node, the number of functions is
 * followed by that of texts about reports. These follow the functions, their
 * lines with a tab between; a frame ends with the number of its own, from 1, or
 * 0.
 *
 * Frames are counted from 0: first the boxes that are drawn, in their order,
 * then these in theirs. A caller is said by how many frames earlier it is.
 *
 * What is too much for a text follows in a second element, of the same form,
 * packed by gzip, in Base64: browsers unpack it once the first is drawn, those
 * without DecompressionStream do not. Its functions and texts are numbered on
 * from the first, and its text is escaped within.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_REST_H
#define APMTOOL_FORMATTERS_FLAME_REST_H

#include "formatters/flame/layout.h"
#include "lib/base/out.h"
#include "lib/base/str.h"

/** Of more frames, the heaviest are written as text: some 2 MB. */
#define FLAME_REST_MAX 100000

/**
 * Of more frames, text and packed, the lightest are left out, and what they
 * weigh is summed up below their callers.
 */
#define FLAME_PACKED_MAX 500000

/** Different texts about reports; frames beyond have none. */
#define FLAME_ORIGINS_MAX 1000

/** The class of a function's color: `a` or `s` and its shade. */
void flame_add_class(struct str *out, const struct calltree_frame *frame);

/** The number of a node that is not in the document's text. */
#define FLAME_NO_NUMBER UINT32_MAX

/**
 * Write the `<metadata>` elements; nothing where all is drawn.
 *
 * @param left  How many frames are only in sums.
 * @return By node: its number, or FLAME_NO_NUMBER; to be freed. NULL where
 *         there are no boxes.
 */
uint32_t *flame_write_rest(const struct flame *flame, struct out *out,
                           size_t *left);

#endif
