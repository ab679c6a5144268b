// SPDX-License-Identifier: MIT
#include "lib/base/arena.h"

#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef APMTOOL_SANITIZE
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(data, size) ((void)(data), (void)(size))
#endif

#define BLOCK_BYTES ((size_t)64 * 1024)
/** Of an arena's first block; each has four times the room of the last. */
#define FIRST_BYTES ((size_t)1024)

struct arena_block {
	struct arena_block *next;
	size_t size;
	alignas(max_align_t) unsigned char data[];
};

static struct arena_block *block_new(struct arena *arena, size_t size)
{
	struct arena_block *block;
	size_t total;

	if (__builtin_add_overflow(size, sizeof(*block), &total))
		mem_fail();
	block = mem_alloc(total);
	block->size = size;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

#ifdef APMTOOL_SANITIZE
/** One block each, so that AddressSanitizer sees every overrun. */
void *arena_take_more(struct arena *arena, size_t size)
{
	arena->total_bytes += size;
	return block_new(arena, size ? size : 1)->data;
}
#else
/**
 * Size of a block whose first object is this one and that others share: there
 * may be a hundred thousand arenas of a few bytes.
 */
static size_t shared_bytes(const struct arena_block *first, size_t rounded)
{
	size_t size = FIRST_BYTES;

	if (rounded > BLOCK_BYTES)
		return rounded;
	if (first)
		size = first->size < BLOCK_BYTES ? first->size * 4
		                                 : BLOCK_BYTES;
	while (size < rounded * 4)
		size *= 4;
	return size < BLOCK_BYTES ? size : BLOCK_BYTES;
}

void *arena_take_more(struct arena *arena, size_t size)
{
	struct arena_block *first = arena->blocks;
	struct arena_block *block;
	size_t rounded = arena_rounded(size);

	if (rounded < size)
		mem_fail();
	arena->total_bytes += rounded;
	if (!first || rounded <= BLOCK_BYTES / 4) {
		block = block_new(arena, shared_bytes(first, rounded));
		arena->at = block->data + rounded;
		arena->end = block->data + block->size;
		return block->data;
	}
	// A large object gets its own block after the current one, whose free
	// space stays in use.
	block = block_new(arena, rounded);
	arena->blocks = first;
	block->next = first->next;
	first->next = block;
	return block->data;
}
#endif

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total))
		mem_fail();
	return arena_alloc(arena, total);
}

// From the end of the block: half of a short name would otherwise be there to
// align the next object.
char *arena_take_bytes(struct arena *arena, size_t size)
{
	// Keeps a byte: otherwise `at` and `end` would be a neighbour's
	// address.
	if ((size_t)(arena->end - arena->at) <= size)
		return arena_take_more(arena, size);
	arena->end -= size;
	// Same accounting as in a new block.
	arena->total_bytes += arena_rounded(size);
	return (char *)arena->end;
}

