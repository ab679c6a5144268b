// SPDX-License-Identifier: MIT
#include "lib/darwin/platforms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_system_is_known_by_its_old_and_new_names(void **state UNUSED)
{
	static const struct {
		const char *os_version;
		enum darwin_platform platform;
	} cases[] = {
		{ "Mac OS X 10.15.7 (19H2)", DARWIN_PLATFORM_MACOS },
		{ "macOS 14.2", DARWIN_PLATFORM_MACOS },
		{ "iPhone OS 17.2 (21C62)", DARWIN_PLATFORM_IOS },
		{ "iPadOS", DARWIN_PLATFORM_IOS },
		{ "Apple TVOS 9.0", DARWIN_PLATFORM_TVOS },
		{ "Watch OS 5.1", DARWIN_PLATFORM_WATCHOS },
		{ "BridgeOS 3.0", DARWIN_PLATFORM_BRIDGEOS },
		{ "xrOS 1.0", DARWIN_PLATFORM_VISIONOS },
		{ "Android 14", DARWIN_PLATFORM_UNKNOWN },
		{ "", DARWIN_PLATFORM_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(
		        darwin_platform_of(text_from(cases[i].os_version)),
		        cases[i].platform);
}

static void a_device_has_its_simulator(void **state UNUSED)
{
	assert_int_equal(darwin_platform_simulator(DARWIN_PLATFORM_IOS), 7);
	assert_int_equal(darwin_platform_simulator(DARWIN_PLATFORM_TVOS), 8);
	assert_int_equal(darwin_platform_simulator(DARWIN_PLATFORM_WATCHOS), 9);
	assert_int_equal(darwin_platform_simulator(DARWIN_PLATFORM_VISIONOS),
	                 12);
	assert_int_equal(darwin_platform_simulator(DARWIN_PLATFORM_MACOS), 1);
	for (int i = 0; i < 14; i++)
		assert_int_equal(darwin_platform_is_simulator(i),
		                 i == 7 || i == 8 || i == 9 || i == 12);
}

static void a_mac_runs_catalyst_too(void **state UNUSED)
{
	for (int i = 0; i < 14; i++)
		assert_int_equal(darwin_platform_is_mac(i), i == 1 || i == 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_system_is_known_by_its_old_and_new_names),
		cmocka_unit_test(a_device_has_its_simulator),
		cmocka_unit_test(a_mac_runs_catalyst_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
