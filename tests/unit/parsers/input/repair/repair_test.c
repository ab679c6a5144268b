// SPDX-License-Identifier: MIT
#include "parsers/input/repair/repair.h"

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "parsers/input/repair/character.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

// A report of a few lines, and what its lines are called in the cases below.
#define PROCESS "Process:             Demo [612]\n"
#define TYPE    "Exception Type:  EXC_CRASH (SIGABRT)\n"
#define THREAD  "Thread 0 Crashed:\n"
#define FRAME_0 "0   Demo   0x0000000102fe592c main + 12\n"
#define FRAME_1 "1   Demo   0x0000000102fe5a9c start + 520\n"
#define IMAGES  "Binary Images:\n"
#define UUID    "1a2b3c4d5e6f30718293a4b5c6d7e8f9"
#define IMAGE   "   0x102fe0000 - 0x102ffffff Demo arm64 <" UUID "> /a/Demo\n"
#define REPORT  PROCESS TYPE THREAD FRAME_0 FRAME_1 "\n" IMAGES IMAGE

struct repair_case {
	const char *in;
	const char *out;
	const char *notes; ///< of all layers, one a line
};

static void check_case(const struct repair_case *expected)
{
	SCOPED(repaired_release) struct repaired repaired = { 0 };
	SCOPED(str_release) struct str notes = { 0 };
	SCOPED(str_release) struct str out = { 0 };

	assert_true(repair(text_from(expected->in), &repaired));
	for (size_t i = 0; i < repaired.count; i++)
		str_addf(&notes, "%s\n", str_cstr(&repaired.notes[i]));
	str_add_text(&out, repaired.text);
	assert_string_equal(str_cstr(&out), expected->out);
	assert_string_equal(str_cstr(&notes), expected->notes);
}

static void check_cases(const struct repair_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_case(&cases[i]);
}

#define ESCAPED                                                \
	"Process:  Demo [612]\\nException Type:  EXC_CRASH\\n" \
	"Thread 0 Crashed:\\n0   Demo\\t0x0000000102fe592c main + 12"
#define READ                                                 \
	"Process:  Demo [612]\nException Type:  EXC_CRASH\n" \
	"Thread 0 Crashed:\n0   Demo\t0x0000000102fe592c main + 12\n"

static void line_ends_that_are_spelled_are_read(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ ESCAPED, READ, "read 4 escaped line ends\n" },
		{ "\"" ESCAPED "\",\n", READ, "read 4 escaped line ends\n" },
		{ "Hola\n  \"report\": \"" ESCAPED "\"\nadiós\n",
		  "Hola\n" READ "\nadiós\n", "read 4 escaped line ends\n" },
		{ "10:00:00 Demo[612]: Incident Identifier: 1A\\n" ESCAPED,
		  "10:00:00 Demo[612]: \nIncident Identifier: 1A\n" READ,
		  "read 5 escaped line ends\n" },
		{ "Process:  Demo [612]\\r\\nException Type:  \\\"X\\\"\\r\\n"
		  "Thread 0:\\r\\nBinary Images:\\r\\n",
		  "Process:  Demo [612]\nException Type:  \"X\"\n"
		  "Thread 0:\nBinary Images:\n",
		  "read 4 escaped line ends\n" },
		// Printed twice.
		{ "Process:  Demo [612]\\\\nException Type:  X\\\\n"
		  "Thread 0:\\\\nBinary Images:",
		  "Process:  Demo [612]\nException Type:  X\nThread 0:\n"
		  "Binary Images:\n",
		  "read 4 escaped line ends\n" },
	};
	SCOPED(repaired_release) struct repaired repaired = { 0 };

	check_cases(cases, ARRAY_SIZE(cases));
	// JSON has a reader of its own.
	assert_false(
	        repair(text_from("{\"report\":\"" ESCAPED "\"}"), &repaired));
	assert_false(repair(text_from("log {\"report\":\"" ESCAPED "\"}"),
	                    &repaired));
}

