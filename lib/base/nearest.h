// SPDX-License-Identifier: MIT
/** "Did you mean": finds the word closest to a mistyped one. */
#ifndef APMTOOL_LIB_BASE_NEAREST_H
#define APMTOOL_LIB_BASE_NEAREST_H

/**
 * The closest of @p candidates (a NULL-terminated list), by Damerau-Levenshtein
 * distance with git's weights; NULL if none is close. The first of equally
 * close ones wins.
 */
const char *nearest_word(const char *word, const char *const *candidates);

#endif
