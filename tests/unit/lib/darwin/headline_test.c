#include "lib/darwin/headline.h"

#include "lib/base/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LOG "2026-11-01 10:00:00.123 Demo[612:12345] "

static const struct {
	const char *line;
	const char *word;
	const char *name;
	const char *reason;
	const char *file;
	uint64_t number;
	bool needs_frames;
} cases[] = {
	{ LOG "*** Terminating app due to uncaught exception 'NSRangeException'"
	      ", reason: 'index 3 beyond 'bounds''",
	  "objc-exception", "NSRangeException", "index 3 beyond 'bounds'", "",
	  0, false },
	{ "*** Terminating app due to uncaught exception of class 'Foo'",
	  "objc-exception", "Foo", "", "", 0, false },
	{ "libc++abi.dylib: terminating with uncaught exception of type "
	  "std::runtime_error: no cart",
	  "c++-exception", "std::runtime_error", "no cart", "", 0, false },
	{ "libc++abi: terminating due to uncaught foreign exception",
	  "c++-exception", "",
	  "libc++abi: terminating due to uncaught foreign exception", "", 0,
	  false },
	{ LOG "*** -[Cart pay]: message sent to deallocated instance 0x60",
	  "zombie", "",
	  "*** -[Cart pay]: message sent to deallocated instance 0x60", "", 0,
	  false },
	{ "-[??? pay]", "zombie", "", "-[??? pay]", "", 0, false },
	{ "(-[Cart pay]) was sent to a zombie object at address: 0x60",
	  "zombie", "",
	  "(-[Cart pay]) was sent to a zombie object at address: 0x60", "", 0,
	  false },
	{ LOG "Acme/Cart.swift:44: Fatal error: Index out of range",
	  "swift-trap", "", "Index out of range", "Acme/Cart.swift", 44,
	  false },
	{ "Acme/Cart.swift:44: Precondition failed: no cart", "swift-trap", "",
	  "Precondition failed: no cart", "Acme/Cart.swift", 44, false },
	{ "Fatal error: no cart: file Acme/Cart.swift, line 12", "swift-trap",
	  "", "no cart", "Acme/Cart.swift", 12, false },
	{ "fatal error: unexpectedly found nil while unwrapping an Optional",
	  "swift-trap", "",
	  "unexpectedly found nil while unwrapping an Optional", "", 0, false },
	{ "Fatal error: no cart", "swift-trap", "", "no cart", "", 0, true },
	{ "dyld: Symbol not found: _OBJC_CLASS_$_UIScene", "dyld", "",
	  "Symbol not found: _OBJC_CLASS_$_UIScene", "", 0, false },
	{ "dyld[612]: Library not loaded: @rpath/A.framework/A", "dyld", "",
	  "Library not loaded: @rpath/A.framework/A", "", 0, false },
	{ "Uncaught Kotlin exception: kotlin.IllegalStateException: no cart",
	  "kotlin-exception", "kotlin.IllegalStateException", "no cart", "", 0,
	  false },
	{ "thread 'main' panicked at 'no cart', src/main.rs:4:5", "rust-panic",
	  "", "no cart", "src/main.rs", 4, false },
	{ "thread 'tokio-1' (77) panicked at src/main.rs:4:5:", "rust-panic",
	  "", "", "src/main.rs", 4, false },
	{ "panic: no cart", "go-panic", "", "no cart", "", 0, true },
	{ "fatal error: all goroutines are asleep - deadlock!", "go-panic", "",
	  "all goroutines are asleep - deadlock!", "", 0, true },
	{ "Unhandled exception. System.ArgumentException: no cart",
	  "dotnet-exception", "System.ArgumentException", "no cart", "", 0,
	  false },
	{ "NullReferenceException: no cart", "dotnet-exception",
	  "NullReferenceException", "no cart", "", 0, true },
	{ "Got a SIGSEGV while executing native code. This usually indicates",
	  "mono-native-crash", "",
	  "Got a SIGSEGV while executing native code. This usually indicates",
	  "", 0, false },
	{ "[VERBOSE-2:dart_vm_initializer.cc(41)] x", NULL, "", "", "", 0,
	  false },
	{ "TypeError: no cart", "javascript-error", "TypeError", "no cart", "",
	  0, true },
	{ "==612==ERROR: AddressSanitizer: heap-use-after-free on address 0x1",
	  "sanitizer", "AddressSanitizer", "heap-use-after-free on address 0x1",
	  "", 0, false },
	{ "WARNING: ThreadSanitizer: data race (pid=612)", "sanitizer",
	  "ThreadSanitizer", "data race (pid=612)", "", 0, false },
	{ "cart.cpp:11:5: runtime error: signed integer overflow", "sanitizer",
	  "UndefinedBehaviorSanitizer", "signed integer overflow", "cart.cpp",
	  11, false },
	{ "Main Thread Checker: UI API called on a background thread: -[A b]",
	  "main-thread-checker", "",
	  "UI API called on a background thread: -[A b]", "", 0, false },
	{ "Acme(711,0x16f0a3000) malloc: *** error for object 0x60: freed",
	  "memory-corruption", "",
	  "Acme(711,0x16f0a3000) malloc: *** error for object 0x60: freed", "",
	  0, false },
	{ "Thread 1: Fatal error: Index out of range", "swift-trap", "",
	  "Index out of range", "", 0, false },
	{ "Unhandled Exception: Acme.CartException: no cart",
	  "dotnet-exception", "Acme.CartException", "no cart", "", 0, false },
	{ "Unhandled Exception: FormatException: no cart", "dart-exception",
	  "FormatException", "no cart", "", 0, false },
	{ "Assertion failed: (a > 0), function pay, file cart.c, line 12.",
	  "assertion", "",
	  "Assertion failed: (a > 0), function pay, file cart.c, line 12.", "",
	  0, false },
	{ "Shop[612:3a9f] *** Terminating app due to uncaught exception",
	  "objc-exception", "", "", "", 0, false },
	{ "Thread Performance Checker: Thread running at QOS_CLASS_DEFAULT",
	  "thread-performance-checker", "",
	  "Thread running at QOS_CLASS_DEFAULT", "", 0, false },
	{ "Nov  1 10:00:00 kernel[0] <Notice>: EXC_RESOURCE -> shopd[77] "
	  "exceeded mem limit: ActiveHard 6 MB (fatal)",
	  "memory-limit", "", "ActiveHard 6 MB (fatal)", "", 0, false },
	{ "Nov  1 10:00:00 kernel[0] <Notice>: 134.123 memorystatus: "
	  "killing_specific_process pid 612 [Acme Shop] (per-process-limit "
	  "100) 1433600KB - memorystatus_available_pages: 12345",
	  "memory-limit", "per-process-limit", "per-process-limit 100", "", 0,
	  false },
	{ "scene-create watchdog transgression: application<com.acme>:612 "
	  "exhausted real (wall clock) time allowance of 19.96 seconds",
	  "watchdog", "",
	  "scene-create watchdog transgression: application<com.acme>:612 "
	  "exhausted real (wall clock) time allowance of 19.96 seconds",
	  "", 0, false },
	{ "Nov  1 10:00:00 SpringBoard[61] <Notice>: [app<com.acme>:612] "
	  "Terminating: resume watchdog transgression: app<com.acme>:612 "
	  "exhausted CPU time allowance of 5.00 seconds",
	  "watchdog", "",
	  "resume watchdog transgression: app<com.acme>:612 exhausted CPU "
	  "time allowance of 5.00 seconds",
	  "", 0, false },
	// Not headlines
	{ "Nov  1 10:00:00 kernel[0] <Notice>: memorystatus: "
	  "killing_idle_process pid 80 [shopd] (idle-exit 0) 1234KB - "
	  "memorystatus_available_pages: 12345",
	  NULL, "", "", "", 0, false },
	{ "The watchdog of scene-update: a watchdog transgression: ends it",
	  NULL, "", "", "", 0, false },
	{ "An app that exceeded mem limit: EXC_RESOURCE -> the kernel", NULL,
	  "", "", "", 0, false },
	{ "So *** -[Cart pay]: message sent to deallocated instance 0x60", NULL,
	  "", "", "", 0, false },
	{ "about malloc: *** error for object", NULL, "", "", "", 0, false },
	{ "If you see Fatal error: Index out of range, read on.", NULL, "", "",
	  "", 0, false },
	{ "    *** Terminating app due to uncaught exception 'A'", NULL, "", "",
	  "", 0, false },
	{ "Cart.m:3:9: fatal error: 'Pay.h' file not found", NULL, "", "", "",
	  0, false },
	{ "fatal error: 'Pay.h' file not found", NULL, "", "", "", 0, false },
	{ "Fatal error: Uncaught Error: boom in a.php on line 3", NULL, "", "",
	  "", 0, false },
	{ "dyld: a word about dyld", NULL, "", "", "", 0, false },
	{ "thread 'main' is alive", NULL, "", "", "", 0, false },
	{ "The error: none", NULL, "", "", "", 0, false },
	{ "", NULL, "", "", "", 0, false },
};

