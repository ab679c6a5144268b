// SPDX-License-Identifier: MIT
/**
 * Many explanations as one table: each cause, how many reports have it, and
 * the first of them.
 *
 *     SCOPED(explain_summary_release)
 *     struct explain_summary summary = { 0 };
 *
 *     explain_summary_add(&summary, explanation);
 *     table = explain_summary_table(&summary, arena);
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_SUMMARY_H
#define APMTOOL_LIB_ANALYSIS_CRASH_EXPLAIN_SUMMARY_H

#include "lib/base/arena.h"
#include "lib/base/intern.h"
#include "lib/model/explanation.h"
#include "lib/model/table.h"

#include <stddef.h>

struct explain_summary_cause {
	size_t reports;
	const char *example; ///< the first report; lives in the summary
};

/** All zeros is empty. */
struct explain_summary {
	struct intern words;                  ///< the causes
	struct explain_summary_cause *causes; ///< by number of their word
	size_t cap;
	size_t reports;
	struct arena arena;
};

/** Count a report. What is kept of it is copied. */
void explain_summary_add(struct explain_summary *summary,
                         const struct explanation *explanation);

/**
 * The table `explain-causes`: the most frequent first, then by name. It borrows
 * from the summary.
 */
const struct table *explain_summary_table(const struct explain_summary *summary,
                                          struct arena *arena);

void explain_summary_release(struct explain_summary *summary);

#endif
