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

#define XCODE  "2026-11-03 08:15:02.300200+0100 Acme[711:16062] "
#define LOGCAT "11-03 08:15:02.200  711  777 E ReactNativeJS: "

/** A trace, and its innermost frame that is the app's. */
static const struct {
	const char *text;
	const char *kind;
	const char *name;   ///< NULL: not said
	const char *reason; ///< NULL: there is no headline
	const char *symbol;
	const char *file; ///< NULL: not said
	uint32_t line;
	size_t count; ///< frames of the first thread
} traces[] = {
	// JavaScript
	{ "TypeError: no cart\n"
	  "    at apply (native)\n"
	  "    at pay (address at main.jsbundle:1:425231)\n",
	  "javascript-error", "TypeError", "no cart", "pay", "main.jsbundle", 1,
	  2 },
	{ "Error: no cart\npay@main.jsbundle:423:1234\n[native code]\n",
	  "javascript-error", "Error", "no cart", "pay", "main.jsbundle", 423,
	  2 },
	{ LOGCAT "ReferenceError: no cart\n" LOGCAT
	         "    at pay (address at index.android.bundle:1:99812)\n",
	  "javascript-error", "ReferenceError", "no cart", "pay",
	  "index.android.bundle", 1, 1 },
	{ " ERROR  TypeError: no cart\n\n"
	  "    in Cart (at App.js:12)\n\n"
	  "    at Cart (http://localhost:8081/index.bundle:120:30)\n",
	  "javascript-error", "TypeError", "no cart", "Cart", "index.bundle",
	  120, 1 },
	// Dart
	{ "[VERBOSE-2:dart_vm_initializer.cc(41)] Unhandled Exception: "
	  "FormatException: no cart\n"
	  "#0      Cart.pay (package:acme/cart.dart:12:5)\n"
	  "#1      State.setState (package:flutter/src/widgets/f.dart:1:3)\n",
	  "dart-exception", "FormatException", "no cart", "Cart.pay",
	  "cart.dart", 12, 2 },
	{ "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"
	  "pid: 612, tid: 259, name io.flutter.1.ui\n"
	  "build_id: '00ff'\n"
	  "    #00 abs 0000000102ff04a0 virt 00000000000104a0 "
	  "_kDartIsolateSnapshotInstructions+0x4a0\n",
	  "dart-exception", NULL,
	  "*** *** *** *** *** *** *** ***\n"
	  "pid: 612, tid: 259, name io.flutter.1.ui\nbuild_id: '00ff'",
	  "_kDartIsolateSnapshotInstructions+0x4a0", NULL, 0, 1 },
	{ "    #00 abs 0000000102ff04a0 "
	  "_kDartIsolateSnapshotInstructions+0x4a0\n",
	  "dart-exception", NULL, NULL,
	  "_kDartIsolateSnapshotInstructions+0x4a0", NULL, 0, 1 },
	// As IDEs show it: the place in the next line
	{ "Unhandled Exception: FormatException: no cart\n"
	  "#0      _Growable.add (dart:core-patch/growable_array.dart:189:27)\n"
	  "#1      State.setState\n"
	  "package:flutter/…/widgets/framework.dart:1167\n"
	  "#2      Cart.pay.<anonymous closure>\n"
	  "package:acme/…/model/cart.dart:41\n",
	  "dart-exception", "FormatException", "no cart",
	  "Cart.pay.<anonymous closure>", "cart.dart", 41, 3 },
	// .NET, Mono, Unity
	{ "{System.OverflowException: no cart\n"
	  "   at CommunityToolkit.Maui.Core.Views.A.B(Double d)\n"
	  "   at Acme.Cart.Pay(String[] args) in D:\\src\\Acme\\Cart.cs:line "
	  "20}\tSystem.OverflowException\n",
	  "dotnet-exception", "System.OverflowException", "no cart",
	  "Acme.Cart.Pay", "Cart.cs", 20, 2 },
	{ "[10:00:00] An error occurred\n"
	  "System.NullReferenceException: no cart\n"
	  "   at Acme.Cart.Pay() in /x/Cart.cs:line 20\n",
	  "dotnet-exception", "System.NullReferenceException", "no cart",
	  "Acme.Cart.Pay", "Cart.cs", 20, 1 },
	{ "Unhandled exception. System.ArgumentException: no cart\n"
	  "   at System.Array.Get(Int32 i)\n"
	  "   at Acme.Cart.Pay() in /x/Cart.cs:line 20\n",
	  "dotnet-exception", "System.ArgumentException", "no cart",
	  "Acme.Cart.Pay", "Cart.cs", 20, 2 },
	{ "Unhandled Exception:\n"
	  "Acme.CartException: no cart\n"
	  "  at Acme.Cart.Pay () [0x00001] in /x/Cart.cs:42 \n",
	  "dotnet-exception", "Acme.CartException", "no cart", "Acme.Cart.Pay",
	  "Cart.cs", 42, 1 },
	{ "NullReferenceException: no cart\n"
	  "  at Cart.Pay (System.Int32 a) [0x00012] in /x/Cart.cs:42 \n"
	  "  at UnityEngine.A.B () [0x00000] in <0000>:0 \n",
	  "dotnet-exception", "NullReferenceException", "no cart", "Cart.Pay",
	  "Cart.cs", 42, 2 },
	{ "InvalidOperationException: no cart\n"
	  "UnityEngine.Events.UnityEvent:Invoke()\n"
	  "Cart:Pay(Int32) (at Assets/Cart.cs:12)\n",
	  "dotnet-exception", "InvalidOperationException", "no cart",
	  "Cart:Pay", "Cart.cs", 12, 2 },
	{ "Got a SIGSEGV while executing native code.\n"
	  "\t0x104e80a0c - /x/Acme.app/Acme : mono_dump_native_crash_info\n"
	  "\t0x104e80ab4 - /x/Acme.app/Acme : pay\n"
	  "\t0x1a2b3c4d4 - /usr/lib/system/libsystem_platform.dylib : "
	  "<redacted>\n",
	  "mono-native-crash", NULL,
	  "Got a SIGSEGV while executing native code.", "pay", NULL, 0, 3 },
	// Go
	{ "panic: no cart\n"
	  "[signal SIGSEGV: segmentation violation code=0x2 addr=0x0]\n\n"
	  "goroutine 7 [running]:\n"
	  "runtime.panicmem()\n"
	  "\t/go/src/runtime/panic.go:1 +0x20\n"
	  "main.(*Cart).pay(...)\n"
	  "\t/x/main.go:10\n"
	  "main.main()\n"
	  "\t/x/main.go:6 +0x20\n"
	  "exit status 2\n",
	  "go-panic", NULL, "no cart", "main.(*Cart).pay", "main.go", 10, 3 },
	{ "fatal error: all goroutines are asleep - deadlock!\n\n"
	  "goroutine 1 [chan receive]:\nmain.main()\n\t/x/cart.go:8 +0x2c\n",
	  "go-panic", NULL, "all goroutines are asleep - deadlock!",
	  "main.main", "cart.go", 8, 1 },
	{ XCODE "panic: no cart\n\ngoroutine 17 [running, locked to thread]:\n"
	        "acme.io/cart.Pay(0xc000010000)\n\t/x/cart.go:31 +0x90\n",
	  "go-panic", NULL, "no cart", "acme.io/cart.Pay", "cart.go", 31, 1 },
	// Rust
	{ "thread 'main' panicked at src/main.rs:4:5:\nno cart\n"
	  "stack backtrace:\n"
	  "   0: core::panicking::panic_fmt\n"
	  "             at /rustc/1/core/src/panicking.rs:75:14\n"
	  "   1: acme::pay\n"
	  "             at ./src/main.rs:4:5\n",
	  "rust-panic", NULL, "no cart", "acme::pay", "main.rs", 4, 2 },
	{ "thread 'main' panicked at 'no cart', src/main.rs:4:5\n"
	  "stack backtrace:\n   0: acme::pay\n",
	  "rust-panic", NULL, "no cart", "acme::pay", NULL, 0, 1 },
	{ "stack backtrace:\n   0:        0x100e80a0c - <unknown>\n"
	  "   1:        0x100e80ab0 - acme::pay\n",
	  "rust-panic", NULL, NULL, "acme::pay", NULL, 0, 2 },
	// Sanitizers
	{ "==711==ERROR: AddressSanitizer: heap-use-after-free on address "
	  "0x60\n"
	  "READ of size 4 at 0x60 thread T0\n"
	  "    #0 0x1a2b3c4d4 in free+0x98 "
	  "(libclang_rt.asan_ios_dynamic.dylib:arm64+0x54a0c)\n"
	  "    #1 0x100e80a0c in pay(Cart const&) cart.cpp:11\n\n"
	  "freed by thread T0 here:\n"
	  "    #0 0x1a2b3c4d4 in free+0x98 (libclang_rt.dylib:arm64+0x54)\n",
	  "sanitizer", "AddressSanitizer",
	  "heap-use-after-free on address 0x60\n"
	  "READ of size 4 at 0x60 thread T0",
	  "pay(Cart const&)", "cart.cpp", 11, 2 },
	{ "WARNING: ThreadSanitizer: data race (pid=612)\n"
	  "  Write of size 4 at 0x1 by thread T2:\n"
	  "    #0 pay() Cart.swift:12 (Acme:arm64+0x100001d2c)\n",
	  "sanitizer", "ThreadSanitizer",
	  "data race (pid=612)\n  Write of size 4 at 0x1 by thread T2:",
	  "pay()", "Cart.swift", 12, 1 },
	{ "cart.cpp:11:5: runtime error: signed integer overflow\n"
	  "    #0 0x104f1d2c8 in pay(int) cart.cpp:11\n",
	  "sanitizer", "UndefinedBehaviorSanitizer", "signed integer overflow",
	  "pay(int)", "cart.cpp", 11, 1 },
};

