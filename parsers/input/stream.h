// SPDX-License-Identifier: MIT
/**
 * Cutting an input that arrives piece by piece into what is read at once. A
 * line that is a JSON value is, as in JSON Lines. Other lines, a text or an
 * `.ips` file, go together up to the next such line, or to the end: where they
 * hold several reports, parsing separates them (split.h).
 */
#ifndef APMTOOL_PARSERS_INPUT_STREAM_H
#define APMTOOL_PARSERS_INPUT_STREAM_H

#include "lib/base/text.h"

#include <stdbool.h>

/**
 * The piece at the front of @p rest, which is whole lines, but for the last one
 * of an input.
 *
 * @param is_end  Nothing follows @p rest.
 * @return Empty where more of the piece may be still to come.
 */
struct text stream_piece(struct text rest, bool is_end);

#endif
