// SPDX-License-Identifier: MIT
#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "lib/darwin/platforms.h"
#include "parsers/reader.h"
#include "tests/unit/lib/model/report_lines.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define UUID "4c4c44bd55553144a18b1d7a14acc538"

#define HEAD                                                \
	"# Crashlytics - Stack trace\n"                     \
	"# Application: com.example.demo\n"                 \
	"# Platform: apple\n"                               \
	"# Version: 2.1 (210)\n"                            \
	"# Issue: 0f0f\n"                                   \
	"# Session: ca6f_DNE_0_v2\n"                        \
	"# Date: Sat Jun 22 2024 09:09:07 GMT+0700 (ICT)\n" \
	"\n"

#define CRASHED                                                             \
	"Crashed: com.apple.main-thread\n"                                  \
	"0  Demo                           0xa0c -[Feed decode:] + 11 "     \
	"(Feed.m:11)\n"                                                     \
	"1  Demo                           0xab4 (Missing UUID " UUID ")\n" \
	"2  UIKitCore                      0x8d4d4 "                        \
	"-[UIApplication sendEvent:] + 100\n"

#define OTHER                                                          \
	"\n"                                                           \
	"com.apple.uikit.eventfetch-thread\n"                          \
	"0  libsystem_kernel.dylib         0xcd4 mach_msg2_trap + 8\n" \
	"1  UIKitCore                      0x8d4d4 (Missing)\n"

#define THROWN                                       \
	"Fatal Exception: NSRangeException\n"        \
	"index 3 beyond bounds [0 .. 2]\n"           \
	"0  CoreFoundation                 0x83f20 " \
	"__exceptionPreprocess\n"                    \
	"1  Demo                           0xab4 (Missing UUID " UUID ")\n"

static struct report *read(struct arena *arena, const char *text)
{
	struct report *report = NULL;
	struct error *err =
	        read_reports(bytes_from_text(text_from(text)), arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	assert_string_equal(report->format, "crashlytics");
	return report;
}

static void assert_kept(const struct report *report, const char *expected)
{
	SCOPED(str_release) struct str lines = { 0 };

	add_report_lines(report, &lines);
	assert_string_equal(str_cstr(&lines), expected);
}

static const struct report_image *image_of(const struct report *report,
                                           const struct report_frame *frame)
{
	const struct report_image *image = report_frame_image(report, frame);

	assert_non_null(image);
	return image;
}

static void the_head_says_what_crashed(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read(&arena, HEAD CRASHED);

	assert_string_equal(report->identifier, "com.example.demo");
	assert_string_equal(report->process.name, "Demo");
	assert_string_equal(report->version, "2.1");
	assert_string_equal(report->build, "210");
	assert_string_equal(report->date_time,
	                    "Sat Jun 22 2024 09:09:07 GMT+0700 (ICT)");
	assert_string_equal(report_field(report, "Platform"), "apple");
	assert_string_equal(report_field(report, "Session"), "ca6f_DNE_0_v2");
	assert_null(report->kind);
	assert_kept(report, HEAD CRASHED);
}

static void a_frame_has_its_offset_and_what_is_printed(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read(&arena, HEAD CRASHED OTHER);
	const struct report_frame *frames = report->threads[0]->stack.frames;
	char uuid[UUID_TEXT_SIZE];

	assert_int_equal(report->thread_count, 2);
	assert_true(report->threads[0]->crashed);
	assert_string_equal(report->threads[0]->name, "com.apple.main-thread");
	assert_string_equal(report->threads[0]->queue, "com.apple.main-thread");
	assert_int_equal(report->threads[0]->stack.count, 3);
	assert_string_equal(frames[0].calls[0].symbol, "-[Feed decode:]");
	// The number repeats the line: it is no offset.
	assert_false(frames[0].calls[0].has_symbol_offset);
	assert_string_equal(frames[0].calls[0].file, "Feed.m");
	assert_int_equal(frames[0].calls[0].line, 11);
	assert_int_equal(frames[1].image_offset, 0xab4);
	assert_int_equal(frames[1].call_count, 0);
	assert_string_equal(
	        uuid_format_compact(&image_of(report, &frames[1])->uuid, uuid),
	        UUID);
	// The other frame of the image has it, too.
	assert_int_equal(frames[0].image, frames[1].image);
	assert_true(report_frame_is_app(report, &frames[0]));
	assert_false(report_frame_is_app(report, &frames[2]));
	assert_int_equal(frames[2].calls[0].symbol_offset, 100);
	assert_string_equal(report->threads[1]->name,
	                    "com.apple.uikit.eventfetch-thread");
	assert_false(report->threads[1]->crashed);
	assert_kept(report, HEAD CRASHED
	            "\n"
	            "com.apple.uikit.eventfetch-thread\n"
	            "0  libsystem_kernel.dylib         0xcd4 mach_msg2_trap + "
	            "8\n"
	            "1  UIKitCore                      0x8d4d4 "
	            "-[UIApplication sendEvent:] + 100\n");
}

static void a_name_serves_all_frames_at_its_place(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read(&arena, HEAD CRASHED OTHER);
	const struct report_frame *frame = &report->threads[1]->stack.frames[1];

	assert_int_equal(frame->call_count, 1);
	assert_string_equal(frame->calls[0].symbol,
	                    "-[UIApplication sendEvent:]");
	assert_int_equal(frame->source, REPORT_SOURCE_REPORT);
}

static void two_uuids_of_a_name_are_two_images(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, HEAD CRASHED
	             "3  Demo                           0x10 (Missing UUID "
	             "5c4c44bd55553144a18b1d7a14acc538)\n"
	             "4  Demo                           0x20 main + 12\n");
	const struct report_frame *frames = report->threads[0]->stack.frames;

