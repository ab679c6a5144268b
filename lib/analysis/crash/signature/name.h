// SPDX-License-Identifier: MIT
/**
 * Normalizes names of functions for signatures: removes what differs between
 * builds, devices and calls.
 *
 *     closure #2 in static Cart<A>.total(of:)       Cart.total closure
 *     std::vector<int>::push_back(int&&) [clone .cold]
 *                                                   std::vector::push_back
 *     <alloc::vec::Vec<T> as Drop>::drop::h0123456789abcdef
 *                                                   alloc::vec::Vec::drop
 *     __18-[Feed refresh]_block_invoke_2            -[Feed refresh] block
 *
 * Objective-C methods are unchanged.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_NAME_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_NAME_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>

/** Longer names are truncated first. */
#define SIGNATURE_NAME_BYTES 4096

enum signature_style {
	SIGNATURE_STYLE_APM,     ///< as above
	SIGNATURE_STYLE_SOCORRO, ///< generic arguments become `<T>`
};

/**
 * Is it not a name: empty, `<redacted>`, `???`, `0x1234`, the header of the
 * image, a function that the linker merged with others?
 */
bool signature_is_unnamed(struct text printed);

/**
 * Append the normalized name of a function as printed by Apple's tools, short
 * or full. Takes linear time.
 */
void signature_name_add(struct text printed, enum signature_style style,
                        struct str *out);

#endif
