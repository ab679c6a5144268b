#include "lib/darwin/terminations.h"

#include <stddef.h>
#include <string.h>

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

// The magic numbers are Apple's (documentation of termination reasons); they
// come in the namespace of whoever ended the process, or in none.
static const struct termination_code codes[] = {
	{ NULL, 0x8badf00d, TERMINATION_WATCHDOG,
	  "the app did not respond in time, and the watchdog ended it",
	  "take work off the main thread" },
	{ NULL, 0xc00010ff, TERMINATION_THERMAL,
	  "the device was too hot, and the system ended the app",
	  "look for what uses CPU and GPU over long times" },
	{ NULL, 0xdead10cc, TERMINATION_FILE_LOCK,
	  "it held a file lock or an SQLite database lock while it was being "
	  "suspended",
	  "finish transactions in a background task before suspension, or "
	  "move the file out of the shared container" },
	{ NULL, 0xbaadca11, TERMINATION_VOIP,
	  "it got a VoIP push and did not report a call to CallKit",
	  "report each VoIP push as an incoming call" },
	{ NULL, 0xbad22222, TERMINATION_VOIP,
	  "it is a VoIP app that was resumed too often",
	  "reduce the wakeups of its sockets, or use VoIP pushes" },
	{ NULL, 0xbaddd15c, TERMINATION_DISK_SPACE,
	  "the system removed its caches to free storage",
	  "check that the app works when its caches are gone, and does not "
	  "fill the storage itself" },
	{ NULL, 0xdeadfa11, TERMINATION_FORCE_QUIT,
	  "the user forced it to quit",
	  "check whether it responded: users force what hangs to quit" },
	{ NULL, 0xbaaaaaad, TERMINATION_STACKSHOT,
	  "a record of all stacks was made; nothing ended", NULL },
	{ NULL, 0xc51bad01, TERMINATION_BACKGROUND,
	  "a background task of a watch app used too much CPU time",
	  "do less work in the background" },
	{ NULL, 0xc51bad02, TERMINATION_BACKGROUND,
	  "a background task of a watch app was not done in time",
	  ADVICE_BACKGROUND },
	{ NULL, 0xc51bad03, TERMINATION_BACKGROUND,
	  "a background task of a watch app was not done in time because the "
	  "system was busy",
	  "this is probably not the fault of the app" },
	{ NULL, 0x2182bad2, TERMINATION_BACKGROUND,
	  "a background task took too long", ADVICE_BACKGROUND },
	{ NULL, 0x2182bad3, TERMINATION_BACKGROUND,
	  "a background URL session took too long", ADVICE_BACKGROUND },
	{ NULL, 0x2182bad4, TERMINATION_BACKGROUND,
	  "a background fetch took too long", ADVICE_BACKGROUND },
	// Seen with its explanation in reports: insecure drawing while locked.
	{ NULL, 0x2bad45ec, TERMINATION_SECURITY,
	  "it violated a security policy of the system",
	  "read what the system says beside the code: it names what the app "
	  "was not permitted to do" },
	{ "CODESIGNING", 1, TERMINATION_CODE_SIGNATURE,
	  "its code signature was refused (taskgated: invalid signature)",
	  ADVICE_SIGNATURE },
	{ "CODESIGNING", 2, TERMINATION_CODE_SIGNATURE,
	  "a page of its code does not match the signature (invalid page)",
	  "check whether the file was changed or replaced while in use, or "
	  "code is modified at runtime" },
	{ "CODESIGNING", 3, TERMINATION_CODE_SIGNATURE,
	  "the code signature did not permit access to a task port",
	  ADVICE_SIGNATURE },
	{ "CODESIGNING", 4, TERMINATION_CODE_SIGNATURE,
	  "it was launched in a way that its launch constraints forbid",
	  ADVICE_SIGNATURE },
	{ "DYLD", 1, TERMINATION_DYLD, "a library is missing", ADVICE_LIBRARY },
	{ "DYLD", 2, TERMINATION_DYLD, "a library is for another architecture",
	  ADVICE_LIBRARY },
	{ "DYLD", 3, TERMINATION_DYLD, "a library has the wrong version",
	  ADVICE_LIBRARY },
	{ "DYLD", 4, TERMINATION_DYLD, "a symbol is missing in a library",
	  "check that app and libraries were built together, and the minimum "
	  "system version" },
	{ "DYLD", 5, TERMINATION_DYLD,
	  "the code signature of a library is not valid", ADVICE_SIGNATURE },
	{ "DYLD", 6, TERMINATION_DYLD,
	  "the sandbox does not permit a library to be read", ADVICE_LIBRARY },
	{ "DYLD", 7, TERMINATION_DYLD, "a Mach-O file is malformed",
	  ADVICE_LIBRARY },
	{ "DYLD", 9, TERMINATION_DYLD,
	  "the dynamic linker failed for another reason", ADVICE_LIBRARY },
	{ "EXEC", 1, TERMINATION_EXEC, "its Mach-O file is not valid",
	  ADVICE_EXEC },
	{ "EXEC", 2, TERMINATION_EXEC, "its user could not be set",
	  ADVICE_EXEC },
	{ "EXEC", 3, TERMINATION_EXEC, "its thread state could not be set",
	  ADVICE_EXEC },
	{ "EXEC", 4, TERMINATION_EXEC, "its stack could not be allocated",
	  ADVICE_EXEC },
	{ "EXEC", 7, TERMINATION_EXEC,
	  "the dynamic linker's arguments could not be copied", ADVICE_EXEC },
	{ "EXEC", 8, TERMINATION_EXEC, "a security policy forbids it",
	  ADVICE_EXEC },
	{ "EXEC", 10, TERMINATION_EXEC, "FairPlay could not decrypt it",
	  ADVICE_EXEC },
	{ "EXEC", 11, TERMINATION_EXEC, "it could not be decrypted",
	  ADVICE_EXEC },
	{ "TCC", 0, TERMINATION_PRIVACY,
	  "it accessed private data without the right to",
	  "add the usage description of that data (a key "
	  "NS…UsageDescription) to Info.plist" },
};

