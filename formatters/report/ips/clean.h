// SPDX-License-Identifier: MIT
/**
 * A report's own JSON, written back: what could act on a terminal or a CI
 * runner is escaped, everything else stays byte for byte. Inside strings the
 * escapes are those of JSON, so that the text means the same, and is valid
 * where a device left raw control characters. A tab and the ends of lines stay,
 * also in strings: panic reports hold them.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_IPS_CLEAN_H
#define APMTOOL_FORMATTERS_REPORT_IPS_CLEAN_H

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/base/workflow.h"

#include <stdbool.h>

/** Cuts JSON into pieces: bytes that stay, then an escape in place of others.
 */
struct ips_cleaner {
	struct text rest; ///< at first all of it; begins outside strings
	size_t visible;   ///< bytes of it that are known not to be hidden
	struct str escape;
	struct workflow workflow;
	bool in_string;
};

/**
 * The next piece.
 *
 * @param same  Bytes that stay; they come before cleaner->escape, which may be
 *              empty.
 * @return false at the end.
 */
bool ips_clean_next(struct ips_cleaner *cleaner, struct text *same);

void ips_cleaner_release(struct ips_cleaner *cleaner);

/** Write @p json, which must not begin inside a string. */
void ips_add_clean(struct out *out, struct text json);

#endif
