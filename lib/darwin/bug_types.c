// SPDX-License-Identifier: MIT
#include "lib/darwin/bug_types.h"

#include <string.h>

#define SIRI_ABC_TRANSPARENCY                                    \
	"Siri, ABC, transparency",                               \
	        "a log of Siri, AutoBugCapture or transparency", \
	        BUG_BODY_UNKNOWN

// Meanings beyond the names are known from reports only for the first part; the
// others are described by their names.
static const struct bug_type bug_types[] = {
	// Crashes, hangs and resource limits
	{ "9", "Crash", "a crash report", BUG_BODY_CRASH },
	{ "11", "Spin", "a spin report", BUG_BODY_TREE },
	{ "12", "Hang", "a hang report", BUG_BODY_TREE },
	{ "22", "ExcResource", "a resource limit report", BUG_BODY_TREE },
	{ "28", "WatchdogTimeout", "a watchdog timeout report", BUG_BODY_TREE },
	{ "29", "ServiceWatchdogTimeout", "a service watchdog report",
	  BUG_BODY_TREE },
	{ "109", "Crash", "a crash report", BUG_BODY_CRASH },
	{ "142", "SymptomsCPUWakes", "a CPU wakeups report", BUG_BODY_TREE },
	{ "145", "SymptomsIO", "a disk writes report", BUG_BODY_TREE },
	{ "157", "CPUMicroSS", "a CPU microstackshot", BUG_BODY_TREE },
	{ "185", "ExcResource", "a resource limit report", BUG_BODY_CRASH },
	{ "202", "SymptomsCPUUsage", "a CPU usage report", BUG_BODY_TREE },
	{ "206", "SymptomsCPUUsageFatal", "a fatal CPU usage report",
	  BUG_BODY_TREE },
	{ "222", "LongRunloopHang", "a run loop hang report", BUG_BODY_TREE },
	{ "223", "ShortRunloopHang", "a run loop hang report", BUG_BODY_TREE },
	{ "227", "ExcResourceThreads", "a thread limit report", BUG_BODY_JSON },
	{ "228", "ThirdPartyHang", "a hang report", BUG_BODY_TREE },
	{ "308", "OSFault", "a simulated fault report", BUG_BODY_CRASH },
	{ "309", "Crash", "a crash report", BUG_BODY_CRASH },
	{ "310", "MicroRunloopHang", "a run loop hang report", BUG_BODY_TREE },
	{ "327", "ExcResourceThreads", "a thread limit report", BUG_BODY_JSON },
	{ "328", "ThirdPartyHangDeveloper", "a hang report", BUG_BODY_TREE },
	{ "385", "ExcResource", "a resource limit report", BUG_BODY_CRASH },

	// Panics and stackshots
	{ "10", "Panic", "a kernel panic log", BUG_BODY_TEXT },
	{ "110", "Panic", "a kernel panic log", BUG_BODY_TEXT },
	{ "115", "ResetCount", "a reset counter log", BUG_BODY_UNKNOWN },
	{ "151", "ForceReset", "a forced reset log", BUG_BODY_JSON },
	{ "188", "LegacyStackshot", "a stackshot", BUG_BODY_JSON },
	{ "210", "Panic", "a kernel panic log", BUG_BODY_JSON },
	{ "288", "Stackshot", "a stackshot", BUG_BODY_JSON },
	{ "409", "SystemWatchdogCrash", "a system watchdog report",
	  BUG_BODY_JSON },
	{ "410", "AutomationPanic", "a panic log of an automated test",
	  BUG_BODY_JSON },
	{ "509", "TerminatingStackshot", "a stackshot of a termination",
	  BUG_BODY_JSON },

	// Memory
	{ "98", "Jetsam", "a jetsam log", BUG_BODY_JETSAM },
	{ "154", "MemoryGraph", "a memory graph", BUG_BODY_TEXT },
	{ "198", "LegacyJetsam", "a jetsam log", BUG_BODY_JETSAM },
	{ "298", "Jetsam", "a jetsam log", BUG_BODY_JETSAM },
	{ "301", "SystemMemoryReset", "a system memory reset log",
	  BUG_BODY_JSON },

	// Other logs whose bodies are known
	{ "21", "GPURestart", "a GPU restart log", BUG_BODY_TEXT },
	{ "117", "WiFi", "a Wi-Fi log", BUG_BODY_TEXT },
	{ "118", "Bluetooth", "a Bluetooth log", BUG_BODY_TEXT },
	{ "120", "LowBattery", "a low battery log", BUG_BODY_TEXT },
	{ "183", "OTASUpdate", "a software update log", BUG_BODY_TEXT },
	{ "184", "GPURestart", "a GPU restart log", BUG_BODY_TEXT },
	{ "187", "Sandbox", "a sandbox violation report", BUG_BODY_TEXT },
	{ "194", "SURestore", "a restore log", BUG_BODY_TEXT },
	// Seven numbers share this name.
	{ "203", SIRI_ABC_TRANSPARENCY },
	{ "204", SIRI_ABC_TRANSPARENCY },
	{ "208", SIRI_ABC_TRANSPARENCY },
	{ "215", SIRI_ABC_TRANSPARENCY },
	{ "219", SIRI_ABC_TRANSPARENCY },
	{ "226", SIRI_ABC_TRANSPARENCY },
	{ "229", SIRI_ABC_TRANSPARENCY },
	{ "211", "CoreAnalytics", "a CoreAnalytics log", BUG_BODY_JSON_LINES },
	{ "225", "AppStoreTransparency", "an App Store transparency log",
	  BUG_BODY_JSON },
	{ "284", "GPUEvent", "a GPU event log", BUG_BODY_JSON },

	// Known by name only
	{ "13", "ConnectionFailure", "a connection failure log",
	  BUG_BODY_UNKNOWN },
	{ "14", "MessageTracer", "a MessageTracer log", BUG_BODY_UNKNOWN },
	{ "17", "ShutdownStall", "a shutdown stall report", BUG_BODY_TREE },
	{ "18", "AssumptionViolation", "an assumption violation log",
	  BUG_BODY_UNKNOWN },
	{ "20", "xprotect", "an XProtect log", BUG_BODY_UNKNOWN },
	{ "23", "MicroStackShots", "a set of microstackshots", BUG_BODY_TREE },
	{ "24", "SleepWakeFailure", "a sleep-wake failure report",
	  BUG_BODY_TREE },
	{ "25", "WakeupsMonitorViolation", "a CPU wakeups report",
	  BUG_BODY_TREE },
	{ "27", "WirelessDiagnostics", "a wireless diagnostics log",
	  BUG_BODY_UNKNOWN },
	{ "30", "MemoryResource", "a memory limit report", BUG_BODY_UNKNOWN },
	{ "31", "Bridge", "a bridgeOS log", BUG_BODY_UNKNOWN },
	{ "32", "FirmwareIntegrity", "a firmware integrity log",
	  BUG_BODY_UNKNOWN },
	{ "33", "CoreAnalytics", "a CoreAnalytics log", BUG_BODY_JSON_LINES },
	{ "34", "AutoBugCapture", "an AutoBugCapture log", BUG_BODY_UNKNOWN },
	{ "35", "FirmwareIntegrity", "a firmware integrity log",
	  BUG_BODY_UNKNOWN },
	{ "36", "SystemStats", "a system statistics log", BUG_BODY_UNKNOWN },
	{ "44", "IOMicroStackShot", "a disk writes microstackshot",
	  BUG_BODY_TREE },
	{ "50", "DifferentialPrivacy", "a differential privacy log",
	  BUG_BODY_UNKNOWN },
	{ "116", "System", "a system log", BUG_BODY_UNKNOWN },
	{ "119", "General", "a general log", BUG_BODY_UNKNOWN },
	{ "141", "IOPowerSources", "a power sources log", BUG_BODY_UNKNOWN },
	{ "143", "SCPMotion", "a motion log", BUG_BODY_UNKNOWN },
	{ "144", "HotSpotIOMicroSS", "a disk writes microstackshot",
	  BUG_BODY_TREE },
	{ "149", "MultitouchFirmware", "a multitouch firmware log",
	  BUG_BODY_UNKNOWN },
	{ "150", "DifferentialPrivacy", "a differential privacy log",
	  BUG_BODY_UNKNOWN },
	{ "152", "MemorySnapshot", "a memory snapshot", BUG_BODY_UNKNOWN },
	{ "155", "NetworkUsage", "a network usage log", BUG_BODY_UNKNOWN },
	{ "156", "CoreTime", "a CoreTime log", BUG_BODY_UNKNOWN },
	{ "158", "DuetKnowledgeCollector", "a Duet knowledge log",
	  BUG_BODY_UNKNOWN },
	{ "159", "BasebandCrash", "a baseband crash log", BUG_BODY_UNKNOWN },
	{ "161", "MotionState", "a motion state log", BUG_BODY_UNKNOWN },
	{ "165", "StorageStatus", "a storage status log", BUG_BODY_UNKNOWN },
	{ "166", "KeyboardAccuracy", "a keyboard accuracy log",
	  BUG_BODY_UNKNOWN },
	{ "167", "PrivacySettings", "a privacy settings log",
	  BUG_BODY_UNKNOWN },
	{ "172", "ECCEvent", "an ECC event log", BUG_BODY_UNKNOWN },
	{ "174", "MicroStackshot", "a microstackshot", BUG_BODY_TREE },
	{ "176", "FlashStatus", "a flash status log", BUG_BODY_UNKNOWN },
	{ "178", "PowerLogLite", "a power log", BUG_BODY_UNKNOWN },
	{ "179", "Session", "a session log", BUG_BODY_UNKNOWN },
	{ "181", "WifiDriver", "a Wi-Fi driver log", BUG_BODY_UNKNOWN },
	{ "182", "AccessoryUpdate", "an accessory update log",
	  BUG_BODY_UNKNOWN },
	{ "186", "KtraceStackshot", "a ktrace stackshot", BUG_BODY_UNKNOWN },
	{ "189", "iMessages", "an iMessage log", BUG_BODY_UNKNOWN },
	{ "191", "FaceTime", "a FaceTime log", BUG_BODY_UNKNOWN },
	{ "192", "GasGauge", "a gas gauge log", BUG_BODY_UNKNOWN },
	{ "193", "AggregateD", "an aggregated usage log", BUG_BODY_UNKNOWN },
	{ "195", "BasebandStats", "a baseband statistics log",
	  BUG_BODY_UNKNOWN },
	{ "199", "Modem", "a modem log", BUG_BODY_UNKNOWN },
	{ "201", "Siri", "a Siri log", BUG_BODY_UNKNOWN },
	{ "205", "PanicStats", "a panic statistics log", BUG_BODY_UNKNOWN },
	{ "207", "HangSpin", "a hang report", BUG_BODY_TREE },
	{ "209", "WifiCrash", "a Wi-Fi crash log", BUG_BODY_UNKNOWN },
	{ "212", "BTMetadata", "a Bluetooth metadata log", BUG_BODY_UNKNOWN },
	{ "213", "Rosetta", "a Rosetta log", BUG_BODY_UNKNOWN },
	{ "216", "Rosetta", "a Rosetta log", BUG_BODY_UNKNOWN },
	{ "220", "PowerMicroStackshots", "a set of power microstackshots",
	  BUG_BODY_TREE },
	{ "221", "WifiCrash", "a Wi-Fi crash log", BUG_BODY_UNKNOWN },
	{ "230", "PowerLog", "a power log", BUG_BODY_UNKNOWN },
	{ "238", "AppLaunchDiagnostics", "an app launch diagnostic",
	  BUG_BODY_UNKNOWN },
	{ "239", "HangWorkflowResponsiveness", "a responsiveness report",
	  BUG_BODY_UNKNOWN },
	{ "240", "AVConference", "an AVConference log", BUG_BODY_UNKNOWN },
	{ "242", "ProactiveDeadlockDetection", "a deadlock detection report",
	  BUG_BODY_UNKNOWN },
	{ "243", "CompositorClientHang", "a compositor client hang report",
	  BUG_BODY_UNKNOWN },
	{ "244", "DeviceRecoveryEnvironment", "a device recovery log",
	  BUG_BODY_UNKNOWN },
	{ "245", "DeviceRecoveryEnvironment", "a device recovery log",
	  BUG_BODY_UNKNOWN },
	{ "248", "HotSpotAppLaunchLog", "an app launch log", BUG_BODY_UNKNOWN },
	{ "278", "log-power", "a power log", BUG_BODY_UNKNOWN },
	{ "302", "glitchyspin", "a spin report", BUG_BODY_UNKNOWN },
	{ "305", "AudioAccessory", "an audio accessory log", BUG_BODY_UNKNOWN },
	{ "diff_privacy", "diff_privacy", "a differential privacy log",
	  BUG_BODY_UNKNOWN },
	{ "metriclog", "metriclog", "a metrics log", BUG_BODY_UNKNOWN },
	{ "powerlog", "powerlog", "a power log", BUG_BODY_UNKNOWN },
	{ "chw", "chw", "a log of kind 'chw'", BUG_BODY_UNKNOWN },
	{ "T01", "T01", "a log of kind 'T01'", BUG_BODY_UNKNOWN },
	{ "T02", "T02", "a log of kind 'T02'", BUG_BODY_UNKNOWN },
	{ "T03", "T03", "a log of kind 'T03'", BUG_BODY_UNKNOWN },
	{ "T04", "T04", "a log of kind 'T04'", BUG_BODY_UNKNOWN },
	{ "T05", "T05", "a log of kind 'T05'", BUG_BODY_UNKNOWN },
	{ "T06", "T06", "a log of kind 'T06'", BUG_BODY_UNKNOWN },
	{ "T07", "T07", "a log of kind 'T07'", BUG_BODY_UNKNOWN },
	{ "T08", "T08", "a log of kind 'T08'", BUG_BODY_UNKNOWN },
};

const struct bug_type *bug_type_find(const char *id)
{
	for (size_t i = 0; id && i < ARRAY_SIZE(bug_types); i++)
		if (!strcmp(id, bug_types[i].id))
			return &bug_types[i];
	return NULL;
}

bool bug_type_is_crash(const char *id)
{
	const struct bug_type *type = bug_type_find(id);

	return type && type->body == BUG_BODY_CRASH;
}

const char *bug_type_describe(const char *id, struct arena *arena)
{
	const struct bug_type *type = bug_type_find(id);

	if (!id)
		return "a report without a bug_type";
	if (!type)
		return arena_printf(arena, "a report of bug_type %.32s", id);
	return arena_printf(arena, "%s (bug_type %s)", type->what, id);
}

const char *bug_type_bare(const char *what)
{
	const char *blank = strchr(what, ' ');

	return blank ? blank + 1 : what;
}

const char *bug_type_article(const char *bare)
{
	if (!strncmp(bare, "output ", strlen("output ")))
		return "the ";
	return strchr("aeiou", *bare) ? "an " : "a ";
}