	assert_true(frames[1].image != frames[3].image);
	assert_true(uuid_is_zero(&image_of(report, &frames[0])->uuid));
	assert_true(uuid_is_zero(&image_of(report, &frames[4])->uuid));
}

static void an_exception_has_its_own_frames(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, HEAD "Fatal Exception: NSRangeException\n"
	                          "index 3 beyond bounds [0 .. 2]\n\n" THROWN
	                          "\nCrashed: com.google.firebase."
	                          "crashlytics.ios.exception\n"
	                          "0  Demo 0x58c FIRCLSHandler + 34 "
	                          "(FIRCLSHandler.m:34)\n");

	assert_string_equal(report->thrown.name, "NSRangeException");
	assert_string_equal(report->thrown.reason,
	                    "index 3 beyond bounds [0 .. 2]");
	assert_int_equal(report->exception_backtrace.count, 2);
	assert_true(report->exception_backtrace.all_return_addresses);
	assert_int_equal(report->thread_count, 1);
	assert_true(report->threads[0]->crashed);
}

static void the_frames_of_a_script_are_divided(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read(
	        &arena,
	        "Fatal Exception: RCTFatalException: Unhandled JS Exception: "
	        "x is null\n"
	        "Unhandled JS Exception: x is null, stack: <unknown>@580:12071 "
	        "value@25:3724 forEach@[native code] k@main.jsbundle:25:411\n"
	        "0  CoreFoundation                 0x83f20 "
	        "__exceptionPreprocess\n"
	        "1  Demo                           0xab4 RCTFatal + 167 "
	        "(RCTAssert.m:167)\n");
	const struct report_thread *script = report->threads[0];

	assert_string_equal(report->thrown.name, "RCTFatalException");
	assert_string_equal(report->thrown.reason,
	                    "Unhandled JS Exception: x is null");
	assert_int_equal(report->thread_count, 1);
	assert_string_equal(script->name, "JavaScript");
	assert_int_equal(script->stack.count, 4);
	assert_string_equal(script->stack.frames[0].calls[0].symbol,
	                    "<unknown>@580:12071");
	assert_string_equal(script->stack.frames[2].calls[0].symbol, "forEach");
	assert_string_equal(script->stack.frames[3].calls[0].file,
	                    "main.jsbundle");
	assert_int_equal(script->stack.frames[3].calls[0].line, 25);
}

static void what_the_page_shows_may_be_beside_the_text(void **state UNUSED)
{
	static const char *const texts[] = {
		"Crashed: com.apple.main-thread EXC_BAD_ACCESS "
		"KERN_INVALID_ADDRESS 0x0000000000000010\n"
		"0  Demo 0xab4 load() + 12 (Feed.swift:12)\n",
		"Crashed: com.apple.main-thread\n"
		"EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x0000000000000010\n"
		"0  Demo 0xab4 load() + 12 (Feed.swift:12)\n",
		"EXC_BAD_ACCESS KERN_INVALID_ADDRESS at 0x0000000000000010\n\n"
		"Crashed: com.apple.main-thread\n"
		"0  Demo 0xab4 load() + 12 (Feed.swift:12)\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report = read(&arena, texts[i]);

		assert_string_equal(report->threads[0]->name,
		                    "com.apple.main-thread");
		assert_string_equal(report->exception.type, "EXC_BAD_ACCESS");
		assert_string_equal(
		        report->exception.subtype,
		        "KERN_INVALID_ADDRESS at 0x0000000000000010");
	}
}

static void the_page_may_show_a_signal(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, "Crashed: worker SIGABRT ABORT 0x00000001bcd\n"
	                     "0  Demo 0xab4 load() + 12 (Feed.swift:12)\n");

	assert_string_equal(report->exception.signal, "SIGABRT");
	assert_null(report->exception.type);
	assert_string_equal(report->threads[0]->name, "worker");
}

