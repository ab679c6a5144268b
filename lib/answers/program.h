// SPDX-License-Identifier: MIT
/**
 * Finds the `apmtool` in the directory of this program, and checks its version
 * and commit: another build may answer differently.
 */
#ifndef APMTOOL_LIB_ANSWERS_PROGRAM_H
#define APMTOOL_LIB_ANSWERS_PROGRAM_H

#include "lib/base/error.h"
#include "lib/base/str.h"

/**
 * @param commit  Of this program (apmtool_commit).
 * @param ret     Appended: the path of `apmtool`.
 */
MUST_CHECK struct error *filter_program_find(const char *commit,
                                             struct str *ret);

#endif
