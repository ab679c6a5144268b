// SPDX-License-Identifier: MIT
/**
 * "Did you mean": the word that a mistyped one stands for.
 */
#ifndef APMTOOL_LIB_BASE_NEAREST_H
#define APMTOOL_LIB_BASE_NEAREST_H

/**
 * The nearest of @p candidates (a NULL-terminated list) to a mistyped word,
 * by Damerau-Levenshtein with git's weights; NULL if none is near enough.
 * The first of equally near ones wins.
 */
const char *nearest_word(const char *word, const char *const *candidates);

#endif
