// SPDX-License-Identifier: MIT
#include "lib/darwin/system_images.h"

#include "lib/base/text.h"

#include <string.h>

/** Frameworks and programs that are often on stacks. */
static const char *const names[] = {
	"???",
	"AppKit",
	"AttributeGraph",
	"AVFAudio",
	"AVFCapture",
	"AVFoundation",
	"BackBoardServices",
	"BaseBoard",
	"BoardServices",
	"CFNetwork",
	"Combine",
	"CoreAudio",
	"CoreAutoLayout",
	"CoreBluetooth",
	"CoreData",
	"CoreFoundation",
	"CoreGraphics",
	"CoreImage",
	"CoreLocation",
	"CoreMedia",
	"CoreMotion",
	"CoreServices",
	"CoreText",
	"CoreVideo",
	"Foundation",
	"FrontBoardServices",
	"GraphicsServices",
	"HIToolbox",
	"ImageIO",
	"IOKit",
	"JavaScriptCore",
	"Metal",
	"MetalKit",
	"Network",
	"QuartzCore",
	"RunningBoardServices",
	"SceneKit",
	"Security",
	"SpringBoardServices",
	"SpriteKit",
	"StoreKit",
	"SwiftUI",
	"SwiftUICore",
	"UIFoundation",
	"UIKit",
	"UIKitCore",
	"UIKitServices",
	"WatchKit",
	"WebCore",
	"WebKit",
	"WebKitLegacy",
	"XCTest",
	"XCTestCore",
	"dyld",
	"dyld_sim",
	"xctest",
};

/** Prefixes of system libraries. */
static const char *const beginnings[] = {
	"libsystem_",
	"libSystem.",
	"libobjc.",
	"libc++",
	"libdispatch.",
	"libdyld.",
	"libswift",
	"libxpc.",
	"libicucore.",
	"libsqlite3.",
	"libMainThreadChecker",
	"libclang_rt.",
	"libBacktraceRecording",
	"libViewDebuggerSupport",
	"libGPU",
	"libMobileGestalt",
	"libxml2.",
	"libz.",
	"libcorecrypto",
	"libnetwork.",
	"libsystem.",
	"libunwind.",
	"libXCTest",
};

bool darwin_image_is_system(const char *name)
{
	struct text text = text_from(name);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_is(text, names[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (text_starts(text, beginnings[i]))
			return true;
	return false;
}

bool darwin_source_is_apple(struct text path)
{
	static const char *const builds[] = { "/AppleInternal/", "/BuildRoot/",
		                              "/SourceCache/",
		                              "com.apple.xbs/" };

	for (size_t i = 0; i < ARRAY_SIZE(builds); i++)
		if (text_find(path, builds[i]) != TEXT_NOWHERE)
			return true;
	return false;
}
