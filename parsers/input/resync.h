// SPDX-License-Identifier: MIT
/**
 * Reports that a JSON value has swallowed which lost its end: a file that was
 * copied in part, or written by a device that died, and what was glued to it.
 *
 * A value that is complete is never asked: its strings hold what they like, and
 * whatever is in its objects belongs to it. (One that has lines which begin as
 * it does is taken for JSON Lines, see json_shape_in_line().) Within others,
 * another report begins where an object lies in a place where no value may,
 * with the names of a report; where one may lie, but no comma or bracket
 * follows it; and with a line of text that only reports begin with.
 */
#ifndef APMTOOL_PARSERS_INPUT_RESYNC_H
#define APMTOOL_PARSERS_INPUT_RESYNC_H

#include "lib/base/text.h"

#include <stddef.h>

/**
 * Where another report begins in @p value, which begins with a bracket and is
 * not complete; its size if none does. Takes time for a few times its size.
 */
size_t resync_find(struct text value);

#endif
