// SPDX-License-Identifier: MIT
/**
 * Rust names: the scheme of RFC 2603, `_R…`, and the one before it, C++ names
 * that end in a hash, `_ZN…17h0123456789abcdefE`.
 *
 * Both are printed as paths, `core::fmt::Display::fmt`, as LLVM's tools and
 * the Rust toolchain do. The short form has no hashes of crates or functions;
 * the full one has the hash of a function of the old scheme.
 *
 * A name is understood whole or not at all; depth, work (10,000 steps a name)
 * and output (64 KiB) are bounded.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_RUST_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

/**
 * Is it a name of the older scheme, or does it begin as one of RFC 2603 does?
 * Mach-O's underscore may precede either.
 */
bool rust_is_mangled(struct text name);

/**
 * Append the printed form of @p name to @p out.
 *
 * @return false, and @p out is as it was, where the name is not understood or
 *         a limit is reached.
 */
bool rust_demangle(struct text name, bool brief, struct str *out);

#endif
