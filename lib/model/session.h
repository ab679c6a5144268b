// SPDX-License-Identifier: MIT
/**
 * What an app noted of its last session, as plain data: input for the rules
 * that find out why the session ended (apmtool-exit-reason(1)). Parsers fill it
 * in; missing values stay unknown, as distinct from "no".
 */
#ifndef APMTOOL_LIB_MODEL_SESSION_H
#define APMTOOL_LIB_MODEL_SESSION_H

#include "lib/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Events that may have happened. */
enum session_flag {
	SESSION_DEBUGGED,
	SESSION_TESTED,
	SESSION_REINSTALLED,
	SESSION_APP_UPDATED,
	SESSION_OS_UPDATED,
	SESSION_REBOOTED,
	SESSION_CRASHED,
	SESSION_STALLED,
	SESSION_EXITED,
	SESSION_USER_QUIT,
	SESSION_BACKGROUND_LAUNCH,
	SESSION_FLAG_COUNT,
};

/** Values to compare between the session and the next launch. */
enum session_trait {
	SESSION_APP_VERSION,
	SESSION_APP_UUID, ///< of the app's main image
	SESSION_OS_VERSION,
	SESSION_BOOT_TIME,
	SESSION_TRAIT_COUNT,
};

/** The app state when the session ended. */
enum session_state {
	SESSION_STATE_UNKNOWN,
	SESSION_FOREGROUND,
	SESSION_BACKGROUND,
	SESSION_SUSPENDED,
};

/** A stack recorded together with its flag: of a hang, or of memory. */
enum session_stack {
	SESSION_STALL_STACK,
	SESSION_MEMORY_STACK,
	SESSION_STACK_COUNT,
};

struct session {
	size_t index; ///< in its file, from 0; counts unreadable records
	struct {
		bool value;
		bool has_value;
		const char *key; ///< as in the record
	} flags[SESSION_FLAG_COUNT];
	struct {
		const char *then; ///< in the session; or NULL
		const char *now;  ///< at the next launch; or NULL
	} traits[SESSION_TRAIT_COUNT];
	struct {
		const char *key;   ///< as in the record
		const char *first; ///< its first line; NULL: no stack
		size_t count;      ///< lines
	} stacks[SESSION_STACK_COUNT];
	/** Result of the recorder itself: `foom_crash`; or NULL. */
	const char *crash_type;
	int64_t launch_ms; ///< since 1970
	bool has_launch;
	int64_t end_ms; ///< the session had ended by then
	bool has_end;
	enum session_state state;
	const char *state_text; ///< as in the record; or NULL
	const char *app_name;   ///< of its process; or NULL
	const char *session_id; ///< id in its lag reports; or NULL
	uint64_t pid;
	bool has_pid;
	/** Keys that look like flags, but are unknown. */
	const char **unknown_keys;
	size_t unknown_count;
	size_t unknown_cap;
	const char **notes; ///< values that could not be read
	size_t note_count;
	size_t note_cap;
	struct session *next; ///< in the same file
};

/** The records of a file. */
struct session_file {
	struct session *first; ///< linked by next; at least one
	const char **notes;    ///< of the file: `record 2: …`
	size_t note_count;
	size_t note_cap;
	size_t lost; ///< parts that are not a record, each with a note
};

/** The key of a flag in a record: `isCrashed`. */
const char *session_flag_key(enum session_flag flag);
/** Its other key; or NULL. */
const char *session_flag_other_key(enum session_flag flag);
/** The keys of a stack by index, `deadlockStack`; NULL after the last. */
const char *session_stack_key(enum session_stack stack, size_t index);
/** The key of a trait in the session, `appVersion`. */
const char *session_trait_key(enum session_trait trait);
/** The key of a trait at the next launch, `currentAppVersion`. */
const char *session_trait_now_key(enum session_trait trait);

/** Seconds or milliseconds since 1970, or a date. */
bool session_time(const char *text, int64_t *ret_ms);

/** The state named by @p text, ignoring case; else unknown. */
enum session_state session_state_find(const char *text);

#endif
