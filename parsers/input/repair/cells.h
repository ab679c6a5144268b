// SPDX-License-Identifier: MIT
/**
 * The page of a crash in Crashlytics' console, copied cell by cell: a line for
 * the number of a frame, for its image, for its file, for its function.
 *
 *     0
 *     Acme
 *     Cart.swift - Line 44
 *     Cart.pay() + 44
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_CELLS_H
#define APMTOOL_PARSERS_INPUT_REPAIR_CELLS_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Write each frame on a line of its own.
 *
 * @param ret_count  Frames.
 * @return False: below no heading of Crashlytics are such frames.
 */
bool cells_join(struct text in, struct str *out, size_t *ret_count);

#endif
