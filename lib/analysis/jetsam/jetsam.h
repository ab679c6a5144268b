// SPDX-License-Identifier: MIT
/**
 * What a jetsam log means: units, victims, thresholds, ranking, and a verdict
 * in a few lines (lib/model/jetsam_answer.h). The log stays as it was read.
 *
 *     struct jetsam_view view = { .top = 10, .limits = &limits };
 *
 *     jetsam_analyse(report, &arena, &view);
 */
#ifndef APMTOOL_LIB_ANALYSIS_JETSAM_JETSAM_H
#define APMTOOL_LIB_ANALYSIS_JETSAM_JETSAM_H

#include "lib/base/arena.h"
#include "lib/base/str.h"
#include "lib/config/limits.h"
#include "lib/model/jetsam_answer.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Orders of the list of processes, for an option's table. */
#define JETSAM_SORTS "pages|lifetime|name|age|cpu|fds|pid"

struct jetsam_view {
	size_t top;                  ///< so many processes are shown; 0: all
	unsigned sort;               ///< of JETSAM_SORTS
	const struct limits *limits; ///< of devices; NULL: none
};

/**
 * @p report has a log; the answer lives in the arena, and the report refers to
 * it. What had to be assumed becomes a note of the report.
 */
const struct jetsam_answer *jetsam_analyse(struct report *report,
                                           struct arena *arena,
                                           const struct jetsam_view *view);

/**
 * Does the limit of this victim differ from the collected one? That is about
 * foreground apps: of others, and without a limit, never.
 */
bool jetsam_disagrees(const struct jetsam_victim *victim,
                      const struct jetsam_reference *reference);

#endif
