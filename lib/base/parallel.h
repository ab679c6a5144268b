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
 * left behind, unless parallel_keep_threads() says so.
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

/**
 * From now on, threads that have done their pieces wait for the next call. For
 * a run of many batches: to begin and end a thread for each takes longer than
 * to work on a report or two. A forked child has none of them, and begins as if
 * this had not been called.
 */
void parallel_keep_threads(void);
/**
 * End those that wait, and keep no more, whoever asked for it. No call of the
 * above may be going on.
 */
void parallel_end_threads(void);

#endif
