#include "lib/base/mem.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 // Linux 6.1
#endif
#endif

#define MAPPED_BYTES_MIN (1 << 20)
#define KEPT_BYTES       (256 << 20)
/** Of addresses, which take no memory until they are used. */
#define GROWTH_BYTES (16 << 20)
/** The heap of a thread begins at a multiple of it (64 bits). */
#define THREAD_HEAP_BYTES ((uintptr_t)64 << 20)
/** Less is not worth large pages, which are of 2 MB. */
#define FORESEEN_BYTES_MIN ((size_t)2 << 20)
#define FORESEEN_BYTES_MAX ((size_t)32 << 20)
/** More than is free at the end of the heap, so that it has to grow. */
#define FORESEEN_STEP_BYTES ((size_t)512 << 10)
/** Of a block of this size, what large pages take beyond its end is little. */
#define LARGE_BLOCK_BYTES ((size_t)4 << 20)
/** A vector of this size may well become far larger. */
#define LONG_VECTOR_BYTES ((size_t)1 << 20)
#define LONG_VECTOR_ROOM  ((size_t)32 << 20)
#define LARGE_PAGE_BYTES  ((size_t)2 << 20)
/** No less than what the heap of glibc keeps beside a block of its own. */
#define BLOCK_HEADER_BYTES 64
/** What glibc asks for beside what it needs, unless it is told otherwise. */
#define USUAL_PAD_BYTES (128 << 10)

#ifdef __GLIBC__
static atomic_bool takes_large_pages;
#endif

void mem_keep_freed(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES_MIN);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

#ifdef __GLIBC__
/** Where there are none, the small ones do. */
static void ask_for_large_pages(char *from, char *end)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	from -= (uintptr_t)from & (page - 1);
	(void)madvise(from, (size_t)(end - from), MADV_HUGEPAGE);
}

/** Make a large page of the one small page at the start of one. */
static void collapse(char *block)
{
	uintptr_t start = (uintptr_t)block & ~(LARGE_PAGE_BYTES - 1);

	if ((uintptr_t)block - start < BLOCK_HEADER_BYTES)
		(void)madvise((void *)start, LARGE_PAGE_BYTES, MADV_COLLAPSE);
}

/** From now on the heap grows by @p bytes more than it needs, and now. */
static void grow_heap_by(int bytes)
{
	mallopt(M_TOP_PAD, bytes);
	free(mem_alloc(FORESEEN_STEP_BYTES));
}
#endif

/** To have thousands of small pages can cost more than to fill them. */
static void *as_block(void *ptr, size_t size)
{
	if (!ptr)
		mem_fail();
#ifdef __GLIBC__
	if (size >= LARGE_BLOCK_BYTES)
		ask_for_large_pages(ptr, (char *)ptr + size);
#endif
	return ptr;
}

void mem_foresee(size_t bytes)
{
#ifdef __GLIBC__
	char *end = sbrk(0);
	char *now;

	if (bytes < FORESEEN_BYTES_MIN)
		return;
	if (bytes > FORESEEN_BYTES_MAX)
		bytes = FORESEEN_BYTES_MAX;
	// A thread's own heap grows by small pieces, each by a system call
	// that the page faults of the other threads wait for.
	mallopt(M_ARENA_MAX, 1);
	grow_heap_by((int)bytes);
	mallopt(M_TOP_PAD, takes_large_pages ? GROWTH_BYTES : USUAL_PAD_BYTES);
	now = sbrk(0);
	if (now > end)
		ask_for_large_pages(end, now);
#else
	(void)bytes;
#endif
}

void mem_take_large_pages(void)
{
#ifdef __GLIBC__
	static char *asked_up_to;
	char *end;

	if (!takes_large_pages) {
		asked_up_to = sbrk(0);
		grow_heap_by(GROWTH_BYTES);
	}
	takes_large_pages = true;
	end = sbrk(0);
	// It may have become shorter, too.
	if (end > asked_up_to)
		ask_for_large_pages(asked_up_to, end);
	asked_up_to = end;
#endif
}

void mem_begin_thread(void)
{
#ifdef __GLIBC__
	void *inside;
	char *start;

	if (!takes_large_pages)
		return;
	inside = malloc(1);
	start = (char *)((uintptr_t)inside & ~(THREAD_HEAP_BYTES - 1));
	free(inside);
	// A request that is refused, or about something else, does no harm.
	if (start)
		ask_for_large_pages(start, start + THREAD_HEAP_BYTES);
#endif
}

void mem_fail(void)
{
	static const char message[] = "apmtool: out of memory\n";

	fwrite(message, 1, sizeof(message) - 1, stderr);
	exit(5);
}

void *mem_alloc(size_t size)
{
	return as_block(malloc(size ? size : 1), size);
}

void *mem_zalloc(size_t count, size_t size)
{
	// Where the product overflows, there is no block.
	return as_block(calloc(count ? count : 1, size ? size : 1),
	                count * size);
}

void *mem_realloc(void *ptr, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total))
		mem_fail();
	return as_block(realloc(ptr, total ? total : 1), total);
}

char *mem_strndup(const char *data, size_t size)
{
	char *copy = mem_alloc(size + 1);

	if (size)
		memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

#ifdef __GLIBC__
/**
 * A vector that is becoming long gets much room at once, which is addresses
 * until it is used. A block that is as long as some large pages, with what the
 * heap writes before it, begins where one does; and it can be moved with all of
 * them. realloc() would copy the vector before there are any.
 *
 * @param cap  In and out, as that of mem_grow().
 * @return NULL: there is no such room, and nothing was done.
 */
static void *begin_long(void *ptr, size_t *cap, size_t size)
{
	const size_t room = LONG_VECTOR_ROOM - BLOCK_HEADER_BYTES;
	char *block = malloc(room);

	if (!block)
		return NULL;
	as_block(block, room);
	// What the heap wrote there took a small page, and so would all in the
	// first large one.
	collapse(block);
	if (*cap)
		memcpy(block, ptr, *cap * size);
	free(ptr);
	*cap = room / size;
	return block;
}
#endif

void *mem_grow(void *ptr, size_t *cap, size_t need, size_t size)
{
	size_t grown = *cap + *cap / 2;

	if (*cap >= need)
		return ptr;
	if (grown < 8)
		grown = 8;
	if (grown < need)
		grown = need;
#ifdef __GLIBC__
	if (*cap < LONG_VECTOR_BYTES / size &&
	    grown >= LONG_VECTOR_BYTES / size &&
	    grown <= (LONG_VECTOR_ROOM - BLOCK_HEADER_BYTES) / size) {
		void *block = begin_long(ptr, cap, size);

		if (block)
			return block;
	}
#endif
	ptr = mem_realloc(ptr, grown, size);
	*cap = grown;
	return ptr;
}

void *mem_grow_zeroed(void *ptr, size_t *cap, size_t need, size_t size)
{
	size_t old = *cap;

	if (old >= need)
		return ptr;
	*cap = need + need / 2;
	ptr = mem_realloc(ptr, *cap, size);
	memset((char *)ptr + old * size, 0, (*cap - old) * size);
	return ptr;
}

void mem_drop(void *ptr)
{
	free(*(void **)ptr);
}
