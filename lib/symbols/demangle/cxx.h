// SPDX-License-Identifier: MIT
/**
 * C++ names, and blocks in C++ functions, through the runtime's
 * __cxa_demangle(), which has no bound of its own: names over 4 KiB, or with
 * more than 24 back references, are not given to it.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_CXX_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_CXX_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

/** Does it begin as a C++ name does? */
bool cxx_is_mangled(struct text name);

/** Append the printed form; false where there is none, and nothing is. */
bool cxx_demangle(struct text name, struct str *out);

#endif
