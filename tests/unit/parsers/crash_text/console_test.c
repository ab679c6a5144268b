// SPDX-License-Identifier: MIT
#include "lib/base/compiler.h"
#include "parsers/reader.h"
#include "tests/unit/lib/model/report_lines.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define XCODE  "2026-11-03 08:15:02.300200+0100 Acme Shop[711:16062] "
#define SYSLOG "Nov  3 08:15:03 iPhone Acme(CoreFoundation)[711] <Notice>: "
#define THROWN                                           \
	"*** Terminating app due to uncaught exception " \
	"'NSRangeException', reason: 'index 3'\n"
#define CALLS "*** First throw call stack:\n"
#define FRAME_0                                                  \
	"0   CoreFoundation                      0x00000001804a" \
	"e0f8 __exceptionPreprocess + 172\n"
#define FRAME_1                                                  \
	"1   libobjc.A.dylib                     0x000000018008" \
	"7db4 objc_exception_throw + 56\n"
#define FRAME_2                                                  \
	"2   Acme                                0x0000000104a1" \
	"b2c3 -[Cart pay] + 36\n"

/** Through all of the reading, repairs among it. */
static struct report *read(struct arena *arena, const char *text)
{
	struct report *report = NULL;
	struct bytes in = { .data = (const uint8_t *)text,
		            .size = strlen(text) };
	struct error *err = read_reports(in, arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	assert_string_equal(report->format, "crash-text");
	return report;
}

static void assert_kept(const struct report *report, const char *expected)
{
	SCOPED(str_release) struct str lines = { 0 };

	add_report_lines(report, &lines);
	assert_string_equal(str_cstr(&lines), expected);
}

static const struct report_call *call(const struct report_stack *stack,
                                      size_t frame)
{
	assert_true(frame < stack->count);
	assert_true(stack->frames[frame].call_count > 0);
	return &stack->frames[frame].calls[0];
}

static void an_exception_keeps_all_that_is_around_it(void **state UNUSED)
{
	static const char *const texts[] = {
		XCODE "[Network] loading\n" XCODE THROWN CALLS
		      "(\n" FRAME_0 FRAME_1 FRAME_2 ")\n"
		      "libc++abi: terminating\nafter it\n",
		SYSLOG "loading\n" SYSLOG THROWN CALLS
		       "(\n" FRAME_0 FRAME_1 FRAME_2 ")\nafter it\n",
		"before it\n" THROWN CALLS "(\n" FRAME_0 FRAME_1 FRAME_2 ")\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = read(&arena, texts[i]);

		assert_string_equal(report->thrown.name, "NSRangeException");
		assert_string_equal(report->thrown.reason, "index 3");
		assert_string_equal(report->thrown.kind, "objc-exception");
		assert_int_equal(report->exception_backtrace.count, 3);
		assert_string_equal(
		        call(&report->exception_backtrace, 2)->symbol,
		        "-[Cart pay]");
		assert_false(report->truncated);
		assert_kept(report, texts[i]);
	}
}

static void indented_frames_in_brackets_are_no_quotation(void **state UNUSED)
{
	static const char text[] = XCODE THROWN CALLS "(\n"
	                                              "\t" FRAME_0 "\t" FRAME_1
	                                              "\t" FRAME_2 ")\n"
	                                              "line after the list\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_int_equal(report->note_count, 0);
	assert_int_equal(report->exception_backtrace.count, 3);
	assert_kept(report, XCODE THROWN CALLS "(\n" FRAME_0 FRAME_1 FRAME_2
	                                       ")\nline after the list\n");
}

static void frames_with_a_prefix_of_their_own_are_read(void **state UNUSED)
{
	static const char text[] = SYSLOG
	        "loading\n" SYSLOG THROWN SYSLOG CALLS SYSLOG "(\n" SYSLOG
	        "\t" FRAME_0 SYSLOG "\t" FRAME_1 SYSLOG "\t" FRAME_2 SYSLOG
	        ")\n" SYSLOG "gone\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_string_equal(report->process.name, "Acme");
	assert_int_equal(report->process.pid, 711);
	assert_int_equal(report->exception_backtrace.count, 3);
	assert_int_equal(report->app_backtrace_count, 0);
}

static void a_reason_may_have_many_lines(void **state UNUSED)
{
	static const char text[] = XCODE
	        "*** Terminating app due to uncaught exception 'A', "
	        "reason: 'one\n"
	        "\n"
	        "two 'quoted'.\n"
	        "three'\n" CALLS "(\n" FRAME_0 ")\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_string_equal(report->thrown.reason,
	                    "one\n\ntwo 'quoted'.\nthree");
	assert_string_equal(report->process.name, "Acme Shop");
	assert_int_equal(report->exception_backtrace.count, 1);
	assert_kept(report, text);
}