static struct report *read(struct arena *arena, const char *text)
{
	struct report *report = NULL;
	struct bytes in = { .data = (const uint8_t *)text,
		            .size = strlen(text) };
	struct error *err = read_reports(in, arena, &report);

	if (err)
		fail_msg("%s: %s", text, error_message(err));
	return report;
}

static const struct report_call *find_own(const struct report *report)
{
	const struct report_stack *stack = &report->threads[0]->stack;

	for (size_t i = 0; i < stack->count; i++)
		if (report_frame_is_app(report, &stack->frames[i]))
			return &stack->frames[i].calls[0];
	fail_msg("no frame of the app");
	return NULL;
}

static void assert_text(const char *found, const char *expected)
{
	if (expected)
		assert_string_equal(found, expected);
	else
		assert_null(found);
}

static void traces_of_other_runtimes_are_read(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(traces); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str lines = { 0 };
		struct report *report = read(&arena, traces[i].text);
		const struct report_call *own;

		assert_string_equal(report->format, "runtime-trace");
		assert_string_equal(report->thrown.kind, traces[i].kind);
		assert_text(report->thrown.name, traces[i].name);
		assert_text(report->thrown.reason, traces[i].reason);
		assert_true(report->thread_count > 0);
		assert_int_equal(report->threads[0]->stack.count,
		                 traces[i].count);
		own = find_own(report);
		assert_string_equal(own->symbol, traces[i].symbol);
		assert_text(own->file, traces[i].file);
		assert_int_equal(own->line, traces[i].line);
		add_report_lines(report, &lines);
		assert_string_equal(str_cstr(&lines), traces[i].text);
	}
}

