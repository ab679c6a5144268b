/**
 * Mach exceptions and their codes by number (XNU's <mach/exception_types.h>
 * and <mach/kern_return.h>; formats.md 9.1).
 *
 * All strings are constants; NULL for a number without a name.
 */
#ifndef APMTOOL_LIB_DARWIN_EXCEPTIONS_H
#define APMTOOL_LIB_DARWIN_EXCEPTIONS_H

#include <stdint.h>

enum darwin_exception {
	DARWIN_EXC_BAD_ACCESS = 1,
	DARWIN_EXC_BAD_INSTRUCTION = 2,
	DARWIN_EXC_ARITHMETIC = 3,
	DARWIN_EXC_EMULATION = 4,
	DARWIN_EXC_SOFTWARE = 5,
	DARWIN_EXC_BREAKPOINT = 6,
	DARWIN_EXC_CRASH = 10,
	DARWIN_EXC_GUARD = 12,
};

#define DARWIN_KERN_INVALID_ADDRESS 1

/** `EXC_BAD_ACCESS` for 1. */
const char *darwin_exception_name(uint64_t exception);

/** `KERN_INVALID_ADDRESS` for 1: the code of an EXC_BAD_ACCESS. */
const char *darwin_kern_return_name(uint64_t code);

/**
 * The signal that a Mach exception becomes; 0 if it becomes none, or if
 * @p code does not say which.
 *
 * @param code     Decides for EXC_BAD_ACCESS and EXC_SOFTWARE, and holds the
 *                 signal of an EXC_CRASH in its upper bits.
 * @param subcode  The signal itself for EXC_SOFTWARE's EXC_SOFT_SIGNAL.
 */
uint64_t darwin_default_signal(uint64_t exception, uint64_t code,
                               uint64_t subcode);

#endif