static void marks_of_markdown_are_removed(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ "**Process:** Demo [612]\n**Exception Type**: EXC_CRASH\n\n"
		  "**Thread 0 Crashed:**\n" FRAME_0,
		  "Process: Demo [612]\nException Type: EXC_CRASH\n\n"
		  "Thread 0 Crashed:\n" FRAME_0,
		  "removed the marks of markdown from 3 lines\n" },
		{ "- **Process:** Demo [612]\n- __Code Type:__ ARM-64\n"
		  "## Binary Images:\n" IMAGE,
		  "Process: Demo [612]\nCode Type: ARM-64\n"
		  "Binary Images:\n" IMAGE,
		  "removed the marks of markdown from 3 lines\n" },
		{ "> **Process:** Demo [612]\n> **Code Type:** ARM-64\n",
		  "Process: Demo [612]\nCode Type: ARM-64\n",
		  "removed the quote marks of 2 lines\n"
		  "removed the marks of markdown from 2 lines\n" },
		{ "`Process: Demo [612]`\n\n`Code Type: ARM-64`\n\n\n\n"
		  "`Thread 0 Crashed:`\n\n`" FRAME_0,
		  "Process: Demo [612]\nCode Type: ARM-64\n\n"
		  "Thread 0 Crashed:\n`" FRAME_0,
		  "removed the backticks of 3 lines\n" },
		{ "bonjour\n``Process: Demo [612]``\r\n``Code Type: X``\r\n",
		  "bonjour\nProcess: Demo [612]\nCode Type: X\n",
		  "removed the backticks of 2 lines\n" },
		{ "See:\n`Process: Demo [612]\nCode Type: ARM-64\n" FRAME_0
		  "`\n",
		  "See:\nProcess: Demo [612]\nCode Type: ARM-64\n" FRAME_0 "\n",
		  "removed the backticks of 2 lines\n" },
	};
	SCOPED(repaired_release) struct repaired repaired = { 0 };

	check_cases(cases, ARRAY_SIZE(cases));
	assert_false(repair(text_from(REPORT "Note: `a` and **b** and ``c``\n"
	                                     "**x** y\n## z\n"),
	                    &repaired));
	assert_false(repair(text_from("*** Terminating app due to x\n" REPORT),
	                    &repaired));
}

static void prefixes_are_removed(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ "    " PROCESS "    " TYPE "    " THREAD "    " FRAME_0,
		  PROCESS TYPE THREAD FRAME_0,
		  "removed the blanks of 4 lines\n" },
		{ "Hi,\n\nOn Jan 31 Ada wrote:\n> " PROCESS "> " TYPE
		  ">\n> " IMAGES "-- \nAda\n",
		  PROCESS TYPE "\n" IMAGES,
		  "removed the quote marks of 4 lines; left out 3 lines above "
		  "it; left out 2 lines below it\n" },
		{ ">>" PROCESS ">>" TYPE ">> " THREAD, PROCESS TYPE THREAD,
		  "removed the quote marks of 3 lines\n" },
		{ "2026-01-31T09:08:07.1Z " PROCESS
		  "2026-01-31T09:08:07.12Z " TYPE "2026-01-31T09:08:08.1Z\n"
		  "2026-01-31T09:08:08.5Z " IMAGES,
		  PROCESS TYPE "\n" IMAGES,
		  "removed the log prefix of 4 lines\n" },
		// The head of it has labels that any text may have.
		{ "Hi,\n\n> It crashed:\n> 09:08:06 I " PROCESS
		  "> 09:08:06 I Path: /a/Demo\n> 09:08:07 I " TYPE
		  "> 09:08:07 I " IMAGES,
		  PROCESS "Path: /a/Demo\n" TYPE IMAGES,
		  "removed the quote marks of 4 lines; left out 3 lines above "
		  "it\nremoved the log prefix of 4 lines\n" },
		{ "[09:08:07]W:\t" TYPE "[09:08:07] :\t" IMAGES
		  "[09:08:09]i:\t" IMAGE,
		  TYPE IMAGES IMAGE, "removed the log prefix of 3 lines\n" },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

#define LLDB_0  "* thread #1, stop reason = signal SIGABRT\n"
#define LLDB_1  "  * frame #0: 0x0000000102fe592c Demo`main + 12\n"
#define XCODE_0 "2026-11-01 10:00:00.123 Demo[612:12345] "
#define PANIC   "panic: runtime error: index out of range\n"
#define ZOMBIE                                                      \
	"*** -[Cart reload]: message sent to deallocated instance " \
	"0x6000017a1e40\n"
#define RUST "thread 'main' panicked at a.rs:4:5:\n"

