// SPDX-License-Identifier: MIT
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
	{ "terminating due to uncaught exception of type NSException",
	  "c++-exception", "NSException", "", "", 0, false },
	{ "libc++abi: Pure virtual function called!", "assertion", "",
	  "libc++abi: Pure virtual function called!", "", 0, false },
	{ "panic(cpu 2 caller 0xfffffe002be4a5a8): no cart @cart.c:12",
	  "kernel-panic", "",
	  "panic(cpu 2 caller 0xfffffe002be4a5a8): no cart @cart.c:12", "", 0,
	  false },
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
	{ LOG "Fatal error: no cart", "swift-trap", "", "no cart", "", 0,
	  false },
	{ "Nov  1 10:00:00 host demo[612]: Fatal error: no cart", "swift-trap",
	  "", "no cart", "", 0, true },
	{ "Cart.swift:12: Fatal error: no cart", "swift-trap", "", "no cart",
	  "Cart.swift", 12, false },
	{ "Cart.swift:12: Fatal error", "swift-trap", "", "Fatal error",
	  "Cart.swift", 12, false },
	{ "Could not cast value of type 'Cart' (0x104) to 'Shop' (0x108).",
	  "swift-trap", "",
	  "Could not cast value of type 'Cart' (0x104) to 'Shop' (0x108).", "",
	  0, false },
	{ "\xe2\x9d\x8c Cart.swift:12: Fatal error: no cart", "swift-trap", "",
	  "no cart", "Cart.swift", 12, false },
	{ LOG "\xf0\x9f\x92\xa5\xef\xb8\x8f *** Terminating app due to "
	      "uncaught exception 'A', reason: 'no cart'",
	  "objc-exception", "A", "no cart", "", 0, false },
	{ "<134>1 2026-11-01T10:00:00Z iPhone Demo 612 - - *** Terminating "
	  "app due to uncaught exception 'A', reason: 'no cart'",
	  "objc-exception", "A", "no cart", "", 0, false },
	{ "dyld: Symbol not found: _OBJC_CLASS_$_UIScene", "dyld", "",
	  "Symbol not found: _OBJC_CLASS_$_UIScene", "", 0, false },
	{ "dyld[612]: Library not loaded: @rpath/A.framework/A", "dyld", "",
	  "Library not loaded: @rpath/A.framework/A", "", 0, false },
	{ "dyld[1]: terminating because inserted dylib '/a.dylib' could not be "
	  "loaded: tried: '/a.dylib' (no such file)",
	  "dyld", "",
	  "terminating because inserted dylib '/a.dylib' could not be loaded: "
	  "tried: '/a.dylib' (no such file)",
	  "", 0, false },
	{ "Nov  1 10:00:00 iPhone dyld[612] <Error>: Symbol not found: _a",
	  "dyld", "", "Symbol not found: _a", "", 0, false },
	{ "dyld: initializer in image (/a) that does not link with "
	  "libSystem.dylib",
	  "dyld", "",
	  "initializer in image (/a) that does not link with libSystem.dylib",
	  "", 0, false },
	{ "Uncaught Kotlin exception: kotlin.IllegalStateException: no cart",
	  "kotlin-exception", "kotlin.IllegalStateException", "no cart", "", 0,
	  false },
	{ "thread 'main' panicked at 'no cart', src/main.rs:4:5", "rust-panic",
	  "", "no cart", "src/main.rs", 4, false },
	{ "thread 'tokio-1' (77) panicked at src/main.rs:4:5:", "rust-panic",
	  "", "", "src/main.rs", 4, false },
	{ "panic: no cart", "go-panic", "", "no cart", "", 0, true },
	{ "panic: runtime error: index out of range [5] with length 3",
	  "go-panic", "", "runtime error: index out of range [5] with length 3",
	  "", 0, false },
	{ "panic: assignment to entry in nil map", "go-panic", "",
	  "assignment to entry in nil map", "", 0, false },
	{ "fatal error: all goroutines are asleep - deadlock!", "go-panic", "",
	  "all goroutines are asleep - deadlock!", "", 0, false },
	{ "fatal error: stack overflow", "go-panic", "", "stack overflow", "",
	  0, true },
	{ "fatal runtime error: stack overflow", "rust-panic", "",
	  "stack overflow", "", 0, false },
	{ "memory allocation of 4096 bytes failed", "rust-panic", "",
	  "memory allocation of 4096 bytes failed", "", 0, false },
	{ "Unhandled exception. System.ArgumentException: no cart",
	  "dotnet-exception", "System.ArgumentException", "no cart", "", 0,
	  false },
	{ "NullReferenceException: no cart", "dotnet-exception",
	  "NullReferenceException", "no cart", "", 0, false },
	{ "System.FormatException: no number", "dotnet-exception",
	  "System.FormatException", "no number", "", 0, false },
	{ "CartException: no cart", "dotnet-exception", "CartException",
	  "no cart", "", 0, true },
	{ "Unhandled Exception:", "dotnet-exception", "", "", "", 0, false },
	{ "Fatal error. System.AccessViolationException: Attempted to read",
	  "dotnet-exception", "System.AccessViolationException",
	  "Attempted to read", "", 0, false },
	{ "* Assertion at mini.c:12, condition `cart' not met",
	  "mono-native-crash", "",
	  "* Assertion at mini.c:12, condition `cart' not met", "", 0, false },
	{ "Got a SIGSEGV while executing native code. This usually indicates",
	  "mono-native-crash", "",
	  "Got a SIGSEGV while executing native code. This usually indicates",
	  "", 0, false },
	{ "[VERBOSE-2:dart_vm_initializer.cc(41)] x", NULL, "", "", "", 0,
	  false },
	{ "TypeError: no cart", "javascript-error", "TypeError", "no cart", "",
	  0, true },
	{ "TypeError: undefined is not an object (evaluating 'a.b')",
	  "javascript-error", "TypeError",
	  "undefined is not an object (evaluating 'a.b')", "", 0, false },
	{ "ReferenceError: Property 'cart' doesn't exist", "javascript-error",
	  "ReferenceError", "Property 'cart' doesn't exist", "", 0, false },
	{ "Unhandled Exception: Bad state: No element", "dart-exception", "",
	  "Bad state: No element", "", 0, false },
	{ "Unhandled Exception: no cart", "dart-exception", "", "no cart", "",
	  0, true },
	{ "flutter: Unhandled Exception: no cart", "dart-exception", "",
	  "no cart", "", 0, false },
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
	{ "Acme(711,0x16f0a3000) malloc: double free for ptr 0x60",
	  "memory-corruption", "",
	  "Acme(711,0x16f0a3000) malloc: double free for ptr 0x60", "", 0,
	  false },
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
	  "Assertion failed: (a > 0), function pay, file cart.c, line 12.",
	  "cart.c", 12, false },
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
		print_message("%s\n", cases[i].line);
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

