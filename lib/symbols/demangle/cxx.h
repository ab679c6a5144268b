// SPDX-License-Identifier: MIT
/**
 * Demangles C++ names, and blocks in C++ functions, with the runtime's
 * __cxa_demangle(). It is unbounded, so names over 4 KiB, or with more than 24
 * back references, are refused.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_CXX_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_CXX_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

/** Does it begin as a C++ name does? */
bool cxx_is_mangled(struct text name);

/** Append the demangled name; false: not demangled, nothing appended. */
bool cxx_demangle(struct text name, struct str *out);

#endif