/** Whatever it is: quotation marks before all lines are no part of it. */
static void quotes_of_any_text_are_removed(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ "> " LLDB_0 "> " LLDB_1, LLDB_0 LLDB_1,
		  "removed the quote marks of 2 lines\n" },
		{ "| " LLDB_0 "|\n| " LLDB_1, LLDB_0 "\n" LLDB_1,
		  "removed the quote marks of 3 lines\n" },
		{ "> > " PANIC "> >\n> > exit status 2\n",
		  PANIC "\nexit status 2\n",
		  "removed the quote marks of 3 lines\n" },
		{ "> Bob wrote:\n>> " PANIC ">> \n>> exit status 2\n",
		  "Bob wrote:\n" PANIC "\nexit status 2\n",
		  "removed the quote marks of 4 lines\n"
		  "removed the quote marks of 3 lines\n" },
		// Few lines, but a failure.
		{ "Bob wrote:\n\n> started\n> " ZOMBIE "\nWhat is it?\n"
		  "Thanks\n-- \nBob\n",
		  "Bob wrote:\n\nstarted\n" ZOMBIE "\nWhat is it?\n"
		  "Thanks\n-- \nBob\n",
		  "removed the quote marks of 2 lines\n" },
		// Nothing says which lines are the report: all are kept.
		{ "Bob wrote:\n\n> " LLDB_0 "> " LLDB_1 "> b\n-- \nBob\n",
		  "Bob wrote:\n\n" LLDB_0 LLDB_1 "b\n-- \nBob\n",
		  "removed the quote marks of 3 lines\n" },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

/** Blocks of code are indented, and so is a trace that nothing labels. */
static void indented_traces_are_moved(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ "    " RUST "    stack backtrace:\n       0: main\n"
		  "                 at ./a.rs:4:5\n",
		  RUST "stack backtrace:\n   0: main\n"
		       "             at ./a.rs:4:5\n",
		  "removed the blanks of 4 lines\n" },
		{ "It ends so:\n\n\t" PANIC "\n\tgoroutine 1 [running]:\n"
		  "\tmain.main()\n\nWhy?\n",
		  "It ends so:\n\n" PANIC "\ngoroutine 1 [running]:\n"
		  "main.main()\n\nWhy?\n",
		  "removed the blanks of 3 lines\n" },
	};
	// What is below a headline is indented by its runtime.
	static const char *const texts[] = {
		"TypeError: boom\n    at inner (main.jsbundle:1:2)\n",
		PANIC "\ngoroutine 1 [running]:\nmain.main()\n"
		      "\t/a/main.go:4 +0x1d\n",
	};

	check_cases(cases, ARRAY_SIZE(cases));
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(repaired_release) struct repaired repaired = { 0 };

		assert_false(repair(text_from(texts[i]), &repaired));
	}
}

#define CUT_0 "* thread #1, queue = 'com.apple.main-thread', stop reason = \n"
#define CUT_1 "  * frame #0: 0x0000000102fe592c Demo`demo::Feed::decode( \n"

