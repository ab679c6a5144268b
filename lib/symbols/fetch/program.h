// SPDX-License-Identifier: MIT
/**
 * Runs another program that writes a file.
 *
 * The program runs without a shell, with empty standard input, without standard
 * output or our descriptors, and in its own process group, which is killed at
 * the time limit. The size of its file is limited. It inherits our environment,
 * since it may need a proxy or its own settings.
 */
#ifndef APMTOOL_LIB_SYMBOLS_FETCH_PROGRAM_H
#define APMTOOL_LIB_SYMBOLS_FETCH_PROGRAM_H

#include "lib/base/error.h"

#include <stdint.h>

struct program {
	char *const *arguments; ///< ends with NULL; the first is its path
	unsigned time_limit_ms;
	const char *file; ///< to write
	uint64_t file_bytes_max;
};

/** Room for the first line of standard error. */
#define PROGRAM_SAYS_BYTES 256

enum program_end {
	PROGRAM_ENDED,     ///< exited with a status
	PROGRAM_CRASHED,   ///< ended by a signal
	PROGRAM_TOO_LONG,  ///< killed at the time limit
	PROGRAM_TOO_LARGE, ///< killed, as its file grew too large
};

struct program_result {
	enum program_end end;
	int number;                    ///< the status or the signal
	char says[PROGRAM_SAYS_BYTES]; ///< may be empty
};

/**
 * Run a program and wait for its end.
 *
 * @return ERROR_OS: the program cannot be executed; ERROR_SHORTAGE: no process
 *         can be started.
 */
MUST_CHECK struct error *program_run(const struct program *program,
                                     struct program_result *ret);

#endif
