// SPDX-License-Identifier: MIT
/**
 * Another program, run to make a file.
 *
 * It gets its arguments as they are, no shell sees them; nothing to read,
 * nowhere to print; none of our descriptors; a process group of its own, which
 * is killed at the time limit, with what the program started. The file may not
 * grow beyond a size. Its environment is ours: it may need a proxy, or its own
 * settings.
 */
#ifndef APMTOOL_LIB_SYMBOLS_FETCH_PROGRAM_H
#define APMTOOL_LIB_SYMBOLS_FETCH_PROGRAM_H

#include "lib/base/error.h"

#include <stdint.h>

struct program {
	char *const *arguments; ///< ends with NULL; the first is its path
	unsigned time_limit_ms;
	const char *file; ///< that it makes
	uint64_t file_bytes_max;
};

/** Of what it printed on standard error, its first line. */
#define PROGRAM_SAYS_BYTES 256

enum program_end {
	PROGRAM_ENDED,     ///< by itself, with a status
	PROGRAM_CRASHED,   ///< by a signal
	PROGRAM_TOO_LONG,  ///< killed at the time limit
	PROGRAM_TOO_LARGE, ///< killed as its file grew too large
};

struct program_result {
	enum program_end end;
	int number;                    ///< the status or the signal
	char says[PROGRAM_SAYS_BYTES]; ///< may be empty
};

/**
 * Run it and wait for its end.
 *
 * @return ERROR_OS where it cannot be executed, ERROR_SHORTAGE where no process
 *         can be had; then @p ret is not filled.
 */
MUST_CHECK struct error *program_run(const struct program *program,
                                     struct program_result *ret);

#endif
