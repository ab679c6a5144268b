// SPDX-License-Identifier: MIT
/**
 * What the names of one output may take, and which limits they met: those of a
 * report, or of all addresses of `atos`.
 *
 *     name_budget_init(&budget);
 *     name_budget_add_place(&budget);
 *     if (!name_budget_charge(&budget, answer, bytes))
 *             keep the last call, abridged;
 *     name_budget_describe(&budget, &words, say, context);
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_NAME_BUDGET_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_NAME_BUDGET_H

#include "lib/symbols/answer.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * What names may add to one output for each place, in bytes printed, beside
 * LIMIT_NAMES and up to LIMIT_NAMES_TOTAL: 64 inlined calls at each
 * of 100,000 addresses, or names of 4 kB, would be gigabytes.
 */
#define NAME_BYTES_PER_PLACE ((size_t)1 << 10)
/** The longest name, mangled name or path at a place beyond that. */
#define ABRIDGED_NAME_MAX ((size_t)256)

struct name_budget {
	size_t bytes_left;
	bool is_at_total;      ///< LIMIT_NAMES_TOTAL bounds it, not LIMIT_NAMES
	bool is_spent;         ///< a place did not fit
	size_t abridged_count; ///< places that are not named in full
	size_t long_names;     ///< places with a name that LIMIT_NAME cut
	size_t long_paths;     ///< places with a path that LIMIT_PATH cut
};

void name_budget_init(struct name_budget *budget);

/** Each frame or address adds to what all may take. */
void name_budget_add_place(struct name_budget *budget);

/**
 * Charge a place for its names.
 *
 * @param bytes  What they take where they are printed.
 * @return False where they are too much: the last call may stay, its names
 *         abridged to ABRIDGED_NAME_MAX.
 */
bool name_budget_charge(struct name_budget *budget,
                        const struct symbol_answer *answer, size_t bytes);

/** How an output calls its places: `frame`, `frames`, `a report of this size`.
 */
struct name_budget_words {
	const char *place;
	const char *places;
	const char *all;
};

typedef void (*name_budget_say)(const char *text, void *context);

/** Say what is left out, a sentence for each limit; nothing where all fits. */
void name_budget_describe(const struct name_budget *budget,
                          const struct name_budget_words *words,
                          name_budget_say say, void *context);

#endif
