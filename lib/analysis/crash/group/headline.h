// SPDX-License-Identifier: MIT
/**
 * A signature as a sentence's subject, for who reads one finding alone:
 * `EXC_BAD_ACCESS in demo::Reader::load (reader.hpp:33)`.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_HEADLINE_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_HEADLINE_H

#include "lib/base/str.h"

#include <stdint.h>

/**
 * Append it.
 *
 * @param signature  What was raised and the calls, with ` | ` between them.
 *                   Another key of a group stays as it is.
 * @param file       Path of the first call; NULL: unknown.
 * @param line       In it; 0: unknown.
 */
void crash_headline_add(struct str *out, const char *signature,
                        const char *file, uint32_t line);

#endif