const struct termination_code *termination_code_find(const char *space,
                                                     uint64_t code)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (codes[i].code == code &&
		    (!codes[i].space ||
		     (space && !strcmp(codes[i].space, space))))
			return &codes[i];
	return NULL;
}

static const struct {
	const char *space;
	const char *meaning;
} spaces[] = {
	{ "JETSAM", "the kernel's memory manager" },
	{ "SIGNAL", "a signal" },
	{ "CODESIGNING", "code signing" },
	{ "HANGTRACER", "the tracer of hangs" },
	{ "DYLD", "the dynamic linker" },
	{ "LIBXPC", "the XPC library" },
	{ "OBJC", "the Objective-C runtime" },
	{ "EXEC", "the start of a program" },
	{ "SPRINGBOARD", "the system's app manager" },
	{ "FRONTBOARD", "the system's app manager" },
	{ "TCC", "the guard of private data" },
	{ "RUNNINGBOARD", "the manager of running processes" },
	{ "ASSERTIOND", "the manager of running processes" },
	{ "LIBSYSTEM", "the system library" },
	{ "FOUNDATION", "Foundation" },
	{ "WATCHDOG", "the watchdog" },
	{ "METAL", "Metal" },
	{ "WATCHKIT", "WatchKit" },
	{ "GUARD", "the kernel's guards" },
	{ "SANDBOX", "the sandbox" },
	{ "SECURITY", "the security framework" },
	{ "ENDPOINTSECURITY", "endpoint security" },
	{ "PAC_EXCEPTION", "pointer authentication" },
	{ "PORT_SPACE", "the limit of Mach ports" },
	{ "WEBKIT", "WebKit" },
	{ "ROSETTA", "Rosetta" },
};

const char *termination_namespace_meaning(const char *space)
{
	for (size_t i = 0; space && i < sizeof(spaces) / sizeof(*spaces); i++)
		if (!strcmp(spaces[i].space, space))
			return spaces[i].meaning;
	return NULL;
}
