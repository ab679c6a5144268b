// SPDX-License-Identifier: MIT
#include "lib/base/file.h"
#include "lib/base/str.h"
#include "parsers/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/parsers/parsed.h"

#define HEAD                                                         \
	"\"report\":{\"version\":\"3.3.0\",\"id\":"                  \
	"\"9A8B7C6D-0000-4000-8000-000000000001\",\"process_name\":" \
	"\"Demo\",\"timestamp\":1769821687123456,\"type\":\"standard\"}"
#define IMAGES                                                            \
	"\"binary_images\":[{\"image_addr\":4345167872,\"image_size\":"   \
	"131072,\"name\":\"/private/var/x/Demo.app/Demo\",\"uuid\":"      \
	"\"1A2B3C4D-5E6F-3071-8293-A4B5C6D7E8F9\",\"cpu_type\":16777228," \
	"\"cpu_subtype\":-2147483646}]"
#define FRAME                                                   \
	"{\"object_name\":\"Demo\",\"object_addr\":4345167872," \
	"\"instruction_addr\":4345219372}"
#define THREAD                                                       \
	"{\"index\":0,\"crashed\":true,\"backtrace\":{\"contents\":" \
	"[" FRAME "],\"skipped\":0}}"

/** A whole report with this `crash.error`, and members after. */
static struct report *read_error(const char *error, const char *more,
                                 struct arena *arena)
{
	return parsed(
	        &kscrash_reader,
	        arena_printf(arena,
	                     "{" HEAD "," IMAGES
	                     ",\"system\":{\"cpu_arch\":\"arm64\"},"
	                     "\"crash\":{\"error\":%s,\"threads\":[" THREAD
	                     "]}%s}",
	                     error, more),
	        arena);
}

static void assert_text(const char *found, const char *expected)
{
	if (expected)
		assert_non_null(found);
	if (found && expected)
		assert_string_equal(found, expected);
	else
		assert_ptr_equal(found, expected);
}

