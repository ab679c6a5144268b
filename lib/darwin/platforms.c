// SPDX-License-Identifier: MIT
#include "lib/darwin/platforms.h"

/** Old names and new ones, as `OS Version` lines and KSCrash have them. */
static const struct {
	const char *name;
	enum darwin_platform platform;
} systems[] = {
	{ "Mac OS X", DARWIN_PLATFORM_MACOS },
	{ "macOS", DARWIN_PLATFORM_MACOS },
	{ "OS X", DARWIN_PLATFORM_MACOS },
	{ "iPhone OS", DARWIN_PLATFORM_IOS },
	{ "iOS", DARWIN_PLATFORM_IOS },
	{ "iPadOS", DARWIN_PLATFORM_IOS },
	{ "Apple TVOS", DARWIN_PLATFORM_TVOS },
	{ "tvOS", DARWIN_PLATFORM_TVOS },
	{ "Watch OS", DARWIN_PLATFORM_WATCHOS },
	{ "watchOS", DARWIN_PLATFORM_WATCHOS },
	{ "BridgeOS", DARWIN_PLATFORM_BRIDGEOS },
	{ "bridgeOS", DARWIN_PLATFORM_BRIDGEOS },
	{ "visionOS", DARWIN_PLATFORM_VISIONOS },
	{ "xrOS", DARWIN_PLATFORM_VISIONOS },
};

static const struct {
	enum darwin_platform device;
	enum darwin_platform simulator;
} simulators[] = {
	{ DARWIN_PLATFORM_IOS, DARWIN_PLATFORM_IOS_SIMULATOR },
	{ DARWIN_PLATFORM_TVOS, DARWIN_PLATFORM_TVOS_SIMULATOR },
	{ DARWIN_PLATFORM_WATCHOS, DARWIN_PLATFORM_WATCHOS_SIMULATOR },
	{ DARWIN_PLATFORM_VISIONOS, DARWIN_PLATFORM_VISIONOS_SIMULATOR },
};

enum darwin_platform darwin_platform_of(struct text os_version)
{
	for (size_t i = 0; i < ARRAY_SIZE(systems); i++)
		if (text_starts(os_version, systems[i].name))
			return systems[i].platform;
	return DARWIN_PLATFORM_UNKNOWN;
}

enum darwin_platform darwin_platform_simulator(enum darwin_platform platform)
{
	for (size_t i = 0; i < ARRAY_SIZE(simulators); i++)
		if (simulators[i].device == platform)
			return simulators[i].simulator;
	return platform;
}

const char *darwin_platform_word(uint32_t platform)
{
	static const char *const words[] = {
		[DARWIN_PLATFORM_MACOS] = "macos",
		[DARWIN_PLATFORM_IOS] = "ios",
		[DARWIN_PLATFORM_TVOS] = "tvos",
		[DARWIN_PLATFORM_WATCHOS] = "watchos",
		[DARWIN_PLATFORM_BRIDGEOS] = "bridgeos",
		[DARWIN_PLATFORM_CATALYST] = "maccatalyst",
		[DARWIN_PLATFORM_IOS_SIMULATOR] = "ios-simulator",
		[DARWIN_PLATFORM_TVOS_SIMULATOR] = "tvos-simulator",
		[DARWIN_PLATFORM_WATCHOS_SIMULATOR] = "watchos-simulator",
		[DARWIN_PLATFORM_DRIVERKIT] = "driverkit",
		[DARWIN_PLATFORM_VISIONOS] = "visionos",
		[DARWIN_PLATFORM_VISIONOS_SIMULATOR] = "visionos-simulator",
	};

	return platform < ARRAY_SIZE(words) ? words[platform] : NULL;
}

bool darwin_platform_is_simulator(int platform)
{
	for (size_t i = 0; i < ARRAY_SIZE(simulators); i++)
		if ((int)simulators[i].simulator == platform)
			return true;
	return false;
}

bool darwin_platform_is_mac(int platform)
{
	return platform == DARWIN_PLATFORM_MACOS ||
	       platform == DARWIN_PLATFORM_CATALYST;
}