/** Frames of other tools show that lines were broken, as Apple's do. */
static void broken_traces_are_joined(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ CUT_0 "signal SIGABRT\n" CUT_1 "demo::Entry const&) + 12\n",
		  "* thread #1, queue = 'com.apple.main-thread', stop reason "
		  "= signal SIGABRT\n  * frame #0: 0x0000000102fe592c "
		  "Demo`demo::Feed::decode( demo::Entry const&) + 12\n",
		  "joined 2 lines broken at column 60\n" },
		{ "> 2026-11-01 10:00:00.123 Demo[612:12345] *** Terminating "
		  "app due to \n> uncaught exception 'A', reason: 'b'\n> (\n"
		  "> \t" FRAME_0 "> )\n",
		  "2026-11-01 10:00:00.123 Demo[612:12345] *** Terminating "
		  "app due to uncaught exception 'A', reason: "
		  "'b'\n(\n\t" FRAME_0 ")\n",
		  "removed the quote marks of 5 lines\n"
		  "joined 1 line broken at column 67\n" },
		// A headline that a log's prefix hid until it was whole.
		{ "> Nov  3 08:15:04 iPhone Acme(CoreFoundation)[711] "
		  "<Notice>: "
		  "*** -[Cart reload]:\n> message sent to deallocated instance "
		  "0x6000017a1e40\n",
		  "Nov  3 08:15:04 iPhone Acme(CoreFoundation)[711] <Notice>: "
		  "*** -[Cart reload]: message sent to deallocated instance "
		  "0x6000017a1e40\n",
		  "removed the quote marks of 2 lines\n"
		  "joined 1 line broken at column 78\n" },
		// The place of a frame, and an image, each with a line alone.
		{ "thread 'main' panicked at a.rs:4:5:\nboom\n"
		  "stack backtrace:\n   0: rust_begin_unwind\n"
		  "             "
		  "at\n/rustc/0a1b2c/library/std/panicking.rs:6:5\n"
		  "   1: core::panicking::panic_fmt\n"
		  "             at\n/rustc/0a1b2c/library/core/panicking.rs:7:1"
		  "\n",
		  "thread 'main' panicked at a.rs:4:5:\nboom\n"
		  "stack backtrace:\n   0: rust_begin_unwind\n"
		  "             at /rustc/0a1b2c/library/std/panicking.rs:6:5\n"
		  "   1: core::panicking::panic_fmt\n"
		  "             at /rustc/0a1b2c/library/core/panicking.rs:7:1"
		  "\n",
		  "joined 2 lines broken at column 35\n" },
		{ XCODE_0 LLDB_0 XCODE_0 LLDB_1, LLDB_0 LLDB_1,
		  "removed the log prefix of 2 lines\n" },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

/** What stays as it is below a frame of the same width. */
static void whole_traces_are_not_joined(void **state UNUSED)
{
	static const char *const texts[] = {
		LLDB_0 LLDB_1 "Demo`main:\n->  0x102fe592c <+12>: ldr x8\n",
		"stack backtrace:\n   0: rust_begin_unwind\n"
		"             at /rustc/90b35a6239c3d8bd/library/std.rs:692:5\n"
		"   1: core::panicking::panic_fmt\n",
		"====================================================\n"
		"==612==ERROR: AddressSanitizer: heap-use-after-free\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(repaired_release) struct repaired repaired = { 0 };

		assert_false(repair(text_from(texts[i]), &repaired));
	}
}

static void blocks_are_opened(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ "See:\n```text\n" REPORT "```\nThanks\n", REPORT,
		  "removed a block of '```'; left out 1 line above it; left "
		  "out 1 line below it\n" },
		{ "```" REPORT "```", REPORT, "removed a block of '```'\n" },
		{ "{code:title=a.crash}\n" REPORT "{code}\n", REPORT,
		  "removed a block of '{code:title=a.crash}'\n" },
		{ "<details>\n<summary>Log</summary>\n" REPORT "</details>\n",
		  REPORT,
		  "removed a block of '<details>'\n"
		  "removed a block of '<summary>'\n" },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

#define THROWN                                           \
	"*** Terminating app due to uncaught exception " \
	"'A', reason: 'b'\n"
#define XCODE "2026-11-01 10:00:00.123 Demo[612:12345] "

/** What is left out is text around a report, never what it is about. */
static void headlines_are_never_left_out(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ "hello\n" XCODE THROWN "```\n" FRAME_0 "```\nbye\n",
		  XCODE THROWN FRAME_0,
		  "removed a block of '```'; left out 1 line above it; left "
		  "out 1 line below it\n" },
		{ "hello\n```\n" FRAME_0 FRAME_1
		  "```\nbye\ndyld: Library not loaded: a\n",
		  FRAME_0 FRAME_1 "dyld: Library not loaded: a\n",
		  "removed a block of '```'; left out 1 line above it; left "
		  "out 1 line below it\n" },
		{ "hello\n" THROWN "> " PROCESS "> " TYPE "> " THREAD
		  "> " FRAME_0,
		  THROWN PROCESS TYPE THREAD FRAME_0,
		  "removed the quote marks of 4 lines; left out 1 line above "
		  "it\n" },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

/** Their reader knows prefixes and indents, and keeps what is around. */
static void consoles_are_left_as_they_are(void **state UNUSED)
{
	static const char *const texts[] = {
		XCODE THROWN "*** First throw call stack:\n(\n\t" FRAME_0
		             "\t" FRAME_1 ")\nlibc++abi: terminating\n",
		XCODE THROWN XCODE "\t" FRAME_0 XCODE "\t" FRAME_1 XCODE
		                   "it is over\n",
		THROWN "(\n\t" FRAME_0 ")\n",
		"Uncaught Kotlin exception: A: b\n    at " FRAME_0
		"    at " FRAME_1,
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(repaired_release) struct repaired repaired = { 0 };

		assert_false(repair(text_from(texts[i]), &repaired));
	}
}

