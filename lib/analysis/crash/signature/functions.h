// SPDX-License-Identifier: MIT
/**
 * What is known of the functions on stacks: their names as in signatures, and
 * the rules that match them. Found out once for each function; a run sees the
 * same ones again and again.
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
#include "lib/config/lag_rules.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

struct crash_function {
	const char *name;           ///< as in signatures; NULL: it has none
	struct lag_matches matches; ///< empty once the budget was spent
	bool is_matched;            ///< it was not
};

/** All zeros but for the first three. */
struct crash_functions {
	const struct lag_rules *rules;
	enum signature_algorithm algorithm; ///< whose names they have
	size_t budget;                      ///< for rules: lag_rules_budget()

	struct intern keys;
	struct crash_function *items; ///< by key
	size_t cap;
	struct arena arena;
};

/** Before each report: forget all if there are too many. */
void crash_functions_begin(struct crash_functions *functions);

/**
 * @param image  Its name; NULL: not known.
 * @param path   Of the image, the same way.
 * @param call   NULL: nothing is known but the image.
 * @return Good until the next call.
 */
const struct crash_function *crash_functions_find(
        struct crash_functions *functions, const char *image, const char *path,
        const struct report_call *call);

void crash_functions_release(struct crash_functions *functions);

#endif