static void the_format_is_detected_from_the_outer_names(void **state)
{
	static const struct {
		const char *text;
		bool ours;
	} cases[] = {
		{ "{\"report\":{},\"crash\":{}}", true },
		{ "\n { \"crash\" : {} , \"report\" : {} }", true },
		{ "{\"recrash_report\":{}}", true },
		{ "{\"report\":{\"a\":\"}\"},\"binary_images\":[{", true },
		{ "{\"crashTime\":1,\"appleReport\":\"x\"}", false },
		{ "{\"report\":{\"crash\":{}}}", false },
		{ "{\"a\":\"report\",\"b\":\"crash\"}", false },
		{ "{\"report\":{}} {\"crash\":{}}", false },
		{ "{\"appleReport\":\"x\"}", false },
		{ "[{\"report\":{},\"crash\":{}}]", false },
		{ "report crash", false },
		{ "{\"report", false },
		{ "{\"report\\", false },
		{ "{", false },
		{ "", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (reader_sniff(&kscrash_reader, text_from(cases[i].text)) !=
		    cases[i].ours)
			fail_msg("%s", cases[i].text);
}

static void dates_come_in_four_units(void **state)
{
	static const struct {
		const char *json;
		const char *date;
	} cases[] = {
		{ "1769821687", "2026-01-31 01:08:07.000 +0000" },
		{ "1769821687123", "2026-01-31 01:08:07.123 +0000" },
		{ "1769821687123456", "2026-01-31 01:08:07.123 +0000" },
		{ "\"2026-01-31T01:08:07Z\"", "2026-01-31 01:08:07.000 +0000" },
		{ "\"2026-01-31T01:08:07.12Z\"",
		  "2026-01-31 01:08:07.120 +0000" },
		{ "\"2026-01-31T01:08:07.123456Z\"",
		  "2026-01-31 01:08:07.123 +0000" },
		{ "\"2026-01-31T01:08:07+08:00\"",
		  "2026-01-31T01:08:07+08:00" },
		{ "\"yesterday\"", "yesterday" },
		{ "0", "1970-01-01 00:00:00.000 +0000" },
		{ "951782400", "2000-02-29 00:00:00.000 +0000" },
		{ "4107542400", "2100-03-01 00:00:00.000 +0000" },
		{ "1.5", "1.5" },
		{ "18446744073709551615", "18446744073709551615" },
		{ "\"\"", NULL },
		{ "null", NULL },
		{ "[]", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report =
		        parsed(&kscrash_reader,
		               arena_printf(&arena,
		                            "{\"report\":{\"timestamp\":%s},"
		                            "\"crash\":{\"error\":{}}}",
		                            cases[i].json),
		               &arena);

		assert_text(report->date_time, cases[i].date);
	}
}

static void the_header_comes_from_the_system(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        "{\"report\":{\"id\":\"I\",\"process_name\":\"P\"},"
	        "\"system\":{\"system_name\":\"iOS\",\"system_version\":"
	        "\"17.2\",\"os_version\":\"21C62\",\"machine\":\"iPhone14,2\","
	        "\"process_id\":612,\"parent_process_id\":1,"
	        "\"device_app_hash\":\"H\",\"CFBundleExecutablePath\":\"/D\","
	        "\"CFBundleIdentifier\":\"com.example.demo\","
	        "\"CFBundleShortVersionString\":\"2.1\","
	        "\"CFBundleVersion\":210,\"cpu_arch\":\"x86\","
	        "\"binary_cpu_type\":16777223,\"binary_cpu_subtype\":3,"
	        "\"build_type\":\"simulator\",\"application_stats\":"
	        "{\"application_in_foreground\":false},"
	        "\"kernel_version\":\"Darwin\"},\"crash\":{}}",
	        &arena);

	(void)state;
	assert_text(report->format, "kscrash");
	assert_text(report->incident, "I");
	assert_text(report->process.name, "P");
	assert_int_equal(report->process.pid, 612);
	assert_text(report->parent.name, "launchd");
	assert_text(report->reporter_key, "H");
	assert_text(report->hardware_model, "iPhone14,2");
	assert_text(report->path, "/D");
	assert_text(report->identifier, "com.example.demo");
	assert_text(report->version, "2.1");
	assert_text(report->build, "210");
	assert_text(report->os_version, "iOS 17.2 (21C62)");
	// Old simulators say x86 for both widths.
	assert_text(report->code_type, "X86-64");
	assert_text(report->role, "Background");
	assert_int_equal(report->platform, 7);
	assert_text(report_section(report, "Extra Information: System"),
	            "cpu_arch: x86\nbinary_cpu_type: 16777223\n"
	            "binary_cpu_subtype: 3\nbuild_type: simulator\n"
	            "kernel_version: Darwin");
}

static void a_watch_has_addresses_of_32_bits(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&kscrash_reader,
	               "{" HEAD ",\"system\":{\"cpu_arch\":\"arm64_32\"},"
	               "\"crash\":{\"error\":{\"type\":\"mach\",\"address\":16,"
	               "\"mach\":{\"exception\":1,\"code\":1,\"subcode\":16}},"
	               "\"threads\":[" THREAD "]}}",
	               &arena);

	(void)state;
	assert_text(report->code_type, "ARM64_32");
	assert_text(report->exception.codes,
	            "KERN_INVALID_ADDRESS at 0x00000010");
}

static void every_kind_of_error_is_reported(void **state)
{
#define MACH(code)                                                    \
	"\"mach\":{\"exception\":1,\"code\":" code ",\"subcode\":0}," \
	"\"address\":16"
#define ABORT                                                  \
	"\"mach\":{\"exception\":10,\"exception_name\":"       \
	"\"EXC_CRASH\",\"code\":0},\"signal\":{\"signal\":6}," \
	"\"address\":0"
#define INFORMATION "Application Specific Information"
	static const struct {
		const char *error;
		const char *type;
		const char *signal;
		const char *codes;
		const char *name;
		const char *class_name;
		const char *reason;
		const char *information;
		const char *note;
	} cases[] = {
		{ "{\"type\":\"mach\"," MACH("1") "}", "EXC_BAD_ACCESS",
		  "SIGSEGV", "KERN_INVALID_ADDRESS at 0x0000000000000010", NULL,
		  NULL, NULL, NULL, NULL },
		{ "{\"type\":\"mach\"," MACH("2") "}", "EXC_BAD_ACCESS",
		  "SIGBUS", "KERN_PROTECTION_FAILURE at 0x0000000000000010",
		  NULL, NULL, NULL, NULL, NULL },
		// Empty names are left out, and alignment is ARM's own.
		{ "{\"type\":\"mach\",\"mach\":{\"exception\":6,\"code\":1,"
		  "\"code_name\":\"\",\"exception_name\":\"\"},\"signal\":"
		  "{\"signal\":5,\"name\":\"\",\"code_name\":\"\"},"
		  "\"address\":16}",
		  "EXC_BREAKPOINT", "SIGTRAP",
		  "0x00000001 at 0x0000000000000010", NULL, NULL, NULL, NULL,
		  NULL },
		{ "{\"type\":\"signal\",\"signal\":{\"signal\":9,"
		  "\"code_name\":\"\"},\"address\":16}",
		  NULL, "SIGKILL", NULL, NULL, NULL, NULL, NULL, NULL },
		{ "{\"type\":\"mach\",\"mach\":{\"exception\":1,\"code\":257,"
		  "\"code_name\":\"0x00000101\"},\"address\":16}",
		  "EXC_BAD_ACCESS", "SIGBUS",
		  "EXC_ARM_DA_ALIGN at 0x0000000000000010", NULL, NULL, NULL,
		  NULL, NULL },
		{ "{\"type\":\"mach\",\"mach\":{\"exception\":12,\"code\":"
		  "2305845208236959491,\"subcode\":7}}",
		  "EXC_GUARD", "SIGKILL",
		  "0x2000020000002703, 0x0000000000000007", NULL, NULL, NULL,
		  NULL, NULL },
		{ "{\"type\":\"signal\",\"mach\":{\"exception\":0},"
		  "\"signal\":{\"signal\":11,\"code\":2},\"address\":16}",
		  NULL, "SIGSEGV", "SEGV_ACCERR at 0x0000000000000010", NULL,
		  NULL, NULL, NULL, NULL },
		{ "{\"type\":\"nsexception\",\"reason\":\"R\","
		  "\"nsexception\":{\"name\":\"N\"}," ABORT "}",
		  "EXC_CRASH", "SIGABRT", "0x00000000 at 0x0000000000000000",
		  "N", NULL, "R", NULL, NULL },
		{ "{\"type\":\"cpp_exception\",\"reason\":\"R\","
		  "\"cpp_exception\":{\"name\":\"St13runtime_error\"}," ABORT
		  "}",
		  "EXC_CRASH", "SIGABRT", "0x00000000 at 0x0000000000000000",
		  NULL, "St13runtime_error", "R", NULL, NULL },
		{ "{\"type\":\"deadlock\"}", NULL, NULL, NULL, NULL, NULL, NULL,
		  "Application main thread deadlocked", NULL },
		{ "{\"type\":\"user\",\"reason\":\"R\",\"user_reported\":"
		  "{\"name\":\"N\",\"language\":\"js\",\"line_of_code\":\"a()\""
		  ",\"backtrace\":[{\"file\":\"f.js\",\"methodName\":\"g\","
		  "\"lineNumber\":12,\"column\":3},\"at h\"]}}",
		  NULL, NULL, NULL, "N", NULL, "R",
		  "Language: js\nLine: a()\nCustom Backtrace:\ng@f.js:12:3\n"
		  "at h",
		  NULL },
		{ "{\"type\":\"user\",\"user_reported\":{\"name\":\"N\","
		  "\"dump_type\":2001}}",
		  NULL, NULL, NULL, "N", NULL, NULL, NULL,
		  "NON-FATAL CONDITION (this is NOT a crash)" },
		{ "{\"type\":\"memory_termination\",\"signal\":{\"signal\":9},"
		  "\"memory_termination\":{\"memory_level\":\"terminal\"}}",
		  NULL, "SIGKILL", NULL, NULL, NULL, NULL, NULL, NULL },
		{ "{\"type\":\"hang\",\"hang\":{\"hang_recovered\":true}}",
		  NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		  "NON-FATAL CONDITION (this is NOT a crash)" },
		{ "{\"type\":\"profile\",\"profile\":{\"a\":1}}", NULL, NULL,
		  NULL, NULL, NULL, NULL, NULL,
		  "NON-FATAL CONDITION (this is NOT a crash)" },
		{ "{\"type\":\"termination\",\"reason\":\"R\"}", NULL, NULL,
		  NULL, NULL, NULL, NULL, "R", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report =
		        read_error(cases[i].error, "", &arena);

		print_message("%s\n", cases[i].error);
		assert_text(report->exception.type, cases[i].type);
		assert_text(report->exception.signal, cases[i].signal);
		assert_text(report->exception.codes, cases[i].codes);
		assert_text(report->exception.note, cases[i].note);
		assert_text(report->thrown.name, cases[i].name);
		assert_text(report->thrown.class_name, cases[i].class_name);
		assert_text(report->thrown.reason, cases[i].reason);
		assert_text(report_section(report, INFORMATION),
		            cases[i].information);
	}
}

static void facts_without_a_field_are_sections(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read_error(
	        "{\"type\":\"x\",\"memory_termination\":{\"b\":[],\"a\":[1,"
	        "\"\\u0001\\\"\"]}}",
	        ",\"user\":\"text\",\"debug\":{\"console_log\":[\"a\",\"b\"]},"
	        "\"run_log\":7,\"empty\":{}",
	        &arena);

	(void)state;
	assert_text(
	        report_section(report, "Extra Information: Memory Termination"),
	        "{\n    \"a\": [\n        1,\n        \"\\u0001\\\"\"\n"
	        "    ],\n    \"b\": []\n}");
	assert_text(report_section(report, "Extra Information: User"), "text");
	assert_text(report_section(report, "Extra Information: Console Log"),
	            "a\nb");
	assert_text(report_section(report, "Extra Information: Run Log"), "7");
	assert_null(report_section(report, "Extra Information: Empty"));
}

static void a_stack_keeps_what_the_device_said(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        "{" HEAD "," IMAGES
	        ",\"crash\":{\"error\":{\"type\":\"mach\"},\"threads\":[{"
	        "\"index\":3,\"name\":\"worker\",\"dispatch_queue\":\"q\","
	        "\"crashed\":true,\"backtrace\":{\"skipped\":5,\"contents\":["
	        "{\"object_name\":\"Demo\",\"object_addr\":4345167872,"
	        "\"symbol_name\":\"f\",\"symbol_addr\":4345219300,"
	        "\"instruction_addr\":4345219372},"
	        "{\"object_name\":\"libx\",\"symbol_name\":\"<redacted>\","
	        "\"instruction_addr\":-4294967296},"
	        "{\"object_name\":\"Demo\",\"object_addr\":4345167872,"
	        "\"instruction_addr\":4345319372},{\"symbol_name\":\"g\"}]}},"
	        "\"exception\",{\"backtrace\":{\"error\":\"no memory\"}}]}}",
	        &arena);
	const struct report_stack *stack = &report->threads[0]->stack;

	(void)state;
	assert_int_equal(report->thread_count, 2);
	assert_int_equal(report->threads[0]->number, 3);
	assert_text(report->threads[0]->name, "worker");
	assert_text(report->threads[0]->queue, "q");
	assert_true(report->has_triggered_thread);
	assert_int_equal(report->triggered_thread, 3);
	assert_int_equal(stack->count, 3);
	assert_false(stack->all_return_addresses);
	assert_text(stack->frames[0].calls[0].symbol, "f");
	assert_int_equal(stack->frames[0].calls[0].symbol_offset, 72);
	assert_int_equal(stack->frames[0].source, REPORT_SOURCE_REPORT);
	assert_int_equal(stack->frames[0].image, 0);
	assert_int_equal(stack->frames[0].image_offset, 51500);
	assert_int_equal(stack->frames[1].address, 0xffffffff00000000);
	assert_int_equal(stack->frames[1].call_count, 0);
	assert_int_equal(stack->frames[1].image, REPORT_NO_IMAGE);
	assert_text(stack->frames[1].image_name, "libx");
	// Past the image's end, but the device saw it there.
	assert_int_equal(stack->frames[2].image, 0);
	assert_text(report->images[0].arch, "arm64e");
	assert_text(report->images[0].name, "Demo");
	assert_note(report, "crash.threads[0].backtrace.skipped",
	            "5 outer frames were not recorded");
	assert_note(report, "crash.threads[0].backtrace.contents[3]",
	            "skipped: it has no instruction_addr");
	assert_note(report, "crash.threads[1]",
	            "expected an object, found 'exception'");
	assert_note(report, "crash.threads[2].backtrace.error", "no memory");
}

static void an_exceptions_backtrace_has_return_addresses_only(void **state)
{
	static const struct {
		const char *type;
		bool all;
	} cases[] = {
		{ "nsexception", true }, { "cpp_exception", true },
		{ "user", true },        { "mach", false },
		{ "deadlock", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report =
		        read_error(arena_printf(&arena, "{\"type\":\"%s\"}",
		                                cases[i].type),
		                   "", &arena);

		assert_int_equal(report->threads[0]->stack.all_return_addresses,
		                 cases[i].all);
	}
}

static void registers_are_in_apples_order(void **state)
{
	static const struct {
		const char *registers;
		const char *flavor;
		const char *names;
	} cases[] = {
		{ "\"basic\":{\"cpsr\":1,\"pc\":1,\"sp\":1,\"lr\":1,\"x29\":1,"
		  "\"x10\":1,\"x9\":1,\"x0\":-31},\"exception\":{\"exception\":"
		  "0,\"esr\":1,\"far\":1}",
		  "ARM Thread State (64-bit)",
		  "x0 x9 x10 fp lr sp pc cpsr far esr" },
		{ "\"basic\":{\"cpsr\":1,\"ip\":1,\"r10\":1,\"r2\":1,\"r0\":1},"
		  "\"exception\":{\"exception\":0,\"far\":1,\"fsr\":1}",
		  "ARM Thread State (32-bit)", "r0 r2 r10 ip cpsr far fsr" },
		{ "\"basic\":{\"gs\":1,\"rflags\":1,\"rip\":1,\"r8\":1,"
		  "\"rax\":1},\"exception\":{\"trapno\":14,\"err\":4,"
		  "\"faultvaddr\":1}",
		  "X86 Thread State (64-bit)", "rax r8 rip rfl cr2 gs" },
		{ "\"basic\":{\"eip\":1,\"eax\":1,\"ebx\":\"x\"}",
		  "X86 Thread State (32-bit)", "eax eip" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str names = { 0 };
		const struct report_thread_state *found;

		found = &parsed(&kscrash_reader,
		                arena_printf(&arena,
		                             "{\"report\":{},\"crash\":"
		                             "{\"crashed_thread\":{\"crashed\":"
		                             "true,\"registers\":{%s}}}}",
		                             cases[i].registers),
		                &arena)
		                 ->threads[0]
		                 ->state;
		for (size_t k = 0; k < found->count; k++)
			str_addf(&names, "%s%s", k ? " " : "",
			         found->registers[k].name);
		assert_text(found->flavor, cases[i].flavor);
		assert_string_equal(str_cstr(&names), cases[i].names);
	}
}

static void images_are_inferred_where_no_list_is(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        "{" HEAD ",\"system\":{\"CFBundleExecutablePath\":\"/x/Demo\","
	        "\"app_uuid\":\"1A2B3C4D-5E6F-3071-8293-A4B5C6D7E8F9\"},"
	        "\"crash\":{\"error\":{},\"threads\":[" THREAD "," THREAD "]}}",
	        &arena);

	(void)state;
	assert_int_equal(report->image_count, 1);
	assert_int_equal(report->images[0].base, 4345167872);
	assert_int_equal(report->images[0].size, 51501);
	assert_false(uuid_is_zero(&report->images[0].uuid));
	assert_text(report->images[0].path, "/x/Demo");
	assert_int_equal(report->threads[1]->stack.frames[0].image, 0);
	assert_note(report, "binary_images",
	            "missing: images were taken from the frames, and end at "
	            "the last frame of each");
}

static void a_crash_of_the_reporter_is_the_next_report(void **state)
{
#define STORY                                                           \
	HEAD "," IMAGES ",\"system\":{\"machine\":\"M\"},\"crash\":"    \
	     "{\"error\":{\"type\":\"mach\",\"mach\":{\"exception\":1," \
	     "\"code\":1}},\"threads\":[" THREAD "]}"
#define HANDLER                                                            \
	"\"report\":{\"type\":\"minimal\"},\"crash\":{\"error\":"          \
	"{\"type\":\"signal\",\"signal\":{\"signal\":10}},"                \
	"\"crashed_thread\":{\"index\":7,\"crashed\":true,\"name\":\"H\"," \
	"\"backtrace\":{\"contents\":[" FRAME "]}}}"
	// Since 3.0 the first report lies in the second; 2.x had it the other
	// way round.
	static const char *const cases[] = {
		"{\"recrash_report\":{" STORY "}," HANDLER "}",
		"{\"recrash_report\":{" HANDLER "}," STORY "}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *story =
		        parsed(&kscrash_reader, cases[i], &arena);
		const struct report *handler = story->next;

		assert_text(story->exception.type, "EXC_BAD_ACCESS");
		assert_int_equal(story->thread_count, 1);
		assert_note(story, "recrash_report",
		            "the reporter itself crashed (SIGBUS) in thread H "
		            "while it wrote this: see the next report");
		assert_non_null(handler);
		assert_null(handler->next);
		assert_text(handler->exception.signal, "SIGBUS");
		assert_text(handler->hardware_model, "M");
		assert_int_equal(handler->triggered_thread, 7);
		// It has no images of its own.
		assert_int_equal(handler->threads[0]->stack.frames[0].image, 0);
	}
}

static void a_report_alone_within_an_empty_one_is_the_story(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader, "{\"recrash_report\":{" STORY "}}", &arena);

	(void)state;
	assert_text(report->exception.type, "EXC_BAD_ACCESS");
	assert_null(report->next);
}

static void a_freed_exception_is_known_from_the_registers(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        "{" HEAD ",\"process\":{\"last_dealloced_nsexception\":{"
	        "\"address\":64,\"name\":\"N\",\"reason\":\"R\","
	        "\"backtrace\":{\"contents\":[" FRAME "]}}},\"crash\":{"
	        "\"error\":{\"type\":\"mach\",\"mach\":{\"exception\":1,"
	        "\"code\":1}},\"threads\":[{\"crashed\":true,\"registers\":"
	        "{\"basic\":{\"x0\":64}}}]}}",
	        &arena);

	(void)state;
	assert_text(report->thrown.name, "N");
	assert_text(report_section(report,
	                           "Extra Information: Last deallocated "
	                           "NSException (0x0000000000000040)"),
	            "N: R");
	assert_int_equal(report->app_backtrace_count, 1);
}

