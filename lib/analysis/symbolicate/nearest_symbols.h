// SPDX-License-Identifier: MIT
/**
 * The symbol files that come nearest to those that are missing: "build 412 is
 * here, the report wants 413".
 *
 * A candidate is a file of the image's name and architecture, or, where there
 * is none of the name, of its bundle id. The same bundle id is preferred, then
 * the nearest build, then the newest. Bundles are asked for their build only
 * if their file is a candidate.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_NEAREST_SYMBOLS_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_NEAREST_SYMBOLS_H

#include "lib/analysis/symbolicate/missing_symbols.h"
#include "lib/symbols/index/uuid_index.h"

/**
 * Look for what is there instead of the symbols that are missing: a damaged
 * file of the same name (MISSING_MALFORMED), or the nearest other build
 * (MISSING_WRONG_UUID). Of an image of the app that stays MISSING_ABSENT, its
 * `reason` says what was searched, and its `beside` what was not.
 */
void nearest_symbols_find(struct missing_symbols *images,
                          struct uuid_index *index);

/** Build numbers, compared by the numbers in them: 9 < 10, 20A9 < 20A362. */
int build_compare(const char *a, const char *b);

#endif
