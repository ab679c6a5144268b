// SPDX-License-Identifier: MIT
/**
 * Finds the symbol files closest to missing ones: "build 412 is here, the
 * report wants 413".
 *
 * Candidates have the image's name and architecture or, if none has the name,
 * its bundle id. The same bundle id is preferred, then the closest build, then
 * the newest. Only bundles of candidates are read for their build.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_NEAREST_SYMBOLS_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_NEAREST_SYMBOLS_H

#include "lib/analysis/symbolicate/missing_symbols.h"
#include "lib/symbols/index/uuid_index.h"

/**
 * Find files in place of missing symbols: a damaged file of the same name
 * (MISSING_MALFORMED), or the closest other build (MISSING_WRONG_UUID). An app
 * image that stays MISSING_ABSENT gets a `reason` with the places that were
 * searched, and a `beside` with symbols elsewhere.
 */
void nearest_symbols_find(struct missing_symbols *images,
                          struct uuid_index *index);

/** Compare build numbers by their numeric parts: 9 < 10, 20A9 < 20A362. */
int build_compare(const char *a, const char *b);

#endif