static void several_traces_are_several_threads(void **state UNUSED)
{
	static const char text[] = "panic: no cart\n\n"
	                           "goroutine 18 [running]:\n"
	                           "main.pay()\n\t/x/main.go:10 +0x20\n\n"
	                           "goroutine 1 [select]:\n"
	                           "main.main()\n\t/x/main.go:6 +0x20\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_int_equal(report->thread_count, 2);
	assert_int_equal(report->threads[0]->number, 18);
	assert_true(report->threads[0]->crashed);
	assert_string_equal(report->threads[1]->name, "goroutine 1 [select]");
	assert_false(report->threads[1]->crashed);
}

static void a_sanitizer_gives_the_place_in_an_image(void **state UNUSED)
{
	static const char text[] =
	        "==711==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n"
	        "    #0 0x104e80ab4  (Acme:arm64+0x100000ab4)\n"
	        "    #1 0x1a2b3c4d4 in start+0x204 "
	        "(dyld:arm64e+0xfffffffffff8d4d4)\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);
	const struct report_frame *frames = report->threads[0]->stack.frames;

	assert_string_equal(frames[0].image_name, "Acme");
	assert_int_equal(frames[0].image_offset, 0xab4);
	assert_int_equal(frames[0].address, 0x104e80ab4);
	assert_string_equal(frames[1].calls[0].symbol, "start");
	assert_int_equal(frames[1].image_offset, 0);
	// An image without a UUID is none that a file could match.
	assert_int_equal(report->image_count, 0);
}

