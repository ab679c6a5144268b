/**
 * The frames that a flame graph does not draw: too narrow, or gone. They are
 * in the document as text, which the script reads: a search counts them, and
 * other views of the tree are made of all its frames.
 *
 *     2                      how many functions follow
 *     a3 -[Feed draw:]       class and name, then where it is
 *     Demo · Feed.m:42
 *     s1 read
 *
 *     17 0 3                 caller, function, weight; if compared, before
 *     42 1 2
 *
 * Where anything is known of the reports of a node, the number of functions is
 * followed by that of texts about reports. These follow the functions, their
 * lines with a tab between; a frame ends with the number of its own, from 1, or
 * 0.
 *
 * Callers are counted from 0: first the boxes that are drawn, in their order,
 * then these frames in theirs.
 */
#ifndef APMTOOL_FORMATTERS_FLAME_REST_H
#define APMTOOL_FORMATTERS_FLAME_REST_H

#include "formatters/flame/layout.h"
#include "lib/base/out.h"
#include "lib/base/str.h"

/** Of more frames, the heaviest are written. */
#define FLAME_REST_MAX 50000

/** Different texts about reports; frames beyond have none. */
#define FLAME_ORIGINS_MAX 1000

/** The class of a function's color: `a` or `s` and its shade. */
void flame_add_class(struct str *out, const struct calltree_frame *frame);

/** The number of a node that is not in the document. */
#define FLAME_NO_NUMBER UINT32_MAX

/**
 * Write a `<metadata>` element; nothing where all is drawn.
 *
 * @return By node: its number, or FLAME_NO_NUMBER; to be freed. NULL where
 *         there are no boxes.
 */
uint32_t *flame_write_rest(const struct flame *flame, struct out *out);

#endif
