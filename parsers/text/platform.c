// SPDX-License-Identifier: MIT
#include "parsers/text/platform.h"

#include "lib/darwin/platforms.h"

#include <string.h>

static bool holds(const char *string, const char *part)
{
	return string && strstr(string, part);
}

static bool has_ios_support(const struct report *report)
{
	for (size_t i = 0; i < report->image_count; i++)
		if (holds(report->images[i].path, "/System/iOSSupport/") &&
		    text_ends(text_from(report->images[i].path), "/UIKitCore"))
			return true;
	return false;
}

/** The OS version is the host's: other lines show the process's platform. */
static int mac_platform(const struct report *report)
{
	const char *path = report->path;

	if (holds(path, "/CoreSimulator/Devices/") ||
	    holds(report->coalition, "CoreSimulator.SimDevice") ||
	    holds(report->parent.name, "launchd_sim"))
		return DARWIN_PLATFORM_IOS_SIMULATOR;
	// An iOS app on a Mac keeps its flat bundle, in a wrapper or without.
	if (holds(path, ".app/Wrapper/") ||
	    (holds(path, ".app/") && !holds(path, ".app/Contents/")))
		return DARWIN_PLATFORM_IOS;
	if (holds(path, "/Contents/MacOS/") && has_ios_support(report))
		return DARWIN_PLATFORM_CATALYST;
	return DARWIN_PLATFORM_MACOS;
}

void text_platform_set(struct report *report)
{
	if (!report->os_version)
		return;
	report->platform =
	        (int)darwin_platform_of(text_from(report->os_version));
	if (report->platform == DARWIN_PLATFORM_MACOS)
		report->platform = mac_platform(report);
}
