// SPDX-License-Identifier: MIT
/**
 * Demangles Swift names of all versions: `$s`, `$S`, `$e` and `_T0` in the
 * postfix mangling of Swift 4 and later, `_T` of Swift 3 and before, `_Tt` of
 * types visible to Objective-C; with or without Mach-O's extra underscore.
 *
 * There are two forms. The **short** one is that of Apple's crash reports and
 * atos: without modules, without types except parameter labels, `specialized`
 * for any specialization, `thunk for`, `partial apply for`. The **full** one is
 * that of swift-demangle: `Checkout.Cart.total() -> Swift.Int`.
 *
 * A name is demangled whole or not at all. Work, depth and output are bounded:
 * 20,000 nodes, 100,000 printed nodes, 64 KiB of text.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_H

#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/symbols/demangle/parts.h"

#include <stdbool.h>

/** Max length of a mangled name. */
#define SWIFT_NAME_MAX 65536u

/** Does it begin as a mangled Swift name does? */
bool swift_is_mangled(struct text name);

/**
 * Append the demangled @p name to @p out.
 *
 * @return false: not understood, or over a limit; @p out is unchanged.
 */
bool swift_demangle(struct text name, bool brief, struct str *out);

/** The parts of a name, as printed by swift_demangle(). */
void swift_describe(struct text name, struct arena *arena,
                    struct name_parts *ret);

#endif
