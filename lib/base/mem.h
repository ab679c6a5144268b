// SPDX-License-Identifier: MIT
/**
 * Memory from the heap.
 *
 * If memory runs out, the program ends here, with a message on stderr and exit
 * status 5. Sizes from the input are checked against the input's length before
 * they get here.
 */
#ifndef APMTOOL_LIB_BASE_MEM_H
#define APMTOOL_LIB_BASE_MEM_H

#include <stddef.h>

/**
 * Keep up to 256 MB of freed memory for reuse, since each batch needs as much
 * as the one before, and the system clears every page that it returns. Affects
 * glibc, for pieces from 128 KB up to 1 MB.
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
 * Make room for at least @p need elements; grows by at least half.
 *
 * @param cap  In and out: capacity of @p ptr in elements.
 */
void *mem_grow(void *ptr, size_t *cap, size_t need, size_t size);

/** Make room for @p need elements in a vector with pointer and capacity. */
#define MEM_ROOM(ptr, need, cap) \
	((ptr) = (need) <= (cap) \
	                 ? (ptr) \
	                 : mem_grow((ptr), &(cap), (need), sizeof(*(ptr))))

/**
 * As mem_grow(), with zeroed elements; capacity is at most one and a half times
 * @p need, since all of it is used at once.
 */
void *mem_grow_zeroed(void *ptr, size_t *cap, size_t need, size_t size);

/** Make room for one more than @p count. */
#define MEM_GROW(ptr, count, cap) MEM_ROOM(ptr, (size_t)(count) + 1, cap)

/** For SCOPED(): free the pointer in the variable. */
void mem_drop(void *ptr);

/** End the program: out of memory (exit status 5). */
__attribute__((noreturn)) void mem_fail(void);

#endif
