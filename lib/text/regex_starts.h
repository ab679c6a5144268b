// SPDX-License-Identifier: MIT
/**
 * The bytes that a match of a regular expression can begin with. Most patterns
 * of a table fail on a name by its first bytes; comparing these is much cheaper
 * than pcre2, and the pattern need not be compiled. Private to lib/text.
 */
#ifndef APMTOOL_LIB_TEXT_REGEX_STARTS_H
#define APMTOOL_LIB_TEXT_REGEX_STARTS_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** Bytes compared at the start of a subject. */
#define REGEX_STARTS 8

/** Bit i of places[b] is set if a match can have byte b at position i. */
struct regex_starts {
	uint8_t places[256];
};

/**
 * Find the first bytes of a pattern. All of its alternatives must begin with
 * `^`. Other patterns allow all bytes, and so does unknown syntax.
 */
void regex_starts_find(struct text pattern, struct regex_starts *ret);

/** Can @p subject match? False is certain, true is not. */
static inline bool regex_starts_fit(const struct regex_starts *starts,
                                    struct text subject)
{
	for (size_t i = 0; i < REGEX_STARTS && i < subject.size; i++) {
		unsigned char byte = (unsigned char)subject.data[i];

		// After an invalid byte, pcre2 can restart.
		if (byte >= 0x80)
			return true;
		if (!(starts->places[byte] >> i & 1))
			return false;
	}
	return true;
}

#endif
