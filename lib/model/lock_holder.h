// SPDX-License-Identifier: MIT
/**
 * The thread that holds a file or database lock, as far as its stack shows it:
 * the system ends a process that is suspended with such a lock (0xdead10cc),
 * and blames no thread.
 */
#ifndef APMTOOL_LIB_MODEL_LOCK_HOLDER_H
#define APMTOOL_LIB_MODEL_LOCK_HOLDER_H

#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

struct lock_holder {
	const struct report_thread *thread; ///< NULL: no stack shows one
	size_t index;                       ///< of the thread in the report
	size_t frame;                       ///< the innermost that shows it
	const char *what;                   ///< `SQLite`, `flock()`
	/** It waits there: another may hold the lock. */
	bool is_waiting;
	size_t others; ///< threads that may hold it as well
};

/** Was the process ended for such a lock, by its termination reason? */
bool report_is_locked(const struct report *report);

/**
 * The thread that is within SQLite, or calls flock(): one that works there
 * before one that waits, then the first with code of the app, then the first.
 */
struct lock_holder report_lock_holder(const struct report *report);

#endif
