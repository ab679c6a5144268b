// SPDX-License-Identifier: MIT
/**
 * The short notice of missing symbols that symbolicate prints; worded as in
 * `apmtool missing`.
 */
#ifndef APMTOOL_CMD_RUN_MISSING_SYMBOLS_H
#define APMTOOL_CMD_RUN_MISSING_SYMBOLS_H

#include "cmd/run/notices.h"
#include "lib/analysis/symbolicate/missing_symbols.h"

/**
 * Report the app's images without a usable dSYM, if any. @p images was gathered
 * with MISSING_LINES and is completed here.
 *
 * @param has_details  `apmtool missing` can read these inputs and print more.
 */
void missing_symbols_notice(const struct notices *notices,
                            struct missing_symbols *images,
                            struct uuid_index *index, bool has_details);

#endif
