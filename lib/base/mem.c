#include "lib/base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define MAPPED_BYTES_MIN (1 << 20)
#define KEPT_BYTES       (256 << 20)

void mem_keep_freed(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES_MIN);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
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
