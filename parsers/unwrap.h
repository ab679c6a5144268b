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
 * @param err   Why the text itself is no report; taken.
 * @return NULL if something was read; the error of the contents if it was not;
 * @p err if there are no contents that could be a report.
 */
MUST_CHECK struct error *unwrap_read(struct text text, member_read read,
                                     struct sink *sink, struct error *err);

#endif
