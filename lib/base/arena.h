// SPDX-License-Identifier: MIT
/**
 * Memory that is freed all at once.
 *
 * A parser puts a report and all its strings into one arena. Pointers stay
 * valid until arena_clear() or arena_release(), with one exception: an array
 * may move when arena_grow() enlarges it. Do not keep pointers into an array
 * that still grows.
 *
 *     SCOPED(arena_release) struct arena arena = { 0 };
 *     char *name = arena_strndup(&arena, data, size);
 */
#ifndef APMTOOL_LIB_BASE_ARENA_H
#define APMTOOL_LIB_BASE_ARENA_H

#include "lib/base/text.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

struct arena_block;

/** All zeros is an empty arena. */
struct arena {
	struct arena_block *blocks;
	unsigned char *at;  ///< free part of the first block
	unsigned char *end; ///< strings are allocated from here, downwards
	size_t total_bytes; ///< allocated so far
	size_t charged;     ///< reserved by users, for limits
};

/** Sizes are rounded up to this: aligned for any type. */
#define ARENA_ALIGN alignof(max_align_t)

/** Rounded size of a piece; less than @p size on overflow. */
static inline size_t arena_rounded(size_t size)
{
	return (size + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
}

void *arena_take_more(struct arena *arena, size_t size); ///< for arena_take()

/** As arena_alloc(), without zeroing. */
static inline void *arena_take(struct arena *arena, size_t size)
{
	size_t left = (size_t)(arena->end - arena->at);
	size_t rounded = arena_rounded(size);
	unsigned char *taken = arena->at;

	// Keeps one byte free, so that empty pieces have an address, too.
	if (left < size || left <= rounded)
		return arena_take_more(arena, size);
	arena->at += rounded;
	arena->total_bytes += rounded;
	return taken;
}

/** Zeroed memory, aligned for any type; never NULL. */
static inline void *arena_alloc(struct arena *arena, size_t size)
{
	return memset(arena_take(arena, size), 0, size);
}

/** Zeroed memory for an array; checks for overflow. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/** Bytes without alignment, packed; not zeroed. */
char *arena_take_bytes(struct arena *arena, size_t size);
/** A copy of the bytes, and a NUL. */
char *arena_strndup(struct arena *arena, const char *data, size_t size);
/** NULL for NULL. */
char *arena_strdup(struct arena *arena, const char *cstr);
char *arena_text(struct arena *arena, struct text text);

/** Replaces the end of a shortened text. */
#define ARENA_ABRIDGED "…"

/**
 * A string of at most @p max bytes: a longer one is cut at a character and
 * ends in ARENA_ABRIDGED. A name of 64 kB that is printed at each of 100,000
 * places would be gigabytes.
 *
 * @return @p cstr itself if it is short enough.
 */
const char *arena_abridge(struct arena *arena, const char *cstr, size_t max);
char *arena_printf(struct arena *arena, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * Make room for one more element in an arena array. A full array grows to twice
 * its size; a large one by an eighth, since its spare room is memory, too. The
 * piece allocated last grows in place; others are copied. The old array stays
 * in the arena if it shares a block, and is freed if it is large.
 * AddressSanitizer reports reads of the old one in both cases.
 */
void *arena_grow(struct arena *arena, void *array, size_t count, size_t *cap,
                 size_t size);

#define ARENA_GROW(arena, array, count, cap)                     \
	((array) = arena_grow((arena), (array), (count), &(cap), \
	                      sizeof(*(array))))

/**
 * Free a large object. One that shares a block with others stays.
 *
 * @param size  As allocated.
 */
void arena_drop(struct arena *arena, const void *object, size_t size);

/** Empty the arena; keeps one block for reuse. */
void arena_clear(struct arena *arena);

/** Free everything; the arena is then empty and usable. */
void arena_release(struct arena *arena);

#endif
