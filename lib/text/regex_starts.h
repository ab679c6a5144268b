// SPDX-License-Identifier: MIT
/**
 * Within lib/text: with which bytes a match of a regular expression can begin.
 * Most patterns of a table fail on a name by its first bytes; a look at them
 * is much cheaper than pcre2, which such a pattern then need not be compiled
 * for.
 */
#ifndef APMTOOL_LIB_TEXT_REGEX_STARTS_H
#define APMTOOL_LIB_TEXT_REGEX_STARTS_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** How many bytes are known. */
#define REGEX_STARTS 8

/** By byte: a bit for each place from the start where it can be. */
struct regex_starts {
	uint8_t places[256];
};

/**
 * Read them from a pattern whose every alternative begins with `^`. What is not
 * understood, or not anchored, can begin with anything.
 */
void regex_starts_find(struct text pattern, struct regex_starts *ret);

/** False: no match begins so. True decides nothing. */
static inline bool regex_starts_fit(const struct regex_starts *starts,
                                    struct text subject)
{
	for (size_t i = 0; i < REGEX_STARTS && i < subject.size; i++) {
		unsigned char byte = (unsigned char)subject.data[i];

		// After a byte that is not UTF-8, pcre2 can start anew.
		if (byte >= 0x80)
			return true;
		if (!(starts->places[byte] >> i & 1))
			return false;
	}
	return true;
}

#endif