static void damage_is_noted_with_its_place(void **state)
{
	static const struct {
		const char *json;
		const char *place;
		const char *text;
	} cases[] = {
		{ "{\"report\":{},\"crash\":{\"error\":{},\"threads\":\"x\"}}",
		  "crash.threads", "expected an array, found 'x'" },
		{ "{\"report\":7,\"crash\":{\"error\":{}}}", "report",
		  "expected an object, found '7'" },
		{ "{\"report\":{\"id\":[]},\"crash\":{\"error\":{}}}",
		  "report.id", "expected text, found an array" },
		{ "{\"report\":{},\"crash\":{\"error\":{\"mach\":[]}}}",
		  "crash.error.mach", "expected an object, found an array" },
		{ "{\"report\":{},\"crash\":{\"error\":{\"mach\":"
		  "{\"exception\":\"x\"}}}}",
		  "crash.error.mach.exception",
		  "expected a number, found 'x'" },
		{ "{\"report\":{},\"crash\":{\"diagnosis\":\"x\"}}",
		  "crash.error", "the report does not say why it was written" },
		{ "{\"report\":{},\"crash\":{\"error\":{}},\"binary_images\":"
		  "[{\"image_addr\":1,\"uuid\":\"x\"}]}",
		  "binary_images[0].uuid", "expected a UUID, found 'x'" },
		{ "{\"recrash_report\":{\"report\":{},\"crash\":{\"error\":"
		  "{},\"threads\":{}}}}",
		  "recrash_report.crash.threads",
		  "expected an array, found an object" },
		{ "{\"report\":{\"version\":\"9\"},\"crash\":{\"error\":{}}}",
		  "report.version", "unknown version 9: read as version 3" },
		{ "{\"report\":{},\"crash\":{\"error\":{},},}", "offset 0x23",
		  "extra comma before the closing bracket" },
		{ "{\"report\":{},\"crash\":{\"error\":{},\"threads\":}}",
		  "offset 0x2b", "name without a value: treated as null" },
		{ "{\"report\":{},\"crash\":{\"error\":{\"address\":NaN}}}",
		  "offset 0x29", "NaN or Infinity read as null" },
		{ "{\"report\":{},\"crash\":{\"error\":{\"address\":1",
		  "report", "the report is truncated: the rest is lost" },
		{ "{\"report\":{},\"crash\":{\"error\":{\"address\":?}}}",
		  "report",
		  "damaged, read up to line 1, column 42: expected a value, "
		  "found '?'" },
		{ "{\"incomplete\":true,\"report\":{},\"crash\":{\"error\":{}}"
		  "}",
		  "incomplete",
		  "the reporter did not finish: the rest is lost" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };

		assert_note(parsed(&kscrash_reader, cases[i].json, &arena),
		            cases[i].place, cases[i].text);
	}
}

