// SPDX-License-Identifier: MIT
/**
 * Rust names of the scheme before RFC 2603: names of C++ that end in a hash,
 * `_ZN4core3fmt7Display3fmt17h0123456789abcdefE`.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_LEGACY_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_LEGACY_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

/** Is it a name of this scheme, Mach-O's underscore or not? */
bool rust_is_legacy(struct text name);

/**
 * Append the printed form of a name.
 *
 * @param name   What follows `_ZN`.
 * @param brief  Leave the hash out.
 * @return false where the name is not understood; what @p out has got by then
 *         is to be cut off.
 */
bool rust_demangle_legacy(struct text name, bool brief, struct str *out);

#endif
