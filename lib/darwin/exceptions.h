// SPDX-License-Identifier: MIT
/**
 * Mach exceptions and their codes by number (XNU's <mach/exception_types.h>,
 * <mach/kern_return.h>, <mach/i386/exception.h> and <mach/arm/exception.h>).
 *
 * All strings are constants; NULL for an unknown number.
 */
#ifndef APMTOOL_LIB_DARWIN_EXCEPTIONS_H
#define APMTOOL_LIB_DARWIN_EXCEPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum darwin_exception {
	DARWIN_EXC_BAD_ACCESS = 1,
	DARWIN_EXC_BAD_INSTRUCTION = 2,
	DARWIN_EXC_ARITHMETIC = 3,
	DARWIN_EXC_EMULATION = 4,
	DARWIN_EXC_SOFTWARE = 5,
	DARWIN_EXC_BREAKPOINT = 6,
	DARWIN_EXC_CRASH = 10,
	DARWIN_EXC_RESOURCE = 11,
	DARWIN_EXC_GUARD = 12,
	DARWIN_EXC_CORPSE_NOTIFY = 13,
};

#define DARWIN_KERN_INVALID_ADDRESS 1
/** EXC_ARM_MTE_TAG_FAULT, of an EXC_BAD_ACCESS or an EXC_GUARD. */
#define DARWIN_ARM_MTE_TAG_FAULT 0x106

/** `EXC_BAD_ACCESS` for 1. */
const char *darwin_exception_name(uint64_t exception);

/** 1 for `EXC_BAD_ACCESS`; 0 for NULL and unknown names. */
uint64_t darwin_exception_number(const char *name);

/** A short explanation. */
const char *darwin_exception_meaning(uint64_t exception);

/** `KERN_INVALID_ADDRESS` for 1. */
const char *darwin_kern_return_name(uint64_t code);

/** Meaning of the first code of an exception. */
struct darwin_exception_code {
	/** `EXC_I386_GPFLT`, `EXC_I386_DIV (divide by zero)`; or NULL. */
	const char *name;
	/** The second code is the address: it is printed after ` at `. */
	bool has_address;
};

/**
 * The name of a code in Apple's reports, for EXC_BAD_ACCESS and EXC_ARITHMETIC;
 * codes of other exceptions are printed as numbers.
 *
 * @param code_type  Of the report, `X86-64`: some codes depend on the
 *                   processor. NULL: unknown.
 */
struct darwin_exception_code darwin_exception_code(const char *code_type,
                                                   uint64_t exception,
                                                   uint64_t code);

/**
 * The exception in Apple's reports for a process ended by a signal:
 * `EXC_BAD_ACCESS` for `SIGSEGV`; NULL if it is not a signal.
 */
const char *darwin_exception_of_signal(const char *signal);

/**
 * The signal that a Mach exception becomes; 0 for none, or if it does not
 * follow from @p code.
 *
 * @param code     Used for EXC_BAD_ACCESS and EXC_SOFTWARE; of EXC_CRASH, the
 *              signal is in its upper bits.
 * @param subcode  The signal for EXC_SOFTWARE's EXC_SOFT_SIGNAL.
 */
uint64_t darwin_default_signal(uint64_t exception, uint64_t code,
                               uint64_t subcode);

#endif
