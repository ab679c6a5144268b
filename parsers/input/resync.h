// SPDX-License-Identifier: MIT
/**
 * Finds a report that follows a JSON value whose end is missing: a file that
 * was copied in part or written by a dying device, with another one appended.
 *
 * A complete value is never searched: anything in its strings and objects
 * belongs to it. (If its lines begin like the value itself, it is JSON Lines,
 * see json_shape_in_line().) In an incomplete value another report begins at an
 * object with the names of a report where no value is allowed, or without a
 * comma or bracket after it where one is; and at a line of text that only
 * begins reports.
 */
#ifndef APMTOOL_PARSERS_INPUT_RESYNC_H
#define APMTOOL_PARSERS_INPUT_RESYNC_H

#include "lib/base/text.h"

#include <stddef.h>

/**
 * Offset of the next report in @p value, which begins with a bracket and is
 * incomplete; its size if there is none. Takes a small multiple of the value's
 * size.
 */
size_t resync_find(struct text value);

#endif