static void the_table_knows_its_lines(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct headline found;
		bool is = headline_find(text_from(cases[i].line), &found);

		if (is != (cases[i].word != NULL))
			fail_msg("%s", cases[i].line);
		if (!is)
			continue;
		assert_string_equal(found.word, cases[i].word);
		if (!text_is(found.name, cases[i].name) ||
		    !text_is(found.reason, cases[i].reason) ||
		    !text_is(found.file, cases[i].file))
			fail_msg("%s: '%.*s', '%.*s', '%.*s'", cases[i].line,
			         TEXT_ARGS(found.name), TEXT_ARGS(found.reason),
			         TEXT_ARGS(found.file));
		assert_int_equal(found.line, cases[i].number);
		assert_int_equal(found.needs_frames, cases[i].needs_frames);
	}
}

static void a_line_may_have_one_behind_other_words(void **state UNUSED)
{
	static const struct {
		const char *line;
		const char *message; ///< empty: none
		const char *process;
	} inner[] = {
		{ "It crashed: *** -[Cart pay]: message sent to deallocated "
		  "instance 0x60",
		  "*** -[Cart pay]: message sent to deallocated instance 0x60",
		  "" },
		{ "  \"why\": \"<x| explanation:scene-update watchdog "
		  "transgression: app<com.acme>:612 exhausted real time "
		  "allowance of 10.00 seconds\",",
		  "scene-update watchdog transgression: app<com.acme>:612 "
		  "exhausted real time allowance of 10.00 seconds\",",
		  "com.acme" },
		{ "NSZombieEnabled says 'message sent to deallocated "
		  "instance'",
		  "", "" },
		{ "It is a scene-update watchdog transgression: it exhausted "
		  "its time allowance of some seconds",
		  "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(inner); i++) {
		struct headline found;
		bool is = headline_find_within_line(text_from(inner[i].line),
		                                    &found);

		print_message("%s\n", inner[i].line);
		assert_int_equal(is, *inner[i].message != '\0');
		if (!is)
			continue;
		assert_true(text_is(found.message, inner[i].message));
		assert_true(text_is(found.prefix.process, inner[i].process));
	}
}

static void a_text_has_a_headline_or_none(void **state UNUSED)
{
	assert_true(headline_within(
	        text_from("x\n" LOG "dyld: Library not loaded: a\ny\n")));
	assert_false(headline_within(text_from("x\npanic: no cart\n")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_knows_its_lines),
		cmocka_unit_test(a_line_may_have_one_behind_other_words),
		cmocka_unit_test(a_text_has_a_headline_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
