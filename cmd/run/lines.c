// SPDX-License-Identifier: MIT
#include "cmd/run/lines.h"

#include "lib/base/mem.h"

#include <string.h>

/**
 * A writer of 4 kB at once probably writes more: it is a program that waits
 * for room in the pipe, not a person. Wait for it a little, as a large block
 * costs less than many small ones.
 */
#define BULK_BYTES   4096
#define BULK_WAIT_MS 5

/**
 * Replace the lone CR that end lines by LF, from @p from on. For a CR at the
 * very end, LF may follow in the next block.
 */
static void end_lines(struct str *block, size_t from)
{
	char *at = block->data + from;
	char *end = block->data + block->size;

	while (at < end && (at = memchr(at, '\r', (size_t)(end - at)))) {
		if (at + 1 < end && at[1] != '\n')
			*at = '\n';
		at++;
	}
}

static size_t block_bytes(const struct lines *lines)
{
	return lines->block_bytes ? lines->block_bytes : LINES_BLOCK_BYTES;
}

/** Fill the block; double a longer one. */
static size_t bytes_to_read(const struct lines *lines, size_t size)
{
	size_t max = block_bytes(lines);
	size_t wanted = size < max ? max - size : size;

	return lines->count ? wanted : source_step(size, wanted);
}

/** Append one read; @return the end of its last line, or nowhere. */
static size_t extend(struct lines *lines, struct str *block)
{
	size_t wanted = bytes_to_read(lines, block->size);
	// The byte after that CR was not known yet.
	size_t from = block->size - !!block->size;
	size_t got, end;

	block->data =
	        mem_grow(block->data, &block->cap, block->size + wanted + 1, 1);
	got = source_read(lines->source, block->data + block->size, wanted);
	block->size += got;
	block->data[block->size] = '\0';
	lines->ended = !got;
	if (lines->ends_at_cr)
		end_lines(block, from);
	end = text_find_last_char(text_after(str_text(block), from), '\n');
	return end == TEXT_NOWHERE ? end : from + end + 1;
}

/** Read more, although there are lines already? */
static bool wants_more(struct lines *lines, const struct str *block,
                       size_t last_read)
{
	if (block->size < lines->min_size)
		return !lines->at_once ||
		       source_has_more(lines->source, BULK_WAIT_MS);
	if (block->size >= block_bytes(lines))
		return false;
	return !lines->at_once ||
	       (last_read >= BULK_BYTES &&
	        source_has_more(lines->source, BULK_WAIT_MS));
}

bool lines_next(struct lines *lines, struct str *block, size_t *ret_line)
{
	size_t end = TEXT_NOWHERE;
	size_t got = 0;
	size_t whole; // lines put back

	str_clear(block);
	str_add_text(block, str_text(&lines->rest));
	str_clear(&lines->rest);
	whole = text_find_last_char(str_text(block), '\n') + 1;
	while (!lines->ended &&
	       (end == TEXT_NOWHERE ? block->size - whole <= lines->longest
	                            : wants_more(lines, block, got))) {
		size_t before = block->size;
		size_t found = extend(lines, block);

		got = block->size - before;
		if (found != TEXT_NOWHERE)
			end = found;
	}
	lines->min_size = 0;
	*ret_line = lines->count + 1;
	if (!lines->ended && end != TEXT_NOWHERE) {
		str_add_text(&lines->rest, text_after(str_text(block), end));
		block->size = end;
		block->data[end] = '\0';
	}
	lines->count += text_count_char(str_text(block), '\n');
	return block->size > 0;
}

void lines_put_back(struct lines *lines, struct text text)
{
	SCOPED(str_release) struct str rest = { 0 };

	if (!text.size)
		return;
	rest = lines->rest;
	lines->rest = (struct str){ 0 };
	str_add_text(&lines->rest, text);
	str_add_text(&lines->rest, str_text(&rest));
	lines->count -= text_count_char(text, '\n');
	if (text.size > block_bytes(lines))
		lines->min_size = 2 * text.size;
}

bool lines_broken(const struct lines *lines, const struct str *block)
{
	return !lines->ended && !text_ends(str_text(block), "\n");
}

void lines_release(struct lines *lines)
{
	str_release(&lines->rest);
}
