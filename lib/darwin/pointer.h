// SPDX-License-Identifier: MIT
/**
 * Pointers that arm64e has signed: their upper bits hold a code that proves
 * where the address came from (formats.md 10.3).
 *
 * How many bits an address has depends on the system: where address spaces are
 * smaller, more bits are signed. A caller that has images tries the widths in
 * order, until one of them covers the address.
 */
#ifndef APMTOOL_LIB_DARWIN_POINTER_H
#define APMTOOL_LIB_DARWIN_POINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <strings.h>

/** Does this processor sign pointers? */
enum pointer_signing {
	POINTERS_PLAIN,
	POINTERS_SIGNED,  ///< arm64: any user address may be signed
	POINTERS_UNKNOWN, ///< one that is too large otherwise is signed
};

/** By the name of an architecture, `arm64e`, `ARM-64`; NULL: not known. */
static inline enum pointer_signing pointer_signing_of(const char *arch)
{
	if (!arch)
		return POINTERS_UNKNOWN;
	// Pointers of arm64_32 have 32 bits, and none to spare.
	if (!strncasecmp(arch, "arm64_32", 8))
		return POINTERS_PLAIN;
	return !strncasecmp(arch, "arm64", 5) || !strncasecmp(arch, "arm-64", 6)
	               ? POINTERS_SIGNED
	               : POINTERS_PLAIN;
}

/** User addresses have at most so many bits. */
#define POINTER_BITS 47
#define POINTER_MASK (UINT64_MAX >> (64 - POINTER_BITS))

/** How many bits are the address, in the order to try them. */
enum pointer_width {
	POINTER_WIDTH_47,
	POINTER_WIDTH_39,
	POINTER_WIDTH_36, ///< what KSCrash and Matrix assume
	POINTER_WIDTHS,
};

/** Can it be signed? All ones at the top is the kernel, not a signature. */
static inline bool pointer_may_be_signed(uint64_t address,
                                         enum pointer_signing signing)
{
	uint64_t top = address >> POINTER_BITS;

	if (signing == POINTERS_PLAIN || top == UINT64_MAX >> POINTER_BITS)
		return false;
	return top || signing == POINTERS_SIGNED;
}

/** The address without its signature, if it has as many bits as @p width. */
static inline uint64_t pointer_strip(uint64_t address, size_t width)
{
	static const unsigned bits[POINTER_WIDTHS] = { POINTER_BITS, 39, 36 };

	return address & (UINT64_MAX >> (64 - bits[width]));
}

#endif