static void characters_become_what_they_were(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ "0x102fe0000 - 0x102ffffff D&amp;o arm64 &lt;" UUID
		  "&gt; /a&#39;b\n",
		  "0x102fe0000 - 0x102ffffff D&o arm64 <" UUID "> /a'b\n",
		  "decoded 4 HTML escapes\n" },
		{ "{&amp;quot;a&amp;quot;:1}\n", "{\"a\":1}\n",
		  "decoded 2 HTML escapes\ndecoded 2 HTML escapes\n" },
		{ "\x1b[31m" PROCESS "\x1b[0m", PROCESS,
		  "removed 2 color codes of a terminal\n" },
		{ "0\xc2\xa0\xe2\x80\x87 Demo\xe2\x80\xaf"
		  "0\xe2\x80\x8bx102fe592c main + 12\n",
		  "0   Demo 0x102fe592c main + 12\n",
		  "replaced 3 no-break spaces\n"
		  "removed 1 invisible character\n" },
		// Before and after what a log puts in front of a line.
		{ "[INFO]\xc2\xa0" PROCESS "[INFO]\xc2\xa0\xc2\xa0\xc2\xa0 a\n"
		  "[INFO]\xc2\xa0" IMAGES,
		  PROCESS "   a\n" IMAGES,
		  "replaced 5 no-break spaces\n"
		  "removed the log prefix of 3 lines\n" },
		{ "{\"a\":1}\n{\"codes\" : \"0\xe2\x80\x8bx0000\"}\n",
		  "{\"a\":1}\n{\"codes\" : \"0x0000\"}\n",
		  "removed 1 invisible character\n" },
		{ "{\xe2\x80\x9c"
		  "a\xe2\x80\x9d:\xe2\x80\x9cthe \xe2\x80\x9cx\xe2\x80\x9d "
		  "y\xe2\x80\x9d}\n",
		  "{\"a\":\"the \xe2\x80\x9cx\xe2\x80\x9d y\"}\n",
		  "replaced 4 typographic marks\n" },
		{ "3   Demo   0x102fe592c \xe2\x80\x94[A b] + 4\n",
		  "3   Demo   0x102fe592c -[A b] + 4\n",
		  "replaced 1 typographic mark\n" },
		{ "Process:=20    Demo [612]\nPath: /a/=\nDemo=C3=A9\n",
		  "Process:     Demo [612]\nPath: /a/Demo\xc3\xa9\n",
		  "decoded quoted-printable, 4 escapes\n" },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

/** Only the beginning of a line is read: characters may be half in it. */
static void characters_at_the_end_of_what_is_read_fit(void **state UNUSED)
{
	static const char *const characters[] = {
		"\xe2\x80\xa6",
		"\xe2\x80\x94",
		"&#x1F600;",
		"&amp;amp;lt;",
	};
	static const struct {
		size_t before;
		size_t size;
	} of_ellipsis[] = {
		{ 156, 160 },
		{ 157, 160 },
		{ 158, 158 },
		{ 159, 159 },
		// Behind what is read, nothing changes: the text itself.
		{ 160, 164 },
	};
	char buffer[160];

	for (size_t i = 0; i < ARRAY_SIZE(characters); i++)
		for (size_t before = 150; before <= 165; before++) {
			SCOPED(str_release) struct str in = { 0 };
			SCOPED(repaired_release)
			struct repaired repaired = { 0 };

			for (size_t j = 0; j < before; j++)
				str_add_char(&in, 'a');
			str_add(&in, characters[i]);
			str_add(&in, "b\n");
			repair(str_text(&in), &repaired);
			// The sanitizers see what is out of the buffer.
			characters_plain(str_text(&in), buffer, sizeof(buffer));
		}
	for (size_t i = 0; i < ARRAY_SIZE(of_ellipsis); i++) {
		SCOPED(str_release) struct str in = { 0 };
		struct text plain;

		for (size_t j = 0; j < of_ellipsis[i].before; j++)
			str_add_char(&in, 'a');
		str_add(&in, characters[0]);
		str_add(&in, "b");
		plain = characters_plain(str_text(&in), buffer, sizeof(buffer));
		assert_int_equal(plain.size, of_ellipsis[i].size);
	}
}

