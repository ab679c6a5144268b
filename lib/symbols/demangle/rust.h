// SPDX-License-Identifier: MIT
/**
 * Demangles Rust names: of RFC 2603, `_R…`, and of the older scheme, C++ names
 * that end in a hash, `_ZN…17h0123456789abcdefE`.
 *
 * Both are printed as paths, `core::fmt::Display::fmt`, as LLVM's tools and the
 * Rust toolchain do. The short form has no hashes; the full one has the
 * function's hash of the old scheme.
 *
 * A name is demangled whole or not at all; depth, work (10,000 steps per name)
 * and output (64 KiB) are bounded.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

/**
 * Is it a name of the older scheme, or does it begin as one of RFC 2603 does?
 * Both may have Mach-O's underscore.
 */
bool rust_is_mangled(struct text name);

/**
 * Append the demangled @p name to @p out.
 *
 * @return false: not understood, or over a limit; @p out is unchanged.
 */
bool rust_demangle(struct text name, bool brief, struct str *out);

#endif
