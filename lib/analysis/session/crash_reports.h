// SPDX-License-Identifier: MIT
/**
 * Crash reports as evidence of how a session ended: those of the system, and
 * what KSCrash writes at the next launch of a process that is gone. What they
 * mean is lib/analysis/crash/explain's to say.
 *
 *     if (exit_reports_take(report))
 *             exit_reports_add(&index, report, &functions, path, &arena);
 *     …
 *     exit_reason_use_reports(session, &index, &arena, &answer);
 */
#ifndef APMTOOL_LIB_ANALYSIS_SESSION_CRASH_REPORTS_H
#define APMTOOL_LIB_ANALYSIS_SESSION_CRASH_REPORTS_H

#include "lib/analysis/session/exit_reason.h"

struct crash_functions;

/** May it say how a process ended? */
bool exit_reports_take(const struct report *report);

/**
 * Add a report, where it says how its process ended: the process, the reason,
 * its time, and where it is; no more.
 *
 * @param functions  What frames mean; NULL: not known.
 */
void exit_reports_add(struct exit_index *index, const struct report *report,
                      struct crash_functions *functions, const char *path,
                      struct arena *arena);

/**
 * Let reports override @p answer, if one is of this process, as
 * exit_reason_use_logs() does.
 *
 * @return Whether one did.
 */
bool exit_reason_use_reports(const struct session *session,
                             struct exit_index *index, struct arena *arena,
                             struct exit_answer *answer);

#endif
