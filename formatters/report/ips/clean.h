// SPDX-License-Identifier: MIT
/**
 * Writes back a report's own JSON: sequences that could act on a terminal or a
 * CI runner are escaped, everything else is copied byte for byte. Inside
 * strings the escapes are JSON's, so the text keeps its meaning, and raw
 * control characters of a device become valid. Tabs and line ends stay, also in
 * strings: panic reports have them.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_IPS_CLEAN_H
#define APMTOOL_FORMATTERS_REPORT_IPS_CLEAN_H

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/base/workflow.h"

#include <stdbool.h>

/**
 * Splits JSON into pieces: bytes to copy, then an escape that replaces others.
 */
struct ips_cleaner {
	struct text rest; ///< initially the whole text; begins outside strings
	size_t visible;   ///< bytes of it known to be visible
	struct str escape;
	struct workflow workflow;
	bool in_string;
};

/**
 * The next piece.
 *
 * @param same  Bytes to copy, before cleaner->escape, which may be empty.
 * @return false at the end.
 */
bool ips_clean_next(struct ips_cleaner *cleaner, struct text *same);

void ips_cleaner_release(struct ips_cleaner *cleaner);

/** Write @p json, which must not begin inside a string. */
void ips_add_clean(struct out *out, struct text json);

#endif
