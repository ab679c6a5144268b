// SPDX-License-Identifier: MIT
/**
 * Finds the `apmtool` of this program: in the same directory, of the same
 * version and commit. The answers of another build may differ.
 */
#ifndef APMTOOL_LIB_ANSWERS_PROGRAM_H
#define APMTOOL_LIB_ANSWERS_PROGRAM_H

#include "lib/base/error.h"
#include "lib/base/str.h"

/**
 * Find `apmtool` in the directory of the executable that runs, and execute
 * `apmtool version` to compare what it is with what this program is.
 *
 * @param commit  That this program was built from (apmtool_commit).
 * @param ret     Its path is appended.
 */
MUST_CHECK struct error *filter_program_find(const char *commit,
                                             struct str *ret);

#endif
