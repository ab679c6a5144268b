// SPDX-License-Identifier: MIT
/**
 * Crash reports as evidence of how a session ended: the system's, and KSCrash's
 * reports at the next launch. lib/analysis/crash/explain interprets them.
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

/** Can it show how a process ended? */
bool exit_reports_take(const struct report *report);

/**
 * Add the process, reason, time and place of a report that shows how its
 * process ended.
 *
 * @param functions  Meaning of frames; or NULL.
 */
void exit_reports_add(struct exit_index *index, const struct report *report,
                      struct crash_functions *functions, const char *path,
                      struct arena *arena);

/**
 * Let a report of this process override @p answer, as in
 * exit_reason_use_logs().
 *
 * @return Did one override it?
 */
bool exit_reason_use_reports(const struct session *session,
                             struct exit_index *index, struct arena *arena,
                             struct exit_answer *answer);

#endif
