// SPDX-License-Identifier: MIT
/**
 * Swift names of every generation: `$s`, `$S`, `$e` and `_T0` in the postfix
 * mangling of Swift 4 and later, `_T` of Swift 3 and before, `_Tt` of types
 * that Objective-C sees; with or without Mach-O's extra underscore.
 *
 * Two forms. The **short** one is that of Apple's crash reports and atos:
 * no modules, no types but parameter labels, `specialized` for any
 * specialization, `thunk for`, `partial apply for`. The **full** one is that
 * of swift-demangle: `Checkout.Cart.total() -> Swift.Int`.
 *
 * A name is understood whole or not at all. Work, depth and output are
 * bounded, whatever the name: 20,000 nodes, 100,000 printed, 64 KiB of text.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_H

#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/symbols/demangle/parts.h"

#include <stdbool.h>

/** Longer names are not read. */
#define SWIFT_NAME_MAX 65536u

/** Does it begin as a mangled Swift name does? */
bool swift_is_mangled(struct text name);

/**
 * Append the printed form of @p name to @p out.
 *
 * @return false, and @p out is as it was, where the name is not understood or
 *         a limit is reached.
 */
bool swift_demangle(struct text name, bool brief, struct str *out);

/** The parts of a name that swift_demangle() prints. */
void swift_describe(struct text name, struct arena *arena,
                    struct name_parts *ret);

#endif
