// SPDX-License-Identifier: MIT
/**
 * Limits the size of names in one output: of a report, or of all addresses of
 * `atos`.
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
 * Bytes of names per place, as printed, in addition to LIMIT_NAMES and up to
 * LIMIT_NAMES_TOTAL: 64 inlined calls at each of 100,000 addresses, or names of
 * 4 kB, would be gigabytes.
 */
#define NAME_BYTES_PER_PLACE ((size_t)1 << 10)
/** Max name, mangled name or path of a place beyond that. */
#define ABRIDGED_NAME_MAX ((size_t)256)

struct name_budget {
	size_t bytes_left;
	/** it is limited by LIMIT_NAMES_TOTAL, not by LIMIT_NAMES */
	bool is_at_total;
	bool is_spent;         ///< a place exceeded it
	size_t abridged_count; ///< places with shortened names
	size_t long_names;     ///< places with a name over LIMIT_NAME
	size_t long_paths;     ///< places with a path over LIMIT_PATH
};

void name_budget_init(struct name_budget *budget);

/** Raise the budget for one frame or address. */
void name_budget_add_place(struct name_budget *budget);

/**
 * Charge the names of a place.
 *
 * @param bytes  Their size as printed.
 * @return False if it exceeds the budget: keep only the last call, with names
 * abridged to ABRIDGED_NAME_MAX.
 */
bool name_budget_charge(struct name_budget *budget,
                        const struct symbol_answer *answer, size_t bytes);

/** Words for messages: `frame`, `frames`, `a report of this size`. */
struct name_budget_words {
	const char *place;
	const char *places;
	const char *all;
};

typedef void (*name_budget_say)(const char *text, void *context);

/**
 * Report what was omitted, a sentence for each limit; nothing if all fitted.
 */
void name_budget_describe(const struct name_budget *budget,
                          const struct name_budget_words *words,
                          name_budget_say say, void *context);

#endif
