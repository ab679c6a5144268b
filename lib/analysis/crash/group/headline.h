// SPDX-License-Identifier: MIT
/**
 * Words for a signature, as the subject of a sentence about one finding:
 * `EXC_BAD_ACCESS in demo::Reader::load (reader.hpp:33)`.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_HEADLINE_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_HEADLINE_H

#include "lib/base/str.h"

#include <stdint.h>

/**
 * Append the words for a signature.
 *
 * @param signature  Class and calls, separated by ` | `. Other keys of a group
 *                   are appended unchanged.
 * @param file       Path of the first call; or NULL.
 * @param line       Its line; 0: unknown.
 */
void crash_headline_add(struct str *out, const char *signature,
                        const char *file, uint32_t line);

#endif
