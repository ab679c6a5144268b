/**
 * What a JSON text is, told by the names of its outermost members, without
 * reading it: for parsers that look whether an input is theirs.
 */
#ifndef APMTOOL_PARSERS_JSON_SHAPE_H
#define APMTOOL_PARSERS_JSON_SHAPE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Which of these members the outermost object has; in time linear in its
 * size. A damaged or shortened text answers as far as it goes.
 *
 * @param keys  At most 32 names.
 * @return Bit i is set for keys[i]; 0 if @p in does not begin an object.
 */
unsigned json_shape(struct text in, const char *const *keys, size_t count);

/**
 * The offset behind the string whose quote stands at @p at; the end of the
 * text if it is open.
 */
size_t json_shape_skip_string(struct text in, size_t at);

/** Step over a colon and blanks before it; false where there is none. */
bool json_shape_skip_colon(struct text in, size_t *at);

#endif
