/**
 * Why the last session ended: by elimination, as formats.md 9.7 orders it.
 * What remains when all known causes are ruled out is a suspicion, not a
 * finding: such a verdict is "likely". A jetsam log that names the process as
 * killed is a finding, and overrides the rule.
 *
 *     exit_reason_of_session(session, &arena, &answer);
 *     for (each log)
 *             exit_reason_heed_log(session, log, &arena, &answer);
 */
#ifndef APMTOOL_LIB_ANALYSIS_EXIT_REASON_H
#define APMTOOL_LIB_ANALYSIS_EXIT_REASON_H

#include "lib/base/arena.h"
#include "lib/model/jetsam.h"
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
	bool likely;          ///< nothing but elimination speaks for it
	const char *evidence; ///< fields and values, for people
};

/** `crash`, `user quit`, `FOOM`, … */
const char *exit_reason_name(enum exit_reason reason);

/** By elimination; the evidence lives in the arena. */
void exit_reason_of_session(const struct session *session, struct arena *arena,
                            struct exit_answer *ret);

/**
 * Let an analysed log override @p answer, if it says that this process was
 * killed: the same pid, the same UUID, or at least the same name, and none of
 * these another.
 *
 * @return Whether it did.
 */
bool exit_reason_heed_log(const struct session *session,
                          const struct jetsam *log, struct arena *arena,
                          struct exit_answer *answer);

#endif
