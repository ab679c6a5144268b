// SPDX-License-Identifier: MIT
#include "parsers/reader.h"

#include "tests/unit/formatters/rendered.h"
#include "tests/unit/read_reports.h"

#include "tests/unit/parsers/parsed.h"
#include "tests/unit/parsers/stack_string.h"

#define SIGNAL "*** Signal 11: Backtracing from 0x1008... done ***\n\n"
#define HEADLINE \
	"*** Program crashed: Bad pointer dereference at 0x0004 ***\n\n"
#define PLATFORM "Platform: arm64 macOS 26.1 (25B64)\n\n"
#define MAIN                                                            \
	"Thread 0 \"main\":\n\n"                                        \
	"  0               0x8010 wait + 8 in libsystem_kernel.dylib\n" \
	"  1 [ra] [system] 0x1020 static App.$main() + 12 in Demo at "  \
	"/<compiler-generated>\n"                                       \
	"  5 [ra] [system] 0x9010 start + 6992 in dyld\n"               \
	"...\n\n"
#define CRASHED                                                                \
	"Thread 6 crashed:\n\n"                                                \
	"  0                0x1008 A.first.getter in Demo at /x/A.swift:3:7\n" \
	"  1 [ra] [inlined] 0x1010 inner() in Demo at /x/B.swift:4:8\n"        \
	"  2 [ra]           0x1010 outer() + 16 in Demo at /x/B.swift:9:1\n"   \
	"  3 [async]        0x1030\n"                                          \
	"  4                ...\n\n\n"
#define REGISTERS                     \
	"Registers:\n\n"              \
	" x0 0x0000000000000001  1\n" \
	" fp 0x000000016f5daf80  90 af 5d 6f 01 00 00 00\n\n"
#define IMAGES                                                   \
	"Images (23 omitted):\n\n"                               \
	"0x1000\xe2\x80\x93"                                     \
	"0x2000 4c4c44bd55553144a18b1d7a14acc538 Demo /x/Demo\n" \
	"0x9000\xe2\x80\x93"                                     \
	"0xa000 <no build ID>                    dyld /usr/lib/dyld\n\n"
#define END "Backtrace took 0.05s\n"
#define LOG SIGNAL HEADLINE PLATFORM MAIN CRASHED REGISTERS IMAGES END

#define MAIN_STACK                                                           \
	"0x8010 libsystem_kernel.dylib wait+8\n"                             \
	"0x1020 system Demo@32 static App.$main()+12 <compiler-generated>\n" \
	"0x9010 system dyld@16 start+6992\n"
#define CRASHED_STACK                                  \
	"0x1008 Demo@8 A.first.getter A.swift:3:7\n"   \
	"0x1010 Demo@16 inner() B.swift:4:8 inlined\n" \
	"0x1010 Demo@16 outer()+16 B.swift:9:1\n"      \
	"0x1030 pc async Demo@48\n"

static const struct report_thread *thread(const struct report *report,
                                          size_t index)
{
	assert_true(index < report->thread_count);
	return report->threads[index];
}

static void a_log_is_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(&swift_log_reader, LOG, &arena);

	assert_string_equal(report->exception.type, "EXC_BAD_ACCESS");
	assert_string_equal(report->exception.signal, "SIGSEGV");
	assert_string_equal(report->exception.subtype,
	                    "Bad pointer dereference at 0x0004");
	assert_string_equal(report->os_version, "macOS 26.1 (25B64)");
	assert_string_equal(report->code_type, "ARM-64");
	assert_string_equal(report->process.name, "Demo");
	assert_string_equal(report->path, "/x/Demo");
	assert_int_equal(report->thread_count, 2);
	assert_string_equal(thread(report, 0)->name, "main");
	assert_false(thread(report, 0)->crashed);
	assert_stack(report, &thread(report, 0)->stack, MAIN_STACK);
	assert_int_equal(thread(report, 1)->number, 6);
	assert_true(thread(report, 1)->crashed);
	assert_int_equal(report->triggered_thread, 6);
	assert_stack(report, &thread(report, 1)->stack, CRASHED_STACK);
	assert_string_equal(thread(report, 1)->state.flavor,
	                    "ARM Thread State (64-bit)");
	assert_int_equal(thread(report, 1)->state.count, 2);
	assert_int_equal(report->image_count, 2);
	assert_false(uuid_is_zero(&report->images[0].uuid));
	assert_true(uuid_is_zero(&report->images[1].uuid));
	assert_note(report, "line 11",
	            "the log omits frames here (on 3 lines)");
	assert_false(report->truncated);
}

