// SPDX-License-Identifier: MIT
#include "lib/text/regex_starts.h"

#include <string.h>

// Walks the pattern with the set of positions, one bit each, that a match may
// have reached: for `^a?b` 0, then 0 or 1, then 1 or 2.

/** Max depth of groups: repetitions are walked twice. */
#define DEPTH_MAX 8

struct walk {
	struct text rest;
	struct regex_starts *starts;
	unsigned depth;
	bool failed; ///< something is not understood
};

static uint8_t walk_choices(struct walk *walk, uint8_t from);

static char next(const struct walk *walk)
{
	return walk->rest.size ? walk->rest.data[0] : '\0';
}

static char take(struct walk *walk)
{
	char c = next(walk);

	// After a multi-byte character, `?` would apply to all its bytes.
	walk->failed |= !walk->rest.size || (unsigned char)c >= 0x80;
	walk->rest = text_after(walk->rest, 1);
	return c;
}

/** These places and all that follow. */
static uint8_t and_beyond(uint8_t places)
{
	for (unsigned i = 1; i < REGEX_STARTS; i *= 2)
		places |= (uint8_t)(places << i);
	return places;
}

static void mark(struct walk *walk, uint8_t places, unsigned first,
                 unsigned last)
{
	for (unsigned c = first; c <= last; c++)
		walk->starts->places[c] |= places;
}

/** Read the text after a backslash; false if it matches no byte. */
static bool walk_escape(struct walk *walk, uint8_t from)
{
	unsigned char c = (unsigned char)take(walk);

	if (c == 'b')
		return false;
	if (c == 'w' || c == 'S' || c == 'W')
		mark(walk, from, c == 'w' ? '0' : 0, c == 'w' ? 'z' : 0xff);
	else if (text_is_alnum((char)c) && c != 'd')
		walk->failed = true;
	else
		mark(walk, from, c == 'd' ? '0' : c, c == 'd' ? '9' : c);
	return true;
}

/** `[-+]`, `[a-z]`, `[^)]`, after its bracket. */
static void walk_class(struct walk *walk, uint8_t from)
{
	// For a negated class, allow all bytes.
	if (text_take(&walk->rest, "^"))
		mark(walk, from, 0, 0xff);
	do {
		unsigned char c = (unsigned char)take(walk);
		unsigned char last = c;

		walk->failed |= c == '[';
		if (c == '\\') {
			walk->failed |= !walk_escape(walk, from);
			continue;
		}
		if (text_starts(walk->rest, "-") &&
		    !text_starts(walk->rest, "-]")) {
			take(walk);
			last = (unsigned char)take(walk);
			walk->failed |= last == '\\' || last == '[';
		}
		mark(walk, from, c, last);
	} while (!walk->failed && next(walk) != ']');
	take(walk);
}

static uint8_t walk_group(struct walk *walk, uint8_t from)
{
	if (text_take(&walk->rest, "?"))
		walk->failed |= take(walk) != ':';
	walk->failed |= next(walk) == '*' || ++walk->depth > DEPTH_MAX;
	from = walk_choices(walk, from);
	walk->depth--;
	walk->failed |= take(walk) != ')';
	return from;
}

/** A character, a class or a group, without its quantifier. */
static uint8_t walk_atom(struct walk *walk, uint8_t from)
{
	unsigned char c = (unsigned char)take(walk);

	if (c == '(')
		return walk_group(walk, from);
	if (c == '^' || c == '$' || (c == '\\' && !walk_escape(walk, from)))
		return from;
	if (c == '[')
		walk_class(walk, from);
	else if (c != '\\')
		mark(walk, from, c == '.' ? 0 : c, c == '.' ? 0xff : c);
	return (uint8_t)(from << 1);
}

static uint8_t walk_item(struct walk *walk, uint8_t from)
{
	struct walk again = *walk;
	uint8_t to = walk_atom(walk, from);
	char c = next(walk);

	walk->failed |= c == '{';
	if (c != '?' && c != '*' && c != '+')
		return to;
	take(walk);
	if (c != '?') {
		walk_atom(&again, and_beyond(from));
		to = and_beyond(to);
	}
	// `*?`, `++`
	if (next(walk) == '?' || next(walk) == '+')
		take(walk);
	return c == '+' ? to : to | from;
}

static uint8_t walk_choices(struct walk *walk, uint8_t from)
{
	uint8_t reached = 0;

	do {
		uint8_t at = from;

		walk->failed |= !walk->depth && next(walk) != '^';
		while (!walk->failed && walk->rest.size && next(walk) != '|' &&
		       next(walk) != ')')
			at = walk_item(walk, at);
		reached |= at;
	} while (!walk->failed && text_take(&walk->rest, "|"));
	return reached;
}

void regex_starts_find(struct text pattern, struct regex_starts *ret)
{
	struct walk walk = { .rest = pattern, .starts = ret };
	uint8_t ends;

	memset(ret, 0, sizeof(*ret));
	ends = walk_choices(&walk, 1);
	if (walk.failed || walk.rest.size)
		ends = 0xff;
	// Anything may follow the end.
	mark(&walk, and_beyond(ends), 0, 0xff);
}
