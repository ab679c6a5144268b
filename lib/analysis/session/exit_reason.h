// SPDX-License-Identifier: MIT
/**
 * Why the last session ended: by elimination, as formats.md 9.7 orders it.
 * What remains when all known causes are ruled out is a suspicion, not a
 * finding: such a verdict is "likely", and so is one that a record states, but
 * that does not say whether a cause before it applies. A jetsam log that names
 * the process as killed is a finding, and overrides the rule; so is a crash
 * report of the process (crash_reports.h).
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
	EXIT_REASON_BACKGROUND_LAUNCH, ///< the user never saw it
	EXIT_REASON_STALL_KILL,
	EXIT_REASON_FOOM, ///< killed for memory in the foreground
	EXIT_REASON_BOOM, ///< in the background
	EXIT_REASON_SUSPENDED_KILL,
	EXIT_REASON_SYSTEM_KILL, ///< for what is neither memory nor a stall
};

struct exit_answer {
	enum exit_reason reason;
	/**
	 * Elimination, some cause is not ruled out, a name or an id, or one of
	 * several logs.
	 */
	bool likely;
	bool settled;         ///< the record itself names the cause
	bool is_reported;     ///< a crash report does
	const char *evidence; ///< fields and values, for people
	/** The file of the lag report that ended it; NULL: none is known. */
	const char *stalled_to_death;
};

/** `crash`, `user quit`, `FOOM`, … */
const char *exit_reason_name(enum exit_reason reason);

/** The reason of a kill for memory, by the state that the record has. */
enum exit_reason exit_reason_of_state(const struct session *session);

/** By elimination; the evidence lives in the arena. */
void exit_reason_of_session(const struct session *session, struct arena *arena,
                            struct exit_answer *ret);

/** Whom jetsam logs have killed; all zeros is nobody. */
struct exit_kills {
	struct exit_index victims;
	struct intern incidents; ///< of logs: a copy adds nothing
};

/**
 * Add the victims of an analysed log, by a few hundred bytes each; nothing of
 * the log itself is kept.
 *
 * @param path  For the evidence; copied.
 */
void exit_kills_add(struct exit_kills *kills, const struct report *log,
                    const char *path);

void exit_kills_release(struct exit_kills *kills);

/**
 * Let logs override @p answer, if one says that this process was killed: the
 * same pid and UUID, as far as both have them, or at least the same name, which
 * leaves a settled answer alone. A pid or a name alone is "likely" only, and so
 * is one of several logs: of those the newest counts, for the record is of the
 * last session, or the first that was added where none has a date.
 *
 * @return Whether one did.
 */
bool exit_reason_use_logs(const struct session *session,
                          struct exit_kills *kills, struct arena *arena,
                          struct exit_answer *answer);

/** Is it a lag report, as far as this module is concerned? */
bool exit_lags_take(const struct report *report);

/** Add a lag report: its process, its time, and where it is; no more. */
void exit_lags_add(struct exit_index *lags, const struct report *report,
                   const char *path);

/**
 * Add a lag report that is one of many in a file, and says no more of its
 * process.
 *
 * @param line         Where it begins in the file.
 * @param session_id   NULL: not said.
 * @param app          `Demo 2.1 (210)`; NULL: not said.
 */
void exit_lags_add_line(struct exit_index *lags, const char *path, size_t line,
                        const char *session_id, const char *app);

/**
 * Mark the last lag report of a session that ended in a stall: it is of the
 * hang that the session was killed in.
 *
 * @param is_only_record  A record that does not identify its session is then
 *                        taken to be the one that the lag reports are of.
 */
void exit_reason_mark_lag(const struct session *session,
                          struct exit_index *lags, bool is_only_record,
                          struct arena *arena, struct exit_answer *answer);

#endif
