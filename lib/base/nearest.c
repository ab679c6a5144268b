#include "lib/base/nearest.h"

#include "lib/base/text.h"

#include <string.h>

/** Longer words are not typing mistakes of ours. */
#define WORD_MAX 63

// git's weights (its help.c): who mistypes mostly swaps or forgets letters.
enum { SWAP = 0, INSERT = 1, SUBSTITUTE = 2, DELETE = 4 };

/** From here on words are not similar; git's floor. */
#define FLOOR 7

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/** What it costs to turn @p from into @p to, both within WORD_MAX. */
static unsigned distance(const char *from, const char *to)
{
	unsigned rows[3][WORD_MAX + 1];
	size_t columns = strlen(to);
	size_t i;

	for (size_t j = 0; j <= columns; j++)
		rows[0][j] = (unsigned)j * INSERT;
	for (i = 1; from[i - 1]; i++) {
		unsigned *row = rows[i % 3];
		const unsigned *above = rows[(i + 2) % 3];
		const unsigned *above2 = rows[(i + 1) % 3];

		row[0] = (unsigned)i * DELETE;
		for (size_t j = 1; j <= columns; j++) {
			bool same = from[i - 1] == to[j - 1];

			row[j] = least(
			        above[j - 1] + (same ? 0 : SUBSTITUTE),
			        least(above[j] + DELETE, row[j - 1] + INSERT));
			if (i > 1 && j > 1 && from[i - 1] == to[j - 2] &&
			    from[i - 2] == to[j - 1])
				row[j] = least(row[j], above2[j - 2] + SWAP);
		}
	}
	return rows[(i - 1) % 3][columns];
}

const char *nearest_word(const char *word, const char *const *candidates)
{
	size_t size = strlen(word);
	const char *best = NULL;
	unsigned best_cost = FLOOR;

	if (!size || size > WORD_MAX)
		return NULL;
	for (; *candidates; candidates++) {
		unsigned cost;

		if (strlen(*candidates) > WORD_MAX)
			continue;
		// The start of a word is near however much is missing.
		cost = text_starts(text_from(*candidates), word)
		               ? 0
		               : distance(word, *candidates);
		// Of a short word, few letters may be wrong: "foo" is not
		// "atos".
		if (cost < best_cost && cost <= size) {
			best = *candidates;
			best_cost = cost;
		}
	}
	return best;
}
