// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/cxx_spelling.h"

#include "lib/base/block.h"
#include "lib/base/number.h"

#include <stdbool.h>
#include <stdint.h>

/** Max nesting of function types; deeper ones keep GNU's spelling. */
#define MOVED_MAX 16u

#define LAMBDA    "{lambda("
#define UNNAMED   "{unnamed type#"
#define NULL_TYPE "decltype(nullptr)"

/** Words that move after the parameters of a function type. */
struct moved {
	struct text words; ///< `swiftasynccall*`
	const char *end;   ///< the bracket before them
};

struct speller {
	struct text rest;
	struct str *out;
	unsigned braces; ///< open lambdas
	struct moved moved[MOVED_MAX];
	size_t moved_count;
};

/** Offset of the bracket that closes the first one; or TEXT_NOWHERE. */
static size_t find_end(struct text at)
{
	size_t depth = 0;

	for (size_t i = 0; i < at.size; i++) {
		char c = at.data[i];

		if (c == '(' || c == '{')
			depth++;
		else if ((c == ')' || c == '}') && !--depth)
			return i;
	}
	return TEXT_NOWHERE;
}

/** `1` is the first, without a number; then `0`, `1` and so on. */
static bool add_number(struct str *out, struct text digits)
{
	uint64_t number;

	if (!number_decimal(digits, &number) || !number)
		return false;
	if (number > 1)
		str_add_number(out, number - 2);
	return true;
}

/** Take `{lambda(` of `{lambda(ARGUMENTS)#N}`: the number comes first. */
static bool take_lambda(struct speller *s)
{
	size_t end, hash, before = s->out->size;
	struct text whole;

	if (!text_starts(s->rest, LAMBDA))
		return false;
	end = find_end(s->rest);
	if (end == TEXT_NOWHERE)
		return false;
	whole = text_first(s->rest, end);
	hash = text_find_last_char(whole, '#');
	if (hash == TEXT_NOWHERE || whole.data[hash - 1] != ')')
		return false;
	str_add(s->out, "'lambda");
	if (!add_number(s->out, text_after(whole, hash + 1))) {
		s->out->size = before;
		return false;
	}
	str_add(s->out, "'(");
	text_take(&s->rest, LAMBDA);
	s->braces++;
	return true;
}

/** Take `#N}` after the arguments of a lambda; it is already printed. */
static bool take_lambda_end(struct speller *s)
{
	size_t i = 1;

	if (!s->braces || !text_ends(str_text(s->out), ")"))
		return false;
	while (i < s->rest.size && text_is_digit(s->rest.data[i]))
		i++;
	if (i == s->rest.size || s->rest.data[i] != '}')
		return false;
	s->rest = text_after(s->rest, i + 1);
	s->braces--;
	return true;
}

static bool take_unnamed(struct speller *s)
{
	struct text rest = s->rest;
	size_t end, before = s->out->size;

	if (!text_take(&rest, UNNAMED))
		return false;
	end = text_find_char(rest, '}');
	if (end == TEXT_NOWHERE)
		return false;
	str_add(s->out, "'unnamed");
	if (!add_number(s->out, text_first(rest, end))) {
		s->out->size = before;
		return false;
	}
	str_add_char(s->out, '\'');
	s->rest = text_after(rest, end + 1);
	return true;
}

/** Take ` ( swiftcall*)(PARAMETERS)`: the convention moves after them. */
static bool take_convention(struct speller *s)
{
	static const char *const conventions[] = { "swiftasynccall",
		                                   "swiftcall" };
	struct text rest = s->rest, words;
	bool known = false;
	size_t end;

	if (s->moved_count == MOVED_MAX || !text_take(&rest, " ( "))
		return false;
	words = rest;
	for (size_t i = 0; i < ARRAY_SIZE(conventions); i++)
		known = known || text_take(&rest, conventions[i]);
	while (text_take(&rest, "*"))
		;
	words.size -= rest.size;
	if (!known || !text_take(&rest, ")"))
		return false;
	end = text_starts(rest, "(") ? find_end(rest) : TEXT_NOWHERE;
	if (end == TEXT_NOWHERE)
		return false;
	s->moved[s->moved_count].words = words;
	s->moved[s->moved_count++].end = rest.data + end;
	str_add(s->out, " (");
	s->rest = text_after(rest, 1);
	return true;
}