/** Lines of other programs, which look like headlines. */
static const char *const near_misses[] = {
	// Compilers, linkers, build tools
	"fatal error: Cannot open include file: 'Pay.h': No such file or "
	"directory",
	"fatal error: 'Pay/Pay.h' file not found",
	"fatal error: too many errors emitted, stopping now "
	"[-ferror-limit=]",
	"fatal error: cart: No such file or directory",
	"cart.s:3: Fatal error: can't open pay.h for reading",
	"{standard input}:12: Fatal error: invalid op",
	"Cart.cpp(3): fatal error C1083: Cannot open include file: 'Pay.h'",
	"ld: fatal error: Cannot open output file a.out",
	"Undefined symbols for architecture arm64:",
	"ld: symbol(s) not found for architecture arm64",
	"make: *** [Makefile:10: all] Error 2",
	"make[1]: *** [Makefile:10: cart.o] Error 1",
	"ninja: build stopped: subcommand failed.",
	"** BUILD FAILED **",
	"error: terminating due to signal 9",
	"== Running AddressSanitizer: the tests ==",
	"==612==AddressSanitizer: libc interceptors initialized",
	// PHP, databases, servers
	"Fatal error: Cannot redeclare pay() (previously declared in a.php:3)",
	"PHP Fatal error:  Uncaught Error: no cart in a.php:3",
	"Fatal error: Call to undefined function pay() in a.php:3",
	"Fatal error: Allowed memory size of 134217728 bytes exhausted",
	"Nov  1 10:00:00 db mysqld[612]: Fatal error: Can't open and lock "
	"privilege tables: Table 'mysql.user' doesn't exist",
	"2026-11-01 10:00:00 [ERROR] Fatal error: no such command",
	"2026/11/01 10:00:00 [emerg] 612#612: bind() to 0.0.0.0:80 failed",
	"Nov  1 10:00:00 host kernel: Out of memory: Killed process 612 (shop)",
	// Java, npm, git, Python
	"java.lang.NullPointerException: no cart",
	"Exception in thread \"main\" java.lang.IllegalStateException: no cart",
	"Caused by: java.io.IOException: no cart",
	"Unhandled Exception: java.lang.IllegalStateException: no cart",
	"npm ERR! TypeError: Cannot read properties of undefined (reading 'a')",
	"TypeError: Cannot read properties of undefined (reading 'cart')",
	"ValueError: no cart",
	"fatal: not a git repository (or any of the parent directories): .git",
	"fatal error in git-pack-objects",
	"Unhandled exception. Please contact support",
	"Unhandled exception: no cart",
	"12:00:03 WARN Unhandled Exception: none so far",
	"Unhandled Exception: foo.bar0",
	"panic: no cart",
	"panic: vm_fault: no cart",
	// dyld's own log, checkers that say nothing was found
	"dyld: initializer of /usr/lib/libcart.dylib",
	"dyld[612]: running initializer 0x104 in /usr/lib/libcart.dylib",
	"dyld: calling initializer function 0x104 in /usr/lib/libcart.dylib",
	"dyld: warning: could not load inserted library '/a.dylib'",
	"dyld[612]: <B5C1B2A8-0000-3000-8000-000000000001> /usr/lib/a.dylib",
	"dyld: shared cache is mapped at 0x180000000",
	"Main Thread Checker: disabled",
	"Main Thread Checker: UI API checks are enabled",
	"Thread Performance Checker: disabled",
	"thread 'main' started",
	"libc++abi.dylib: copied to Frameworks",
	"objc[612]: Class Cart is implemented in both A and B",
	"malloc: enabling scribbling to detect mods to free blocks",
};

static void other_programs_write_no_headline(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(near_misses); i++) {
		struct headline found;

		// One that needs frames is no sign by itself.
		if (headline_find(text_from(near_misses[i]), &found) &&
		    !found.needs_frames)
			fail_msg("%s: %s", near_misses[i], found.word);
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
		cmocka_unit_test(other_programs_write_no_headline),
		cmocka_unit_test(a_text_has_a_headline_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
