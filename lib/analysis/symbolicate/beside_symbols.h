// SPDX-License-Identifier: MIT
/**
 * Symbols beside a report: a dSYM of the image's name, or its binary, in the
 * directory that the report was read from. Nobody asked for that directory to
 * be searched, so what is there is mentioned and never used.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_BESIDE_SYMBOLS_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_BESIDE_SYMBOLS_H

#include "lib/analysis/symbolicate/missing_symbols.h"

/** Images that are looked for; only invented reports have more of an app. */
#define BESIDE_IMAGES_MAX 256

/** Set `beside` of the images of the app that have no symbols. */
void beside_symbols_find(struct missing_symbols *images);

#endif
