/**
 * How far a long run has come, on a terminal and nowhere else: a line on
 * stderr that appears after half a second, changes ten times a second at
 * most, and is gone before anything else is printed.
 */
#ifndef APMTOOL_CMD_RUN_PROGRESS_H
#define APMTOOL_CMD_RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool enabled;
	bool shown;
	int64_t started_ms;
	int64_t updated_ms;
};

/** Silent unless stderr is a terminal and neither CI nor @p quiet is set. */
struct progress progress_begin(bool quiet);

/** @p total 0: not known. @p what is a plural: `reports`. */
void progress_update(struct progress *progress, size_t done, size_t total,
                     const char *what);

/** Take the line away, if there is one. */
void progress_clear(struct progress *progress);

#endif
