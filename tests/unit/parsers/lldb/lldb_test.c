// SPDX-License-Identifier: MIT
#include "parsers/reader.h"

#include "tests/unit/formatters/rendered.h"

#include "tests/unit/parsers/parsed.h"
#include "tests/unit/parsers/stack_string.h"

#define STOP                                                           \
	"* thread #1, queue = 'com.apple.main-thread', stop reason = " \
	"EXC_BAD_ACCESS (code=1, address=0x10)\n"
#define FRAMES                                                                 \
	"  * frame #0: 0x0000000000001008 Demo`f(a=0x10, s=\"x\") at a.c:3:7 " \
	"[opt]\n"                                                              \
	"    frame #1: 0x0000000000001010 Demo`outer [inlined] inner(int) at " \
	"/x/b.cpp:4\n"                                                         \
	"    frame #2: 0x0000000000001010 Demo`outer(int) at b.cpp:9:1\n"      \
	"    frame #3: 0x0000000000001020 Demo`___lldb_unnamed_symbol12 + 5\n" \
	"    frame #4: 0x0000000000009010 dyld`start + 2236\n"                 \
	"    frame #5: 0x0000000000001030\n"
#define WORKER                           \
	"  thread #2, name = 'worker'\n" \
	"    frame #0: 0x0000000000009020 kit`-[K run:](self=0x1) + 8\n"
#define IMAGES                                                           \
	"[  0] 4C4C44BD-5555-3144-A18B-1D7A14ACC538 0x0000000000001000 " \
	"/x/Demo \n"                                                     \
	"      /x/Demo.dSYM/Contents/Resources/DWARF/Demo\n"             \
	"[  1] 175354DE-24CB-3301-99EF-3CE9F1952BFD 0x0000000000009000 " \
	"/usr/lib/dyld (0x0000000000009000)\n"
#define BACKTRACE STOP FRAMES WORKER

static void a_backtrace_is_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&lldb_reader,
	               "Process 612 stopped\n" BACKTRACE
	               "Target 0: (Demo) stopped.\n(lldb) image list\n" IMAGES,
	               &arena);

	assert_string_equal(report->exception.type, "EXC_BAD_ACCESS");
	assert_string_equal(report->exception.signal, "SIGSEGV");
	assert_string_equal(report->exception.codes,
	                    "0x0000000000000001, 0x0000000000000010");
	assert_string_equal(report->process.name, "Demo");
	assert_int_equal(report->process.pid, 612);
	assert_int_equal(report->thread_count, 2);
	assert_true(report->threads[0]->crashed);
	assert_string_equal(report->threads[0]->queue, "com.apple.main-thread");
	// A frame without a name of an image lies in none.
	assert_stack(report, &report->threads[0]->stack,
	             "0x1008 Demo@8 f a.c:3:7\n"
	             "0x1010 Demo@16 inner(int) b.cpp:4 inlined\n"
	             "0x1010 Demo@16 outer(int) b.cpp:9:1\n"
	             "0x1020 Demo@32\n"
	             "0x9010 dyld@16 start+2236\n"
	             "0x1030 -\n");
	assert_string_equal(report->threads[1]->name, "worker");
	// Nor one in an image of another name.
	assert_stack(report, &report->threads[1]->stack,
	             "0x9020 kit -[K run:]+8\n");
	assert_int_equal(report->image_count, 2);
	assert_string_equal(report->images[1].path, "/usr/lib/dyld");
	assert_int_equal(report->images[0].size, 0x21);
}

static void a_backtrace_is_printed_as_it_was(void **state UNUSED)
{
	static const char *const texts[] = {
		"(lldb) bt\n" BACKTRACE "(lldb) image list\n" IMAGES
		"(lldb) q\n",
		// A stop, and the whole backtrace after it.
		STOP "    frame #0: 0x0000000000001008 Demo`f + 8\n"
		     "-> 3   return *a;\n(lldb) bt\n" BACKTRACE,
		"      * thread #3, stop reason = signal SIGABRT\n"
		"        frame #0: f + 12\n"
		"      * frame #1: g + 3\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = parsed(&lldb_reader, texts[i], &arena);
		SCOPED(mem_drop) char *text = rendered(&text_formatter, report);

		assert_string_equal(text, texts[i]);
	}
}

