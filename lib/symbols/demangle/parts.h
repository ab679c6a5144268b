// SPDX-License-Identifier: MIT
/**
 * The parts of a demangled name: kind, context and base name.
 *
 *     Checkout.Cart.total() -> Swift.Double
 *     kind function, module Checkout, context Cart, base total
 *
 * Texts are in the caller's arena; NULL: not part of the name.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_PARTS_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_PARTS_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

struct name_parts {
	/** `function`, `initializer`, `getter`, `closure`, `class`, `thunk` …
	 */
	const char *kind;
	const char *module;  ///< Swift's module, Rust's crate
	const char *context; ///< enclosing types and functions
	const char *base;    ///< without context and parameters
};

/** Parts of a C++ name from cxx_demangle(). */
void cxx_parts(struct text printed, struct arena *arena,
               struct name_parts *ret);

/** Parts of a Rust name from rust_demangle(). */
void rust_parts(struct text printed, struct arena *arena,
                struct name_parts *ret);

#endif
