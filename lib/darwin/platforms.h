// SPDX-License-Identifier: MIT
/**
 * Platforms by number: `platform` of an `.ips` header, LC_BUILD_VERSION of a
 * Mach-O file (XNU's <mach-o/loader.h>; formats.md 3.1), and what systems call
 * themselves.
 */
#ifndef APMTOOL_LIB_DARWIN_PLATFORMS_H
#define APMTOOL_LIB_DARWIN_PLATFORMS_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** Reports may have other numbers: newer systems add some. */
enum darwin_platform {
	DARWIN_PLATFORM_UNKNOWN = 0,
	DARWIN_PLATFORM_MACOS = 1,
	DARWIN_PLATFORM_IOS = 2,
	DARWIN_PLATFORM_TVOS = 3,
	DARWIN_PLATFORM_WATCHOS = 4,
	DARWIN_PLATFORM_BRIDGEOS = 5,
	DARWIN_PLATFORM_CATALYST = 6,
	DARWIN_PLATFORM_IOS_SIMULATOR = 7,
	DARWIN_PLATFORM_TVOS_SIMULATOR = 8,
	DARWIN_PLATFORM_WATCHOS_SIMULATOR = 9,
	DARWIN_PLATFORM_DRIVERKIT = 10,
	DARWIN_PLATFORM_VISIONOS = 11,
	DARWIN_PLATFORM_VISIONOS_SIMULATOR = 12,
};

/** The platform of `iPhone OS 17.2 (21C62)`: how @p os_version begins. */
enum darwin_platform darwin_platform_of(struct text os_version);

/** The simulator of a platform; itself if there is none. */
enum darwin_platform darwin_platform_simulator(enum darwin_platform platform);

/** `ios`, `macos`, `ios-simulator`: for names of files; NULL: not known. */
const char *darwin_platform_word(uint32_t platform);

bool darwin_platform_is_simulator(int platform);

/** Runs it as a Mac app does, which may load code from anywhere? */
bool darwin_platform_is_mac(int platform);

#endif
