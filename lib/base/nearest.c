// SPDX-License-Identifier: MIT
#include "lib/base/nearest.h"

#include <stdbool.h>
#include <string.h>

/** Longer words are not typing mistakes of ours. */
#define WORD_MAX 63

/** Costs of mistakes. */
struct weights {
	unsigned swap;
	unsigned insert;
	unsigned substitute;
	unsigned delete;
};

// git's (its help.c): most mistakes are swapped or missing letters.
static const struct weights likelihood = { 0, 1, 2, 4 };

static const struct weights number = { 1, 1, 1, 1 };

/** From here on words are not similar; git's floor. */
#define FLOOR 7

/** One mistake per this number of letters: "xml" is not "html". */
#define LETTERS_PER_MISTAKE 3

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/** Caps Lock is no other letter. */
static bool same(char a, char b)
{
	return lower(a) == lower(b);
}

static bool begins(const char *word, const char *prefix)
{
	while (*prefix && same(*word, *prefix)) {
		word++;
		prefix++;
	}
	return !*prefix;
}

/** Cost of turning @p from into @p to, both at most WORD_MAX. */
static unsigned distance(const struct weights *w, const char *from,
                         const char *to)
{
	unsigned rows[3][WORD_MAX + 1];
	size_t columns = strlen(to);
	size_t i;

	for (size_t j = 0; j <= columns; j++)
		rows[0][j] = (unsigned)j * w->insert;
	for (i = 1; from[i - 1]; i++) {
		unsigned *row = rows[i % 3];
		const unsigned *above = rows[(i + 2) % 3];
		const unsigned *above2 = rows[(i + 1) % 3];

		row[0] = (unsigned)i * w->delete;
		for (size_t j = 1; j <= columns; j++) {
			unsigned other = same(from[i - 1], to[j - 1])
			                         ? 0
			                         : w->substitute;

			row[j] = min(above[j - 1] + other,
			             min(above[j] + w->delete,
			                 row[j - 1] + w->insert));
			if (i > 1 && j > 1 && same(from[i - 1], to[j - 2]) &&
			    same(from[i - 2], to[j - 1]))
				row[j] = min(row[j], above2[j - 2] + w->swap);
		}
	}
	return rows[(i - 1) % 3][columns];
}

/** In short words a different letter makes a different word: "ksh", "zsh". */
#define LETTERS_FOR_OTHERS 4

/** Is it close enough for a typing mistake? */
static bool is_near(const char *word, const char *candidate)
{
	size_t size = strlen(word);
	size_t other = strlen(candidate);

	// Without swapped, missing or extra letters, a letter differs.
	if (size == other && size < LETTERS_FOR_OTHERS &&
	    distance(&likelihood, word, candidate))
		return false;
	return LETTERS_PER_MISTAKE * distance(&number, word, candidate) <=
	       (size > other ? size : other);
}

const char *nearest_word(const char *word, const char *const *candidates)
{
	size_t size = strlen(word);
	const char *best = NULL;
	unsigned best_cost = FLOOR;

	if (!size || size > WORD_MAX)
		return NULL;
	for (; *candidates; candidates++) {
		unsigned cost = 0;

		if (strlen(*candidates) > WORD_MAX)
			continue;
		// A prefix of a word is always close.
		if (!begins(*candidates, word)) {
			if (!is_near(word, *candidates))
				continue;
			cost = distance(&likelihood, word, *candidates);
		}
		if (cost < best_cost) {
			best = *candidates;
			best_cost = cost;
		}
	}
	return best;
}