/** A headline alone is enough, and is in the report. */
static void the_headline_is_enough(void **state UNUSED)
{
	static const char *const headlines[] = {
		"*** Terminating app due to uncaught exception 'A', reason: "
		"'b'",
		"*** -[Cart pay]: message sent to deallocated instance 0x60",
		"(-[Cart pay]) was sent to a zombie object at address: 0x60",
		"-[??? pay]",
		"Acme/Cart.swift:44: Fatal error: Index out of range",
		"Fatal error: no cart: file Acme/Cart.swift, line 12",
		"Fatal error: no cart",
		"dyld[612]: Library not loaded: @rpath/A.framework/A",
		"libc++abi: terminating due to uncaught exception of type int",
		"Uncaught Kotlin exception: kotlin.Exception: no cart",
		"Main Thread Checker: UI API called on a background thread: "
		"-[UIView b]",
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(headlines); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str text = { 0 };
		const char *headline = headlines[i / 2];
		struct report *report;

		str_addf(&text, "%s%s\n", i % 2 ? SYSLOG : "", headline);
		report = read(&arena, str_cstr(&text));
		assert_string_equal(report_section(report, "Headline"),
		                    headline);
		assert_kept(report, str_cstr(&text));
	}
}

static void prose_is_no_report(void **state UNUSED)
{
	static const char *const texts[] = {
		"# Acme\n\nA line like\nFatal error: the usual\nmeans a bug.\n",
		"If you see *** Terminating app due to uncaught exception "
		"'A',\n"
		"read on.\n",
		"We had a Main Thread Checker: it found nothing.\n",
		// More than a line: it is about something else.
		"# Zombies\n\nThe log has *** -[Cart pay]: message sent to "
		"deallocated instance 0x60 then.\nTurn them on.\n",
		"Zombies say 'message sent to deallocated instance'.\n",
		"The watchdog ends apps that exhausted their time allowance of "
		"20 seconds.\n",
		"memorystatus: killing what is large is the kernel's way\n",
		"Use the Thread Performance Checker: it finds inversions.\n"
		"It is on by default.\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_false(
		        reader_sniff(&crash_text_reader, text_from(texts[i])));
}

/** As terminals do it; what belongs to the exception is in one line again. */
static void a_broken_line_is_joined(void **state UNUSED)
{
	static const char text[] =
	        "Acme[711:16062] *** Terminating app due to uncaught "
	        "exception\n"
	        "  'RCTFatalException: Unhandled JS\n"
	        "  Exception: no cart', reason: 'Unhandled\n"
	        "  JS Exception: no cart'\n"
	        "Acme[711:16062] gone\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_string_equal(report->process.name, "Acme");
	assert_string_equal(report->thrown.name,
	                    "RCTFatalException: Unhandled JS Exception: no "
	                    "cart");
	assert_string_equal(report->thrown.reason,
	                    "Unhandled JS Exception: no cart");
	assert_kept(report, text);
}

static void a_kill_names_who_was_killed(void **state UNUSED)
{
	static const char kill[] =
	        "Nov  3 08:15:03 kernel[0] <Notice>: memorystatus: "
	        "killing_specific_process pid 88 [acmed] (per-process-limit 3) "
	        "1KB - memorystatus_available_pages: 2\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str both = { 0 };
	struct report *report = read(&arena, kill);

	assert_string_equal(report->process.name, "acmed");
	assert_int_equal(report->process.pid, 88);
	// What another process says of itself is about that one.
	str_addf(&both, "%s%s", kill, XCODE THROWN);
	report = read(&arena, str_cstr(&both));
	assert_string_equal(report->process.name, "Acme Shop");
	assert_int_equal(report->section_count, 2);
}

static void the_main_thread_checker_names_its_thread(void **state UNUSED)
{
	static const char text[] =
	        "====\n"
	        "Main Thread Checker: UI API called on a background thread: "
	        "-[UILabel setText:]\n"
	        "PID: 711, TID: 17000, Thread name: worker, Queue name: "
	        "com.acme.net, QoS: 25\n"
	        "Backtrace:\n"
	        "5   Acme    0x0000000104a1c4c3 pay + 120\n"
	        "6   Acme    0x0000000104a1c5c3 load + 20\n" XCODE
	        "on it goes\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);
	const struct report_thread *thread;

	assert_int_equal(report->thread_count, 1);
	thread = report->threads[0];
	assert_int_equal(thread->id, 17000);
	assert_string_equal(thread->name, "worker");
	assert_string_equal(thread->queue, "com.acme.net");
	assert_int_equal(thread->stack.count, 2);
	assert_int_equal(report->process.pid, 711);
	assert_false(report->truncated);
	assert_kept(report, text);
}

static void a_kotlin_trace_keeps_its_headline(void **state UNUSED)
{
	static const char text[] =
	        "Uncaught Kotlin exception: acme.CartException: no\ncart\n"
	        "    at 0   Shared    0x104fe04a0   kfun:acme.Cart#pay(){} + "
	        "119 (/x/Cart.kt:10:9)\n"
	        "    at 1   UIKitCore 0x1a2b3c4d5   -[UIApplication "
	        "sendEvent:] + 100\n"
	        "Caused by: kotlin.Exception: x\n"
	        "    at 0   Shared    0x104fe04a0   kfun:acme.Cart#go(){} + "
	        "119\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);
	const struct report_stack *stack = &report->exception_backtrace;

	assert_string_equal(report->thrown.name, "acme.CartException");
	assert_string_equal(report->thrown.reason, "no\ncart");
	assert_string_equal(report->thrown.kind, "kotlin-exception");
	assert_int_equal(stack->count, 2);
	assert_string_equal(call(stack, 0)->file, "Cart.kt");
	assert_int_equal(call(stack, 0)->line, 10);
	assert_true(report_frame_is_app(report, &stack->frames[0]));
	assert_false(report_frame_is_app(report, &stack->frames[1]));
	assert_int_equal(report->app_backtrace_count, 1);
}

