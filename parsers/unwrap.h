// SPDX-License-Identifier: MIT
/** Reads the reports inside of envelopes (parsers/input/wrapping.h). */
#ifndef APMTOOL_PARSERS_UNWRAP_H
#define APMTOOL_PARSERS_UNWRAP_H

#include "lib/base/error.h"
#include "lib/base/text.h"
#include "parsers/members.h"
#include "parsers/reader.h"

/**
 * Read the contents of the JSON values in @p text, one after the other; each
 * element of an array is an envelope. Facts of the envelope fill empty fields
 * of the reports.
 *
 * @param read  Reads the bytes of the contents, which may be envelopes.
 * @param err   Why the text itself is no report; freed or returned.
 * @return An error of the contents, unless a report has a note of it; @p err if
 * no contents could be a report; else NULL.
 */
MUST_CHECK struct error *unwrap_read(struct text text, member_read read,
                                     struct sink *sink, struct error *err);

#endif