/** All but the columns of calls that were inlined. */
static void a_log_is_printed_as_it_was(void **state UNUSED)
{
	static const char plain[] =
	        "before\n" SIGNAL HEADLINE PLATFORM
	        "Thread 0 crashed:\n\n0      0x1008\n1 [ra] 0x1010 f() + 3\n"
	        "2      ...\n\n" REGISTERS IMAGES END "after\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = parsed(&swift_log_reader, plain, &arena);
	SCOPED(mem_drop) char *text = rendered(&text_formatter, report);

	assert_string_equal(text, plain);
}

static void any_dash_divides_a_range(void **state UNUSED)
{
	static const char *const dashes[] = { "-",
		                              "\xe2\x80\x90",
		                              "\xe2\x80\x92",
		                              "\xe2\x80\x93",
		                              "\xe2\x80\x94",
		                              "\xe2\x88\x92" };

	for (size_t i = 0; i < ARRAY_SIZE(dashes); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report = parsed(
		        &swift_log_reader,
		        arena_printf(
		                &arena,
		                HEADLINE
		                "Images:\n\n0x1000%s0x2000 "
		                "4C4C44BD-5555-3144-A18B-1D7A14ACC538 My App "
		                "/x/My App\n",
		                dashes[i]),
		        &arena);

		assert_int_equal(report->image_count, 1);
		assert_int_equal(report->images[0].size, 0x1000);
		assert_string_equal(report->images[0].name, "My App");
		assert_string_equal(report->images[0].path, "/x/My App");
		assert_false(uuid_is_zero(&report->images[0].uuid));
	}
}

static void the_friendly_form_has_frames_and_source_code(void **state UNUSED)
{
	static const char friendly[] =
	        "Demo/A.swift:18: Fatal error: Index out of range\n\n"
	        "\xf0\x9f\x92\xa3 Program crashed: System trap at 0x1008\n\n"
	        "Thread 0 crashed:\n\n"
	        "0 f() + 24 in Demo at /x/A.swift:18:15\n\n"
	        "    17\xe2\x94\x82   let 3 = a in b at c:3:4\n"
	        "      \xe2\x94\x82               ^\n\n"
	        "1 main in Demo at /x/A.swift:3:1\n\n" END;
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&swift_log_reader, friendly, &arena);

	assert_stack(report, &thread(report, 0)->stack,
	             "0x0 Demo f()+24 A.swift:18:15\n"
	             "0x0 Demo main A.swift:3:1\n");
	assert_string_equal(report->process.name, "Demo");
	assert_string_equal(report->exception.type, "EXC_BREAKPOINT");
	assert_string_equal(
	        report_section(report, "Application Specific Information"),
	        "Demo/A.swift:18: Fatal error: Index out of range");
	assert_int_equal(report->note_count, 0);
}

static void reasons_are_exceptions(void **state UNUSED)
{
	static const struct {
		const char *line;
		const char *type;
		const char *signal;
	} cases[] = {
		{ "*** Program crashed: Bus error at 0x1 ***", "EXC_BAD_ACCESS",
		  "SIGBUS" },
		{ "*** Program crashed: Access violation at 0x1 ***",
		  "EXC_BAD_ACCESS", NULL },
		{ "*** Program crashed: Illegal instruction at 0x1 ***",
		  "EXC_BAD_INSTRUCTION", "SIGILL" },
		{ "*** Program crashed: Aborted at 0x1 ***", "EXC_CRASH",
		  "SIGABRT" },
		{ "*** Swift runtime failure: Index out of range ***",
		  "EXC_BREAKPOINT", "SIGTRAP" },
		{ "*** Program crashed: 31 at 0x1 ***", NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report =
		        parsed(&swift_log_reader, cases[i].line, &arena);

		assert_true(text_same(report->exception.type, cases[i].type));
		assert_true(
		        text_same(report->exception.signal, cases[i].signal));
		assert_non_null(report->exception.subtype);
	}
}

static struct report *read_text(const char *text, struct arena *arena)
{
	struct report *report = NULL;
	struct error *err =
	        read_reports((struct bytes){ .data = (const uint8_t *)text,
	                                     .size = strlen(text) },
	                     arena, &report);

	if (err)
		fail_msg("%s in:\n%s", error_message(err), text);
	return report;
}

static void several_logs_are_several_reports(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read_text(
	        LOG
	        "$ Demo\nDemo/A.swift:3: Fatal error: late\n\n" LOG HEADLINE,
	        &arena);

	assert_non_null(report->next);
	assert_non_null(report->next->next);
	assert_null(report->next->next->next);
	assert_null(report_section(report, "Application Specific Information"));
	assert_string_equal(report_section(report->next,
	                                   "Application Specific Information"),
	                    "Demo/A.swift:3: Fatal error: late");
	assert_stack(report->next, &thread(report->next, 1)->stack,
	             CRASHED_STACK);
	assert_string_equal(report->next->next->exception.signal, "SIGSEGV");
}

/** The indent of its frames is its own, what mail and logs add is not. */
static void pasted_logs_are_read(void **state UNUSED)
{
	static const char *const prefixes[] = {
		"",          "> ",
		"    ",      "2026-01-31T01:08:07.123Z web[612]: ",
		"web-1  | ",
	};
	struct text line;

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str text = { 0 };
		struct text rest = text_from(LOG);
		const struct report *report;

		while (text_next_line(&rest, &line))
			str_addf(&text, "%s%.*s\r\n", prefixes[i],
			         TEXT_ARGS(line));
		report = read_text(str_cstr(&text), &arena);
		assert_string_equal(report->format, "swift-log");
		assert_stack(report, &thread(report, 0)->stack, MAIN_STACK);
		assert_stack(report, &thread(report, 1)->stack, CRASHED_STACK);
		assert_int_equal(report->image_count, 2);
	}
}

