// SPDX-License-Identifier: MIT
#include "lib/darwin/terminations.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define ADVICE_LIBRARY                                                      \
	"check that the library is embedded in the app, signed, and found " \
	"on a runpath; look at the message of the dynamic linker"
#define ADVICE_BACKGROUND \
	"finish or end background tasks in time, in the expiration handler"
#define ADVICE_EXEC                                                           \
	"check that the file of the program is complete, for this processor " \
	"and system, and signed; then install it again"
#define ADVICE_SIGNATURE                                                 \
	"check the signature of the app and of its frameworks, and the " \
	"provisioning profile of the device"

/** The code has one meaning in all namespaces. */
#define ANY_SPACE "*"

// The magic numbers are Apple's (documentation of termination reasons); their
// namespace is that of the process manager, or missing.
static const struct termination_code codes[] = {
	{ NULL, 0x8badf00d, TERMINATION_WATCHDOG,
	  "the app did not respond in time, and the watchdog ended it",
	  "take work off the main thread", NULL },
	{ ANY_SPACE, 0xc00010ff, TERMINATION_THERMAL,
	  "the device was too hot, and the system ended the app",
	  "look for what uses CPU and GPU over long times", NULL },
	{ NULL, 0xdead10cc, TERMINATION_FILE_LOCK,
	  "it held a file lock or an SQLite database lock while it was being "
	  "suspended",
	  "finish transactions in a background task before suspension, or "
	  "move the file out of the shared container",
	  NULL },
	{ NULL, 0xbaadca11, TERMINATION_VOIP,
	  "it got a VoIP push and did not report a call to CallKit",
	  "report each VoIP push as an incoming call", NULL },
	{ NULL, 0xbad22222, TERMINATION_VOIP,
	  "it is a VoIP app that was resumed too often",
	  "reduce the wakeups of its sockets, or use VoIP pushes", NULL },
	{ NULL, 0xbaddd15c, TERMINATION_DISK_SPACE,
	  "the system removed its caches to free storage",
	  "check that the app works when its caches are gone, and does not "
	  "fill the storage itself",
	  NULL },
	{ NULL, 0xdeadfa11, TERMINATION_FORCE_QUIT,
	  "the user forced it to quit",
	  "check whether it responded: users force what hangs to quit", NULL },
	{ NULL, 0xbaaaaaad, TERMINATION_STACKSHOT,
	  "a record of all stacks was made; nothing ended", NULL, NULL },
	{ NULL, 0xc51bad01, TERMINATION_BACKGROUND,
	  "a background task of a watch app used too much CPU time",
	  "do less work in the background", NULL },
	{ NULL, 0xc51bad02, TERMINATION_BACKGROUND,
	  "a background task of a watch app was not done in time",
	  ADVICE_BACKGROUND, NULL },
	{ NULL, 0xc51bad03, TERMINATION_BACKGROUND,
	  "a background task of a watch app was not done in time because the "
	  "system was busy",
	  "this is probably not the fault of the app", NULL },
	{ NULL, 0x2182bad2, TERMINATION_BACKGROUND,
	  "a background task took too long", ADVICE_BACKGROUND, NULL },
	{ NULL, 0x2182bad3, TERMINATION_BACKGROUND,
	  "a background URL session took too long", ADVICE_BACKGROUND, NULL },
	{ NULL, 0x2182bad4, TERMINATION_BACKGROUND,
	  "a background fetch took too long", ADVICE_BACKGROUND, NULL },
	// Seen with its explanation in reports: insecure drawing while locked.
	{ NULL, 0x2bad45ec, TERMINATION_SECURITY,
	  "it violated a security policy of the system",
	  "read what the system says beside the code: it names what the app "
	  "was not permitted to do",
	  NULL },
	{ "CODESIGNING", 1, TERMINATION_CODE_SIGNATURE,
	  "its code signature was refused (taskgated: invalid signature)",
	  ADVICE_SIGNATURE, "taskgated invalid signature" },
	{ "CODESIGNING", 2, TERMINATION_CODE_SIGNATURE,
	  "a page of its code does not match the signature (invalid page)",
	  "check whether the file was changed or replaced while in use, or "
	  "code is modified at runtime",
	  "invalid page" },
	{ "CODESIGNING", 3, TERMINATION_CODE_SIGNATURE,
	  "the code signature did not permit access to a task port",
	  ADVICE_SIGNATURE, "task access port" },
	{ "CODESIGNING", 4, TERMINATION_CODE_SIGNATURE,
	  "it was launched in a way that its launch constraints forbid",
	  ADVICE_SIGNATURE, "launch constraint violation" },
	{ "DYLD", 1, TERMINATION_DYLD, "a library is missing", ADVICE_LIBRARY,
	  "library missing" },
	{ "DYLD", 2, TERMINATION_DYLD, "a library is for another architecture",
	  ADVICE_LIBRARY, "wrong architecture" },
	{ "DYLD", 3, TERMINATION_DYLD, "a library has the wrong version",
	  ADVICE_LIBRARY, "wrong version" },
	{ "DYLD", 4, TERMINATION_DYLD, "a symbol is missing in a library",
	  "check that app and libraries were built together, and the minimum "
	  "system version",
	  "symbol missing" },
	{ "DYLD", 5, TERMINATION_DYLD,
	  "the code signature of a library is not valid", ADVICE_SIGNATURE,
	  "code signature" },
	{ "DYLD", 6, TERMINATION_DYLD,
	  "the sandbox does not permit a library to be read", ADVICE_LIBRARY,
	  "file system sandbox" },
	{ "DYLD", 7, TERMINATION_DYLD, "a Mach-O file is malformed",
	  ADVICE_LIBRARY, "malformed mach-o" },
	{ "DYLD", 9, TERMINATION_DYLD,
	  "the dynamic linker failed for another reason", ADVICE_LIBRARY,
	  NULL },
	{ "EXEC", 1, TERMINATION_EXEC, "its Mach-O file is not valid",
	  ADVICE_EXEC, "bad mach-o" },
	{ "EXEC", 2, TERMINATION_EXEC, "its user could not be set", ADVICE_EXEC,
	  NULL },
	{ "EXEC", 3, TERMINATION_EXEC, "its thread state could not be set",
	  ADVICE_EXEC, NULL },
	{ "EXEC", 4, TERMINATION_EXEC, "its stack could not be allocated",
	  ADVICE_EXEC, NULL },
	{ "EXEC", 7, TERMINATION_EXEC,
	  "the dynamic linker's arguments could not be copied", ADVICE_EXEC,
	  NULL },
	{ "EXEC", 8, TERMINATION_EXEC, "a security policy forbids it",
	  ADVICE_EXEC, "security policy" },
	{ "EXEC", 10, TERMINATION_EXEC, "FairPlay could not decrypt it",
	  ADVICE_EXEC, "fairplay decrypt" },
	{ "EXEC", 11, TERMINATION_EXEC, "it could not be decrypted",
	  ADVICE_EXEC, NULL },
	{ "TCC", 0, TERMINATION_PRIVACY,
	  "it accessed private data without the right to",
	  "add the usage description of that data (a key "
	  "NS…UsageDescription) to Info.plist",
	  NULL },
};

