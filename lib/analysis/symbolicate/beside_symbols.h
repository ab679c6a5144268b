// SPDX-License-Identifier: MIT
/**
 * Finds symbols in the report's own directory: a dSYM with the image's name, or
 * its binary. The user did not ask to search there, so they are only mentioned,
 * not used.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_BESIDE_SYMBOLS_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_BESIDE_SYMBOLS_H

#include "lib/analysis/symbolicate/missing_symbols.h"

/** Max images to look for; only invented reports have more in an app. */
#define BESIDE_IMAGES_MAX 256

/** Set `beside` of the app's images without symbols. */
void beside_symbols_find(struct missing_symbols *images);

#endif