/** Take `> >`, which only old C++ needs; not of an operator. */
static bool take_blank(struct speller *s)
{
	struct text before = str_text(s->out);

	if (!text_starts(s->rest, " >") || !text_ends(before, ">") ||
	    text_ends(before, "->") || text_ends(before, "operator>") ||
	    text_ends(before, "operator>>"))
		return false;
	s->rest = text_after(s->rest, 1);
	return true;
}

/** `auto:1`, the first template parameter of a lambda, is `auto`. */
static bool take_auto(struct speller *s)
{
	size_t i = 1;

	if (!s->braces || !text_ends(str_text(s->out), "auto"))
		return false;
	while (i < s->rest.size && text_is_digit(s->rest.data[i]))
		i++;
	s->rest = text_after(s->rest, i > 1 ? i : 0);
	return i > 1;
}

/** May a difference in spelling begin, or end, here? */
static bool is_special(const struct speller *s, const char *at, const char *end)
{
	char next = at + 1 < end ? at[1] : '\0';

	switch (*at) {
	case '{':
		return true;
	case '#':
	case ':':
		return s->braces;
	case ' ':
		return next == '(' || next == '>';
	case 'd':
		return next == 'e';
	case ')':
		return s->moved_count;
	default:
		return false;
	}
}

/**
 * Size of a text with equal spelling, outside of lambdas and moved words;
 * checks sixteen bytes at a time.
 */
static size_t plain_size(const struct speller *s)
{
	const char *at = s->rest.data;
	size_t size = 1;

	if (s->braces || s->moved_count)
		return size;
	// The byte after a block is read, too.
	for (; s->rest.size - size > BLOCK_BYTES; size += BLOCK_BYTES) {
		block here = block_load(at + size);
		block next = block_load(at + size + 1);
		unsigned found = block_bits(
		        block_of(here, '{') |
		        (block_of(here, ' ') &
		         (block_of(next, '(') | block_of(next, '>'))) |
		        (block_of(here, 'd') & block_of(next, 'e')));

		if (found)
			return size + block_first(found);
	}
	return size;
}

/** Copy a character, and all that follow with equal spelling. */
static void take_run(struct speller *s)
{
	const char *at = s->rest.data;
	const char *end = at + s->rest.size;
	size_t size = plain_size(s);

	while (size < s->rest.size && !is_special(s, at + size, end))
		size++;
	str_add_bytes(s->out, at, size);
	s->rest = text_after(s->rest, size);
	if (s->moved_count && s->moved[s->moved_count - 1].end == at) {
		struct text words = s->moved[--s->moved_count].words;

		s->out->size -= size - 1;
		str_add_char(s->out, ' ');
		str_add_text(s->out, words);
		str_add_bytes(s->out, at + 1, size - 1);
	}
}

static bool take_null_type(struct speller *s)
{
	if (!text_take(&s->rest, NULL_TYPE))
		return false;
	str_add(s->out, "std::nullptr_t");
	return true;
}

/** No blank between `decltype` and its expression. */
static bool take_decltype(struct speller *s)
{
	if (!text_take(&s->rest, "decltype ("))
		return false;
	str_add(s->out, "decltype(");
	return true;
}

/** Convert a difference in spelling, by its first character. */
static bool take_difference(struct speller *s)
{
	switch (s->rest.data[0]) {
	case '{':
		return take_lambda(s) || take_unnamed(s);
	case '#':
		return take_lambda_end(s);
	case ' ':
		return take_convention(s) || take_blank(s);
	case ':':
		return take_auto(s);
	case 'd':
		return take_null_type(s) || take_decltype(s);
	default:
		return false;
	}
}

void cxx_spell(struct text printed, struct str *out)
{
	struct speller s = { .rest = printed, .out = out };

	// Usually, the size does not change.
	str_room(out, printed.size);
	while (s.rest.size)
		if (!take_difference(&s))
			take_run(&s);
}
