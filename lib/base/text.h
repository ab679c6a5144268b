// SPDX-License-Identifier: MIT
/**
 * Borrowed text: pointer and length, not NUL-terminated.
 *
 * A `struct text` lives as long as the bytes it points to. Functions here know
 * ASCII only, like labels and grammars; bytes above 0x7f pass through
 * unchanged.
 */
#ifndef APMTOOL_LIB_BASE_TEXT_H
#define APMTOOL_LIB_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text {
	const char *data;
	size_t size;
};

#define TEXT_NONE    ((struct text){ .data = "", .size = 0 })
#define TEXT_NOWHERE ((size_t)-1)
/** For "%.*s": the precision and the pointer of a text. */
#define TEXT_ARGS(t) (int)((t).size < 4096 ? (t).size : 4096), (t).data

// Inline, so that the compiler knows the length of literals.
static inline struct text text_from(const char *cstr)
{
	return (struct text){ .data = cstr, .size = strlen(cstr) };
}

static inline bool text_equal(struct text a, struct text b)
{
	return a.size == b.size && (!a.size || !memcmp(a.data, b.data, a.size));
}

/** Plural ending: `s`, or empty for one. */
static inline const char *text_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static inline bool text_is(struct text a, const char *cstr)
{
	return text_equal(a, text_from(cstr));
}

static inline bool text_starts(struct text a, const char *prefix)
{
	size_t size;

	// One comparison decides most calls.
	if (!*prefix)
		return true;
	if (!a.size || a.data[0] != *prefix)
		return false;
	size = strlen(prefix);
	return a.size >= size && !memcmp(a.data, prefix, size);
}

static inline bool text_ends(struct text a, const char *suffix)
{
	size_t size = strlen(suffix);

	return a.size >= size &&
	       (!size || !memcmp(a.data + a.size - size, suffix, size));
}

bool text_is_nocase(struct text a, const char *cstr);
bool text_ends_nocase(struct text a, const char *suffix);

/** Byte order, then length: a stable order for output. */
int text_compare(struct text a, struct text b);

// Inline, too: readers of lines call these several times for each line.

/** From @p start to the end; empty if @p start is past the end. */
static inline struct text text_after(struct text a, size_t start)
{
	if (start > a.size)
		start = a.size;
	// Adding even zero to a NULL pointer is undefined.
	if (!start)
		return a;
	return (struct text){ .data = a.data + start, .size = a.size - start };
}

/** At most the first @p size bytes. */
static inline struct text text_first(struct text a, size_t size)
{
	if (a.size > size)
		a.size = size;
	return a;
}

static inline bool text_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct text text_trim_spaces_left(struct text a);  ///< for text_trim_left()
struct text text_trim_spaces_right(struct text a); ///< for text_trim_right()

static inline struct text text_trim_left(struct text a)
{
	return a.size && text_is_space(a.data[0]) ? text_trim_spaces_left(a)
	                                          : a;
}

static inline struct text text_trim_right(struct text a)
{
	return a.size && text_is_space(a.data[a.size - 1])
	               ? text_trim_spaces_right(a)
	               : a;
}

/** Remove blanks, tabs, CR and LF at both ends. */
static inline struct text text_trim(struct text a)
{
	return text_trim_left(text_trim_right(a));
}

/** Offset of the first (or last) @p c or @p needle; or TEXT_NOWHERE. */
static inline size_t text_find_char(struct text a, char c)
{
	const char *hit = a.size ? (const char *)memchr(a.data, c, a.size)
	                         : NULL;

	return hit ? (size_t)(hit - a.data) : TEXT_NOWHERE;
}

size_t text_find_last_char(struct text a, char c);
size_t text_count_char(struct text a, char c);
size_t text_find(struct text a, const char *needle);
size_t text_find_last(struct text a, const char *needle);
/** As text_find_last(), ignoring ASCII case. */
size_t text_find_last_nocase(struct text a, const char *needle);

/**
 * Split the next line off @p rest. Lines end with LF, CR LF or a lone CR, which
 * are not part of the line.
 *
 * @return false if @p rest is empty.
 */
bool text_next_line(struct text *rest, struct text *line);

/**
 * Split the next word off @p rest; words are separated by white space. False if
 * none is left.
 */
bool text_next_word(struct text *rest, struct text *word);

/** The part of a path after the last slash; all of it without one. */
struct text text_base_name(struct text path);
/** As text_base_name() for a string; NULL for NULL. */
const char *text_base_cstr(const char *path);

/** Are two strings equal, or both NULL? */
bool text_same(const char *a, const char *b);

/**
 * Remove @p prefix from the front; false, with @p a unchanged, if it is absent.
 */
static inline bool text_take(struct text *a, const char *prefix)
{
	if (!text_starts(*a, prefix))
		return false;
	*a = text_after(*a, strlen(prefix));
	return true;
}

/** A blank or tab. */
static inline bool text_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/** Number of leading blanks. */
static inline size_t text_count_blanks(struct text a)
{
	size_t count = 0;

	while (count < a.size && text_is_blank(a.data[count]))
		count++;
	return count;
}

static inline bool text_is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/** Number of leading digits. */
static inline size_t text_count_digits(struct text a)
{
	size_t count = 0;

	while (count < a.size && text_is_digit(a.data[count]))
		count++;
	return count;
}

/** Split the leading digits off @p a. */
static inline struct text text_take_digits(struct text *a)
{
	struct text digits = text_first(*a, text_count_digits(*a));

	*a = text_after(*a, digits.size);
	return digits;
}

/** A letter of ASCII. */
static inline bool text_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/** A letter or digit of ASCII. */
static inline bool text_is_alnum(char c)
{
	return text_is_digit(c) || text_is_letter(c);
}

extern const signed char text_hex_values[256];

/** The value of a hex digit of either case; -1 for other characters. */
static inline int text_hex_value(char c)
{
	return text_hex_values[(unsigned char)c];
}

static inline bool text_is_hex_digit(char c)
{
	return text_hex_value(c) >= 0;
}

/** Number of leading hex digits. */
static inline size_t text_count_hex_digits(struct text a)
{
	size_t count = 0;

	while (count < a.size && text_is_hex_digit(a.data[count]))
		count++;
	return count;
}

#endif
