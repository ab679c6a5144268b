// SPDX-License-Identifier: MIT
#include "parsers/input/repair/broken_word.h"

#include "parsers/input/repair/character.h"

#include <string.h>

// An address with fewer digits may be cut at the end of a line.
#define ADDRESS_DIGITS 8
#define ADDRESS_BYTES  ((size_t)18)
// Max part of a word before the name of a method: `"symbol":"__76-[Class`.
#define CLASS_BYTES ((size_t)96)

size_t word_quote_size(struct text at)
{
	static const char *const quotes[] = {
		"\"",           "&quot;",       "&#34;",
		"\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x9e",
	};

	for (size_t i = 0; i < ARRAY_SIZE(quotes); i++)
		if (text_starts(at, quotes[i]))
			return strlen(quotes[i]);
	return 0;
}

bool word_begins_in_blank(struct text line)
{
	struct character c;

	return text_is_space(line.data[0]) ||
	       (character_read(line, 0, &c) && c.kind == CHARACTER_SPACE);
}

bool word_ends_in_blank(struct text line)
{
	struct character c;

	if (text_is_space(line.data[line.size - 1]))
		return true;
	for (size_t size = 2; size <= 3 && size <= line.size; size++)
		if (character_read(line, line.size - size, &c) &&
		    c.kind == CHARACTER_SPACE && c.size == size)
			return true;
	return false;
}

bool word_is_hyphenated(struct text line, struct text next)
{
	return line.size > 1 && line.data[line.size - 1] == '-' &&
	       (next.data[0] == '[' ||
	        (text_is_alnum(line.data[line.size - 2]) &&
	         text_is_alnum(next.data[0])));
}

bool word_is_path(struct text word)
{
	size_t quote = word_quote_size(word);

	word = text_after(word, quote);
	return text_starts(word, "/") || text_starts(word, "\\/");
}

/** The sign before the class of a method; word processors make it a dash. */
static bool ends_in_sign(struct text before)
{
	static const char *const signs[] = { "-", "+", "\xe2\x80\x93",
		                             "\xe2\x80\x94" };

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (text_ends(before, signs[i]))
			return true;
	return false;
}

bool word_is_class(struct text word)
{
	size_t open;

	if (word.size > CLASS_BYTES)
		word = text_after(word, word.size - CLASS_BYTES);
	open = text_find_last(word, "[");
	if (open == TEXT_NOWHERE || !ends_in_sign(text_first(word, open)))
		return false;
	for (size_t i = open + 1; i < word.size; i++)
		if (!text_is_alnum(word.data[i]) &&
		    !strchr("_().$", word.data[i]))
			return false;
	return true;
}

bool word_is_selector(struct text word)
{
	for (size_t i = 0; i < word.size && !(word.data[i] & 0x80); i++)
		if (word.data[i] == ':' || word.data[i] == ']')
			return true;
	return false;
}

bool word_is_whole_address(struct text word, struct text next)
{
	size_t digits;

	// Words grow with each joined line, so long ones are not examined.
	if (word.size > ADDRESS_BYTES || !text_take(&word, "0x"))
		return false;
	digits = text_count_hex_digits(word);
	return digits == word.size &&
	       (digits == 16 ||
	        (digits >= ADDRESS_DIGITS && !text_is_hex_digit(next.data[0]) &&
	         !text_is_space(next.data[0])));
}
