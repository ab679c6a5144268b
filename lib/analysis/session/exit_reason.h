// SPDX-License-Identifier: MIT
/**
 * Why the last session ended, by elimination (apmtool-exit-reason(1)). The
 * cause that remains is a suspicion: such a verdict is "likely". So is a cause
 * in a record that does not rule out an earlier cause in the order. A jetsam
 * log with the process as victim is proof and overrides the elimination, and so
 * is a crash report of the process (crash_reports.h).
 *
 *     for (each log)
 *             exit_kills_add(&kills, log, path);
 *     for (each session) {
 *             exit_reason_of_session(session, &arena, &answer);
 *             exit_reason_use_reports(session, &reports, &arena, &answer);
 *             exit_reason_use_logs(session, &kills, &arena, &answer);
 *             exit_reason_mark_lag(session, &lags, false, &arena, &answer);
 *     }
 */
#ifndef APMTOOL_LIB_ANALYSIS_SESSION_EXIT_REASON_H
#define APMTOOL_LIB_ANALYSIS_SESSION_EXIT_REASON_H

#include "lib/analysis/session/process_index.h"
#include "lib/base/arena.h"
#include "lib/base/intern.h"
#include "lib/model/report.h"
#include "lib/model/session.h"

#include <stdbool.h>

enum exit_reason {
	EXIT_REASON_UNKNOWN,
	EXIT_REASON_UPDATE,
	EXIT_REASON_OS_UPDATE,
	EXIT_REASON_REBOOT,
	EXIT_REASON_CRASH,
	EXIT_REASON_USER_QUIT,
	EXIT_REASON_EXIT,
	EXIT_REASON_BACKGROUND_LAUNCH, ///< invisible to the user
	EXIT_REASON_STALL_KILL,
	EXIT_REASON_FOOM, ///< killed for memory in the foreground
	EXIT_REASON_BOOM, ///< in the background
	EXIT_REASON_SUSPENDED_KILL,
	EXIT_REASON_SYSTEM_KILL, ///< for other than memory or a hang
};

struct exit_answer {
	enum exit_reason reason;
	/**
	 * By elimination, or with a cause not ruled out, by name or id only, or
	 * from one of several logs.
	 */
	bool likely;
	bool is_stated;       ///< the record itself has the cause
	bool is_reported;     ///< a crash report has the cause
	const char *evidence; ///< fields and values, for people
	/** File of the lag report of the fatal hang; or NULL. */
	const char *stalled_to_death;
};

/** `crash`, `user quit`, `FOOM`, … */
const char *exit_reason_name(enum exit_reason reason);

/** The reason of a kill for memory, by the app state in the record. */
enum exit_reason exit_reason_of_state(const struct session *session);

/** By elimination; the evidence is in the arena. */
void exit_reason_of_session(const struct session *session, struct arena *arena,
                            struct exit_answer *ret);

/** Victims of jetsam logs; all zeros is empty. */
struct exit_kills {
	struct exit_index victims;
	struct intern incidents; ///< of logs, to ignore copies
};

/**
 * Add the victims of an analysed log, a few hundred bytes each; keeps nothing
 * else of it.
 *
 * @param path  For the evidence; copied.
 */
void exit_kills_add(struct exit_kills *kills, const struct report *log,
                    const char *path);

void exit_kills_release(struct exit_kills *kills);

/**
 * Let a log with this process as victim override @p answer: with the same pid
 * and UUID, as far as both have them, or at least the same name, which does not
 * override a stated cause. With only a pid or a name, or with several logs,
 * the result is "likely". Of several logs the newest counts, since the record
 * is of the last session; without dates, the first one added.
 *
 * @return Did one override it?
 */
bool exit_reason_use_logs(const struct session *session,
                          struct exit_kills *kills, struct arena *arena,
                          struct exit_answer *answer);

/** Is it a lag report? */
bool exit_lags_take(const struct report *report);

/** Add process, time and place of a lag report. */
void exit_lags_add(struct exit_index *lags, const struct report *report,
                   const char *path);

/**
 * Add a lag report in a file of many, with little data about its process.
 *
 * @param line         Its first line in the file.
 * @param session_id   Or NULL.
 * @param app          `Demo 2.1 (210)`; or NULL.
 */
void exit_lags_add_line(struct exit_index *lags, const char *path, size_t line,
                        const char *session_id, const char *app);

/**
 * Mark the last lag report of a session that ended in a hang: it is the fatal
 * one.
 *
 * @param is_only_record  Assume that a record without identity belongs to the
 *     lag reports.
 */
void exit_reason_mark_lag(const struct session *session,
                          struct exit_index *lags, bool is_only_record,
                          struct arena *arena, struct exit_answer *answer);

#endif
