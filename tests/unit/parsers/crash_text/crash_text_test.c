// SPDX-License-Identifier: MIT
#include "lib/base/str.h"
#include "parsers/reader.h"
#include "tests/unit/lib/model/report_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define IMAGES                                                  \
	"Binary Images:\n"                                      \
	"       0x102fe0000 -        0x102ffffff Demo arm64  "  \
	"<1a2b3c4d5e6f30718293a4b5c6d7e8f9> "                   \
	"/var/containers/Bundle/Application/0A/Demo.app/Demo\n" \
	"0x192fb0000 - 0x192fbffff UIKitCore arm64e  "          \
	"<31239ad326ce32dfb01b3eb5703fac81> /System/Library/UIKitCore\n"

#define THREAD                                                    \
	"Thread 0 Crashed:\n"                                     \
	"0   Demo                          \t0x0000000102fe592c " \
	"0x102fe0000 + 22828\n"                                   \
	"1   UIKitCore                     \t       0x192fb1330 " \
	"-[UIViewController view] + 84\n"

#define HEADER                              \
	"Process:             Demo [612]\n" \
	"Exception Type:  EXC_CRASH (SIGABRT)\n"

static struct report *read(struct arena *arena, const char *text)
{
	struct report *report = NULL;
	struct error *err = reader_read(&crash_text_reader, text_from(text),
	                                arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	return report;
}

static void assert_kept(const struct report *report, const char *expected)
{
	SCOPED(str_release) struct str lines = { 0 };

	add_report_lines(report, &lines);
	assert_string_equal(str_cstr(&lines), expected);
}

static void assert_note(const struct report *report, size_t i,
                        const char *place, const char *text)
{
	assert_true(i < report->note_count);
	assert_string_equal(report->notes[i].place, place);
	assert_string_equal(report->notes[i].text, text);
}

static void a_whole_report_is_read_and_kept(void **state UNUSED)
{
	static const char text[] =
	        "Incident Identifier: 9A8B7C6D-0000-4000-8000-000000000001\n"
	        "CrashReporter Key:   3f2d\n"
	        "Hardware Model:      iPhone14,2\n"
	        "Process:             Demo [beta] [612]\n"
	        "Path:                /private/var/containers/Bundle/"
	        "Application/0A/Demo.app/Demo\n"
	        "Identifier:          com.example.demo\n"
	        "Version:             2.1 (210)\n"
	        "Code Type:           ARM-64 (Native)\n"
	        "Role:                Foreground\n"
	        "Parent Process:      launchd [1]\n"
	        "Coalition:           com.example.demo [970]\n"
	        "Something New:       yes\n"
	        "\n"
	        "Date/Time:           2026-01-31 09:08:07.1234 +0800\n"
	        "OS Version:          iPhone OS 17.2 (21C62)\n"
	        "Report Version:      104\n"
	        "\n"
	        "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\n"
	        "Exception Codes: 0x0000000000000001, 0x0000000000000010\n"
	        "Termination Reason: SIGNAL 11 Segmentation fault: 11\n"
	        "Terminating Process: exc handler [612]\n"
	        "\n"
	        "Triggered by Thread:  0\n"
	        "\n"
	        "Kernel Triage:\n"
	        "VM - one\n"
	        "VM - two\n"
	        "\n"
	        "Thread 0 name:   Dispatch queue: "
	        "com.apple.main-thread\n" THREAD "\n"
	        "Thread 7:\n"
	        "\n"
	        "Thread 0 crashed with ARM Thread State (64-bit):\n"
	        "    x0: 0x0000000000000000   x1: 0x0000000000000004\n"
	        "    pc: 0x0000000102fe592c cpsr: 0x60000000\n"
	        "   esr: 0x92000006 (Data Abort) byte read\n"
	        "\n" IMAGES "\n"
	        "EOF\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);
	struct report_thread *thread;

	assert_kept(report, text);
	assert_int_equal(report->note_count, 0);
	assert_false(report->truncated);
	assert_string_equal(report->format, "crash-text");
	assert_string_equal(report->process.name, "Demo [beta]");
	assert_int_equal(report->process.pid, 612);
	assert_string_equal(report->version, "2.1");
	assert_string_equal(report->build, "210");
	assert_string_equal(report->code_type, "ARM-64");
	assert_string_equal(report->parent.name, "launchd");
	assert_string_equal(report->os_build, "21C62");
	assert_int_equal(report->platform, 2);
	assert_string_equal(report->exception.type, "EXC_BAD_ACCESS");
	assert_string_equal(report->exception.signal, "SIGSEGV");
	assert_string_equal(report->termination.namespace_name, "SIGNAL");
	assert_int_equal(report->termination.code, 11);
	assert_string_equal(report->termination.indicator,
	                    "Segmentation fault: 11");
	assert_string_equal(report->termination.by.name, "exc handler");
	assert_string_equal(report_section(report, "Kernel Triage"),
	                    "VM - one\nVM - two");
	assert_string_equal(report->fields[11].label, "Something New");
	assert_string_equal(report->fields[11].value, "yes");
	assert_int_equal(report->thread_count, 2);
	thread = report->threads[0];
	assert_ptr_equal(report_crashed_thread(report), thread);
	assert_string_equal(thread->queue, "com.apple.main-thread");
	assert_null(thread->name);
	assert_int_equal(thread->stack.count, 2);
	assert_int_equal(thread->stack.frames[0].image, 0);
	assert_int_equal(thread->stack.frames[0].image_offset, 22828);
	assert_int_equal(thread->stack.frames[1].image, 1);
	assert_int_equal(report->threads[1]->number, 7);
	assert_string_equal(thread->state.flavor, "ARM Thread State (64-bit)");
	assert_int_equal(thread->state.count, 5);
	assert_string_equal(thread->state.registers[4].note,
	                    "(Data Abort) byte read");
	assert_int_equal(report->image_count, 2);
	assert_int_equal(report->images[0].size, 0x20000);
	assert_string_equal(report->images[1].arch, "arm64e");
}

static void thread_headers_have_many_spellings(void **state UNUSED)
{
	static const struct {
		const char *text;
		uint64_t number;
		const char *name;
		const char *queue;
		bool crashed;
	} cases[] = {
		{ "Thread 5:\n", 5, NULL, NULL, false },
		{ "Thread 5 Crashed\n", 5, NULL, NULL, true },
		{ "Thread 5 name:  com.example.net\nThread 5:\n", 5,
		  "com.example.net", NULL, false },
		{ "Thread 5 name:  worker  Dispatch queue: io\nThread 5:\n", 5,
		  "worker", "io", false },
		{ "Thread 5 name:\nThread 5 Crashed:\n", 5, NULL, NULL, true },
		{ "Thread 2:: worker  Dispatch queue: io.queue\n", 2, "worker",
		  "io.queue", false },
		{ "Thread 0 Crashed:: Dispatch queue: com.apple.main-thread\n",
		  0, NULL, "com.apple.main-thread", true },
		{ "Thread 7 Crashed: Some Name\n", 7, "Some Name", NULL, true },
		{ "Thread 0 Attributed:\n", 0, NULL, NULL, false },
		{ "Thread 9 name:  alone\n", 9, "alone", NULL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = read(&arena, cases[i].text);
		struct report_thread *thread;

		assert_kept(report, cases[i].text);
		assert_int_equal(report->thread_count, 1);
		thread = report->threads[0];
		assert_int_equal(thread->number, cases[i].number);
		assert_int_equal(thread->crashed, cases[i].crashed);
		assert_int_equal(!thread->name, !cases[i].name);
		if (thread->name)
			assert_string_equal(thread->name, cases[i].name);
		assert_int_equal(!thread->queue, !cases[i].queue);
		if (thread->queue)
			assert_string_equal(thread->queue, cases[i].queue);
	}
}

static void the_termination_reason_has_many_spellings(void **state UNUSED)
{
	static const struct {
		const char *value;
		const char *name;
		uint64_t code;
		const char *indicator;
	} cases[] = {
		{ "Namespace SPRINGBOARD, Code 0x8badf00d", "SPRINGBOARD",
		  0x8badf00d, NULL },
		{ "SIGNAL 6 Abort trap: 6", "SIGNAL", 6, "Abort trap: 6" },
		{ "Namespace SIGNAL, Code 11 Segmentation fault: 11", "SIGNAL",
		  11, "Segmentation fault: 11" },
		{ "Namespace SIGNAL, Code 5, Trace/BPT trap: 5", "SIGNAL", 5,
		  "Trace/BPT trap: 5" },
		{ "GUARD 2305845208236959491", "GUARD", 2305845208236959491u,
		  NULL },
		{ "CODESIGNING 1 Taskgated Invalid Signature", "CODESIGNING", 1,
		  "Taskgated Invalid Signature" },
		{ "DYLD, [0x1] Library missing", "DYLD", 1, "Library missing" },
		{ "DYLD, [0x4] Symbol missing", "DYLD", 4, "Symbol missing" },
		{ "SIGNAL; [11]", "SIGNAL", 11, NULL },
		{ "Namespace CODESIGNING, [0x1]", "CODESIGNING", 1, NULL },
		{ "CODESIGNING; [2], Invalid Page", "CODESIGNING", 2,
		  "Invalid Page" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const char *text = arena_printf(
		        &arena, "Termination Reason: %s\n", cases[i].value);
		struct report *report = read(&arena, text);

		assert_string_equal(report->termination.namespace_name,
		                    cases[i].name);
		assert_true(report->termination.has_code);
		assert_int_equal(report->termination.code, cases[i].code);
		assert_string_equal(report->termination.verbatim,
		                    cases[i].value);
		assert_int_equal(!report->termination.indicator,
		                 !cases[i].indicator);
		if (cases[i].indicator)
			assert_string_equal(report->termination.indicator,
			                    cases[i].indicator);
	}
}

static void a_signal_may_be_in_the_termination_alone(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, "Termination Reason: SIGNAL; [11]\n");

	assert_string_equal(report->exception.signal, "SIGSEGV");
	assert_null(report->exception.type);
}

static void the_termination_reason_may_go_on_over_lines(void **state UNUSED)
{
	static const char text[] =
	        "Termination Reason: DYLD 1 Library missing\n"
	        "Library not loaded: @rpath/Kit.framework/Kit\n"
	        "Referenced from: /Demo.app/Demo\n"
	        "Terminating Process: Demo [612]\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, text);
	assert_int_equal(report->termination.reason_count, 2);
	assert_string_equal(report->termination.reasons[1],
	                    "Referenced from: /Demo.app/Demo");
	assert_int_equal(report->termination.by.pid, 612);
}

static void a_termination_description_is_divided(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        read(&arena,
	             "Termination Description: SPRINGBOARD, scene-create "
	             "watchdog | ProcessState: Running | WatchdogEvent: x\n");

	assert_int_equal(report->termination.detail_count, 3);
	assert_string_equal(report->termination.details[0],
	                    "SPRINGBOARD, scene-create watchdog");
	assert_string_equal(report->termination.details[2], "WatchdogEvent: x");
}

static void exceptions_are_reported_in_many_ways(void **state UNUSED)
{
	static const struct {
		const char *text;
		const char *type;
		const char *signal;
		const char *subtype;
		const char *codes;
	} cases[] = {
		{ "Exception Type: EXC_CRASH\n", "EXC_CRASH", NULL, NULL,
		  NULL },
		{ "Exception Type: SIGSEGV\n"
		  "Exception Codes: SEGV_MAPERR at 0x88\n",
		  NULL, "SIGSEGV", "SEGV_MAPERR at 0x88",
		  "SEGV_MAPERR at 0x88" },
		{ "Exception Type: EXC_BAD_ACCESS (Code Signature Invalid)\n",
		  "EXC_BAD_ACCESS", NULL, "Code Signature Invalid", NULL },
		{ "Exception Type: EXC_CRASH (SIGKILL (Code Signature "
		  "Invalid))\n",
		  "EXC_CRASH", "SIGKILL", "Code Signature Invalid", NULL },
		{ "Exception Type: 00000020\nException Codes: 0x8badf00d\n",
		  "00000020", NULL, NULL, "0x8badf00d" },
		// macOS prints both formats: the raw one has the numbers.
		{ "Exception Type: EXC_BAD_ACCESS (SIGBUS)\n"
		  "Exception Codes: KERN_PROTECTION_FAILURE at 0x10\n"
		  "Exception Codes: 0x0000000000000002, 0x0000000000000010\n",
		  "EXC_BAD_ACCESS", "SIGBUS", "KERN_PROTECTION_FAILURE at 0x10",
		  "0x0000000000000002, 0x0000000000000010" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report_exception found =
		        read(&arena, cases[i].text)->exception;
		const char *pairs[][2] = {
			{ found.type, cases[i].type },
			{ found.signal, cases[i].signal },
			{ found.subtype, cases[i].subtype },
			{ found.codes, cases[i].codes },
		};

		for (size_t k = 0; k < ARRAY_SIZE(pairs); k++) {
			assert_int_equal(!pairs[k][0], !pairs[k][1]);
			if (pairs[k][0])
				assert_string_equal(pairs[k][0], pairs[k][1]);
		}
	}
}

static void the_exception_backtrace_may_be_a_list(void **state UNUSED)
{
	static const char text[] = HEADER
	        "\nLast Exception Backtrace:\n"
	        "0   CoreFoundation   \t0x192fb1000 "
	        "__exceptionPreprocess + 220\n"
	        "1   Demo   \t0x102fe592c 0x102fe0000 + 22828\n"
	        "\n" THREAD "\n" IMAGES "\nEOF\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, text);
	assert_int_equal(report->exception_backtrace.count, 2);
	assert_true(report->exception_backtrace.all_return_addresses);
	assert_int_equal(report->exception_backtrace.frames[1].image, 0);
	assert_int_equal(report->threads[0]->stack.count, 2);
}

static void the_exception_backtrace_may_have_lost_its_addresses(
        void **state UNUSED)
{
	static const char text[] =
	        "Last Exception Backtrace:\n"
	        "0   CoreFoundation   __exceptionPreprocess + 124\n"
	        "1   Demo App   -[Demo fail] + 8\n"
	        "\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, text);
	assert_int_equal(report->exception_backtrace.count, 2);
	assert_string_equal(report->exception_backtrace.frames[1].image_name,
	                    "Demo App");
}

static void bare_addresses_become_frames(void **state UNUSED)
{
	static const char *const texts[] = {
		HEADER "\nLast Exception Backtrace:\n"
		       "(0x192fb1000 0x102fe592c 0x102fe5930)\n\n" THREAD
		       "\n" IMAGES "\nEOF\n",
		// Wrapped.
		HEADER "\nLast Exception Backtrace:\n"
		       "(0x192fb1000 0x102fe592c\n"
		       "0x102fe5930)\n\n" THREAD "\n" IMAGES "\nEOF\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = read(&arena, texts[i]);
		struct report_stack *stack = &report->exception_backtrace;

		assert_int_equal(stack->count, 3);
		assert_int_equal(stack->frames[1].address, 0x102fe592c);
		assert_int_equal(stack->frames[1].image, 0);
		assert_null(stack->frames[1].columns);
		assert_kept(report, HEADER "\nLast Exception Backtrace:\n"
		                           "<0x192fb1000>\n<0x102fe592c>\n"
		                           "<0x102fe5930>\n\n" THREAD
		                           "\n" IMAGES "\nEOF\n");
	}
}

static void brackets_that_hold_other_text_stay(void **state UNUSED)
{
	static const char text[] = "Last Exception Backtrace:\n"
	                           "(0x192fb1000 and more)\n"
	                           "\n" THREAD;
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, text);
	assert_int_equal(report->exception_backtrace.count, 0);
	assert_int_equal(report->thread_count, 1);
}

static void an_open_bracket_does_not_swallow_the_report(void **state UNUSED)
{
	static const char text[] = "Last Exception Backtrace:\n"
	                           "(0x192fb1000 0x102fe592c\n" THREAD;
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_int_equal(report->exception_backtrace.count, 2);
	assert_int_equal(report->thread_count, 1);
	assert_int_equal(report->threads[0]->stack.count, 2);
}

static void what_a_console_prints_is_a_report(void **state UNUSED)
{
	static const char text[] =
	        "*** Terminating app due to uncaught exception "
	        "'NSRangeException', reason: 'index 3 beyond 'bounds''\n"
	        "*** First throw call stack:\n"
	        "(\n"
	        "\t0   CoreFoundation   0x000000018a3c2248 "
	        "__exceptionPreprocess + 124\n"
	        "\t1   Demo             0x0000000102fe592c main + 4\n"
	        ")\n"
	        "libc++abi: terminating due to uncaught exception of type "
	        "NSException\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_string_equal(report->thrown.name, "NSRangeException");
	assert_string_equal(report->thrown.reason, "index 3 beyond 'bounds'");
	assert_string_equal(report->thrown.kind, "objc-exception");
	assert_int_equal(report->exception_backtrace.count, 2);
	assert_false(report->truncated);
	assert_int_equal(report->note_count, 0);
}

static void a_backtrace_without_any_heading_is_read(void **state UNUSED)
{
	static const char text[] = "0   Demo   0x0000000102fe592c main + 4\n"
	                           "1   Demo   0x0000000102fe5930 start + 4\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, text);
	assert_int_equal(report->app_backtrace_count, 1);
	assert_int_equal(report->app_backtraces[0]->count, 2);
}

static void application_specific_text_and_backtraces_are_kept(
        void **state UNUSED)
{
	static const char text[] = HEADER
	        "\nApplication Specific Information: first\n"
	        "terminating with uncaught exception of type "
	        "std::runtime_error: out of cheese\n"
	        "Process state: odd\n"
	        "\n"
	        "Application Specific Backtrace 0:\n"
	        "0   Demo   0x0000000102fe592c main + 4\n"
	        "\n"
	        "Application Specific Backtrace 1:\n"
	        "0   Demo   0x0000000102fe592c main + 4\n"
	        "1   Demo   0x0000000102fe5930 start + 4\n"
	        "\n" THREAD "\n" IMAGES;
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, text);
	assert_string_equal(
	        report_section(report, "Application Specific Information"),
	        "first\nterminating with uncaught exception of type "
	        "std::runtime_error: out of cheese\nProcess state: odd");
	assert_string_equal(report->thrown.class_name, "std::runtime_error");
	assert_string_equal(report->thrown.reason, "out of cheese");
	assert_string_equal(report->thrown.kind, "c++-exception");
	assert_int_equal(report->app_backtrace_count, 2);
	assert_int_equal(report->app_backtraces[1]->count, 2);
}

static void text_below_a_blank_line_is_not_lost(void **state UNUSED)
{
	static const char text[] = "Process: Demo [1]\n"
	                           "\n"
	                           "Application Specific Information:\n"
	                           "first\n"
	                           "\n"
	                           "second\n"
	                           "\n"
	                           "\n"
	                           "detail: third\n"
	                           "\n"
	                           "My Own Section:\n"
	                           "mine\n"
	                           "\n"
	                           "mine, too\n"
	                           "\n"
	                           "Thread 0:\n"
	                           "0 Demo 0x1000 0x1000 + 0\n"
	                           "\n"
	                           "stray\n"
	                           "\n"
	                           "another\n"
	                           "Binary Images:\n"
	                           "0x1000 - 0x1fff Demo arm64 /Demo\n"
	                           "\n"
	                           "VM Region Summary:\n"
	                           "Writable regions: 1K\n"
	                           "\n"
	                           "REGION TYPE\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);
	struct report_passage passage;
	size_t at = 0;

	assert_kept(report, text);
	assert_int_equal(report->section_count, 3);
	assert_string_equal(report->sections[0].text,
	                    "first\n\nsecond\n\n\ndetail: third");
	assert_string_equal(report->sections[1].label, "My Own Section");
	assert_string_equal(report->sections[1].text, "mine\n\nmine, too");
	assert_string_equal(report->sections[2].text,
	                    "Writable regions: 1K\n\nREGION TYPE");
	assert_true(report_next_passage(report, &at, &passage));
	assert_int_equal(passage.number, 19);
	assert_int_equal(passage.count, 3);
	assert_string_equal(passage.lines[0].text, "stray");
	assert_string_equal(passage.lines[2].text, "another");
	assert_false(report_next_passage(report, &at, &passage));
}

static void registers_are_read_by_grammar(void **state UNUSED)
{
	static const char text[] =
	        "Thread 0 Crashed:\n"
	        "\n"
	        "Unknown thread crashed with X86 Thread State (64-bit):\n"
	        "  rip: <unavailable>  rfl: 0x0000000000000206\n"
	        "  rax: 0x0000000000000001 main (main.m:3)  rbx: 0x2\n"
	        "\n"
	        "Logical CPU:     0\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);
	struct report_thread_state *registers = &report->threads[0]->state;

	assert_kept(report, text);
	assert_string_equal(registers->flavor, "X86 Thread State (64-bit)");
	assert_int_equal(registers->count, 4);
	assert_false(registers->registers[0].available);
	assert_int_equal(registers->registers[1].value, 0x206);
	assert_string_equal(registers->registers[2].note, "main (main.m:3)");
	assert_string_equal(registers->registers[3].name, "rbx");
}

static void image_lines_are_written_in_many_ways(void **state UNUSED)
{
	static const struct {
		const char *line;
		uint64_t base;
		uint64_t size;
		const char *name;
		const char *bundle_id;
		const char *arch;
		const char *version;
		const char *build;
		const char *path;
		const char *uuid; ///< NULL: none
	} cases[] = {
		{ "0x1000 -   0x1fff +Demo armv7  "
		  "<d446ccbaefe96d237cfa331a4d8216b9> /a b/Demo.app/Demo",
		  0x1000, 0x1000, "Demo", NULL, "armv7", NULL, NULL,
		  "/a b/Demo.app/Demo",
		  "D446CCBA-EFE9-6D23-7CFA-331A4D8216B9" },
		{ "0x1e9ead000 - 0x1e9eb1fff libBack Recorder.dylib arm64e  "
		  "<31239ad326ce32dfb01b3eb5703fac81> /usr/lib/libBack "
		  "Recorder.dylib",
		  0x1e9ead000, 0x5000, "libBack Recorder.dylib", NULL, "arm64e",
		  NULL, NULL, "/usr/lib/libBack Recorder.dylib",
		  "31239AD3-26CE-32DF-B01B-3EB5703FAC81" },
		{ "0x1000 - 0x1fff +com.example.Demo (2.1 - 210) "
		  "<0A1B2C3D-4E5F-3607-8899-AABBCCDDEEFF> "
		  "/Applications/Demo.app/Contents/MacOS/Demo",
		  0x1000, 0x1000, "Demo", "com.example.Demo", NULL, "2.1",
		  "210", "/Applications/Demo.app/Contents/MacOS/Demo",
		  "0A1B2C3D-4E5F-3607-8899-AABBCCDDEEFF" },
		{ "0x1000 - 0x1fff  libobjc.A.dylib (*) "
		  "<0A1B2C3D-4E5F-3607-8899-AABBCCDDEEFF> "
		  "/usr/lib/libobjc.A.dylib",
		  0x1000, 0x1000, "libobjc.A.dylib", NULL, NULL, NULL, NULL,
		  "/usr/lib/libobjc.A.dylib",
		  "0A1B2C3D-4E5F-3607-8899-AABBCCDDEEFF" },
		{ "0x1000 - 0x1fff Demo x86_64 (400.9.4 - 1.0.0) "
		  "<2d903291397d3d14bfca52c7fb8c5e00> /Demo",
		  0x1000, 0x1000, "Demo", NULL, "x86_64", "400.9.4", "1.0.0",
		  "/Demo", "2D903291-397D-3D14-BFCA-52C7FB8C5E00" },
		{ "0x1000 - 0x1fff com.example.kit (x86_64)  "
		  "<2d903291397d3d14bfca52c7fb8c5e00> /Kit",
		  0x1000, 0x1000, "Kit", "com.example.kit", "x86_64", NULL,
		  NULL, "/Kit", "2D903291-397D-3D14-BFCA-52C7FB8C5E00" },
		{ "0x1000 - 0x1fff Demo arm64 <(null)> /x/Demo", 0x1000, 0x1000,
		  "Demo", NULL, "arm64", NULL, NULL, "/x/Demo", NULL },
		{ "0x1000 - 0x1fff Demo arm64 /x/Demo <2>", 0x1000, 0x1000,
		  "Demo", NULL, "arm64", NULL, NULL, "/x/Demo <2>", NULL },
		{ "0x0 - 0xffffffffffffffff ??? unknown-arch  "
		  "<00000000000000000000000000000000> ???",
		  0, UINT64_MAX, "???", NULL, "unknown-arch", NULL, NULL, NULL,
		  NULL },
		{ "0x1000 - 0x1fff  cl_kernels (*) "
		  "<0F997364-3D32-46F0-868E-A51A6476C487> cl_kernels",
		  0x1000, 0x1000, "cl_kernels", NULL, NULL, NULL, NULL,
		  "cl_kernels", "0F997364-3D32-46F0-868E-A51A6476C487" },
		{ "0x1000 - 0x1fff  demo (*) "
		  "<0F997364-3D32-46F0-868E-A51A6476C487> */demo",
		  0x1000, 0x1000, "demo", NULL, NULL, NULL, NULL, "*/demo",
		  "0F997364-3D32-46F0-868E-A51A6476C487" },
		{ "1000-1fff Demo", 0x1000, 0x1000, "Demo", NULL, NULL, NULL,
		  NULL, NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = read(
		        &arena, arena_printf(&arena, "Binary Images:\n%s\n",
		                             cases[i].line));
		struct report_image *image = &report->images[0];
		const char *pairs[][2] = {
			{ image->name, cases[i].name },
			{ image->bundle_id, cases[i].bundle_id },
			{ image->arch, cases[i].arch },
			{ image->version, cases[i].version },
			{ image->build, cases[i].build },
			{ image->path, cases[i].path },
		};
		char uuid[UUID_TEXT_SIZE];

		assert_int_equal(report->image_count, 1);
		assert_int_equal(image->base, cases[i].base);
		assert_int_equal(image->size, cases[i].size);
		for (size_t k = 0; k < ARRAY_SIZE(pairs); k++) {
			assert_int_equal(!pairs[k][0], !pairs[k][1]);
			if (pairs[k][0])
				assert_string_equal(pairs[k][0], pairs[k][1]);
		}
		assert_int_equal(uuid_is_zero(&image->uuid), !cases[i].uuid);
		if (cases[i].uuid)
			assert_string_equal(uuid_format(&image->uuid, uuid),
			                    cases[i].uuid);
	}
}

static void platforms_follow_from_system_and_paths(void **state UNUSED)
{
	static const struct {
		const char *os;
		const char *path;
		int platform;
	} cases[] = {
		{ "macOS 12.1 (21C52)", "/A/Demo.app/Contents/MacOS/Demo", 1 },
		{ "Mac OS X 10.16 (20A1)", "/private/*/Demo.app/Demo", 2 },
		{ "macOS 12.1 (21C52)", "/x/Demo.app/Wrapper/Demo.app/Demo",
		  2 },
		{ "macOS 12.1 (21C52)",
		  "/Users/USER/Library/Developer/CoreSimulator/Devices/0/"
		  "Demo.app/Demo",
		  7 },
		{ "iPhone OS 16.0 (20A362)", "/x/Demo.app/Demo", 2 },
		{ "Apple TVOS 12.0 (16J364)", "/x/Demo.app/Demo", 3 },
		{ "Watch OS 9.0 (20R361)", "/x/Demo.app/Demo", 4 },
		{ "visionOS 1.0 (21N301)", "/x/Demo.app/Demo", 11 },
		{ "BeOS 5", "/x/Demo.app/Demo", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report =
		        read(&arena,
		             arena_printf(&arena, "Path: %s\nOS Version: %s\n",
		                          cases[i].path, cases[i].os));

		assert_int_equal(report->platform, cases[i].platform);
	}
}

static void a_json_line_above_the_text_is_kept(void **state UNUSED)
{
	static const char text[] =
	        "{\"app_name\":\"Demo\",\"bug_type\":\"109\"}\n" HEADER
	        "\n" THREAD "\n" IMAGES "\nEOF\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, text);
	assert_string_equal(report->bug_type, "109");
}

static void what_follows_the_end_is_kept_unread(void **state UNUSED)
{
	static const char text[] = HEADER "\n" THREAD "\n" IMAGES "\n"
	                                  "EOF\n"
	                                  "\n"
	                                  "Extra Information:\n"
	                                  "Thread 9:\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, text);
	assert_int_equal(report->thread_count, 1);
	assert_int_equal(report->note_count, 0);
}

static void a_second_report_in_the_text_is_noted(void **state UNUSED)
{
	static const char text[] = HEADER THREAD IMAGES
	        "EOF{\"app_name\":\"x\"}\n" HEADER THREAD;
	static const char pasted[] = HEADER THREAD IMAGES HEADER THREAD;
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, text);
	assert_int_equal(report->thread_count, 1);
	assert_note(report, 0, "line 9",
	            "another report begins here; only the first is read");
	report = read(&arena, pasted);
	assert_kept(report, pasted);
	assert_int_equal(report->thread_count, 1);
	assert_note(report, 0, "line 9",
	            "another report begins here; only the first is read");
}

static void line_ends_of_windows_are_noted(void **state UNUSED)
{
	static const char text[] =
	        "Process: Demo [1]\r\nThread 0:\r\n\r\nBinary Images:\r\n"
	        "0x1000 - 0x1fff Demo arm64 /Demo\r\n";
	static const char plain[] =
	        "Process: Demo [1]\nThread 0:\n\nBinary Images:\n"
	        "0x1000 - 0x1fff Demo arm64 /Demo\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, plain);
	assert_int_equal(report->note_count, 1);
	assert_note(report, 0, "all lines", "line endings CR LF; read as LF");
	assert_int_equal(report->image_count, 1);
	report = read(&arena, "Process: Demo [1]\rThread 0:\r\rBinary Images:"
	                      "\r0x1000 - 0x1fff Demo arm64 /Demo\r");
	assert_kept(report, plain);
	assert_note(report, 0, "all lines", "line endings CR; read as LF");
	report = read(&arena,
	              "Process: Demo [1]\r\nThread 0:\r\r\nBinary Images:"
	              "\n0x1000 - 0x1fff Demo arm64 /Demo\n");
	assert_kept(report, plain);
	assert_note(report, 0, "all lines",
	            "line endings CR LF and CR; read as LF");
}

static void nul_bytes_are_repaired(void **state UNUSED)
{
	static const char text[] = "Process: A\0B [1]\nThread 0:\n\0\0\0";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text in = { .data = text, .size = sizeof(text) - 1 };
	struct report *report = NULL;

	assert_null(reader_read(&crash_text_reader, in, &arena, &report));
	assert_kept(report, "Process: A B [1]\nThread 0:\n");
	assert_note(report, 0, "line 3", "NUL bytes at the end; removed");
	assert_note(report, 1, "line 1", "NUL bytes; read as spaces");
}

static void lone_carriage_returns_end_lines(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        read(&arena, "Process: Demo [1]\r\rThread 3:\r");

	assert_kept(report, "Process: Demo [1]\n\nThread 3:\n");
	assert_int_equal(report->threads[0]->number, 3);
}

static void junk_is_kept_and_noted_once(void **state UNUSED)
{
	static const char text[] = HEADER THREAD "-- page 2 --\n"
	                                         "2   Demo 0x102fe5930 f + 4\n"
	                                         "-- page 3 --\n"
	                                         "\n" IMAGES "scribble\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read(&arena, text);

	assert_kept(report, text);
	assert_int_equal(report->threads[0]->stack.count, 3);
	assert_int_equal(report->note_count, 2);
	assert_note(report, 0, "line 6",
	            "not a frame; kept as text (on 2 lines)");
	assert_note(report, 1, "line 13", "not an image; kept as text");
}

static void a_base_that_does_not_fit_is_noted(void **state UNUSED)
{
	static const char text[] = HEADER THREAD
	        "2   Demo 0x102fe5931 0x102fe0000 + 22832\n"
	        "3   ??? 0x7 0x0 + 9\n\n" IMAGES;
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read(&arena, text);

	assert_int_equal(report->note_count, 1);
	assert_note(report, 0, "line 6",
	            "base and offset do not add up to the address");
}

static void a_truncated_report_says_so(void **state UNUSED)
{
	static const char text[] = HEADER "\n" THREAD "\n" IMAGES "\nEOF\n";
	static const char images[] = "Binary Images:\n";
	size_t safe = (size_t)(strstr(text, "/UIKitCore") - text) +
	              strlen("/UIKitCore");

	for (size_t size = 1; size < sizeof(text) - 1; size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct text in = { .data = text, .size = size };
		struct report *report = NULL;

		err = reader_read(&crash_text_reader, in, &arena, &report);
		// What is there is read; what is not is said.
		if (!err)
			assert_int_equal(report->truncated, size < safe);
	}
	assert_true(strstr(text, images) != NULL);
}

static void a_text_of_other_lines_is_an_error(void **state UNUSED)
{
	static const char text[] = "nothing of interest\nhere either\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct report *report = NULL;

	err = reader_read(&crash_text_reader, text_from(text), &arena, &report);
	assert_non_null(err);
	assert_null(report);
	assert_int_equal(error_code(err), ERROR_FORMAT);
	assert_string_equal(error_message(err),
	                    "no line of a crash report found");
}

static void too_deep_a_stack_keeps_both_ends(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	struct report_stack *stack;
	struct report *report;

	str_add(&text, "Thread 3:\n");
	for (unsigned i = 0; i < 100001; i++)
		str_addf(&text, "%u 0x%x f + 1\n", i, 0x1000 + i);
	str_add(&text, "\n" IMAGES);
	report = read(&arena, str_cstr(&text));
	stack = &report->threads[0]->stack;
	assert_int_equal(stack->count, 1024);
	assert_int_equal(stack->frames[511].index, 511);
	assert_int_equal(stack->frames[512].index, 99489);
	assert_int_equal(stack->frames[1023].index, 100000);
	assert_int_equal(report->lines[1].count, 1024);
	assert_note(report, 0, "line 100004",
	            "the backtrace above has 100001 frames; only the first and "
	            "the last 512 are kept (--limit frames=COUNT raises it)");
}

static void a_stack_that_goes_on_under_a_second_label_is_cut_once(
        void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	const struct report_stack *stack;
	struct report *report;
	size_t shown = 0;

	for (unsigned i = 0; i < 100001; i++) {
		if (i % 60000 == 0)
			str_add(&text, "\nLast Exception Backtrace:\n");
		str_addf(&text, "%u 0x%x f + 1\n", i, 0x1000 + i);
	}
	str_add(&text, "\n" IMAGES);
	report = read(&arena, str_cstr(&text));
	stack = &report->exception_backtrace;
	assert_int_equal(stack->count, 1024);
	// Each frame is in one line of the text.
	for (size_t i = 0; i < report->line_count; i++) {
		if (report->lines[i].stack != stack)
			continue;
		assert_int_equal(report->lines[i].first, shown);
		shown += report->lines[i].count;
	}
	assert_int_equal(shown, 1024);
}

static void the_deepest_stack_is_kept_whole(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };

	str_add(&text, "Thread 3:\n");
	for (unsigned i = 0; i < 100000; i++)
		str_addf(&text, "%u 0x%x f + 1\n", i, 0x1000 + i);
	assert_int_equal(read(&arena, str_cstr(&text))->threads[0]->stack.count,
	                 100000);
}

static void threads_and_images_have_a_limit(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	struct report *report;

	for (unsigned i = 0; i < 10002; i++)
		str_addf(&text, "Thread %u:\n0 Demo 0x1010 f + 1\n", i);
	str_add(&text, "Binary Images:\n");
	for (unsigned i = 0; i < 20001; i++)
		str_addf(&text, "0x%x - 0x%x Demo\n", 0x1000 + 16 * i,
		         0x100f + 16 * i);
	report = read(&arena, str_cstr(&text));
	assert_kept(report, str_cstr(&text));
	assert_int_equal(report->thread_count, 10000);
	assert_int_equal(report->image_count, 20000);
	assert_note(report, 0, "line 20001",
	            "more than 10000 threads (--limit threads=COUNT raises "
	            "it); kept as text (on 2 lines)");
	assert_note(report, 1, "line 40006",
	            "more than 20000 images (--limit images=COUNT raises it); "
	            "kept as text");
}

static void the_format_is_detected_from_its_lines(void **state UNUSED)
{
	static const struct {
		const char *text;
		bool ours;
	} cases[] = {
		{ "\n\nIncident Identifier: 0\n", true },
		{ "Thread 0:\n0   Demo 0x1000 main + 4\n", true },
		{ "*** First throw call stack:\n(0x1000 0x2000)\n", true },
		{ "0   Demo 0x1000 f + 4\n1   Demo 0x2000 g + 4\n", true },
		{ "Process: how we work\n", false },
		{ "{\n  \"incident\" : \"Process:\"\n}\n", false },
		{ "Thread about crashes\n", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(reader_sniff(&crash_text_reader,
		                              text_from(cases[i].text)),
		                 cases[i].ours);
}

static void a_text_may_begin_in_a_backtrace(void **state UNUSED)
{
	static const struct {
		const char *head;
		const char *next; ///< the first header
		uint64_t number;  ///< of the thread; its frames are in no other
		bool exception;   ///< they are the exception's instead
	} cases[] = {
		{ "4   Demo 0x102fe5930 f + 4\n", "Thread 1:\n", 0, false },
		{ "4   Demo 0x102fe5930 f + 4\n", "Thread 7 name: x\n", 6,
		  false },
		{ "0   Demo 0x102fe5930 f + 4\n", "Thread 1:\n", 0, false },
		{ "4   Demo 0x102fe5930 f + 4\n", "Thread 0:\n", 0, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str text = { 0 };
		struct report *report;

		str_addf(&text, "%s5   Demo 0x102fe5940 g + 4\n\n%s" IMAGES,
		         cases[i].head, cases[i].next);
		assert_true(reader_sniff(&crash_text_reader, str_text(&text)));
		report = read(&arena, str_cstr(&text));
		assert_kept(report, str_cstr(&text));
		assert_true(report->truncated);
		assert_int_equal(report->thread_count, 2 - cases[i].exception);
		if (cases[i].exception) {
			assert_int_equal(report->exception_backtrace.count, 2);
			continue;
		}
		assert_int_equal(report->threads[0]->number, cases[i].number);
		assert_int_equal(report->threads[0]->stack.count, 2);
	}
}

static void a_list_of_frames_is_a_report(void **state UNUSED)
{
	static const char *const texts[] = {
		"0   Demo   main + 12\n1   Demo   run + 4\n",
		"0   Demo 0x102fe5930 f + 4\n1   Demo 0x102fe5940 g + 4\n",
		("0  Demo  0x102fe5930 0x102fe0000 + 22832\n"
		 "1  Demo  0x102fe5940 0x102fe0000 + 22848\n"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report;

		assert_true(
		        reader_sniff(&crash_text_reader, text_from(texts[i])));
		report = read(&arena, texts[i]);
		assert_int_equal(report->app_backtrace_count, 1);
		assert_int_equal(report->app_backtraces[0]->count, 2);
		assert_false(report->truncated);
	}
}

static void blank_lines_do_not_end_the_backtrace_of_an_exception(
        void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, HEADER
	             "\nLast Exception Backtrace:\n\n"
	             "0   CoreFoundation 0x182000100 __raise + 164\n\n"
	             "1   Demo 0x100004000 -[Store refresh] + 44\n\n" THREAD
	             "\n" IMAGES "\nEOF\n");

	assert_int_equal(report->exception_backtrace.count, 2);
	assert_int_equal(report->thread_count, 1);
}

#define UMENG_STACK(first, second)                                  \
	"-[NSNull length]: unrecognized selector sent to 0x1b7f\n"  \
	"(null)\n"                                                  \
	"(\n"                                                       \
	"\t0   CoreFoundation  0x182fd6db0 <redacted> + 148\n"      \
	"\t1   libobjc.A.dylib 0x18263bf80 objc_exception_throw + " \
	"56\n"                                                      \
	"\t2   Demo            " first " Demo + 2572\n"             \
	"\t3   Demo            " second "\n"                        \
	")\n\n"
#define UMENG_BLOCK(name)                                   \
	"dSYM UUID: 4C4C44BD-5555-3144-A18B-1D7A14ACC538\n" \
	"CPU Type: arm64\n"                                 \
	"Slide Address: 0x0000000100000000\n"               \
	"Binary Image: " name "\n"                          \
	"Base Address: 0x00000001000f4000\n"

static void an_image_may_be_told_below_the_backtrace(void **state UNUSED)
{
	static const char *const texts[] = {
		UMENG_STACK("0x1000f4a0c", "0x1000f4ab4 -[Feed load] + 4")
		        UMENG_BLOCK("Demo"),
		UMENG_STACK("0x100000a0c", "0x100000ab4 -[Feed load] + 4")
		        UMENG_BLOCK("Demo"),
		UMENG_STACK("0x100000a0c", "0x100000ab4 Demo + 2740")
		        UMENG_BLOCK("???"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report = read(&arena, texts[i]);
		const struct report_stack *stack = &report->exception_backtrace;

		assert_int_equal(report->image_count, 1);
		assert_string_equal(report->images[0].name, "Demo");
		assert_string_equal(report->images[0].arch, "arm64");
		assert_false(uuid_is_zero(&report->images[0].uuid));
		assert_string_equal(report->process.name, "Demo");
		assert_string_equal(report->thrown.reason,
		                    "-[NSNull length]: unrecognized selector "
		                    "sent to 0x1b7f");
		assert_int_equal(stack->count, 4);
		assert_int_equal(stack->frames[0].image, REPORT_NO_IMAGE);
		assert_int_equal(stack->frames[2].image, 0);
		assert_int_equal(stack->frames[2].image_offset, 2572);
		assert_int_equal(stack->frames[3].image, 0);
		assert_int_equal(stack->frames[3].image_offset, 2740);
		assert_false(report->truncated);
	}
}

static void an_offset_is_not_guessed(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	// Relative to one address or to the other: nothing says which.
	const struct report *report =
	        read(&arena, "*** boom\n(\n"
	                     "0   Demo   0x1000f5a0c -[Feed load] + 4\n"
	                     ")\n\n" UMENG_BLOCK("Demo"));

	assert_int_equal(report->image_count, 1);
	assert_int_equal(report->exception_backtrace.frames[0].image,
	                 REPORT_NO_IMAGE);
}

static void a_signal_is_no_exception(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, "Application received signal SIGSEGV\n(null)\n((\n"
	                     "0   Demo   0x1000f4a0c Demo + 2572\n"
	                     ")\n\n" UMENG_BLOCK("Demo"));

	assert_string_equal(report->exception.signal, "SIGSEGV");
	assert_null(report->thrown.reason);
	assert_int_equal(report->thread_count, 1);
	assert_true(report->threads[0]->crashed);
	assert_int_equal(report->threads[0]->stack.frames[0].image, 0);
}

/** The columns of Measure: base, then the address where the name belongs. */
static void an_address_may_be_behind_the_base(void **state UNUSED)
{
	static const char text[] =
	        "Thread 0 Crashed:\n"
	        "0   Shop   0x0000000102324000   0000000102325010 + 8\n"
	        "1   Shop   0x0000000102324000   pay()   (Cart.swift:44)\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;
	const struct report_frame *frames;
	struct error *err = reader_read(&crash_text_reader, text_from(text),
	                                &arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	assert_int_equal(report->threads[0]->stack.count, 2);
	frames = report->threads[0]->stack.frames;
	assert_int_equal(frames[0].call_count, 0);
	assert_int_equal(frames[0].address, 0x102325010);
	assert_int_equal(frames[0].image_offset, 0x1010);
	assert_string_equal(frames[1].calls[0].symbol, "pay()");
}

static void frames_may_have_no_numbers(void **state UNUSED)
{
	static const char text[] = "Thread 0 Crashed:\n"
	                           "Shop      -[Cart pay:] + 300 (Cart.m:31)\n"
	                           "-------- RECURSION LEVEL 580\n"
	                           "Shop      -[Cart open] + 12 (Cart.m:51)\n";
	static const char *const others[] = {
		"see  -[Cart pay:] in (Cart.m:31)\nThread 0 is it\n",
		"note: it  fails at 3 + 4 (see Cart.m:31)\n",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;
	struct error *err = reader_read(&crash_text_reader, text_from(text),
	                                &arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	assert_int_equal(report->thread_count, 1);
	assert_int_equal(report->threads[0]->stack.count, 2);
	assert_string_equal(report->threads[0]->stack.frames[1].calls[0].symbol,
	                    "-[Cart open]");
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(
		        reader_sniff(&crash_text_reader, text_from(others[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_image_may_be_told_below_the_backtrace),
		cmocka_unit_test(an_offset_is_not_guessed),
		cmocka_unit_test(a_signal_is_no_exception),
		cmocka_unit_test(a_whole_report_is_read_and_kept),
		cmocka_unit_test(thread_headers_have_many_spellings),
		cmocka_unit_test(the_termination_reason_has_many_spellings),
		cmocka_unit_test(a_signal_may_be_in_the_termination_alone),
		cmocka_unit_test(the_termination_reason_may_go_on_over_lines),
		cmocka_unit_test(a_termination_description_is_divided),
		cmocka_unit_test(exceptions_are_reported_in_many_ways),
		cmocka_unit_test(the_exception_backtrace_may_be_a_list),
		cmocka_unit_test(
		        the_exception_backtrace_may_have_lost_its_addresses),
		cmocka_unit_test(bare_addresses_become_frames),
		cmocka_unit_test(brackets_that_hold_other_text_stay),
		cmocka_unit_test(an_open_bracket_does_not_swallow_the_report),
		cmocka_unit_test(what_a_console_prints_is_a_report),
		cmocka_unit_test(a_backtrace_without_any_heading_is_read),
		cmocka_unit_test(
		        application_specific_text_and_backtraces_are_kept),
		cmocka_unit_test(text_below_a_blank_line_is_not_lost),
		cmocka_unit_test(registers_are_read_by_grammar),
		cmocka_unit_test(image_lines_are_written_in_many_ways),
		cmocka_unit_test(platforms_follow_from_system_and_paths),
		cmocka_unit_test(a_json_line_above_the_text_is_kept),
		cmocka_unit_test(what_follows_the_end_is_kept_unread),
		cmocka_unit_test(a_second_report_in_the_text_is_noted),
		cmocka_unit_test(line_ends_of_windows_are_noted),
		cmocka_unit_test(nul_bytes_are_repaired),
		cmocka_unit_test(lone_carriage_returns_end_lines),
		cmocka_unit_test(junk_is_kept_and_noted_once),
		cmocka_unit_test(a_base_that_does_not_fit_is_noted),
		cmocka_unit_test(a_truncated_report_says_so),
		cmocka_unit_test(a_text_of_other_lines_is_an_error),
		cmocka_unit_test(too_deep_a_stack_keeps_both_ends),
		cmocka_unit_test(
		        a_stack_that_goes_on_under_a_second_label_is_cut_once),
		cmocka_unit_test(the_deepest_stack_is_kept_whole),
		cmocka_unit_test(threads_and_images_have_a_limit),
		cmocka_unit_test(the_format_is_detected_from_its_lines),
		cmocka_unit_test(a_text_may_begin_in_a_backtrace),
		cmocka_unit_test(a_list_of_frames_is_a_report),
		cmocka_unit_test(an_address_may_be_behind_the_base),
		cmocka_unit_test(frames_may_have_no_numbers),
		cmocka_unit_test(
		        blank_lines_do_not_end_the_backtrace_of_an_exception),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
