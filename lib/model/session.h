// SPDX-License-Identifier: MIT
/**
 * What an app noted of its last session, as plain data: the input of the rule
 * that says why the session ended (formats.md 9.7). Parsers fill it in; what
 * the record does not say stays unknown, which is not the same as "no".
 */
#ifndef APMTOOL_LIB_MODEL_SESSION_H
#define APMTOOL_LIB_MODEL_SESSION_H

#include "lib/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What may have happened to the session. */
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

/** What the next launch compares with what the session had. */
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

/** A stack that the recorder kept with its mark: of a hang, or of memory. */
enum session_stack {
	SESSION_STALL_STACK,
	SESSION_MEMORY_STACK,
	SESSION_STACK_COUNT,
};

struct session {
	size_t index; ///< in its file, from 0; what is lost counts
	struct {
		bool value;
		bool has_value;
		const char *key; ///< as the record has it
	} flags[SESSION_FLAG_COUNT];
	struct {
		const char *then; ///< in the session; NULL: not said
		const char *now;  ///< at the next launch; NULL: not said
	} traits[SESSION_TRAIT_COUNT];
	struct {
		const char *key;   ///< as the record has it
		const char *first; ///< its first line; NULL: no stack
		size_t count;      ///< lines
	} stacks[SESSION_STACK_COUNT];
	/** What the recorder itself made of it: `foom_crash`; NULL: not said.
	 */
	const char *crash_type;
	int64_t launch_ms; ///< since 1970
	bool has_launch;
	int64_t end_ms; ///< by then it was over
	bool has_end;
	enum session_state state;
	const char *state_text; ///< as the record has it; NULL: not said
	const char *app_name;   ///< of its process; NULL: not said
	const char *session_id; ///< that its lag reports have; NULL: not said
	uint64_t pid;
	bool has_pid;
	/** Keys that look like flags, and are none that is known. */
	const char **unknown_keys;
	size_t unknown_count;
	size_t unknown_cap;
	const char **notes; ///< what could not be read
	size_t note_count;
	size_t note_cap;
	struct session *next; ///< of the same file
};

/** The records of a file. */
struct session_file {
	struct session *first; ///< linked by next; at least one
	const char **notes;    ///< of the file: `record 2: …`
	size_t note_count;
	size_t note_cap;
	size_t lost; ///< pieces of it that are no record, each with a note
};

/** The key of a record that says so: `isCrashed`. */
const char *session_flag_key(enum session_flag flag);
/** The same flag under another name; NULL: it has none. */
const char *session_flag_other_key(enum session_flag flag);
/** A key of a stack, from 0, `deadlockStack`; NULL: it has no more. */
const char *session_stack_key(enum session_stack stack, size_t index);
/** The key of what the session had, `appVersion`. */
const char *session_trait_key(enum session_trait trait);
/** The key of what the next launch has, `currentAppVersion`. */
const char *session_trait_now_key(enum session_trait trait);

/** Seconds or milliseconds since 1970, or a date. */
bool session_time(const char *text, int64_t *ret_ms);

/** The state that @p text names, in any case; unknown where it names none. */
enum session_state session_state_find(const char *text);

#endif