static void a_signal_that_a_runtime_names_is_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        read(&arena, "Got a SIGABRT while executing native code.\n"
	                     "\t0x104e80ab4 - /x/Acme.app/Acme : pay\n");

	assert_string_equal(report->exception.signal, "SIGABRT");
}

static void other_texts_are_no_traces(void **state UNUSED)
{
	static const char *const texts[] = {
		"",
		"panic: the user's\n",
		"TypeError: no cart\n",
		"Traceback (most recent call last):\n"
		"  File \"a.py\", line 1, in <module>\nTypeError: no cart\n",
		"java.lang.IllegalStateException: no cart\n"
		"\tat com.acme.Cart.pay(Cart.java:12)\n"
		"\tat com.acme.Cart.main(Native Method)\n",
		"IllegalStateException: no cart\n\tat "
		"acme.Cart.pay(Cart.kt:1)\n",
		"Cart.m:3:9: fatal error: 'Pay.h' file not found\n",
		"#0  0x00007ffff7a42428 in raise () from /lib/libc.so\n",
		"{\"a\":\"TypeError: x\\n    at f (address at m:1:2)\"}\n",
		"stack backtrace:\nnone\n",
		"- [x] see goroutine 1 [running]: below\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (reader_sniff(&runtime_trace_reader, text_from(texts[i])))
			fail_msg("%s", texts[i]);
}

static void a_trace_cut_anywhere_is_read(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(traces); i++)
		for (size_t size = 0; size < strlen(traces[i].text); size++) {
			SCOPED(arena_release) struct arena arena = { 0 };
			SCOPED(error_drop) struct error *err = NULL;
			struct report *report = NULL;
			struct text cut =
			        text_first(text_from(traces[i].text), size);

			if (reader_sniff(&runtime_trace_reader, cut))
				err = reader_read(&runtime_trace_reader, cut,
				                  &arena, &report);
			assert_null(err);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(traces_of_other_runtimes_are_read),
		cmocka_unit_test(several_traces_are_several_threads),
		cmocka_unit_test(a_sanitizer_gives_the_place_in_an_image),
		cmocka_unit_test(a_signal_that_a_runtime_names_is_read),
		cmocka_unit_test(other_texts_are_no_traces),
		cmocka_unit_test(a_trace_cut_anywhere_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
