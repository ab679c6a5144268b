// SPDX-License-Identifier: MIT
/*
 * A headline of a failure is never left out and never lost: every input of the
 * samples and of the tests, and what is beside the project, is read, and each
 * line that the table of headlines knows is in a report.
 */
#include "lib/base/file.h"
#include "lib/base/file_walk.h"
#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "lib/darwin/headline.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct counts {
	size_t headlines;
	size_t lost;
	size_t refused; ///< inputs with a headline, of which nothing was read
};

/** Inputs that may be refused although a line is a headline, and why. */
static const struct {
	const char *end; ///< of their path
	const char *reason;
} may_be_refused[] = {
	{ "README.md", "describes inputs, and is none" },
};

static bool has_line(const struct report *report, const char *message)
{
	for (; report; report = report->next) {
		for (size_t i = 0; i < report->line_count; i++)
			if (report->lines[i].text &&
			    strstr(report->lines[i].text, message))
				return true;
		for (size_t i = 0; i < report->section_count; i++)
			if (strstr(report->sections[i].text, message))
				return true;
	}
	return false;
}

static bool is_listed(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(may_be_refused); i++)
		if (text_ends(text_from(path), may_be_refused[i].end))
			return true;
	return false;
}

/**
 * What follows a blank or a backslash may have been joined or decoded. One that
 * needs frames is only looked for where there is a report.
 */
static void check_text(struct text in, const struct report *report,
                       const char *path, struct counts *counts)
{
	struct headline headline;
	struct text line;
	bool is_refused = false;

	while (text_next_line(&in, &line)) {
		SCOPED(str_release) struct str message = { 0 };

		if (!headline_find(line, &headline) ||
		    (headline.needs_frames && !report))
			continue;
		str_add_text(&message, text_first(headline.message, 40));
		counts->headlines++;
		if (has_line(report, str_cstr(&message)))
			continue;
		is_refused |= !report;
		printf("%s: %s '%s'\n", path, report ? "lost" : "refused",
		       str_cstr(&message));
		counts->lost += report != NULL;
	}
	counts->refused += is_refused && !is_listed(path);
}

/** What the tests expect quotes headlines; binary files have no lines. */
static bool is_input(const char *path, struct text text)
{
	static const char *const expected[] = { "/cmd", "/stdout", "/stderr" };

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		if (text_ends(text_from(path), expected[i]))
			return false;
	return text.size <= (size_t)4 << 20 &&
	       text_find_char(text_first(text, 4096), '\0') == TEXT_NOWHERE;
}

static struct error *check_file(const struct file_found *found, void *context)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct report *report = NULL;
	struct text text;

	err = file_read(found->path, LIMIT_DEFAULT_REPORT, &file);
	text = bytes_text(file.bytes);
	if (err || !is_input(found->path, text))
		return NULL;
	err = read_reports(file.bytes, &arena, &report);
	check_text(text, report, found->path, context);
	return NULL;
}

static struct counts check(const char *path)
{
	struct counts counts = { 0 };
	struct error *err = file_walk(path, check_file, &counts, NULL);

	// What is beside the project may not be there.
	error_free(err);
	printf("%s: %zu headlines\n", path, counts.headlines);
	return counts;
}

static void no_input_loses_a_headline(void **state UNUSED)
{
	static const char *const directories[] = {
		APMTOOL_SOURCE_DIR "/samples",
		APMTOOL_SOURCE_DIR "/tests/cli",
		APMTOOL_SOURCE_DIR "/tests/fuzz/corpus",
		// Beside the project:
		APMTOOL_SOURCE_DIR "/../shared/corpus",
		APMTOOL_SOURCE_DIR "/../shared/faults",
	};
	size_t headlines = 0;
	size_t faults = 0;

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++) {
		struct counts counts = check(directories[i]);

		headlines += counts.headlines;
		faults += counts.lost + counts.refused;
	}
	assert_int_equal(faults, 0);
	assert_true(headlines >= 40);
}

// Headlines alone, and far down

/** Lines, each of which is enough for a report. */
static const char *const alone[] = {
	"*** Terminating app due to uncaught exception 'A', reason: 'no cart'",
	"libc++abi: terminating due to uncaught exception of type Cart",
	"*** -[Cart pay]: message sent to deallocated instance 0x60",
	"Cart.swift:12: Fatal error: no cart",
	"Fatal error: Index out of range",
	"Could not cast value of type 'Cart' (0x104) to 'Shop' (0x108).",
	"dyld[1]: terminating because inserted dylib '/a.dylib' could not be "
	"loaded: tried: '/a.dylib' (no such file)",
	"dyld[1]: Library not loaded: @rpath/Cart.framework/Cart",
	"Uncaught Kotlin exception: kotlin.IllegalStateException: no cart",
	"thread 'main' panicked at src/main.rs:4:5:",
	"fatal runtime error: stack overflow",
	"panic: runtime error: index out of range [5] with length 3",
	"fatal error: all goroutines are asleep - deadlock!",
	"Unhandled exception. System.ArgumentException: no cart",
	"NullReferenceException: Object reference not set to an instance of an "
	"object",
	"Unhandled Exception:\nAcme.CartException: no cart",
	"* Assertion at mini.c:12, condition `cart' not met",
	"Unhandled Exception: Bad state: No element",
	"TypeError: undefined is not an object (evaluating 'a.b')",
	"==612==ERROR: AddressSanitizer: heap-use-after-free on address 0x1",
	"cart.cpp:11:5: runtime error: signed integer overflow",
	"Main Thread Checker: UI API called on a background thread: -[A b]",
	"Acme(711,0x16f0a3000) malloc: double free for ptr 0x60",
	"panic(cpu 2 caller 0xfffffe002be4a5a8): no cart",
	"\xe2\x9d\x8c *** Terminating app due to uncaught exception 'A', "
	"reason: 'no cart'",
	"<134>1 2026-11-01T10:00:00.123Z iPhone Demo 612 - - *** Terminating "
	"app due to uncaught exception 'A', reason: 'no cart'",
	"11/1/26 10:00:00.123 AM Demo[612]: *** Terminating app due to "
	"uncaught exception 'A', reason: 'no cart'",
};

