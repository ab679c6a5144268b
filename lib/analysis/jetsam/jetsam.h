/**
 * What a jetsam log means: units, victims, thresholds, ranking, and a verdict
 * in a few lines. Fills in those fields of the model that say so.
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
#include "lib/model/jetsam.h"
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

/** @p report has a log; what is new lives in the arena. */
void jetsam_analyse(struct report *report, struct arena *arena,
                    const struct jetsam_view *view);

/** The lines on top; called by jetsam_analyse() when all else is known. */
void jetsam_judge(struct report *report, struct arena *arena);

/**
 * Does the limit that this victim tells differ from the collected one? That
 * is about apps in front: of others, and without a limit, never.
 */
bool jetsam_disagrees(const struct jetsam_victim *victim,
                      const struct jetsam_hint *hint);

/** Exact to the page: `2098.09375`. Without a unit. */
void jetsam_add_mib(struct str *out, uint64_t bytes);

/** `16 min 40 s`, `1.06 ms`: the two largest units. */
void jetsam_add_duration(struct str *out, uint64_t ms);

#endif
