// SPDX-License-Identifier: MIT
/**
 * What symbolicate says of missing symbols, in short: the words are those of
 * `apmtool missing`.
 */
#ifndef APMTOOL_CMD_RUN_MISSING_SYMBOLS_H
#define APMTOOL_CMD_RUN_MISSING_SYMBOLS_H

#include "cmd/run/notices.h"
#include "lib/analysis/symbolicate/missing_symbols.h"

/**
 * Say which images of the app have no usable dSYM; nothing where
 * none does. @p images was gathered with MISSING_LINES, and is completed here.
 *
 * @param has_details  `apmtool missing` can read these inputs and say more.
 */
void missing_symbols_notice(const struct notices *notices,
                            struct missing_symbols *images,
                            struct uuid_index *index, bool has_details);

#endif