/** Of which a reader sees nothing in its first lines. */
#define FAR_LINES 5000

static void add_log(struct str *text, const char *prefix)
{
	for (size_t i = 0; i < FAR_LINES; i++)
		str_addf(text, "%sthe cart has %zu things\n", prefix, i);
}

/** The number of the line in the input that has @p message; 0: none has it. */
static size_t line_of(const struct report *report, const char *message)
{
	for (size_t i = 0; i < report->line_count; i++)
		if (report->lines[i].text &&
		    strstr(report->lines[i].text, message))
			return report->lines_before + i + 1;
	return 0;
}

static void assert_headline(const char *whole, size_t line, const char *text)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct report *report = NULL;
	struct headline headline;
	struct text first = text_from(text);
	SCOPED(str_release) struct str message = { 0 };

	err = read_reports((struct bytes){ .data = (const uint8_t *)whole,
	                                   .size = strlen(whole) },
	                   &arena, &report);
	if (err)
		fail_msg("%s: %s", text, error_message(err));
	first = text_first(first, text_find_char(first, '\n'));
	assert_true(headline_find(first, &headline));
	str_add_text(&message, headline.message);
	assert_non_null(report);
	if (line_of(report, str_cstr(&message)) != line)
		fail_msg("lost: %s", text);
}

static void a_headline_alone_is_a_report(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(alone); i++)
		assert_headline(alone[i], 1, alone[i]);
}

static void a_headline_may_be_far_down(void **state UNUSED)
{
	static const char *const prefixes[] = {
		"",
		"2026-11-01 10:00:00.123 Demo[612:12345] [Cart] ",
	};

	for (size_t k = 0; k < ARRAY_SIZE(prefixes); k++)
		for (size_t i = 0; i < ARRAY_SIZE(alone); i++) {
			SCOPED(str_release) struct str text = { 0 };

			add_log(&text, prefixes[k]);
			str_addf(&text, "%s\n", alone[i]);
			assert_headline(str_cstr(&text), FAR_LINES + 1,
			                alone[i]);
		}
}

static void other_reports_may_be_far_down(void **state UNUSED)
{
	static const struct {
		const char *text;
		const char *format;
	} others[] = {
		{ "# Crashlytics - Stack trace\n# Platform: apple\n"
		  "Crashed: com.apple.main-thread\n"
		  "0  Demo  0x1a2c Cart.pay() + 12 (Cart.swift:12)\n",
		  "crashlytics" },
		{ "* thread #1, stop reason = EXC_BAD_ACCESS (code=1, "
		  "address=0x8)\n  * frame #0: 0x0000000104000a0c Demo`pay + "
		  "12\n",
		  "lldb" },
		{ "*** Program crashed: Bad pointer dereference at 0x8 ***\n\n"
		  "Thread 0 crashed:\n\n"
		  "0 0x0000000104000a0c pay + 12 in Demo\n",
		  "swift-log" },
		{ "Backtrace of Thread 771:\n"
		  "Demo   0x104000a0c -[Cart pay] + 12\n",
		  "backtraces" },
		{ "panic: no cart\n\ngoroutine 1 [running]:\nmain.main()\n"
		  "\t/x/main.go:6 +0x20\n",
		  "runtime-trace" },
		{ "Incident Identifier: A\nProcess:  Demo [612]\n"
		  "Exception Type:  EXC_CRASH (SIGABRT)\n",
		  "crash-text" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str text = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;

		add_log(&text, "");
		str_add(&text, others[i].text);
		err = read_reports(
		        (struct bytes){
		                .data = (const uint8_t *)str_cstr(&text),
		                .size = text.size },
		        &arena, &report);
		if (err)
			fail_msg("%s: %s", others[i].format,
			         error_message(err));
		assert_non_null(report);
		assert_string_equal(report->format, others[i].format);
	}
}

static void a_text_that_says_nothing_of_a_failure_is_refused(
        void **state UNUSED)
{
	static const char build[] =
	        "fatal error: Cannot open include file: 'Pay.h'\n"
	        "make: *** [Makefile:10: all] Error 2\n"
	        "npm ERR! TypeError: Cannot read properties of undefined\n"
	        "fatal: not a git repository: .git\n"
	        "java.lang.NullPointerException: no cart\n"
	        "\tat com.acme.Cart.pay(Cart.java:12)\n"
	        "Main Thread Checker: disabled\n"
	        "dyld[612]: running initializer 0x104 in /usr/lib/a.dylib\n"
	        "ValueError: no cart\n"
	        "Fatal error: Cannot redeclare pay() (declared in a.php:3)\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct report *report = NULL;

	for (size_t i = 0; i < FAR_LINES / 10; i++)
		str_add(&text, build);
	err = read_reports(
	        (struct bytes){ .data = (const uint8_t *)str_cstr(&text),
	                        .size = text.size },
	        &arena, &report);
	assert_non_null(err);
	assert_null(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_input_loses_a_headline),
		cmocka_unit_test(a_headline_alone_is_a_report),
		cmocka_unit_test(a_headline_may_be_far_down),
		cmocka_unit_test(other_reports_may_be_far_down),
		cmocka_unit_test(
		        a_text_that_says_nothing_of_a_failure_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