static void what_is_left_of_a_log_is_read(void **state UNUSED)
{
	static const struct {
		const char *text;
		const char *stack;
		bool crashed;
	} cases[] = {
		{ CRASHED REGISTERS IMAGES END, CRASHED_STACK, true },
		{ "1 [ra] 0x1010 outer() + 16 in Demo at /x/B.swift:9:1\n"
		  "2 [ra] 0x1020\n" IMAGES,
		  "0x1010 Demo@16 outer()+16 B.swift:9:1\n0x1020 Demo@32\n",
		  false },
		{ "1 [ra] 0x1010\n3 [ra] 0x1020 f() in Demo\n",
		  "0x1010 -\n0x1020 Demo f()\n", false },
		{ HEADLINE "0 0x1008\n1 [ra] 0x1010\n" IMAGES,
		  "0x1008 Demo@8\n0x1010 Demo@16\n", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report =
		        parsed(&swift_log_reader, cases[i].text, &arena);

		assert_stack(report, &thread(report, 0)->stack, cases[i].stack);
		assert_int_equal(thread(report, 0)->crashed, cases[i].crashed);
		assert_int_equal(thread(report, 0)->stack.all_return_addresses,
		                 i == 1 || i == 2);
	}
}

static void a_log_that_ends_early_says_so(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&swift_log_reader,
	               HEADLINE "Thread 0 crashed:\n\n0 0x1008\n", &arena);

	assert_true(report->truncated);
	assert_note(report, "line 5",
	            "the text ends in a backtrace: without the list of images "
	            "no frame can be looked up");
}

static void a_log_truncated_anywhere_is_read(void **state UNUSED)
{
	const struct text whole = text_from(LOG);

	for (size_t size = 0; size <= whole.size; size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = NULL;
		struct text cut = text_first(whole, size);

		if (!reader_sniff(&swift_log_reader, cut))
			continue;
		assert_null(
		        reader_read(&swift_log_reader, cut, &arena, &report));
		assert_non_null(report);
	}
}

static void other_texts_are_not_taken(void **state UNUSED)
{
	static const char *const texts[] = {
		"",
		"The program crashed: bad luck\n",
		"Incident Identifier: 0\n" LOG,
		"Process: Demo [1]\nReport Version: 12\n\nThread 0 Crashed:\n"
		"0   Demo   0x1008 main + 8\n\nBinary Images:\n",
		"Thread 0:\n0 0x1008\n",
		"{\"faultAddress\":\"*** Program crashed: \"}\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_false(
		        reader_sniff(&swift_log_reader, text_from(texts[i])));
}

// JSON

#define JSON_HEAD                                                  \
	"{ \"timestamp\": \"2026-04-12T10:33:21.123456Z\", "       \
	"\"kind\": \"crashReport\", "                              \
	"\"description\": \"Bad pointer dereference\", "           \
	"\"faultAddress\": \"0x0000000000000004\", "               \
	"\"platform\": \"macOS 26.1 (25B64)\", \"architecture\": " \
	"\"arm64\", \"threads\": [ "