static void nothing_to_report_is_an_error(void **state)
{
	static const struct {
		const char *json;
		const char *message;
	} cases[] = {
		{ "{\"report\":{},\"crash\":{}}",
		  "an empty KSCrash report: no crash, no system, no "
		  "binary_images" },
		{ "[]", "expected an object, found an array" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = NULL;
		struct error *err = reader_read(&kscrash_reader,
		                                text_from(cases[i].json),
		                                &arena, &report);

		assert_non_null(err);
		assert_null(report);
		assert_string_equal(error_message(err), cases[i].message);
		error_free(err);
	}
}

// The samples, damaged in every way

#define SAMPLE APMTOOL_SOURCE_DIR "/samples/kscrash-recrash.json"

static struct text sample(struct file_data *file)
{
	struct error *err = file_read(SAMPLE, SIZE_MAX, file);

	if (err)
		fail_msg("%s", error_message(err));
	return bytes_text(file->bytes);
}

/** Parse; an error must come without a report, and the other way round. */
static void parse_any(struct text text)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;
	struct error *err = reader_read(&kscrash_reader, text, &arena, &report);

	assert_int_equal(!err, !!report);
	error_free(err);
}

static void a_report_may_end_anywhere(void **state)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct text text = sample(&file);

	(void)state;
	for (size_t size = 0; size < text.size; size += 41)
		parse_any(text_first(text, size));
}

