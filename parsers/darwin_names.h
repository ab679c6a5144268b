/**
 * Names of Darwin's exceptions and signals, for forms that give numbers only.
 *
 * The numbers are those of XNU, whatever system apmtool runs on: Linux counts
 * some signals otherwise (formats.md 9.1, 9.2). All strings are constants;
 * NULL stands for a number without a name.
 */
#ifndef APMTOOL_PARSERS_DARWIN_NAMES_H
#define APMTOOL_PARSERS_DARWIN_NAMES_H

#include <stdint.h>

/** `EXC_BAD_ACCESS` for 1. */
const char *darwin_exception_name(uint64_t exception);

/** `SIGSEGV` for 11. */
const char *darwin_signal_name(uint64_t signal);

/** `SEGV_MAPERR` for signal 11, code 1. */
const char *darwin_signal_code_name(uint64_t signal, uint64_t code);

/** `KERN_INVALID_ADDRESS` for 1: the code of an EXC_BAD_ACCESS. */
const char *darwin_kern_return_name(uint64_t code);

/**
 * The signal that a Mach exception becomes; 0 where it becomes none, or
 * where @p code does not tell which.
 *
 * @param code     Decides for EXC_BAD_ACCESS and EXC_SOFTWARE, and holds the
 *                 signal of an EXC_CRASH in its upper bits.
 * @param subcode  The signal itself for EXC_SOFTWARE's EXC_SOFT_SIGNAL.
 */
uint64_t darwin_default_signal(uint64_t exception, uint64_t code,
                               uint64_t subcode);

#endif
