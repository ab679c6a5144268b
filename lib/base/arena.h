// SPDX-License-Identifier: MIT
/**
 * Memory that is released all at once.
 *
 * A parser puts a report and all its strings into one arena; dropping the
 * arena frees the report. Pointers stay valid until arena_clear() or
 * arena_release(); nothing in it is freed alone, with one exception: an array
 * that arena_grow() makes larger may move, and its old place be gone. So keep
 * no pointer into an array that still grows.
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
	unsigned char *at;  ///< what is left of the first block
	unsigned char *end; ///< strings are taken from here, downwards
	size_t total_bytes; ///< handed out so far
	size_t charged;     ///< its users' count of what a limit is on
};

/** Each piece has a multiple of this: aligned for any type. */
#define ARENA_ALIGN alignof(max_align_t)

/** What a piece takes; less than @p size where that has no multiple. */
static inline size_t arena_rounded(size_t size)
{
	return (size + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
}

void *arena_take_more(struct arena *arena, size_t size); ///< for arena_take()

/** As arena_alloc(), but for the zeros. */
static inline void *arena_take(struct arena *arena, size_t size)
{
	size_t left = (size_t)(arena->end - arena->at);
	size_t rounded = arena_rounded(size);
	unsigned char *taken = arena->at;

	// Never nothing: what has no bytes has an address, too.
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

/** Zeroed memory for an array; the product is checked. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/** For bytes, which need not be aligned: packed without gaps; not zeroed. */
char *arena_take_bytes(struct arena *arena, size_t size);
/** A copy of the bytes, and a NUL. */
char *arena_strndup(struct arena *arena, const char *data, size_t size);
/** NULL for NULL. */
char *arena_strdup(struct arena *arena, const char *cstr);
char *arena_text(struct arena *arena, struct text text);

/** The end of a text of which not all is kept. */
#define ARENA_ABRIDGED "…"

/**
 * At most @p most bytes of a string: a longer one loses its end, whole
 * characters of it, to ARENA_ABRIDGED. A name of 64 kB that is printed at each
 * of 100,000 places would be gigabytes.
 *
 * @return @p cstr itself where it is short enough.
 */
const char *arena_abridge(struct arena *arena, const char *cstr, size_t most);
char *arena_printf(struct arena *arena, const char *format, ...)
        PRINTF_LIKE(2, 3);

/**
 * Room for one more element in an arena array, which becomes larger when it is
 * full: twice as large, or by an eighth where it is large, since its spare room
 * is memory, too. Only the one that was the last to be taken may grow where it
 * is; of others, old elements are copied to a larger array. The old one stays
 * in the arena where it shares a block with others, and is gone where it is
 * large. AddressSanitizer reports who still reads it, either way.
 */
void *arena_grow(struct arena *arena, void *array, size_t count, size_t *cap,
                 size_t size);

#define ARENA_GROW(arena, array, count, cap)                     \
	((array) = arena_grow((arena), (array), (count), &(cap), \
	                      sizeof(*(array))))

/**
 * Give back a large object that nobody needs any more. One that shares a block
 * with others stays.
 *
 * @param size  As it was asked for.
 */
void arena_drop(struct arena *arena, const void *object, size_t size);

/** Forget everything, keep one block for the next use. */
void arena_clear(struct arena *arena);

/** Free everything; the arena is empty and usable afterwards. */
void arena_release(struct arena *arena);

#endif
