// SPDX-License-Identifier: MIT
/**
 * Crashlytics' page of a crash, copied cell by cell: number, image, file and
 * function of a frame, each on a line of its own.
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
 * Join the cells of each frame into one line.
 *
 * @param ret_count  Frames.
 * @return False if no heading of Crashlytics has such frames.
 */
bool cells_join(struct text in, struct str *out, size_t *ret_count);

#endif
