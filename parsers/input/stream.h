// SPDX-License-Identifier: MIT
/**
 * Splits an input that arrives in pieces. A line that is a JSON value is a
 * piece, as in JSON Lines. Other lines, text or an `.ips` file, form a piece up
 * to the next such line or the end; if it contains several reports, parsing
 * splits it (split.h).
 */
#ifndef APMTOOL_PARSERS_INPUT_STREAM_H
#define APMTOOL_PARSERS_INPUT_STREAM_H

#include "lib/base/text.h"

#include <stdbool.h>

/**
 * The first piece of @p rest, which is whole lines, except at the end of the
 * input.
 *
 * @param is_end  Nothing follows @p rest.
 * @return Empty if more of the piece may follow.
 */
struct text stream_piece(struct text rest, bool is_end);

#endif
