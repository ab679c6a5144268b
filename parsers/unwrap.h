// SPDX-License-Identifier: MIT
/**
 * Reads what is inside of envelopes: JSON of another kind that holds reports
 * (parsers/input/wrapping.h).
 */
#ifndef APMTOOL_PARSERS_UNWRAP_H
#define APMTOOL_PARSERS_UNWRAP_H

#include "lib/base/error.h"
#include "lib/base/text.h"
#include "parsers/members.h"
#include "parsers/reader.h"

/**
 * Read what is inside of the JSON values of @p text, one after the other; an
 * array's elements are an envelope each. What they say besides fills what the
 * reports lack.
 *
 * @param read  Reads the bytes of what is inside, which may be envelopes.
 * @param err   Why the text is no report itself; taken.
 * @return NULL where something was read; why what is inside was not; @p err
 *         where there is nothing inside that could be a report.
 */
MUST_CHECK struct error *unwrap_read(struct text text, member_read read,
                                     struct sink *sink, struct error *err);

#endif