/** The bytes of the value that begins at @p at. */
static size_t value_size(struct text text, size_t at)
{
	size_t depth = 0;
	bool inside = false;
	size_t i = at;

	for (; i < text.size; i++) {
		char c = text.data[i];

		if (inside && c == '\\')
			i++;
		else if (c == '"')
			inside = !inside;
		else if (!inside && (c == '{' || c == '['))
			depth++;
		else if (!inside && (c == '}' || c == ']') && depth-- == 1)
			return i + 1 - at;
		else if (!inside && !depth && (c == ',' || c == '\n'))
			return i - at;
		if (depth == SIZE_MAX)
			return i - at;
	}
	return text.size - at;
}

/** Put each of a few values in place of the one at @p value. */
static void replace_value(struct text text, size_t value)
{
	static const char *const others[] = { "null",      "\"x\"", "-1",
		                              "1.5",       "false", "[[{}]]",
		                              "{\"a\":[]}" };
	struct text rest = text_after(text, value + value_size(text, value));

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		SCOPED(str_release) struct str changed = { 0 };

		str_add_text(&changed, text_first(text, value));
		str_add(&changed, others[i]);
		str_add_text(&changed, rest);
		parse_any(str_text(&changed));
	}
}

static void any_value_may_be_missing_or_of_another_type(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(file_release) struct file_data file = { 0 };
	struct text text = sample(&file);
	size_t value = 0;
	size_t found;

	(void)state;
	while ((found = text_find(text_after(text, value), "\": ")) !=
	       TEXT_NOWHERE) {
		size_t end = value + found;
		size_t name = text_find_last_char(text_first(text, end), '"');
		const char *key = arena_text(
		        &arena,
		        text_first(text_after(text, name), end + 1 - name));

		value = end + strlen("\": ");
		// Once for each name: there are a thousand values.
		if (text_find(text, key) == name)
			replace_value(text, value);
	}
}

