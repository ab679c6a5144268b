// SPDX-License-Identifier: MIT
/**
 * Summarizes many explanations in a table: each cause with its number of
 * reports and the first of them.
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
	const char *example; ///< the first report; owned by the summary
};

/** All zeros is empty. */
struct explain_summary {
	struct intern words;                  ///< names of causes
	struct explain_summary_cause *causes; ///< by number of their word
	size_t cap;
	size_t reports;
	struct arena arena;
};

/** Count a report; copies what it keeps. */
void explain_summary_add(struct explain_summary *summary,
                         const struct explanation *explanation);

/**
 * The table `explain-causes`: most frequent first, then by name. Borrows from
 * the summary.
 */
const struct table *explain_summary_table(const struct explain_summary *summary,
                                          struct arena *arena);

void explain_summary_release(struct explain_summary *summary);

#endif