static void broken_lines_are_joined(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		// Between words.
		{ THREAD "0   Demo   0x0000000102fe592c\nmain + 12\n"
		         "1   dyld   0x0000000192fb1330\n-[A b] + 52\n\n",
		  THREAD "0   Demo   0x0000000102fe592c main + 12\n"
		         "1   dyld   0x0000000192fb1330 -[A b] + 52\n\n",
		  "joined 2 lines broken at column 29\n" },
		// Anywhere.
		{ THREAD "0   Demo   0x0000000102fe592c ma\nin + 12\n"
		         "1   dyld   0x0000000192fb1330 -[\nA b] + 52\n",
		  THREAD "0   Demo   0x0000000102fe592c main + 12\n"
		         "1   dyld   0x0000000192fb1330 -[A b] + 52\n",
		  "joined 2 lines broken at column 32\n" },
		// Before a word processor made a dash of the method's sign.
		{ THREAD
		  "0   Demo   0x000000010 \xe2\x80\x93[DemoApp\nload] + 4\n"
		  "1   Demo   0x000000020 "
		  "\xe2\x80\x93[DemoApp\nviewDidLoadAllTheThingsOfIt] + 5\n"
		  "2   dyld   0x000000030 start\n+ 520\n",
		  THREAD "0   Demo   0x000000010 -[DemoApp load] + 4\n"
		         "1   Demo   0x000000020 -[DemoApp "
		         "viewDidLoadAllTheThingsOfIt] + 5\n"
		         "2   dyld   0x000000030 start + 520\n",
		  "joined 3 lines broken at column 32\n"
		  "replaced 2 typographic marks\n" },
		// A path that no line has room for is no width.
		{ "Path:\n/private/var/containers/Bundle/Application/7D1F0C5E"
		  "/Demo.app/Demo\n" THREAD
		  "0   Demo   0x0000000102fe592c\nmain + 12\n"
		  "1   dyld   0x0000000192fb1330\n-[A b] + 52\n\n",
		  "Path: /private/var/containers/Bundle/Application/7D1F0C5E"
		  "/Demo.app/Demo\n" THREAD
		  "0   Demo   0x0000000102fe592c main + 12\n"
		  "1   dyld   0x0000000192fb1330 -[A b] + 52\n\n",
		  "joined 3 lines broken at column 29\n" },
		// After the quote marks were put there.
		{ "> " THREAD "> 0   Demo   0x0000000102fe592c\nmain + 12\n"
		  "> 1   dyld   0x0000000192fb1330\n-[A b] + 52\n",
		  THREAD "0   Demo   0x0000000102fe592c main + 12\n"
		         "1   dyld   0x0000000192fb1330 -[A b] + 52\n",
		  "removed the quote marks of 3 lines; joined 2 lines broken "
		  "at column 31\n" },
		{ "{\"bug_type\":\"309\",\"a\n"
		  "pp_name\":\"Demo\",\"os_\n"
		  "version\":\"x\"}\n{\"a\":1}\n",
		  "{\"bug_type\":\"309\",\"app_name\":\"Demo\","
		  "\"os_version\":\"x\"}\n{\"a\":1}\n",
		  "joined 2 lines broken at column 20\n" },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

/** Each has something that a step looks for, where reports may have it. */
static void undamaged_text_stays(void **state UNUSED)
{
	static const char *const texts[] = {
		REPORT,
		"",
		"\n",
		"Process: D&amp;o [1]\n" IMAGES IMAGE,
		PROCESS "Exception Note: \xe2\x80\x9cquoted\xe2\x80\x9d\n",
		PROCESS "Notes: caf\xc3\xa9\xc2\xa0!\n" IMAGES IMAGE,
		REPORT "> quoted below\n> and more\n```\n",
		REPORT "a=\nb=\nthe end of a text that is not encoded at all, "
		       "as its long lines show: 0123456789 0123456789\n",
		PROCESS "Path: /a/\xe2\x80\x8e"
		        "Demo.app\n" IMAGES IMAGE,
		"{\"a\":\"\xe2\x80\x9cx\xe2\x80\x9d\\u00a0 &lt;b>\"}\n",
		"[\n  {\"name\":1}\n]\n",
		"Process: \x1b[31mA\x1b[32mB\x1b[31mC [1]\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(repaired_release) struct repaired repaired = { 0 };

		if (repair(text_from(texts[i]), &repaired))
			fail_msg("%s: %s", texts[i],
			         str_cstr(&repaired.notes[0]));
	}
}

#define SIGNAL \
	"\"exception\" : {\"type\":\"EXC_CRASH\", \"signal\":\"SIGABRT\"}"
#define BRACED \
	"{\"exception\": {\"type\":\"EXC_CRASH\", \"signal\":\"SIGABRT\"}"

static void members_get_their_braces(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ SIGNAL "\n", BRACED "}\n", "put braces around 1 member\n" },
		// A comma is missing, or too many, and prose follows.
		{ SIGNAL "\n\n\"procName\" : \"Demo\",\nIt ends.\n",
		  BRACED ",\n\"procName\": \"Demo\"}\n",
		  "put braces around 2 members; left out 1 line below it\n" },
		// Lines of a string, and its end is lost.
		{ SIGNAL ",\n\"vmRegionInfo\" : \"0x1 is in\n--->  Stack",
		  BRACED ",\n\"vmRegionInfo\": \"0x1 is in\\n--->  Stack\"",
		  "put braces around 2 members\n" },
		{ "\"faultingThread\" : 0,\n\"threads\" : [{\"id\":5",
		  "{\"faultingThread\": 0,\n\"threads\": [{\"id\":5",
		  "put braces around 2 members\n" },
	};
	static const char *const others[] = {
		"\"name\" : \"Demo\",\n\"exception\" : {}\n",
		"\"exception\" is what I looked for\n",
		"\"exception\" : {]\n",
		"\"exception\" :",
		"{" SIGNAL "}\n",
	};

	check_cases(cases, ARRAY_SIZE(cases));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		SCOPED(repaired_release) struct repaired repaired = { 0 };

		if (repair(text_from(others[i]), &repaired))
			fail_msg("%s: %s", others[i],
			         str_cstr(&repaired.notes[0]));
	}
}

