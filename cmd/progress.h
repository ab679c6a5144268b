// SPDX-License-Identifier: MIT
/**
 * How far a long run has come, on a terminal and nowhere else: a line on
 * stderr that appears after half a second, changes ten times a second at
 * most, and is gone before anything else is printed.
 */
#ifndef APMTOOL_CMD_PROGRESS_H
#define APMTOOL_CMD_PROGRESS_H

#include <stddef.h>

/** The run begins. */
void progress_begin(void);

/**
 * Silent unless stderr is a terminal and CI is not set.
 *
 * @param total  0: not known.
 * @param what   A plural: `reports`.
 */
void progress_update(size_t done, size_t total, const char *what);

/** Take the line away, if there is one. */
void progress_clear(void);

#endif
