// SPDX-License-Identifier: MIT
/**
 * The signature of a report as printed: equal for reports of the same crash.
 * lib/analysis/crash/signature computes it; apmtool-group(1) defines it.
 */
#ifndef APMTOOL_LIB_MODEL_REPORT_SIGNATURE_H
#define APMTOOL_LIB_MODEL_REPORT_SIGNATURE_H

#include <stddef.h>

struct report_signature {
	const char *algorithm; ///< `apm/1`
	const char *kind;      ///< `app`, `system`, `partial`, `jetsam`
	const char *text;      ///< class and functions, `A | b | c`
	const char **hashes;   ///< 16 hex digits each, from level 1 on
	size_t hash_count;
	const char *raw_hash; ///< of places in images; or NULL
};

#endif
