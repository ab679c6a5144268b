// SPDX-License-Identifier: MIT
/**
 * Signed pointers of arm64e: a signature in their upper bits authenticates the
 * address (apmtool-formats(5)).
 *
 * The number of address bits depends on the system: with a smaller address
 * space, more bits are signed. Callers with a list of images try the widths in
 * order, until an image covers the address.
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
	POINTERS_UNKNOWN, ///< only implausibly large addresses are signed
};

/** By the name of an architecture, `arm64e`, `ARM-64`; NULL: unknown. */
static inline enum pointer_signing pointer_signing_of(const char *arch)
{
	if (!arch)
		return POINTERS_UNKNOWN;
	// Pointers of arm64_32 have 32 bits, without room for a signature.
	if (!strncasecmp(arch, "arm64_32", 8))
		return POINTERS_PLAIN;
	return !strncasecmp(arch, "arm64", 5) || !strncasecmp(arch, "arm-64", 6)
	               ? POINTERS_SIGNED
	               : POINTERS_PLAIN;
}

/** Max bits of a user address. */
#define POINTER_BITS 47
#define POINTER_MASK (UINT64_MAX >> (64 - POINTER_BITS))

/** Numbers of address bits, in the order to try them. */
enum pointer_width {
	POINTER_WIDTH_47,
	POINTER_WIDTH_39,
	POINTER_WIDTH_36, ///< the assumption of KSCrash and Matrix
	POINTER_WIDTHS,
};

/** Can it be signed? All ones at the top are the kernel's addresses. */
static inline bool pointer_may_be_signed(uint64_t address,
                                         enum pointer_signing signing)
{
	uint64_t top = address >> POINTER_BITS;

	if (signing == POINTERS_PLAIN || top == UINT64_MAX >> POINTER_BITS)
		return false;
	return top || signing == POINTERS_SIGNED;
}

/** The address without its signature, for a width of address bits. */
static inline uint64_t pointer_strip(uint64_t address, size_t width)
{
	static const unsigned bits[POINTER_WIDTHS] = { POINTER_BITS, 39, 36 };

	return address & (UINT64_MAX >> (64 - bits[width]));
}

#endif
