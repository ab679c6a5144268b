// SPDX-License-Identifier: MIT
/**
 * Finds the process of a session's record among the processes of other files:
 * victims of jetsam logs, processes of crash and lag reports. A few hundred
 * bytes each.
 *
 *     exit_index_add(&index, &(struct exit_process){ .traits = …, … });
 *     match = exit_index_find(&index, session);
 *     if (match.process)
 *             … match.process->evidence
 */
#ifndef APMTOOL_LIB_ANALYSIS_SESSION_PROCESS_INDEX_H
#define APMTOOL_LIB_ANALYSIS_SESSION_PROCESS_INDEX_H

#include "lib/base/arena.h"
#include "lib/base/uuid.h"
#include "lib/model/jetsam_answer.h"
#include "lib/model/report.h"
#include "lib/model/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Identifying properties of a process; some may be unknown. */
enum exit_trait {
	EXIT_TRAIT_PID = 1 << 0,
	EXIT_TRAIT_UUID = 1 << 1,
	EXIT_TRAIT_NAME = 1 << 2,
	EXIT_TRAIT_SESSION = 1 << 3,
	EXIT_TRAIT_ALL = 15,
};

struct exit_process {
	unsigned traits; ///< known ones
	uint64_t pid;
	struct uuid uuid;
	const char *name;
	const char *session_id;
	int64_t time_ms; ///< of its file
	bool has_time;
	const char *path;     ///< of its file
	const char *evidence; ///< process and file, for people
	// For a kill:
	enum jetsam_app_state app_state;
	bool was_suspended;
	// For a crash report:
	unsigned reason; ///< enum exit_reason
	bool is_guess;   ///< found at the next launch
	size_t order;    ///< set by exit_index_add()
};

struct exit_key;

/** All zeros is empty. */
struct exit_index {
	struct arena arena;
	struct exit_key *keys; ///< several for each process
	size_t count;
	size_t cap;
	size_t process_count;
	/** Without dates, the last one added is the newest. */
	bool is_in_order;
	bool is_sorted;
};

void exit_index_release(struct exit_index *index);

/** Add a process; copies its strings. */
void exit_index_add(struct exit_index *index,
                    const struct exit_process *process);

struct exit_match {
	const struct exit_process *process; ///< the newest; or NULL
	unsigned traits;                    ///< common properties
	size_t count;                       ///< number of matches
	/** It ended within the session's time. */
	bool is_in_session;
};

/**
 * The processes that agree with @p session in all properties that both have;
 * with a UUID the name need not agree, with a session id nothing else.
 * Processes with only the name in common count if there are no others.
 * Processes with a time outside of the session do not match.
 */
struct exit_match exit_index_find(struct exit_index *index,
                                  const struct session *session);

/**
 * Does the match override an answer? A name alone, which many sessions share,
 * does not override a stated cause, unless the time matches.
 */
bool exit_match_counts(const struct exit_match *match, bool is_stated);
/** Ids are reused, and a build has many sessions: is the match uncertain? */
bool exit_match_is_likely(const struct exit_match *match);
/** `; 2 logs match, this is the newest`, or "". */
const char *exit_match_others(const struct exit_match *match,
                              struct arena *arena);

/** The traits of the process in the record. */
unsigned exit_session_traits(const struct session *session);

/** All processes, without a common trait; for a record without traits. */
struct exit_match exit_index_newest(const struct exit_index *index);

/** The UUID of the main executable; false if it is not listed. */
bool exit_main_uuid(const struct report *report, struct uuid *ret);

/** `pid and UUID`; NULL for no traits. */
const char *exit_traits_name(unsigned traits);

#endif
