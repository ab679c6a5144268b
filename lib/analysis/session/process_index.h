// SPDX-License-Identifier: MIT
/**
 * The processes that other files are about, to be found by what the record of
 * a session says of its own: the victims of jetsam logs, and the processes of
 * crash and lag reports. A few hundred bytes each.
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

/** What identifies a process: some of these, as far as they are known. */
enum exit_trait {
	EXIT_TRAIT_PID = 1 << 0,
	EXIT_TRAIT_UUID = 1 << 1,
	EXIT_TRAIT_NAME = 1 << 2,
	EXIT_TRAIT_SESSION = 1 << 3,
	EXIT_TRAIT_ALL = 15,
};

struct exit_process {
	unsigned traits; ///< that are known
	uint64_t pid;
	struct uuid uuid;
	const char *name;
	const char *session_id;
	int64_t time_ms; ///< of the file that is about it
	bool has_time;
	const char *path;     ///< of that file
	const char *evidence; ///< the process and the file, for people
	// Of a kill:
	enum jetsam_app_state app_state;
	bool was_suspended;
	// Of a crash report:
	unsigned reason; ///< enum exit_reason
	bool is_guess;   ///< it was made at the next launch
	size_t order;    ///< set by exit_index_add()
};

struct exit_key;

/** All zeros is an index of nothing. */
struct exit_index {
	struct arena arena;
	struct exit_key *keys; ///< several of each process
	size_t count;
	size_t cap;
	size_t process_count;
	/** Without dates, the one that was added last is the newest. */
	bool is_in_order;
	bool is_sorted;
};

void exit_index_release(struct exit_index *index);

/** Add a process; its strings are copied. */
void exit_index_add(struct exit_index *index,
                    const struct exit_process *process);

struct exit_match {
	const struct exit_process *process; ///< the newest; NULL: none
	unsigned traits;                    ///< that it has in common
	size_t count;                       ///< of all that match
	/** It ended within the time that the record gives for its session. */
	bool is_in_session;
};

/**
 * The processes that agree with @p session in all traits that both have; a
 * UUID makes the name needless, the id of the session all else. Those that
 * have but the name in common count only where there are no others. One with a
 * time that is not the session's, as far as the record gives it, is of another.
 */
struct exit_match exit_index_find(struct exit_index *index,
                                  const struct session *session);

/**
 * Does the match outweigh an answer? Of one name there are many sessions: a
 * name alone leaves a settled answer alone, unless the time fits.
 */
bool exit_match_counts(const struct exit_match *match, bool is_settled);
/** Ids are given out again, and a build has many sessions. */
bool exit_match_is_likely(const struct exit_match *match);
/** `; 2 logs match, this is the newest`, or nothing. */
const char *exit_match_others(const struct exit_match *match,
                              struct arena *arena);

/** What the record says of its process: traits. */
unsigned exit_session_traits(const struct session *session);

/** All of them, with no trait in common; for a record that has none. */
struct exit_match exit_index_newest(const struct exit_index *index);

/** The main executable's; false where it is not listed. */
bool exit_main_uuid(const struct report *report, struct uuid *ret);

/** `pid and UUID`; of no traits NULL. */
const char *exit_traits_name(unsigned traits);

#endif