static const struct termination_space spaces[] = {
	{ "JETSAM", "the kernel's memory manager", true, TERMINATION_OTHER,
	  NULL },
	{ "SIGNAL", "a signal", true, TERMINATION_OTHER, NULL },
	{ "CODESIGNING", "code signing", true, TERMINATION_CODE_SIGNATURE,
	  ADVICE_SIGNATURE },
	{ "HANGTRACER", "the tracer of hangs", false, TERMINATION_OTHER, NULL },
	{ "DYLD", "the dynamic linker", true, TERMINATION_DYLD,
	  ADVICE_LIBRARY },
	{ "LIBXPC", "the XPC library", true, TERMINATION_OTHER, NULL },
	{ "OBJC", "the Objective-C runtime", true, TERMINATION_OTHER, NULL },
	{ "EXEC", "the start of a program", true, TERMINATION_EXEC,
	  ADVICE_EXEC },
	{ "SPRINGBOARD", "the system's app manager", false, TERMINATION_OTHER,
	  NULL },
	{ "FRONTBOARD", "the system's app manager", false, TERMINATION_OTHER,
	  NULL },
	{ "TCC", "the guard of private data", true, TERMINATION_PRIVACY, NULL },
	{ "RUNNINGBOARD", "the manager of running processes", false,
	  TERMINATION_OTHER, NULL },
	{ "ASSERTIOND", "the manager of running processes", false,
	  TERMINATION_OTHER, NULL },
	{ "LIBSYSTEM", "the system library", true, TERMINATION_OTHER, NULL },
	{ "FOUNDATION", "Foundation", true, TERMINATION_OTHER, NULL },
	{ "WATCHDOG", "the watchdog", false, TERMINATION_OTHER, NULL },
	{ "METAL", "Metal", true, TERMINATION_OTHER, NULL },
	{ "WATCHKIT", "WatchKit", false, TERMINATION_OTHER, NULL },
	{ "GUARD", "the kernel's guards", true, TERMINATION_OTHER, NULL },
	{ "SANDBOX", "the sandbox", true, TERMINATION_OTHER, NULL },
	{ "SECURITY", "the security framework", true, TERMINATION_OTHER, NULL },
	{ "ENDPOINTSECURITY", "endpoint security", true, TERMINATION_OTHER,
	  NULL },
	{ "PAC_EXCEPTION", "pointer authentication", true, TERMINATION_OTHER,
	  NULL },
	{ "PORT_SPACE", "the limit of Mach ports", true, TERMINATION_OTHER,
	  NULL },
	{ "WEBKIT", "WebKit", true, TERMINATION_OTHER, NULL },
	{ "ROSETTA", "Rosetta", true, TERMINATION_OTHER, NULL },
};

#define COUNT_OF(table) (sizeof(table) / sizeof(*(table)))

const struct termination_space *termination_space_find(const char *name)
{
	for (size_t i = 0; name && i < COUNT_OF(spaces); i++)
		if (!strcmp(spaces[i].name, name))
			return &spaces[i];
	return NULL;
}

/** Is a code of @p space one of these? */
static bool is_within(const struct termination_code *code, const char *space)
{
	const struct termination_space *known = termination_space_find(space);

	if (!code->space)
		return !known || !known->has_own_codes;
	return !strcmp(code->space, ANY_SPACE) ||
	       (space && !strcmp(code->space, space));
}

const struct termination_code *termination_code_find(const char *space,
                                                     uint64_t code)
{
	for (size_t i = 0; i < COUNT_OF(codes); i++)
		if (codes[i].code == code && is_within(&codes[i], space))
			return &codes[i];
	return NULL;
}

static bool holds(const char *text, const char *words)
{
	size_t size = strlen(words);

	for (; *text; text++)
		if (!strncasecmp(text, words, size))
			return true;
	return false;
}

const struct termination_code *termination_code_of_words(const char *space,
                                                         const char *words)
{
	for (size_t i = 0; space && words && i < COUNT_OF(codes); i++)
		if (codes[i].words && codes[i].space &&
		    !strcmp(codes[i].space, space) &&
		    holds(words, codes[i].words))
			return &codes[i];
	return NULL;
}
