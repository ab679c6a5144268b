// SPDX-License-Identifier: MIT
/**
 * Memory limits from other evidence than a kill: measurements of an app, the
 * kernel's priority list, EXC_RESOURCE (lib/model/memory_limit.h).
 *
 *     if (jetsam_has_evidence(report)) {
 *             jetsam_take_evidence(report, &arena);
 *             page = jetsam_evidence_page(report, for_people, &arena);
 *     }
 */
#ifndef APMTOOL_LIB_ANALYSIS_JETSAM_EVIDENCE_H
#define APMTOOL_LIB_ANALYSIS_JETSAM_EVIDENCE_H

#include "lib/base/arena.h"
#include "lib/model/page.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Does a report other than a jetsam log have evidence of a memory limit? */
bool jetsam_has_evidence(const struct report *report);

/**
 * Did a reporter (KSCrash) find at the next launch that the app was killed for
 * memory?
 */
bool jetsam_is_termination(const struct report *report);

/** Convert it to the excerpt of a jetsam log, with the app as victim. */
void jetsam_take_termination(struct report *report, struct arena *arena);

/** Add evidence from its exception. */
void jetsam_take_evidence(struct report *report, struct arena *arena);

/** Is this the limit of a foreground app? Only for a priority list. */
bool jetsam_evidence_is_foreground(const struct report *report,
                                   const struct memory_limit *limit);

/** A page of its limits, after jetsam_take_evidence(). */
struct page *jetsam_evidence_page(const struct report *report, bool for_people,
                                  struct arena *arena);

#endif
