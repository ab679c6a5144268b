// SPDX-License-Identifier: MIT
/**
 * What a printed name says about itself: what it names, where that lies, and
 * what it is called there.
 *
 *     Checkout.Cart.total() -> Swift.Double
 *     kind function, module Checkout, context Cart, base total
 *
 * Texts are in the arena of who asked; NULL: the name does not say.
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
	const char *context; ///< the types and functions it lies in
	const char *base;    ///< its own name, without parameters
};

/** The parts of a C++ name as cxx_demangle() prints it. */
void cxx_parts(struct text printed, struct arena *arena,
               struct name_parts *ret);

/** The parts of a Rust name as rust_demangle() prints it. */
void rust_parts(struct text printed, struct arena *arena,
                struct name_parts *ret);

#endif