static void stop_reasons_are_exceptions(void **state UNUSED)
{
	static const struct {
		const char *reason;
		const char *type;
		const char *signal;
		const char *codes;
		const char *message;
	} cases[] = {
		{ "EXC_BREAKPOINT (code=1, subcode=0x1008)", "EXC_BREAKPOINT",
		  NULL, "0x0000000000000001, 0x0000000000001008", NULL },
		{ "EXC_BAD_INSTRUCTION (code=EXC_I386_INVOP, subcode=0x0)",
		  "EXC_BAD_INSTRUCTION", NULL, "EXC_I386_INVOP", NULL },
		{ "EXC_BAD_ACCESS (code=EXC_I386_GPFLT)", "EXC_BAD_ACCESS",
		  NULL, "EXC_I386_GPFLT", NULL },
		{ "signal SIGABRT", NULL, "SIGABRT", NULL, NULL },
		{ "Fatal error: Index out of range", NULL, NULL, NULL,
		  "Fatal error: Index out of range" },
		{ "breakpoint 1.1", NULL, NULL, NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report =
		        parsed(&lldb_reader,
		               arena_printf(&arena,
		                            "* thread #1, stop reason = %s\n"
		                            "  * frame #0: 0x1008 Demo`f + 8\n",
		                            cases[i].reason),
		               &arena);
		const struct report_exception *exception = &report->exception;

		assert_true(text_same(exception->type, cases[i].type));
		assert_true(text_same(exception->signal, cases[i].signal));
		assert_true(text_same(exception->codes, cases[i].codes));
		assert_true(text_same(
		        report_section(report,
		                       "Application Specific Information"),
		        cases[i].message));
		assert_int_equal(report->threads[0]->crashed,
		                 i + 1 < ARRAY_SIZE(cases));
	}
}

static void names_have_no_values_of_arguments(void **state UNUSED)
{
	static const struct {
		const char *name;
		const char *symbol;
	} cases[] = {
		{ "demo::Feed::decode(demo::Entry const&)",
		  "demo::Feed::decode(demo::Entry const&)" },
		{ "demo::Feed::decode(this=0x1, e=(a = 1))",
		  "demo::Feed::decode" },
		{ "-[A b:](self=<unavailable>, _cmd=\"b:\")", "-[A b:]" },
		{ "A::operator==(A const&) const",
		  "A::operator==(A const&) const" },
		{ "closure #1 in A.b(n=5)", "closure #1 in A.b" },
		{ "f()", "f()" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report =
		        parsed(&lldb_reader,
		               arena_printf(&arena,
		                            "frame #0: 0x1008 Demo`%s at a:3\n",
		                            cases[i].name),
		               &arena);

		assert_string_equal(
		        report->threads[0]->stack.frames[0].calls[0].symbol,
		        cases[i].symbol);
	}
}

static void a_thread_is_found_again_among_many(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	const struct report *report;

	str_add(&text, STOP);
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 1; i <= 150; i++)
			str_addf(
			        &text,
			        "  thread #%u\n"
			        "    frame #0: 0x0000000000001008 Demo`f + 8\n",
			        i);
	report = parsed(&lldb_reader, str_cstr(&text), &arena);
	assert_int_equal(report->thread_count, 150);
	assert_int_equal(report->threads[149]->stack.count, 1);
}

static void an_image_ends_before_the_next_among_many(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	const struct report *report;

	str_add(&text, STOP "    frame #0: 0x0000000000001008 kit0`f + 8\n"
	                    "    frame #1: 0x0000000000bb8008 kit2999`f + 8\n");
	for (unsigned i = 0; i < 3000; i++)
		str_addf(&text,
		         "[%3u] 4C4C44BD-5555-3144-A18B-1D7A14ACC538 "
		         "0x%016x /x/kit%u\n",
		         i, 0x1000 * (i + 1), i);
	report = parsed(&lldb_reader, str_cstr(&text), &arena);
	assert_int_equal(report->image_count, 3000);
	assert_int_equal(report->threads[0]->stack.frames[0].image, 0);
	assert_int_equal(report->threads[0]->stack.frames[1].image, 2999);
}

static void a_backtrace_truncated_anywhere_is_read(void **state UNUSED)
{
	const struct text whole = text_from(BACKTRACE IMAGES);

	for (size_t size = 0; size <= whole.size; size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = NULL;
		struct text cut = text_first(whole, size);

		if (!reader_sniff(&lldb_reader, cut))
			continue;
		assert_null(reader_read(&lldb_reader, cut, &arena, &report));
	}
}

// Xcode

#define XCODE                                                                 \
	"Thread 1 Queue : com.apple.main-thread (serial)\n"                   \
	"#0\t0x000000019383ed40 in _assertionFailure ()\n"                    \
	"#1\t0x0000000104d0aa0c in closure #1 in Feed.load() at "             \
	"/Users/x/Demo/Feed.swift:12\n"                                       \
	"Enqueued from com.apple.main-thread (Thread 1) Queue : com.apple.x " \
	"(serial)\n"                                                          \
	"#0\t0x0000000100896669 in _dispatch_root_queue_push_override ()\n"

static void xcodes_copy_of_a_stack_is_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(&lldb_reader, XCODE, &arena);
	const struct report_thread *thread = report->threads[0];
	const struct report_frame *frames = thread->stack.frames;

	assert_int_equal(report->thread_count, 1);
	assert_true(thread->crashed);
	assert_string_equal(thread->queue, "com.apple.main-thread");
	// What enqueued the block is another stack.
	assert_int_equal(thread->stack.count, 2);
	assert_string_equal(frames[0].calls[0].symbol, "_assertionFailure");
	assert_false(frames[0].is_own);
	assert_string_equal(frames[1].calls[0].symbol,
	                    "closure #1 in Feed.load()");
	assert_int_equal(frames[1].calls[0].line, 12);
	assert_true(frames[1].is_own);
}

