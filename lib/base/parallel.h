// SPDX-License-Identifier: MIT
/**
 * Work that splits into independent pieces, done by several threads.
 */
#ifndef APMTOOL_LIB_BASE_PARALLEL_H
#define APMTOOL_LIB_BASE_PARALLEL_H

#include <stddef.h>

/** How many processors there are: at least 1. */
unsigned parallel_processors(void);

/**
 * Call @p work once for each index below @p count, on at most @p jobs threads
 * (the caller's included), and return when all are done. Pieces start in the
 * order of their indices and must not touch each other's data. No thread is
 * left behind.
 */
void parallel_each(size_t count, unsigned jobs,
                   void (*work)(size_t index, void *context), void *context);

/**
 * The same while the caller has something of its own to do: it calls @p own
 * first, and then helps the others with what is left. @p own runs on the
 * thread, and the stack, of the caller.
 */
void parallel_each_beside(size_t count, unsigned jobs,
                          void (*work)(size_t index, void *context),
                          void *context, void (*own)(void *own_context),
                          void *own_context);

#endif
