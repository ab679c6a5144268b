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
/** Less is not worth large pages, which are of 2 MB. */
#define FORESEEN_BYTES_MIN ((size_t)2 << 20)
#define FORESEEN_BYTES_MAX ((size_t)32 << 20)
/** What glibc asks for beside what it needs, unless it is told otherwise. */
#define USUAL_PAD_BYTES (128 << 10)

void mem_keep_freed(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES_MIN);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
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
	mallopt(M_TOP_PAD, (int)bytes);
	free(mem_alloc(MAPPED_BYTES_MIN / 2));
	mallopt(M_TOP_PAD, USUAL_PAD_BYTES);
	now = sbrk(0);
	// Without large pages the small ones do.
	if (now > end)
		(void)madvise(end, (size_t)(now - end), MADV_HUGEPAGE);
#else
	(void)bytes;
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
	void *ptr = malloc(size ? size : 1);

	if (!ptr)
		mem_fail();
	return ptr;
}

void *mem_zalloc(size_t count, size_t size)
{
	void *ptr = calloc(count ? count : 1, size ? size : 1);

	if (!ptr)
		mem_fail();
	return ptr;
}

void *mem_realloc(void *ptr, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total))
		mem_fail();
	ptr = realloc(ptr, total ? total : 1);
	if (!ptr)
		mem_fail();
	return ptr;
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

void mem_drop(void *ptr)
{
	free(*(void **)ptr);
}
