/**
 * Addresses that arm64e has signed: the upper bits of a pointer hold a code
 * that proves where it came from (formats.md 10.3).
 */
#ifndef APMTOOL_LIB_MODEL_POINTER_H
#define APMTOOL_LIB_MODEL_POINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** User addresses have at most so many bits. */
#define POINTER_BITS 47
/** How many widths of address spaces there are to try. */
#define POINTER_WIDTHS 3

/** Can it be signed? All ones at the top is the kernel, not a signature. */
static inline bool pointer_may_be_signed(uint64_t address)
{
	return address >> POINTER_BITS != UINT64_MAX >> POINTER_BITS;
}

/** The address without its signature, if its space is that of @p guess. */
static inline uint64_t pointer_strip(uint64_t address, size_t guess)
{
	// Systems with smaller address spaces sign more of the bits.
	static const unsigned widths[POINTER_WIDTHS] = { POINTER_BITS, 39, 36 };

	return address & (UINT64_MAX >> (64 - widths[guess]));
}

#endif
