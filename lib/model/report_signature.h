// SPDX-License-Identifier: MIT
/**
 * The signature of a report as it is printed: what makes two reports the same.
 * lib/analysis/crash/signature makes it; apmtool-group(1) defines it.
 */
#ifndef APMTOOL_LIB_MODEL_REPORT_SIGNATURE_H
#define APMTOOL_LIB_MODEL_REPORT_SIGNATURE_H

#include <stddef.h>

struct report_signature {
	const char *algorithm; ///< `apm/1`
	const char *kind;      ///< `app`, `system`, `partial`, `jetsam`
	const char *text;      ///< class and functions, `A | b | c`
	const char **hashes;   ///< 16 hex digits each, of level 1 and up
	size_t hash_count;
	const char *raw_hash; ///< of places in images; NULL: it has none
};

#endif
