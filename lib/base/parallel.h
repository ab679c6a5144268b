// SPDX-License-Identifier: MIT
/**
 * Processors, and threads that use them.
 */
#ifndef APMTOOL_LIB_BASE_PARALLEL_H
#define APMTOOL_LIB_BASE_PARALLEL_H

#include <pthread.h>
#include <stdbool.h>

/** Threads that a part of the program starts at most. */
#define PARALLEL_THREADS_MAX 64

/** How many processors there are: at least 1. */
unsigned parallel_processors(void);

/**
 * Start a thread, with as large a stack as the program's first one has.
 *
 * @return false where the system refuses one more.
 */
bool parallel_begin(pthread_t *thread, void *(*run)(void *argument),
                    void *argument);

#endif
