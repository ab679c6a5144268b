// SPDX-License-Identifier: MIT
/**
 * A cache of functions on stacks: their names in signatures, and the rules that
 * match them. A run meets the same functions often.
 *
 *     struct crash_functions functions = { .rules = &rules };
 *
 *     crash_functions_begin(&functions);
 *     function = crash_functions_find(&functions, image, path, call);
 *     …
 *     crash_functions_release(&functions);
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_FUNCTIONS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_SIGNATURE_FUNCTIONS_H

#include "lib/analysis/crash/signature/signature.h"
#include "lib/base/arena.h"
#include "lib/base/intern.h"
#include "lib/base/str.h"
#include "lib/config/lag_rules.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

struct crash_function {
	const char *name;           ///< as in signatures; NULL: no name
	struct lag_matches matches; ///< empty if the budget was used up
	bool is_matched;            ///< the budget sufficed for all rules
};

/** All zeros except the first three. */
struct crash_functions {
	const struct lag_rules *rules;
	enum signature_algorithm algorithm; ///< algorithm of the names
	size_t budget;                      ///< for rules: lag_rules_budget()

	struct intern keys;
	struct str key;               ///< of the last search
	struct crash_function *items; ///< by key
	size_t cap;
	struct arena arena;
};

/** Call it before each report: empties the cache if it is too large. */
void crash_functions_begin(struct crash_functions *functions);

/**
 * @param image  Its name; NULL: unknown.
 * @param path   Of the image; NULL: unknown.
 * @param call   NULL: only the image is known.
 * @return Valid until the next call.
 */
const struct crash_function *crash_functions_find(
        struct crash_functions *functions, const char *image, const char *path,
        const struct report_call *call);

void crash_functions_release(struct crash_functions *functions);

#endif
