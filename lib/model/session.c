#include "lib/model/session.h"

#include "lib/base/text.h"

// Keys of the founding articles' foomDict (formats.md 12) where it has one;
// the others follow its manner.

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
	return flag == SESSION_BACKGROUND_LAUNCH ? "\u540e\u53f0\u542f\u52a8"
	                                         : NULL;
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