// What KSCrash 2.6 adds

static void the_reason_found_at_the_next_launch_is_the_termination(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        "{" HEAD ",\"system\":{\"application_stats\":{\"task_role\":"
	        "\"BACKGROUND_APPLICATION\"}},\"crash\":{\"error\":{\"type\":"
	        "\"termination\",\"termination_reason\":\"thermal\",\"is_"
	        "fatal\""
	        ":true,\"signal\":{\"signal\":9,\"name\":\"SIGKILL\"}}}}",
	        &arena);

	(void)state;
	assert_text(report->termination.namespace_name, "KSCRASH");
	assert_text(report->termination.indicator, "thermal");
	assert_false(report->termination.has_code);
	assert_text(report->exception.signal, "SIGKILL");
	assert_text(report->exception.note, NULL);
	assert_text(report->role, "Background");
	// It is written at the next launch: there are no threads to miss.
	assert_int_equal(report->note_count, 0);
}

static void a_hang_has_its_duration(void **state)
{
	static const struct {
		const char *error;
		const char *kind;
		const char *duration;
		uint64_t code;
		bool is_stall;
		bool is_crash;
	} cases[] = {
		{ "{\"type\":\"hang\",\"is_fatal\":false,\"hang\":{"
		  "\"hang_start_nanos\":1000000000,\"hang_end_nanos\":"
		  "3500000000,\"hang_recovered\":true}}",
		  "hang report of KSCrash", "2.5 s", 0, true, false },
		{ "{\"type\":\"mach\",\"exit_reason\":{\"code\":2343432205},"
		  "\"hang\":{\"hang_start_nanos\":1000000000,"
		  "\"hang_end_nanos\":4000000000}}",
		  NULL, "3 s", 0x8badf00d, true, true },
		// The last hang of the run, beside a crash.
		{ "{\"type\":\"mach\",\"is_fatal\":true,\"hang\":{"
		  "\"hang_start_nanos\":1,\"hang_end_nanos\":4000000000,"
		  "\"hang_recovered\":true}}",
		  NULL, NULL, 0, false, true },
		{ "{\"type\":\"hang\",\"hang\":{\"hang_start_nanos\":9,"
		  "\"hang_end_nanos\":4}}",
		  "hang report of KSCrash", NULL, 0, true, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report =
		        read_error(cases[i].error, "", &arena);

		print_message("%s\n", cases[i].error);
		assert_text(report->kind, cases[i].kind);
		assert_text(field(report, "Hang Duration"), cases[i].duration);
		assert_int_equal(report->termination.has_code,
		                 cases[i].code != 0);
		assert_int_equal(report->termination.code, cases[i].code);
		assert_int_equal(report->sample_kind == SAMPLE_KIND_STALL,
		                 cases[i].is_stall);
		assert_int_equal(!report->exception.note, cases[i].is_crash);
	}
}

#define SAMPLED(name, address)                                       \
	"{\"symbol_name\":\"" name "\",\"symbol_addr\":4345167900,"  \
	"\"instruction_addr\":" address ",\"object_name\":\"Demo\"," \
	"\"object_addr\":4345167872,\"object_uuid\":"                \
	"\"1A2B3C4D-5E6F-3071-8293-A4B5C6D7E8F9\"}"

static void a_profile_is_a_tree(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&kscrash_reader,
	               "{" HEAD ",\"crash\":{\"error\":{\"type\":\"profile\","
	               "\"signal\":{\"signal\":6,\"name\":\"SIGABRT\"},"
	               "\"profile\":{"
	               "\"name\":\"startup\",\"expected_sample_interval\":"
	               "10000000,"
	               "\"duration\":262253917,\"time_units\":\"nanoseconds\","
	               "\"truncated_count\":1,\"frames\":[" SAMPLED(
	                       "leaf",
	                       "4345167999") ",{\"symbol_name\":\"lost\"}"
	                                     "," SAMPLED("main",
	                                                 "4345168099") "],"
	                                                               "\"sampl"
	                                                               "es\":["
	                                                               "{\"fram"
	                                                               "es\":["
	                                                               "0,2]},{"
	                                                               "\"frame"
	                                                               "s\":[0,"
	                                                               "2]},{"
	                                                               "\"frame"
	                                                               "s\":[2]"
	                                                               "},"
	                                                               "{\"fram"
	                                                               "es\":[]"
	                                                               "},{"
	                                                               "\"frame"
	                                                               "s\":[0,"
	                                                               "1,2]},{"
	                                                               "\"frame"
	                                                               "s\":[7,"
	                                                               "2]},"
	                                                               "{\"fram"
	                                                               "es\":[-"
	                                                               "1]},{"
	                                                               "\"frame"
	                                                               "s\":"
	                                                               "\"x\"}]"
	                                                               "}}}}",
	               &arena);
	const struct report_tree *tree;

	(void)state;
	assert_text(report->kind, "profile of KSCrash");
	assert_text(report->exception.signal, NULL);
	assert_text(field(report, "Profile"), "startup");
	assert_text(field(report, "Duration"), "262.253 ms");
	assert_int_equal(report->sample_interval_us, 10000);
	assert_int_equal(report->tree_count, 1);
	tree = report->trees[0];
	assert_int_equal(tree->frames.count, 2);
	assert_text(tree->frames.frames[0].calls[0].symbol, "main");
	assert_text(tree->frames.frames[1].calls[0].symbol, "leaf");
	assert_true(tree->frames.frames[0].is_pc);
	assert_int_equal(tree->calls.nodes[1].samples, 3);
	assert_int_equal(tree->calls.nodes[2].samples, 2);
	assert_int_equal(report->image_count, 1);
	assert_int_equal(report->images[0].uuid.bytes[0], 0x1a);
	assert_note(report, "crash.error.profile.samples",
	            "3 name a frame that the profile does not have: left out");
	assert_note(report, "crash.error.profile.samples",
	            "2 have no frames: left out");
	assert_note(report, "crash.error.profile.samples",
	            "of 1 the outer frames were not recorded");
	assert_note(report, "crash.error.profile.frames[1]",
	            "skipped: it has no instruction_addr");
}