static void xcode_says_why_a_thread_stopped(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &lldb_reader,
	        "Thread 5: EXC_BAD_ACCESS (code=1, address=0x18)\n", &arena);

	assert_string_equal(report->exception.type, "EXC_BAD_ACCESS");
	assert_int_equal(report->triggered_thread, 5);
	report = parsed(&lldb_reader, "Thread 1: \"-[A b]: no\"\n", &arena);
	assert_string_equal(report->thrown.reason, "-[A b]: no");
	report = parsed(&lldb_reader, "Thread 1: signal SIGABRT\n", &arena);
	assert_string_equal(report->exception.signal, "SIGABRT");
	report = parsed(&lldb_reader,
	                "Thread 1: EXC_RESOURCE RESOURCE_TYPE_MEMORY "
	                "(limit=1450 MB, unused=0x0)\n",
	                &arena);
	assert_string_equal(report->exception.type, "EXC_RESOURCE");
	assert_string_equal(report->exception.subtype,
	                    "RESOURCE_TYPE_MEMORY (limit=1450 MB, unused=0x0)");
}

static void other_texts_are_not_taken(void **state UNUSED)
{
	static const char *const texts[] = {
		"",
		"frame #0 of 3\n",
		"* thread #1 is busy\n",
		"Process: Demo [1]\nReport Version: 12\n" BACKTRACE,
		"{\"a\":1}\n" STOP,
		"Thread 1: waiting\n",
		"Thread 1 Queue : com.apple.main-thread (serial)\nidle\n",
		// A sanitizer's frames look like Xcode's.
		"#0 0x100e80a0c in main main.c:1\n",
		// The console says more than Xcode.
		"*** Terminating app due to uncaught exception 'A', reason: "
		"'b'\nThread 1: \"b\"\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_false(reader_sniff(&lldb_reader, text_from(texts[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_backtrace_is_read),
		cmocka_unit_test(a_backtrace_is_printed_as_it_was),
		cmocka_unit_test(stop_reasons_are_exceptions),
		cmocka_unit_test(names_have_no_values_of_arguments),
		cmocka_unit_test(a_thread_is_found_again_among_many),
		cmocka_unit_test(an_image_ends_before_the_next_among_many),
		cmocka_unit_test(a_backtrace_truncated_anywhere_is_read),
		cmocka_unit_test(xcodes_copy_of_a_stack_is_read),
		cmocka_unit_test(xcode_says_why_a_thread_stopped),
		cmocka_unit_test(other_texts_are_not_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