static void a_javascript_stack_in_a_reason_is_a_thread(void **state UNUSED)
{
	static const char text[] =
	        "*** Terminating app due to uncaught exception "
	        "'RCTFatalException: Unhandled JS Exception: Error: no', "
	        "reason: 'Unhandled JS Exception: Error: no, stack:\n"
	        "pay@1:425231\n"
	        "    at show (address at main.jsbundle:1:99812)\n"
	        "'\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_int_equal(report->thread_count, 1);
	assert_string_equal(report->threads[0]->name, "JavaScript");
	assert_int_equal(report->threads[0]->stack.count, 2);
	assert_string_equal(call(&report->threads[0]->stack, 0)->symbol,
	                    "pay@1:425231");
	assert_string_equal(call(&report->threads[0]->stack, 1)->symbol,
	                    "show");
	assert_string_equal(call(&report->threads[0]->stack, 1)->file,
	                    "main.jsbundle");
	assert_kept(report, text);
}

static void bare_addresses_are_counted(void **state UNUSED)
{
	static const char text[] = THROWN CALLS
	        "(0x18040a0f8 0x180087db4\n 0x104a1b2c3)\nafter\n";
	static const char images[] =
	        "Binary Images:\n0x104a10000 - 0x104a1ffff Acme arm64 "
	        "<4c4c44bd55553144a18b1d7a14acc538> /x/Acme.app/Acme\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str both = { 0 };
	struct report *report = read(&arena, text);

	assert_int_equal(report->exception_backtrace.count, 3);
	assert_int_equal(report->note_count, 1);
	assert_string_equal(report->notes[0].text,
	                    "3 addresses without images: add the 'Binary "
	                    "Images:' of a report of the same run below them");
	str_addf(&both, "%s%s", text, images);
	report = read(&arena, str_cstr(&both));
	assert_int_equal(report->image_count, 1);
	assert_int_equal(report->exception_backtrace.frames[2].image, 0);
	assert_int_equal(report->note_count, 0);
}

static void a_uuid_is_no_function(void **state UNUSED)
{
	static const char text[] = THROWN CALLS
	        "(\n" FRAME_0 "1   Acme                                "
	        "4C4C44BD-5555-3144-A18B-1D7A14ACC538 + 2572\n"
	        ")\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);
	const struct report_frame *frame =
	        &report->exception_backtrace.frames[1];

	assert_int_equal(report->image_count, 1);
	assert_string_equal(report->images[0].name, "Acme");
	assert_false(uuid_is_zero(&report->images[0].uuid));
	assert_int_equal(frame->call_count, 0);
	assert_int_equal(frame->image, 0);
	assert_int_equal(frame->image_offset, 2572);
	assert_true(report_frame_is_app(report, frame));
	assert_kept(report, text);
}

static void a_text_cut_anywhere_is_read(void **state UNUSED)
{
	static const char text[] = XCODE THROWN CALLS
	        "(\n" FRAME_0 FRAME_1 ")\n"
	        "Main Thread Checker: UI API called\n"
	        "PID: 711, TID: 17000, Thread name: w\n"
	        "Backtrace:\n" FRAME_0 "Uncaught Kotlin exception: A: b\n"
	        "    at 0   Shared  0x104fe04a0  kfun:a + 1\n";

	for (size_t size = 0; size < sizeof(text); size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;
		struct text cut = text_first(text_from(text), size);

		if (reader_sniff(&crash_text_reader, cut))
			err = reader_read(&crash_text_reader, cut, &arena,
			                  &report);
		assert_null(err);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exception_keeps_all_that_is_around_it),
		cmocka_unit_test(indented_frames_in_brackets_are_no_quotation),
		cmocka_unit_test(frames_with_a_prefix_of_their_own_are_read),
		cmocka_unit_test(a_reason_may_have_many_lines),
		cmocka_unit_test(the_headline_is_enough),
		cmocka_unit_test(prose_is_no_report),
		cmocka_unit_test(a_broken_line_is_joined),
		cmocka_unit_test(a_kill_names_who_was_killed),
		cmocka_unit_test(the_main_thread_checker_names_its_thread),
		cmocka_unit_test(a_kotlin_trace_keeps_its_headline),
		cmocka_unit_test(a_javascript_stack_in_a_reason_is_a_thread),
		cmocka_unit_test(bare_addresses_are_counted),
		cmocka_unit_test(a_uuid_is_no_function),
		cmocka_unit_test(a_text_cut_anywhere_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
