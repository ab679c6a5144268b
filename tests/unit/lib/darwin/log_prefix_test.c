// SPDX-License-Identifier: MIT
#include "lib/darwin/log_prefix.h"

#include "lib/base/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** Prefixes, each before the message `*** x`. */
static const struct {
	const char *prefix;
	const char *process; ///< empty: not said
	uint64_t pid;        ///< 0: not said
} cases[] = {
	// Xcode
	{ "2026-11-01 10:00:00.123 Demo[612:12345] ", "Demo", 612 },
	{ "2026-11-01 10:00:00.123456+0100 Demo[612:12345] ", "Demo", 612 },
	{ "2026-11-01 10:00:00.123 Acme Shop[612:12345] [Cart] ", "Acme Shop",
	  612 },
	// `log stream`: default, compact, syslog
	{ "2026-11-01 10:00:00.123456+0100 0x1a2    Default     0x0        "
	  "          612    0    Demo: (CoreFoundation) [com.acme:cart] ",
	  "Demo", 612 },
	{ "2026-11-01 10:00:00.123456+0100 0x1a2b     Error       0x0        "
	  "          612    0    Acme Shop: (UIKitCore) ",
	  "Acme Shop", 612 },
	{ "2026-11-01 10:00:00.123 Df Demo[612:3039] [com.acme:cart] ", "Demo",
	  612 },
	{ "2026-11-01 10:00:00.123 E  Demo[612:3039] (libobjc.A.dylib) ",
	  "Demo", 612 },
	{ "2026-11-01 10:00:00.123456+0100  localhost Demo[612]: (dyld) ",
	  "Demo", 612 },
	// idevicesyslog, syslog
	{ "Nov  1 10:00:00 iPhone Demo(CoreFoundation)[612] <Notice>: ", "Demo",
	  612 },
	{ "Nov  1 10:00:00.123456 Demo(UIKitCore)[612] <Error>: ", "Demo",
	  612 },
	{ "<134>1 2026-11-01T10:00:00.123Z host Demo[612]: ", "Demo", 612 },
	// Without a time
	{ "Demo[612:12345] ", "Demo", 612 },
	{ "Demo-Watch[612:3a9f] ", "Demo-Watch", 612 },
	// logcat
	{ "11-01 10:00:00.123  612  777 E ReactNativeJS: ", "", 612 },
	{ "E/ReactNativeJS(  612): ", "", 0 },
	// Console
	{ "error\t10:00:00.123456+0100\tDemo\t", "Demo", 0 },
	// RFC 5424
	{ "<134>1 2026-11-01T10:00:00.123Z iPhone Demo 612 - - ", "Demo", 612 },
	{ "<14>1 2026-11-01T10:00:00Z host Demo - ID47 [a@1 b=\"x]\\\"\"][c] ",
	  "Demo", 0 },
	{ "<14>1 2026-11-01T10:00:00.1+01:00 host - 612 - - \xef\xbb\xbf", "",
	  612 },
	// Zones, halves of a day, and dates of other countries
	{ "2026-11-01 10:00:00.123 +0100 Demo[612:12345] ", "Demo", 612 },
	{ "2026-11-01 10:00:00 UTC Demo[612:12345] ", "Demo", 612 },
	{ "2026-11-01 10:00:00 GMT[612:12345] ", "GMT", 612 },
	{ "11/1/26 10:00:00.123 AM Demo[612]: ", "Demo", 612 },
	{ "11/1/26, 9:00:00\xe2\x80\xaf"
	  "PM Demo[612:12345] ",
	  "Demo", 612 },
	{ "9:00:00.123 PM Demo[612:12345] ", "Demo", 612 },
	{ "1.11.2026, 10:00:00 Demo[612:12345] ", "Demo", 612 },
	{ "Nov 1, 2026 at 10:00:00 AM Demo[612:12345] ", "Demo", 612 },
	{ "1 Nov 2026, 10:00:00 Demo[612:12345] ", "Demo", 612 },
	{ "Thu Nov  5 10:00:00.123 Demo[612] <Notice>: ", "Demo", 612 },
	{ "Acme Shop[612:12345] ", "Acme Shop", 612 },
	{ "Caf\xc3\xa9[612:12345]: ", "Caf\xc3\xa9", 612 },
	// React Native, Flutter
	{ "[Thu Nov 05 2026 10:00:00.000]  ERROR ", "", 0 },
	{ "2026-11-05 10:00:00.000 [error][tid:com.facebook.react.JavaScript] ",
	  "", 0 },
	{ "flutter: ", "", 0 },
};

static void prefixes_of_logs_are_known(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char line[400];
		struct log_prefix prefix;

		snprintf(line, sizeof(line), "%s*** x", cases[i].prefix);
		prefix = log_prefix_of(text_from(line));
		assert_string_equal(log_prefix_message(text_from(line)).data,
		                    "*** x");
		assert_true(text_is(prefix.process, cases[i].process));
		assert_int_equal(prefix.has_pid ? prefix.pid : 0, cases[i].pid);
	}
}

static void a_message_keeps_its_indent(void **state UNUSED)
{
	static const char line[] =
	        "11-01 10:00:00.123  612  777 E Tag:     at f (native)";

	assert_string_equal(log_prefix_message(text_from(line)).data,
	                    "    at f (native)");
}

static void numbers_without_a_tag_are_of_the_message(void **state UNUSED)
{
	static const char *const lines[] = {
		"2026-11-01 10:00:00.123 4   Demo   0x0000000104d08abc f + 1",
		"Nov  1 10:00:00 4   Demo   0x0000000104d08abc f + 1",
		"10:00:00 E 4   Demo   0x0000000104d08abc f + 1",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_string_equal(
		        log_prefix_message(text_from(lines[i])).data,
		        "4   Demo   0x0000000104d08abc f + 1");
		assert_false(log_prefix_of(text_from(lines[i])).has_pid);
	}
}

static void dyld_says_its_process_in_the_message(void **state UNUSED)
{
	struct log_prefix prefix =
	        log_prefix_of(text_from("dyld[612]: Library not loaded: a"));

	assert_int_equal(prefix.size, 0);
	assert_int_equal(prefix.process.size, 0);
	assert_true(prefix.has_pid);
	assert_int_equal(prefix.pid, 612);
	assert_false(log_prefix_of(text_from("dyld[a]: x")).has_pid);
}

static void other_lines_have_none(void **state UNUSED)
{
	static const char *const lines[] = {
		"",
		"*** Terminating app",
		"2 Demo 0x0000000100e80a0c main + 12",
		"10:00 is no time of a log",
		"(-[Foo bar]) was sent to a zombie object",
		"[native code]",
		"Nova 1 10:00:00",
		"1:23:45 is the length of a film",
		"10.0.0.1 10 packets",
		"1.2.3 is a version",
		"The matrix[12:34] has no such row",
		"matrix [12:34] x",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_int_equal(log_prefix_of(text_from(lines[i])).size, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prefixes_of_logs_are_known),
		cmocka_unit_test(a_message_keeps_its_indent),
		cmocka_unit_test(numbers_without_a_tag_are_of_the_message),
		cmocka_unit_test(dyld_says_its_process_in_the_message),
		cmocka_unit_test(other_lines_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
