// SPDX-License-Identifier: MIT
#include "lib/model/session.h"

#include "lib/base/text.h"
#include "lib/base/timestamp.h"
#include "lib/base/units.h"

// Keys of foomDict (apmtool-formats(5)), if it has one; the others are named
// alike.

const char *session_flag_key(enum session_flag flag)
{
	static const char *const keys[SESSION_FLAG_COUNT] = {
		[SESSION_DEBUGGED] = "isDebugged",
		[SESSION_TESTED] = "isTest",
		[SESSION_REINSTALLED] = "isReinstalled",
		[SESSION_APP_UPDATED] = "isAppUpdated",
		[SESSION_OS_UPDATED] = "isSystemUpdated",
		[SESSION_REBOOTED] = "isRebooted",
		[SESSION_CRASHED] = "isCrashed",
		[SESSION_STALLED] = "isDeadLock",
		[SESSION_EXITED] = "isExit",
		[SESSION_USER_QUIT] = "isUserQuit",
		[SESSION_BACKGROUND_LAUNCH] = "isBackgroundLaunch",
	};

	return keys[flag];
}

const char *session_flag_other_key(enum session_flag flag)
{
	// "Launched in the background", as the articles' rule calls it.
	if (flag == SESSION_BACKGROUND_LAUNCH)
		return "\u540e\u53f0\u542f\u52a8";
	// KSCrash's CrashState.json.
	return flag == SESSION_CRASHED ? "crashedLastLaunch" : NULL;
}

const char *session_stack_key(enum session_stack stack, size_t index)
{
	static const char *const keys[SESSION_STACK_COUNT][2] = {
		[SESSION_STALL_STACK] = { "deadlockStack", "stack_deadlock" },
		[SESSION_MEMORY_STACK] = { "stack_oom" },
	};

	return index < ARRAY_SIZE(keys[0]) ? keys[stack][index] : NULL;
}

static const struct {
	const char *then;
	const char *now;
} trait_keys[SESSION_TRAIT_COUNT] = {
	[SESSION_APP_VERSION] = { "appVersion", "currentAppVersion" },
	[SESSION_APP_UUID] = { "uuid", "currentUuid" },
	[SESSION_OS_VERSION] = { "systemVersion", "currentSystemVersion" },
	[SESSION_BOOT_TIME] = { "bootTime", "currentBootTime" },
};

const char *session_trait_key(enum session_trait trait)
{
	return trait_keys[trait].then;
}

const char *session_trait_now_key(enum session_trait trait)
{
	return trait_keys[trait].now;
}

/** Seconds above this are milliseconds: as seconds, it is the year 5138. */
#define SECONDS_MAX UINT64_C(100000000000)

bool session_time(const char *text, int64_t *ret_ms)
{
	uint64_t ms;

	if (timestamp_parse(text_from(text), ret_ms))
		return true;
	if (!units_read(text_from(text), 1000, SECONDS_MAX * 1000 * 1000, &ms))
		return false;
	if (ms >= SECONDS_MAX * 1000)
		ms /= 1000;
	*ret_ms = (int64_t)ms;
	return true;
}

enum session_state session_state_find(const char *text)
{
	static const struct {
		const char *name;
		enum session_state state;
	} names[] = {
		// Sic: so the articles' recorder spells it.
		{ "APPENTERFORGROUND", SESSION_FOREGROUND },
		{ "APPENTERFOREGROUND", SESSION_FOREGROUND },
		{ "foreground", SESSION_FOREGROUND },
		{ "active", SESSION_FOREGROUND },
		{ "APPENTERBACKGROUND", SESSION_BACKGROUND },
		{ "background", SESSION_BACKGROUND },
		{ "suspended", SESSION_SUSPENDED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_is_nocase(text_from(text), names[i].name))
			return names[i].state;
	return SESSION_STATE_UNKNOWN;
}