static void cells_become_lines(void **state UNUSED)
{
	static const struct repair_case cases[] = {
		{ "Crashed: com.acme.net\nEXC_BAD_ACCESS "
		  "0x10\n0\nlibobjc.A.dylib\n"
		  "objc_release + 16\n\n1\n\nAcme Shop\n\nCart.swift - Line "
		  "44\n\n"
		  "Cart.pay() + 44\n2\nAcme Shop\n<compiler-generated> - Line "
		  "4337149088\nstatic App.$main() + 4337149088\n",
		  "Crashed: com.acme.net\nEXC_BAD_ACCESS 0x10\n"
		  "0   libobjc.A.dylib  objc_release + 16\n"
		  "1   Acme Shop  Cart.pay() (Cart.swift:44)\n"
		  "2   Acme Shop  0x10283a4a0 static App.$main() "
		  "(<compiler-generated>:0)\n",
		  "joined the cells of 3 frames\n" },
	};
	static const char *const others[] = {
		"0\nAcme\nCart.pay() + 44\n",
		"Crashed: twice\nIt was 0\n1\n2\n3\n",
		"Fatal Exception: NSRangeException\nindex 3\n",
	};

	check_cases(cases, ARRAY_SIZE(cases));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		SCOPED(repaired_release) struct repaired repaired = { 0 };

		assert_false(repair(text_from(others[i]), &repaired));
	}
}

/** Who indents frames below the head of a thread indents no text. */
static void frames_below_a_head_keep_their_indent(void **state UNUSED)
{
	SCOPED(repaired_release) struct repaired repaired = { 0 };

	assert_false(repair(text_from(THREAD "  " FRAME_0 "  " FRAME_1
	                                     "  " FRAME_0 "  " FRAME_1),
	                    &repaired));
}

static void notes_keep_the_lines_of_the_input(void **state UNUSED)
{
	static const char text[] = "Look:\n\n```\n" THREAD FRAME_0
	                           "scribble\n" FRAME_1 "\n" IMAGES IMAGE
	                           "```\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;

	assert_null(read_reports(bytes_from_text(text_from(text)), &arena,
	                         &report));
	assert_int_equal(report->note_count, 2);
	assert_string_equal(report->notes[0].place, "line 6");
	assert_string_equal(report->notes[1].place, "repaired");
	assert_int_equal(report->threads[0]->stack.count, 2);
}