static void texts_of_its_past_are_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read(
	        &arena,
	        "# Organization: xyz\n"
	        "# Platform: ios\n"
	        "# Application: Demo App\n"
	        "# Version: N/A\n"
	        "# Bundle Identifier: com.example.demo\n"
	        "# OS Version: 10.2.1 (14D27)\n"
	        "# Device: iPhone 5\n"
	        "\n"
	        "#0. Crashed: com.apple.root.default-qos\n"
	        "0  Demo                           0x92a25 handle (CLS.c:376)\n"
	        "1  Demo                           0x92a24 run + 4344112\n"
	        "\n"
	        "#1. com.apple.main-thread\n"
	        "0  libsystem_kernel.dylib         0x8fc mach_msg_trap + 20\n");

	assert_string_equal(report->process.name, "Demo App");
	assert_string_equal(report->identifier, "com.example.demo");
	assert_null(report->version);
	assert_int_equal(report->platform, DARWIN_PLATFORM_IOS);
	assert_string_equal(report->os_version, "10.2.1 (14D27)");
	assert_string_equal(report->hardware_model, "iPhone 5");
	assert_int_equal(report->thread_count, 2);
	assert_int_equal(report->threads[1]->number, 1);
	assert_string_equal(report->threads[1]->name, "com.apple.main-thread");
	// That is an address, of another launch.
	assert_false(
	        report->threads[0]->stack.frames[1].calls[0].has_symbol_offset);
}

static void addresses_are_no_offsets(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, "Fatal Exception: NSGenericException\n"
	                     "0  CoreFoundation   0x1f7ebc518 "
	                     "__exceptionPreprocess\n"
	                     "1  Demo             0x101697ba4 -[Feed load]\n");

	assert_int_equal(report->image_count, 0);
	assert_int_equal(report->exception_backtrace.frames[1].image,
	                 REPORT_NO_IMAGE);
	assert_int_equal(report->exception_backtrace.frames[1].address,
	                 0x101697ba4);
	assert_int_equal(report->note_count, 1);
}

static void a_cut_text_says_so(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read(
	        &arena, HEAD CRASHED
	        "3  Demo                           0xab8 (Missing UUID 4c");

	assert_true(report->truncated);
	assert_int_equal(report->threads[0]->stack.count, 4);
}

static void a_uuid_that_is_none_is_noted(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, "Crashed: worker\n"
	                     "0  Demo   0xab4 (Missing UUID 4c4c)\n"
	                     "1  Demo   0xab8 (Missing)\n");

	assert_int_equal(report->note_count, 2);
	assert_string_equal(
	        report->notes[1].text,
	        "1 frame has an invalid UUID: expected 32 hex digits");
	assert_true(uuid_is_zero(&report->images[0].uuid));
}

static void a_reason_may_be_behind_the_name(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, "**Fatal Exception: RCTFatalException: Error "
	                     "opening bundle\n"
	                     "/var/mobile/main.jsbundle**\n"
	                     "0  Demo   0xab4 RCTFormatError +\n");

	assert_string_equal(report->thrown.name, "RCTFatalException");
	assert_string_equal(report->thrown.reason,
	                    "Error opening bundle\n/var/mobile/main.jsbundle");
	assert_string_equal(
	        report->exception_backtrace.frames[0].calls[0].symbol,
	        "RCTFormatError");
}

static void what_the_app_reports_is_no_crash(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, "Non-fatal Exception: com.example.Store: full\n"
	                     "0  Demo   0xab4 record() + 7 (Store.swift:7)\n");

	assert_string_equal(report->thrown.name, "com.example.Store");
	assert_string_equal(report->thrown.reason, "full");
	assert_string_equal(report->thrown.kind, "user-reported");
}

static void what_was_done_to_the_text_is_undone(void **state UNUSED)
{
	static const char *const texts[] = {
		"> # Crashlytics - Stack trace\n"
		"> # Version: 2.1 (210)\n>\n"
		"> Crashed: com.apple.main-thread\n"
		"> 0  Demo   0xab4 (Missing UUID " UUID ")\n"
		"> 1  Demo   0xab8 (Missing UUID " UUID ")\n",
		"Crashlytics - Stack trace\r\n"
		"Version: 2.1 (210)\r\n\r\n"
		"Crashed: com.apple.main-thread\r\n"
		"0  Demo   0xab4 (Missing UUID " UUID ")\r\n"
		"1  Demo   0xab8 (Missing UUID " UUID ")\r\n",
		"Здравствуйте, приложение падает:\n\n```\n"
		"# Crashlytics - Stack trace\n"
		"# Version: 2.1 (210)\n\n"
		"Crashed: com.apple.main-thread\n"
		"0  Demo   0xab4 (Missing UUID " UUID ")\n"
		"1  Demo   0xab8 (Missing UUID " UUID ")\n```\nСпасибо\n",
		"# Crashlytics - Stack trace\n\n"
		"# Version: 2.1 (210)\n\n\n\n"
		"Crashed: com.apple.main-thread\n\n"
		"0  Demo   0xab4 (Missing UUID " UUID ")\n\n"
		"1  Demo   0xab8 (Missing UUID " UUID ")\n\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report = read(&arena, texts[i]);

		assert_string_equal(report->version, "2.1");
		assert_int_equal(report->thread_count, 1);
		assert_int_equal(report->threads[0]->stack.count, 2);
		assert_int_equal(report->image_count, 1);
		assert_false(uuid_is_zero(&report->images[0].uuid));
	}
}

