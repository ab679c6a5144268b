// SPDX-License-Identifier: MIT
/**
 * Rust names before RFC 2603: C++ names that end in a hash,
 * `_ZN4core3fmt7Display3fmt17h0123456789abcdefE`.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_LEGACY_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_LEGACY_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

/** Is it such a name, with or without Mach-O's underscore? */
bool rust_is_legacy(struct text name);

/**
 * Append the demangled name.
 *
 * @param name  The text after `_ZN`.
 * @param brief  Without the hash.
 * @return false: not understood; the caller truncates @p out.
 */
bool rust_demangle_legacy(struct text name, bool brief, struct str *out);

#endif
