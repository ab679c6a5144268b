// SPDX-License-Identifier: MIT
#include "lib/darwin/jetsam.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void bands_are_named_in_both_scales(void **state UNUSED)
{
	assert_string_equal(jetsam_band_name(10, false), "foreground app");
	assert_string_equal(jetsam_band_name(10, true), "aging 1");
	assert_string_equal(jetsam_band_name(100, true), "foreground app");
	assert_string_equal(jetsam_band_name(-2, true), "idle head");
	assert_string_equal(jetsam_band_name(75, true), "freezer");
	assert_null(jetsam_band_name(75, false));
	assert_null(jetsam_band_name(7, false));
	assert_true(jetsam_band_is_foreground(10, false));
	assert_true(jetsam_band_is_foreground(100, true));
	assert_false(jetsam_band_is_foreground(10, true));
}

static void a_cause_says_who_is_to_blame(void **state UNUSED)
{
	const struct jetsam_cause *cause = jetsam_cause_find(JETSAM_HARD_LIMIT);

	assert_int_equal(cause->code, 7);
	assert_int_equal(cause->blame, JETSAM_BLAME_OWN);
	assert_int_equal(jetsam_cause_find("vm-thrashing")->code,
	                 jetsam_cause_find("proc-thrashing")->code);
	assert_int_equal(jetsam_cause_find("vnode-limit")->blame,
	                 JETSAM_BLAME_LEAK);
	assert_null(jetsam_cause_find("from-iOS-40"));
	assert_null(jetsam_cause_find(NULL));
}

static void logs_truncate_names_and_nothing_else(void **state UNUSED)
{
	static const struct {
		const char *in_log;
		const char *name;
		bool same;
	} cases[] = {
		{ "Demo", "Demo", true },
		{ "Demo", "DemoWidget", false },
		{ "DemoWidget", "Demo", false },
		{ "", "Demo", false },
		{ NULL, "Demo", false },
		{ "KodiMusicRemoteP", "KodiMusicRemotePlayer", true },
		{ "KodiMusicRemote", "KodiMusicRemotePlayer", true },
		{ "KodiMusicRemot", "KodiMusicRemotePlayer", false },
		{ "KodiMusicRemotePl", "KodiMusicRemotePlayer", false },
		{ "com.example.a.very.long.name.of.", // 32
		  "com.example.a.very.long.name.of.an.app", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(jetsam_is_name(cases[i].in_log, cases[i].name),
		                 cases[i].same);
}

static void extensions_have_low_limits(void **state UNUSED)
{
	const uint64_t mib = UINT64_C(1) << 20;

	assert_string_equal(jetsam_extensions_with(24 * mib),
	                    "notification services");
	// A footprint is just above the limit.
	assert_string_equal(jetsam_extensions_with(30 * mib + mib / 2),
	                    "widgets");
	assert_null(jetsam_extensions_with(24 * mib - 1));
	assert_null(jetsam_extensions_with(27 * mib));
	assert_null(jetsam_extensions_with(0));
	assert_null(jetsam_extensions_with(UINT64_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bands_are_named_in_both_scales),
		cmocka_unit_test(a_cause_says_who_is_to_blame),
		cmocka_unit_test(logs_truncate_names_and_nothing_else),
		cmocka_unit_test(extensions_have_low_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