static size_t count_reports(const char *text)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	size_t count = 0;

	for (const struct report *at = read(&arena, text); at; at = at->next)
		count++;
	return count;
}

static void each_text_is_a_report(void **state UNUSED)
{
	assert_int_equal(count_reports(HEAD CRASHED OTHER HEAD CRASHED), 2);
	assert_int_equal(count_reports(THROWN "\n" CRASHED), 1);
	assert_int_equal(count_reports(THROWN "\n" THROWN), 2);
	assert_int_equal(count_reports(CRASHED "\n" CRASHED), 2);
	assert_int_equal(count_reports(HEAD CRASHED "\n" THROWN), 2);
}

static void only_its_own_text_is_taken(void **state UNUSED)
{
	assert_true(reader_sniff(&crashlytics_reader, text_from(HEAD CRASHED)));
	assert_true(reader_sniff(&crashlytics_reader, text_from(CRASHED)));
	assert_false(reader_sniff(
	        &crashlytics_reader,
	        text_from("# Crashlytics - Stack trace\n"
	                  "# Platform: android\n\n"
	                  "Fatal Exception: java.lang.RuntimeException\n")));
	assert_false(reader_sniff(
	        &crashlytics_reader,
	        text_from("Exception Type:  EXC_CRASH (SIGABRT)\n" CRASHED)));
	assert_false(reader_sniff(&crashlytics_reader,
	                          text_from("Crashed: yes\nno frame\n")));
}

static void limits_keep_lines_as_text(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	const struct report *report;
	size_t most = limit_get(LIMIT_THREADS);

	str_add(&text, CRASHED);
	for (size_t i = 0; i < most; i++)
		str_add(&text, "\nworker\n0  Demo  0x10 work + 4\n");
	report = read(&arena, str_cstr(&text));
	assert_int_equal(report->thread_count, most);
	assert_kept(report, str_cstr(&text));
}

static void the_page_may_be_copied_cell_by_cell(void **state UNUSED)
{
	static const char text[] =
	        "Fatal Exception: NSRangeException\n"
	        "0\nCoreFoundation\n__exceptionPreprocess + 164\n"
	        "1\nShop\nCart.swift - Line 44\nCart.pay() + 44\n"
	        "2\nShop\n<compiler-generated> - Line 4337149088\n"
	        "static App.$main() + 4337149088\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read(&arena, text);
	const struct report_stack *stack = &report->exception_backtrace;

	assert_int_equal(stack->count, 3);
	assert_string_equal(stack->frames[1].calls[0].symbol, "Cart.pay()");
	assert_string_equal(stack->frames[1].calls[0].file, "Cart.swift");
	assert_int_equal(stack->frames[1].calls[0].line, 44);
	assert_false(report_frame_is_app(report, &stack->frames[0]));
	assert_true(report_frame_is_app(report, &stack->frames[1]));
	assert_true(report_frame_is_app(report, &stack->frames[2]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_may_be_copied_cell_by_cell),
		cmocka_unit_test(the_head_says_what_crashed),
		cmocka_unit_test(a_frame_has_its_offset_and_what_is_printed),
		cmocka_unit_test(a_name_serves_all_frames_at_its_place),
		cmocka_unit_test(two_uuids_of_a_name_are_two_images),
		cmocka_unit_test(an_exception_has_its_own_frames),
		cmocka_unit_test(the_frames_of_a_script_are_divided),
		cmocka_unit_test(what_the_page_shows_may_be_beside_the_text),
		cmocka_unit_test(the_page_may_show_a_signal),
		cmocka_unit_test(texts_of_its_past_are_read),
		cmocka_unit_test(addresses_are_no_offsets),
		cmocka_unit_test(a_cut_text_says_so),
		cmocka_unit_test(a_uuid_that_is_none_is_noted),
		cmocka_unit_test(a_reason_may_be_behind_the_name),
		cmocka_unit_test(what_the_app_reports_is_no_crash),
		cmocka_unit_test(what_was_done_to_the_text_is_undone),
		cmocka_unit_test(each_text_is_a_report),
		cmocka_unit_test(only_its_own_text_is_taken),
		cmocka_unit_test(limits_keep_lines_as_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
