/**
 * Why the last session ended: by elimination, as formats.md 9.7 orders it.
 * What remains when all known causes are ruled out is a suspicion, not a
 * finding: such a verdict is "likely". A jetsam log that names the process as
 * killed is a finding, and overrides the rule.
 *
 *     for (each log)
 *             exit_kills_add(&kills, log, path);
 *     for (each session) {
 *             exit_reason_of_session(session, &arena, &answer);
 *             exit_reason_use_logs(session, &kills, &arena, &answer);
 *     }
 */
#ifndef APMTOOL_LIB_ANALYSIS_SESSION_EXIT_REASON_H
#define APMTOOL_LIB_ANALYSIS_SESSION_EXIT_REASON_H

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
	EXIT_REASON_STALL_KILL,
	EXIT_REASON_EXIT,
	EXIT_REASON_USER_QUIT,
	EXIT_REASON_FOOM, ///< killed for memory in the foreground
	EXIT_REASON_BOOM, ///< in the background
	EXIT_REASON_SUSPENDED_KILL,
};

struct exit_answer {
	enum exit_reason reason;
	/** Nothing but elimination, a name or an id, or one of several logs. */
	bool likely;
	bool settled;         ///< the record itself names the cause
	const char *evidence; ///< fields and values, for people
};

/** `crash`, `user quit`, `FOOM`, … */
const char *exit_reason_name(enum exit_reason reason);

/** By elimination; the evidence lives in the arena. */
void exit_reason_of_session(const struct session *session, struct arena *arena,
                            struct exit_answer *ret);

struct exit_key;

/** Whom jetsam logs have killed; all zeros is nobody. */
struct exit_kills {
	struct arena arena;
	struct exit_key *keys; ///< several of each kill
	size_t count;
	size_t cap;
	size_t kill_count;
	struct intern incidents; ///< of logs: a copy adds nothing
	bool is_sorted;
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

#endif