static void what_is_no_report_is_named_as_it_is(void **state UNUSED)
{
	static const char text[] = "    OS Version: all\n    a = b\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;
	struct error *err =
	        read_reports(bytes_from_text(text_from(text)), &arena, &report);

	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "not a crash report, but text of an unknown kind");
	error_free(err);
}

/** What a text of @p size bytes takes, and what comes of it. */
static clock_t repair_hostile(const char *begin, const char *part, size_t size)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(repaired_release) struct repaired repaired = { 0 };
	clock_t start;
	clock_t end;

	str_add(&in, begin);
	while (in.size < size)
		str_add(&in, part);
	start = clock();
	repair(str_text(&in), &repaired);
	end = clock();
	assert_true(repaired.text.size <= in.size + 1);
	assert_true(repaired.count <= REPAIR_LAYERS_MAX);
	return end - start;
}

/**
 * No text grows, no layer comes back for ever, and the work grows with the
 * text, not with its square.
 */
static void hostile_texts_stay_small(void **state UNUSED)
{
	static const struct {
		const char *begin;
		const char *part;
	} cases[] = {
		{ TYPE, ">" },
		{ "> " TYPE, ">" },
		{ "> a\n", "> b\nc\n" },
		{ "", "| " },
		{ TYPE, "=" },
		{ "{\"aaaaa\":\" 0xf\n", "ffffffffffffff\n" },
		{ TYPE, "=\n" },
		{ TYPE, "&amp;" },
		{ "{&amp;", "amp;" },
		{ TYPE, "&" },
		{ TYPE, "\x1b[" },
		{ "", "\x1b[m" },
		{ "0\xc2\xa0" FRAME_0, "\xc2\xa0" },
		{ "{\"", "\n" },
		{ "{\"a", "\na" },
		{ "```\n", "```\n" },
		{ "```\n" TYPE, "```\n" },
		{ "<details>\n" TYPE, "<details>" },
		{ "", "    " TYPE },
		{ "", "2026-01-31 [1] " TYPE },
		{ "", "a b c d e f g h 0x0000000100 " },
		{ THREAD, "0   Demo   0x0000000102fe592c\nmain\n" },
		{ "\xe2\x80\x9c{", "\xe2\x80\x9c " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		clock_t quarter = repair_hostile(cases[i].begin, cases[i].part,
		                                 (size_t)1 << 18);
		clock_t whole = repair_hostile(cases[i].begin, cases[i].part,
		                               (size_t)1 << 20);

		// Four times the text: its square would take 16 times as long.
		// The rest is for what else the machine does.
		if (whole > quarter * 8 + CLOCKS_PER_SEC / 4)
			fail_msg("'%s' and many '%s': %ld ticks, then %ld",
			         cases[i].begin, cases[i].part, (long)quarter,
			         (long)whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_ends_that_are_spelled_are_read),
		cmocka_unit_test(marks_of_markdown_are_removed),
		cmocka_unit_test(prefixes_are_removed),
		cmocka_unit_test(quotes_of_any_text_are_removed),
		cmocka_unit_test(indented_traces_are_moved),
		cmocka_unit_test(broken_traces_are_joined),
		cmocka_unit_test(whole_traces_are_not_joined),
		cmocka_unit_test(blocks_are_opened),
		cmocka_unit_test(headlines_are_never_left_out),
		cmocka_unit_test(consoles_are_left_as_they_are),
		cmocka_unit_test(characters_become_what_they_were),
		cmocka_unit_test(characters_at_the_end_of_what_is_read_fit),
		cmocka_unit_test(broken_lines_are_joined),
		cmocka_unit_test(undamaged_text_stays),
		cmocka_unit_test(members_get_their_braces),
		cmocka_unit_test(cells_become_lines),
		cmocka_unit_test(frames_below_a_head_keep_their_indent),
		cmocka_unit_test(notes_keep_the_lines_of_the_input),
		cmocka_unit_test(what_is_no_report_is_named_as_it_is),
		cmocka_unit_test(hostile_texts_stay_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