char *arena_strndup(struct arena *arena, const char *data, size_t size)
{
	char *copy = arena_take_bytes(arena, size + 1);

	if (size)
		memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

char *arena_strdup(struct arena *arena, const char *cstr)
{
	return cstr ? arena_strndup(arena, cstr, strlen(cstr)) : NULL;
}

char *arena_text(struct arena *arena, struct text text)
{
	return arena_strndup(arena, text.data, text.size);
}

const char *arena_abridge(struct arena *arena, const char *cstr, size_t max)
{
	struct text text = { cstr, strnlen(cstr, max + 1) };

	if (text.size <= max)
		return cstr;
	text = utf8_first(text, max - strlen(ARENA_ABRIDGED));
	return arena_printf(arena, "%.*s" ARENA_ABRIDGED, TEXT_ARGS(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	char buffer[128];
	va_list args;
	int size;
	char *text;

	va_start(args, format);
	size = vsnprintf(buffer, sizeof(buffer), format, args);
	va_end(args);
	if (size < 0)
		mem_fail();
	if ((size_t)size < sizeof(buffer))
		return arena_strndup(arena, buffer, (size_t)size);
	text = arena_alloc(arena, (size_t)size + 1);
	va_start(args, format);
	vsnprintf(text, (size_t)size + 1, format, args);
	va_end(args);
	return text;
}

/** Blocks to search for an array: growing ones are among the newest. */
#define SEARCHED_BLOCKS 32
/** Arrays of this size are few: all blocks are searched for them. */
#define LARGE_BYTES ((size_t)1 << 20)

/** The block with only this object; or NULL. */
static struct arena_block **block_of(struct arena *arena, const void *object,
                                     size_t size)
{
	struct arena_block **at = &arena->blocks;
	size_t rounded = arena_rounded(size);
	size_t max = size < LARGE_BYTES ? SEARCHED_BLOCKS : SIZE_MAX;

	for (size_t i = 0; i < max && *at; i++) {
		if ((*at)->data == object)
			return (*at)->size == size || (*at)->size == rounded
			               ? at
			               : NULL;
		at = &(*at)->next;
	}
	return NULL;
}

/** Grow an array that is alone in its block; NULL for others, which stay. */
static void *grow_block(struct arena *arena, void *array, size_t old_bytes,
                        size_t bytes)
{
	struct arena_block **at = block_of(arena, array, old_bytes);
	struct arena_block *block;
	bool is_first;

	if (!at)
		return NULL;
	is_first = *at == arena->blocks && arena->end;
	block = mem_realloc(*at, 1, sizeof(*block) + bytes);
	block->size = bytes;
	*at = block;
	if (is_first)
		arena->at = arena->end = block->data + bytes;
	memset(block->data + old_bytes, 0, bytes - old_bytes);
	arena->total_bytes += bytes - old_bytes;
	return block->data;
}

#ifdef APMTOOL_SANITIZE
/** Not with sanitizers: each object has its own block. */
static bool grow_in_place(struct arena *arena UNUSED, void *array UNUSED,
                          size_t old_bytes UNUSED, size_t bytes UNUSED)
{
	return false;
}
#else
/** Grow the last allocation: free space follows it. */
static bool grow_in_place(struct arena *arena, void *array, size_t old_bytes,
                          size_t bytes)
{
	unsigned char *old_end = (unsigned char *)array +
	                         arena_rounded(old_bytes);
	size_t more = arena_rounded(bytes) - arena_rounded(old_bytes);

	if (old_end != arena->at || (size_t)(arena->end - arena->at) < more)
		return false;
	memset((unsigned char *)array + old_bytes, 0, bytes - old_bytes);
	arena->at += more;
	arena->total_bytes += more;
	return true;
}
#endif

/** The next capacity after @p cap. */
static size_t grown_cap(size_t cap, size_t size)
{
	if (!cap)
		return 8;
	// Large blocks are moved by the system, not copied.
	return cap < LARGE_BYTES / size ? cap * 2 : cap + cap / 8 + 1;
}

void *arena_grow(struct arena *arena, void *array, size_t count, size_t *cap,
                 size_t size)
{
	size_t grown;
	size_t bytes;
	void *copy = NULL;

	if (count < *cap)
		return array;
	grown = grown_cap(*cap, size);
	if (__builtin_mul_overflow(grown, size, &bytes) || bytes > SIZE_MAX / 2)
		mem_fail();
	if (*cap && grow_in_place(arena, array, *cap * size, bytes))
		copy = array;
	else if (*cap)
		copy = grow_block(arena, array, *cap * size, bytes);
	if (copy) {
		*cap = grown;
		return copy;
	}
	copy = arena_array(arena, grown, size);
	if (count) {
		memcpy(copy, array, count * size);
		// In a shared block, forbid reads of the old array.
		ASAN_POISON_MEMORY_REGION(array, *cap * size);
	}
	*cap = grown;
	return copy;
}

void arena_drop(struct arena *arena, const void *object, size_t size)
{
	struct arena_block **at = block_of(arena, object, size);
	struct arena_block *block;

	if (!at)
		return;
	block = *at;
	*at = block->next;
	// The rest of the first block, which is gone.
	if (arena->end == block->data + block->size)
		arena->at = arena->end = NULL;
	arena->total_bytes -= block->size;
	free(block);
}

#ifdef APMTOOL_SANITIZE
/** Each block is one object, of no use to another. */
void arena_clear(struct arena *arena)
{
	arena_release(arena);
}
#else
void arena_clear(struct arena *arena)
{
	struct arena_block *keep = NULL;
	struct arena_block *next;

	for (struct arena_block *b = arena->blocks; b; b = next) {
		struct arena_block *spare = b;

		next = b->next;
		// The largest block for small objects.
		if (b->size <= BLOCK_BYTES && (!keep || b->size > keep->size)) {
			spare = keep;
			keep = b;
		}
		free(spare);
	}
	*arena = (struct arena){ .blocks = keep };
	if (!keep)
		return;
	keep->next = NULL;
	arena->at = keep->data;
	arena->end = keep->data + keep->size;
}
#endif

void arena_release(struct arena *arena)
{
	struct arena_block *next;

	for (struct arena_block *b = arena->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	*arena = (struct arena){ 0 };
}
