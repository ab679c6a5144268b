// SPDX-License-Identifier: MIT
#include "lib/base/text.h"

#include "lib/base/block.h"

#include <string.h>
#include <strings.h>

// A table: digits and letters alternate at random in the input, so branches
// would be mispredicted half of the time. clang-format off
const signed char text_hex_values[256] = {
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,  1,  2,  3,  4,  5,
	6,  7,  8,  9,  -1, -1, -1, -1, -1, -1, -1, 10, 11, 12, 13, 14, 15, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	-1, -1, -1, -1,
};
// clang-format on

bool text_is_nocase(struct text a, const char *cstr)
{
	return a.size == strlen(cstr) &&
	       (!a.size || !strncasecmp(a.data, cstr, a.size));
}

bool text_ends_nocase(struct text a, const char *suffix)
{
	size_t size = strlen(suffix);

	return a.size >= size &&
	       text_is_nocase(text_after(a, a.size - size), suffix);
}

int text_compare(struct text a, struct text b)
{
	size_t common = a.size < b.size ? a.size : b.size;
	int order = common ? memcmp(a.data, b.data, common) : 0;

	if (order)
		return order;
	return (a.size > b.size) - (a.size < b.size);
}

// Names are padded to columns: usually many blanks.
struct text text_trim_spaces_left(struct text a)
{
	size_t at = 0;

	for (; a.size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
		unsigned others =
		        ~block_bits(block_spaces(block_load(a.data + at))) &
		        BLOCK_ALL_BITS;

		if (others)
			return text_after(a, at + block_first(others));
	}
	while (at < a.size && text_is_space(a.data[at]))
		at++;
	return text_after(a, at);
}

struct text text_trim_spaces_right(struct text a)
{
	for (; a.size >= BLOCK_BYTES; a.size -= BLOCK_BYTES) {
		unsigned others = ~block_bits(block_spaces(block_load(
		                          a.data + a.size - BLOCK_BYTES))) &
		                  BLOCK_ALL_BITS;

		if (others)
			return text_first(a, a.size - BLOCK_BYTES + 1 +
			                             block_last(others));
	}
	while (a.size && text_is_space(a.data[a.size - 1]))
		a.size--;
	return a;
}

size_t text_find_last_char(struct text a, char c)
{
#ifdef __GLIBC__
	const char *hit = a.size ? memrchr(a.data, c, a.size) : NULL;

	return hit ? (size_t)(hit - a.data) : TEXT_NOWHERE;
#else
	for (size_t i = a.size; i > 0; i--)
		if (a.data[i - 1] == c)
			return i - 1;
	return TEXT_NOWHERE;
#endif
}

// By its first character other than a blank or a line end, which are at many
// places.
size_t text_find(struct text a, const char *needle)
{
	size_t size = strlen(needle);
	size_t rare = strspn(needle, " \n");

	if (rare == size)
		rare = 0;
	if (!size)
		return 0;
	for (size_t at = 0; at + size <= a.size; at++) {
		const char *hit = memchr(a.data + at + rare, needle[rare],
		                         a.size - size - at + 1);

		if (!hit)
			return TEXT_NOWHERE;
		at = (size_t)(hit - a.data) - rare;
		if (!memcmp(a.data + at, needle, size))
			return at;
	}
	return TEXT_NOWHERE;
}

size_t text_find_last(struct text a, const char *needle)
{
	size_t size = strlen(needle);

	if (!size)
		return a.size;
	if (size > a.size)
		return TEXT_NOWHERE;
	for (size_t at = a.size - size + 1; at > 0; at--)
		if (a.data[at - 1] == needle[0] &&
		    !memcmp(a.data + at - 1, needle, size))
			return at - 1;
	return TEXT_NOWHERE;
}

size_t text_find_last_nocase(struct text a, const char *needle)
{
	size_t size = strlen(needle);

	if (size > a.size)
		return TEXT_NOWHERE;
	for (size_t at = a.size - size + 1; at > 0; at--)
		if (text_is_nocase(text_first(text_after(a, at - 1), size),
		                   needle))
			return at - 1;
	return TEXT_NOWHERE;
}

/** End of the first line of @p text: its LF or CR, or the end. */
static size_t line_end(struct text text)
{
	size_t at = 0;

	for (; text.size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
		block bytes = block_load(text.data + at);
		unsigned found = block_bits(block_of(bytes, '\n') |
		                            block_of(bytes, '\r'));

		if (found)
			return at + block_first(found);
	}
	while (at < text.size && text.data[at] != '\n' && text.data[at] != '\r')
		at++;
	return at;
}

bool text_next_line(struct text *rest, struct text *line)
{
	size_t end;
	size_t next;

	if (!rest->size)
		return false;
	end = line_end(*rest);
	next = end;
	if (next < rest->size && rest->data[next] == '\r')
		next++;
	if (next < rest->size && rest->data[next] == '\n' &&
	    (next == end || rest->data[next - 1] == '\r'))
		next++;
	*line = text_first(*rest, end);
	*rest = text_after(*rest, next);
	return true;
}

bool text_next_word(struct text *rest, struct text *word)
{
	struct text left = text_trim_left(*rest);
	size_t end = 0;

	while (end < left.size && !text_is_space(left.data[end]))
		end++;
	*word = text_first(left, end);
	*rest = text_after(left, end);
	return end > 0;
}

size_t text_count_char(struct text a, char c)
{
	size_t count = 0;

	for (size_t at; (at = text_find_char(a, c)) != TEXT_NOWHERE; count++)
		a = text_after(a, at + 1);
	return count;
}

struct text text_base_name(struct text path)
{
	// TEXT_NOWHERE + 1 is 0.
	return text_after(path, text_find_last_char(path, '/') + 1);
}

const char *text_base_cstr(const char *path)
{
	return path ? text_base_name(text_from(path)).data : NULL;
}

bool text_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}
