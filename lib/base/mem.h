// SPDX-License-Identifier: MIT
/**
 * Memory from the heap.
 *
 * Running out of memory ends the program here and nowhere else: a message on
 * stderr and exit status 5. That is honest only because sizes that come from
 * input are checked against the input's own length before they get here.
 */
#ifndef APMTOOL_LIB_BASE_MEM_H
#define APMTOOL_LIB_BASE_MEM_H

#include <stddef.h>

/**
 * Keep what is freed for the next allocation, up to 256 MB of it: batch after
 * batch takes as much as the last one gave back, and the system clears each
 * page that it hands out again. Of glibc, where pieces of 128 KB and more went
 * back at once, as those of 1 MB and more still do; other systems decide for
 * themselves.
 */
void mem_keep_freed(void);

/** Uninitialised memory; never NULL, also for size 0. Free with free(). */
void *mem_alloc(size_t size);

/** Zeroed memory for @p count elements; never NULL. Free with free(). */
void *mem_zalloc(size_t count, size_t size);

/** As realloc() for @p count elements of @p size bytes; never NULL. */
void *mem_realloc(void *ptr, size_t count, size_t size);

/** A NUL-terminated copy of @p size bytes. Free with free(). */
char *mem_strndup(const char *data, size_t size);

/**
 * Make room for at least @p need elements, growing by half again.
 *
 * @param cap  In and out: the number of elements @p ptr has room for.
 */
void *mem_grow(void *ptr, size_t *cap, size_t need, size_t size);

/** Make a vector, kept as pointer and capacity, hold @p need elements. */
#define MEM_ROOM(ptr, need, cap) \
	((ptr) = (need) <= (cap) \
	                 ? (ptr) \
	                 : mem_grow((ptr), &(cap), (need), sizeof(*(ptr))))

/**
 * The same for a vector whose elements are zero until they are written; it is
 * not longer than half again as @p need, for all of it is used at once.
 */
void *mem_grow_zeroed(void *ptr, size_t *cap, size_t need, size_t size);

/** Make it hold one more than @p count. */
#define MEM_GROW(ptr, count, cap) MEM_ROOM(ptr, (size_t)(count) + 1, cap)

/** For SCOPED(): frees the pointer that the variable holds. */
void mem_drop(void *ptr);

/** End the program: no memory (exit status 5). */
__attribute__((noreturn)) void mem_fail(void);

#endif
