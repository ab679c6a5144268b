// SPDX-License-Identifier: MIT
#include "lib/base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#define MAPPED_BYTES_MIN (1 << 20)
#define KEPT_BYTES       (256 << 20)
/** Blocks of this size consist mostly of whole large pages of 2 MB. */
#define LARGE_BLOCK_BYTES ((size_t)4 << 20)

void mem_keep_freed(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES_MIN);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

/** To have thousands of small pages can cost more than to fill them. */
static void *as_block(void *ptr, size_t size)
{
	if (!ptr)
		mem_fail();
#ifdef __GLIBC__
	if (size >= LARGE_BLOCK_BYTES) {
		uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
		uintptr_t first = (uintptr_t)ptr & ~(page - 1);

		// Falls back to small pages.
		(void)madvise((void *)first, (uintptr_t)ptr + size - first,
		              MADV_HUGEPAGE);
	}
#else
	(void)size;
#endif
	return ptr;
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
	// On overflow, calloc() fails.
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

void *mem_grow(void *ptr, size_t *cap, size_t need, size_t size)
{
	size_t grown = *cap + *cap / 2;

	if (*cap >= need)
		return ptr;
	if (grown < 8)
		grown = 8;
	if (grown < need)
		grown = need;
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