static void who_threw_is_apart_from_the_handler(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        "{" HEAD "," IMAGES
	        ",\"crash\":{\"error\":{\"type\":\"nsexception\","
	        "\"nsexception\":{\"name\":\"N\"}},\"threads\":[" THREAD "],"
	        "\"last_exception_backtrace\":{\"contents\":[" FRAME "," FRAME
	        "]}}}",
	        &arena);

	(void)state;
	assert_int_equal(report->exception_backtrace.count, 2);
	assert_true(report->exception_backtrace.all_return_addresses);
	assert_int_equal(report->exception_backtrace.frames[0].image, 0);
	assert_false(report->threads[0]->stack.all_return_addresses);
	assert_null(report_section(
	        report, "Extra Information: Last Exception Backtrace"));
}

static void the_state_of_app_and_device_is_in_the_header(void **state)
{
	static const struct {
		const char *label;
		const char *value;
	} cases[] = {
		{ "Run ID", "r-1" },          { "Monitor", "Watchdog" },
		{ "Task Role", "UNKNOWN" },   { "App State", "active" },
		{ "User Perceptible", "no" }, { "Memory Pressure", "critical" },
		{ "Memory Level", NULL },     { "Thermal State", "serious" },
		{ "CPU State", "normal" },    { "CPU Usage", "12.5 %" },
		{ "Battery Level", "7 %" },   { "Battery State", "9" },
		{ "Low Power Mode", "yes" },
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parsed(
	        &kscrash_reader,
	        "{\"report\":{\"run_id\":\"r-1\",\"monitor_id\":\"Watchdog\"},"
	        "\"system\":{\"thermal_state\":2,\"cpu_state\":\"normal\","
	        "\"cpu_average_usage_permil\":125,\"battery_level\":7,"
	        "\"battery_state\":9,\"low_power_mode_enabled\":true,"
	        "\"thread_count\":3,\"application_stats\":{\"task_role\":"
	        "\"UNKNOWN\",\"app_transition_state\":\"active\","
	        "\"user_perceptible\":false},\"app_memory\":{"
	        "\"memory_pressure\":\"critical\",\"memory_level\":{}}},"
	        "\"crash\":{\"error\":{}}}",
	        &arena);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		print_message("%s\n", cases[i].label);
		assert_text(field(report, cases[i].label), cases[i].value);
	}
	assert_text(report_section(report, "Extra Information: System"),
	            "thread_count: 3");
	assert_null(report->role);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_format_is_detected_from_the_outer_names),
		cmocka_unit_test(dates_come_in_four_units),
		cmocka_unit_test(the_header_comes_from_the_system),
		cmocka_unit_test(a_watch_has_addresses_of_32_bits),
		cmocka_unit_test(every_kind_of_error_is_reported),
		cmocka_unit_test(facts_without_a_field_are_sections),
		cmocka_unit_test(a_stack_keeps_what_the_device_said),
		cmocka_unit_test(
		        an_exceptions_backtrace_has_return_addresses_only),
		cmocka_unit_test(registers_are_in_apples_order),
		cmocka_unit_test(images_are_inferred_where_no_list_is),
		cmocka_unit_test(a_crash_of_the_reporter_is_the_next_report),
		cmocka_unit_test(
		        a_report_alone_within_an_empty_one_is_the_story),
		cmocka_unit_test(a_freed_exception_is_known_from_the_registers),
		cmocka_unit_test(damage_is_noted_with_its_place),
		cmocka_unit_test(nothing_to_report_is_an_error),
		cmocka_unit_test(a_report_may_end_anywhere),
		cmocka_unit_test(any_value_may_be_missing_or_of_another_type),
		cmocka_unit_test(
		        the_reason_found_at_the_next_launch_is_the_termination),
		cmocka_unit_test(a_hang_has_its_duration),
		cmocka_unit_test(a_profile_is_a_tree),
		cmocka_unit_test(who_threw_is_apart_from_the_handler),
		cmocka_unit_test(the_state_of_app_and_device_is_in_the_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
