// SPDX-License-Identifier: MIT
/**
 * Analyses a jetsam log: units, victims, thresholds, ranking, and a verdict of
 * a few lines (lib/model/jetsam_answer.h). The log is not changed.
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

/** Orders of the list of processes, for an option. */
#define JETSAM_SORTS "pages|lifetime|name|age|cpu|fds|pid"

struct jetsam_view {
	size_t top;                  ///< max processes to show; 0: all
	unsigned sort;               ///< of JETSAM_SORTS
	const struct limits *limits; ///< of devices; or NULL
};

/**
 * Analyse the log of @p report; the result is in the arena and linked from the
 * report. Assumptions become notes of the report.
 */
const struct jetsam_answer *jetsam_analyse(struct report *report,
                                           struct arena *arena,
                                           const struct jetsam_view *view);

/**
 * Does the limit of this victim differ from the collected one? False for other
 * than foreground apps, and without a limit.
 */
bool jetsam_disagrees(const struct jetsam_victim *victim,
                      const struct jetsam_reference *reference);

#endif
