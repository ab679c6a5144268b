// SPDX-License-Identifier: MIT
/*
 * A qsort() that returns what compares equal in the reverse of its order: a
 * library that a release's tests of the command line preload. C leaves that
 * order open: glibc's often keeps it, those of macOS and musl do not.
 */
#include <stdlib.h>
#include <string.h>

struct sort {
	size_t size;
	int (*compare)(const void *left, const void *right);
};

/* Keeps the order of what is equal. */
static void merge_sort(char *items, char *room, size_t count,
                       const struct sort *sort)
{
	size_t size = sort->size;
	size_t half = count / 2;
	size_t left = 0;
	size_t right = half;

	if (count < 2)
		return;
	merge_sort(items, room, half, sort);
	merge_sort(items + half * size, room, count - half, sort);
	for (size_t i = 0; i < count; i++) {
		int from_left = right == count ||
		                (left < half &&
		                 sort->compare(items + left * size,
		                               items + right * size) <= 0);
		size_t from = from_left ? left++ : right++;

		memcpy(room + i * size, items + from * size, size);
	}
	memcpy(items, room, count * size);
}

void qsort(void *items, size_t count, size_t size,
           int (*compare)(const void *left, const void *right))
{
	const struct sort sort = { size, compare };
	char *reversed;

	if (count < 2 || !size)
		return;
	reversed = malloc(2 * count * size);
	if (!reversed)
		abort();
	for (size_t i = 0; i < count; i++)
		memcpy(reversed + i * size,
		       (char *)items + (count - 1 - i) * size, size);
	merge_sort(reversed, reversed + count * size, count, &sort);
	memcpy(items, reversed, count * size);
	free(reversed);
}
