// SPDX-License-Identifier: MIT
/**
 * Finds the thread that holds a file or database lock, by its stack: the system
 * kills processes that are suspended with such a lock (0xdead10cc), without
 * naming a thread.
 */
#ifndef APMTOOL_LIB_MODEL_LOCK_HOLDER_H
#define APMTOOL_LIB_MODEL_LOCK_HOLDER_H

#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

struct lock_holder {
	const struct report_thread *thread; ///< or NULL
	size_t index;                       ///< index in the report
	size_t frame;                       ///< innermost frame that shows it
	const char *what;                   ///< `SQLite`, `flock()`
	/** It waits for the lock: another thread may hold it. */
	bool is_waiting;
	size_t others; ///< other candidates
};

/** Was the process killed for such a lock, by its termination reason? */
bool report_is_locked(const struct report *report);

/**
 * The thread inside of SQLite or flock(): working threads before waiting ones,
 * then threads with app code, then the first.
 */
struct lock_holder report_lock_holder(const struct report *report);

#endif
