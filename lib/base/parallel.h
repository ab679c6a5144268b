// SPDX-License-Identifier: MIT
/** Runs independent pieces of work on several threads. */
#ifndef APMTOOL_LIB_BASE_PARALLEL_H
#define APMTOOL_LIB_BASE_PARALLEL_H

#include <stddef.h>

/** Number of processors, at least 1. */
unsigned parallel_processors(void);

/**
 * Call @p work for each index below @p count, on at most @p jobs threads
 * (including the caller's), and return when all are done. Pieces start in order
 * of index and must not share data. All threads end.
 */
void parallel_each(size_t count, unsigned jobs,
                   void (*work)(size_t index, void *context), void *context);

/**
 * As parallel_each(), but the caller's thread first calls @p own, on its own
 * stack, and then helps with the rest.
 */
void parallel_each_beside(size_t count, unsigned jobs,
                          void (*work)(size_t index, void *context),
                          void *context, void (*own)(void *own_context),
                          void *own_context);

#endif
