// SPDX-License-Identifier: MIT
/**
 * Darwin's signals by number (XNU's <sys/signal.h>).
 *
 * <signal.h> cannot be used: Linux numbers some signals differently. All
 * strings are constants; NULL for an unknown number.
 */
#ifndef APMTOOL_LIB_DARWIN_SIGNALS_H
#define APMTOOL_LIB_DARWIN_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

enum darwin_signal {
	DARWIN_SIGILL = 4,
	DARWIN_SIGTRAP = 5,
	DARWIN_SIGABRT = 6,
	DARWIN_SIGEMT = 7,
	DARWIN_SIGFPE = 8,
	DARWIN_SIGKILL = 9,
	DARWIN_SIGBUS = 10,
	DARWIN_SIGSEGV = 11,
	DARWIN_SIGSYS = 12,
	DARWIN_SIGPIPE = 13,
	DARWIN_SIGTERM = 15,
};

/** `SIGSEGV` for 11. */
const char *darwin_signal_name(uint64_t signal);

/** A short explanation for the process that gets it. */
const char *darwin_signal_meaning(uint64_t signal);

/** 11 for `SIGSEGV`; 0 if unknown. */
uint64_t darwin_signal_number(const char *name);

/** `SEGV_MAPERR` for signal 11, code 1. */
const char *darwin_signal_code_name(uint64_t signal, uint64_t code);

/**
 * Is this the function that calls a signal handler? The next frame was
 * interrupted, so its address is a program counter, not a return address.
 */
bool darwin_is_signal_trampoline(const char *symbol);

#endif