#define JSON_THREAD                                                            \
	"{ \"name\": \"worker\", \"crashed\": true, \"registers\": "           \
	"{\"x0\": \"0x1\", \"pc\": \"0x1008\"}, \"frames\": [ "                \
	"{ \"kind\": \"programCounter\", \"address\": \"0x1008\" }, "          \
	"{ \"kind\": \"returnAddress\", \"address\": \"0x1010\", "             \
	"\"inlined\": true, \"symbol\": \"$s4Demo5inneryyF\", \"offset\": 0, " \
	"\"description\": \"inner()\", \"image\": \"Demo\", "                  \
	"\"sourceLocation\": { \"file\": \"/x/B.swift\", \"line\": 4, "        \
	"\"column\": 8 } }, "                                                  \
	"{ \"kind\": \"returnAddress\", \"address\": \"0x1010\", "             \
	"\"symbol\": \"$s4Demo5outeryyF\", \"offset\": 16, "                   \
	"\"description\": \"outer() + 16\", \"image\": \"Demo\" }, "           \
	"{ \"kind\": \"omittedFrames\", \"count\": 7 }, "                      \
	"{ \"kind\": \"asyncResumePoint\", \"address\": \"0x1030\", "          \
	"\"system\": true, \"thunk\": true }, "                                \
	"{ \"kind\": \"truncated\" } ] } ], "
#define JSON_END                                                             \
	"\"omittedThreads\": 2, \"capturedMemory\": { \"0x1008\": \"2801\" " \
	"}, "                                                                \
	"\"omittedImages\": 23, \"images\": [ { \"name\": \"Demo\", "        \
	"\"buildId\": \"4c4c44bd55553144a18b1d7a14acc538\", \"path\": "      \
	"\"/x/Demo\", \"baseAddress\": \"0x1000\", \"endOfText\": "          \
	"\"0x2000\" } ], \"backtraceTime\": 0.02 }\n"

static void json_is_read_as_the_text_is(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &swift_json_reader, JSON_HEAD JSON_THREAD JSON_END, &arena);

	assert_string_equal(report->exception.signal, "SIGSEGV");
	assert_string_equal(report->exception.subtype,
	                    "Bad pointer dereference at 0x0000000000000004");
	assert_string_equal(report->date_time, "2026-04-12T10:33:21.123456Z");
	assert_string_equal(report->process.name, "Demo");
	assert_string_equal(thread(report, 0)->name, "worker");
	assert_stack(report, &thread(report, 0)->stack,
	             "0x1008 Demo@8\n"
	             "0x1010 Demo@16 inner()+0 B.swift:4:8 inlined\n"
	             "0x1010 Demo@16 outer()+16\n"
	             "0x1030 pc async system thunk Demo@48\n");
	assert_string_equal(thread(report, 0)->stack.frames[1].calls[0].mangled,
	                    "$s4Demo5inneryyF");
	assert_int_equal(thread(report, 0)->state.count, 2);
	assert_note(report, "threads[0].frames[3]",
	            "7 frames omitted by the log");
	assert_note(report, "threads[0].frames[5]",
	            "frames further out were not recorded");
	assert_note(report, "omittedImages",
	            "23 images without frames omitted by the log");
	assert_note(report, "omittedThreads",
	            "2 threads omitted by the log, and the numbers of all are "
	            "lost");
	assert_non_null(
	        report_section(report, "Extra Information: Captured Memory"));
}

static void json_truncated_anywhere_is_read(void **state UNUSED)
{
	const struct text whole = text_from(JSON_HEAD JSON_THREAD JSON_END);

	for (size_t size = 0; size <= whole.size; size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = NULL;
		struct text cut = text_first(whole, size);

		if (!reader_sniff(&swift_json_reader, cut))
			continue;
		assert_null(
		        reader_read(&swift_json_reader, cut, &arena, &report));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_is_read),
		cmocka_unit_test(a_log_is_printed_as_it_was),
		cmocka_unit_test(any_dash_divides_a_range),
		cmocka_unit_test(the_friendly_form_has_frames_and_source_code),
		cmocka_unit_test(reasons_are_exceptions),
		cmocka_unit_test(several_logs_are_several_reports),
		cmocka_unit_test(pasted_logs_are_read),
		cmocka_unit_test(what_is_left_of_a_log_is_read),
		cmocka_unit_test(a_log_that_ends_early_says_so),
		cmocka_unit_test(a_log_truncated_anywhere_is_read),
		cmocka_unit_test(other_texts_are_not_taken),
		cmocka_unit_test(json_is_read_as_the_text_is),
		cmocka_unit_test(json_truncated_anywhere_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
