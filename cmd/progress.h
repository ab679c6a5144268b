// SPDX-License-Identifier: MIT
/**
 * Progress of a long run, on a terminal only: a line on stderr, after half a
 * second, that changes at most ten times a second and is removed before other
 * output.
 */
#ifndef APMTOOL_CMD_PROGRESS_H
#define APMTOOL_CMD_PROGRESS_H

#include <stddef.h>

/** Start of the run. */
void progress_begin(void);

/**
 * Silent unless stderr is a terminal and CI is not set.
 *
 * @param total  0: unknown.
 * @param what  A plural: `reports`.
 */
void progress_update(size_t done, size_t total, const char *what);

/** Remove the line, if shown. */
void progress_clear(void);

#endif
