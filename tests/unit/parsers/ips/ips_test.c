// SPDX-License-Identifier: MIT
#include "lib/base/str.h"
#include "parsers/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/parsers/parsed.h"

#define HEADER                                                              \
	"{\"app_name\":\"Demo\",\"bug_type\":\"309\",\"os_version\":"       \
	"\"iPhone OS 17.2 (21C62)\",\"incident_id\":"                       \
	"\"9A000000-0000-0000-0000-000000000001\",\"app_version\":\"2.1\"," \
	"\"build_version\":\"210\",\"bundleID\":\"com.example.demo\","      \
	"\"platform\":2,\"timestamp\":\"2026-01-31 09:08:09.00 +0800\"}\n"

#define DEMO_IMAGE                                                     \
	"{\"source\":\"P\",\"arch\":\"arm64\",\"base\":4345167872,"    \
	"\"size\":131072,\"uuid\":\"1a2b3c4d-5e6f-3071-8293-"          \
	"a4b5c6d7e8f9\",\"path\":\"\\/private\\/var\\/x\\/Demo.app\\/" \
	"Demo\",\"name\":\"Demo\"}"
#define DYLD_IMAGE                                                          \
	"{\"source\":\"P\",\"arch\":\"arm64e\",\"base\":7000000000,"        \
	"\"size\":524288,\"uuid\":\"0a0b0c0d-0000-3000-8000-000000000001\"" \
	",\"path\":\"\\/usr\\/lib\\/dyld\",\"name\":\"dyld\"}"
#define NO_IMAGE                                            \
	"{\"source\":\"A\",\"base\":0,\"size\":0,\"uuid\":" \
	"\"00000000-0000-0000-0000-000000000000\"}"
#define IMAGES "\"usedImages\":[" DEMO_IMAGE "," DYLD_IMAGE "," NO_IMAGE "]"

/** Read a body that has the usual images and these threads. */
static struct report *read_threads(const char *threads, struct arena *arena)
{
	return parsed(&ips_reader,
	              arena_printf(arena, HEADER "{\"threads\":%s," IMAGES "}",
	                           threads),
	              arena);
}

static void the_format_is_detected_from_the_bytes(void **state)
{
	static const struct {
		const char *text;
		bool ours;
	} cases[] = {
		{ HEADER "{}", true },
		{ HEADER "Incident Identifier: x", true },
		{ "{\"app_name\":\"x\",\"timestamp\":\"y\"}\n{}", true },
		{ "\n {\n \"threads\" : [],\n \"usedImages\" : [] }", true },
		{ "---\nTranslated Report (Full Report Below)\n---\nx\n"
		  "Full Report\n---\n\n{}",
		  true },
		{ "---\nTranslated Report (Full Report Below)\n---\nx\n",
		  false },
		{ "{\"app_name\":\"x\"}\n{}", false },
		{ "{\"report\":{},\"crash\":{\"threads\":[]}}", false },
		{ "{\"bug_type\":\"30", false },
		{ "Incident Identifier: x\n", false },
		{ "[1]", false },
		{ "", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (reader_sniff(&ips_reader, text_from(cases[i].text)) !=
		    cases[i].ours)
			fail_msg("%s", cases[i].text);
}

static void facts_come_from_the_body(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = parsed(
	        &ips_reader,
	        HEADER
	        "{\"procName\":\"Demo\",\"pid\":612,\"procPath\":\"/x/Demo\","
	        "\"cpuType\":\"X86-64\",\"translated\":1,\"modelCode\":"
	        "\"Mac1\","
	        "\"procRole\":\"Foreground\",\"parentProc\":\"launchd\","
	        "\"parentPid\":1,\"coalitionName\":\"com.example\","
	        "\"coalitionID\":44,\"userID\":501,\"uptime\":7800,"
	        "\"incident\":\"BODY\",\"crashReporterKey\":\"key\","
	        "\"captureTime\":\"2026-01-31 09:08:07.1234 +0800\","
	        "\"osVersion\":{\"train\":\"macOS 14.2\",\"build\":\"23C64\","
	        "\"releaseType\":\"User\"},\"isBeta\":1,\"isCorpse\":1,"
	        "\"bundleInfo\":{\"CFBundleIdentifier\":\"com.example.body\","
	        "\"CFBundleVersion\":\"7\",\"DTAppStoreToolsBuild\":\"15A1\"},"
	        "\"storeInfo\":{\"applicationVariant\":\"1:iPad\"},"
	        "\"threads\":[]," IMAGES "}",
	        &arena);
	assert_string_equal(report->format, "ips-crash");
	assert_string_equal(report->bug_type, "309");
	assert_string_equal(report->incident, "BODY");
	assert_string_equal(report->process.name, "Demo");
	assert_int_equal(report->process.pid, 612);
	assert_true(report->translated);
	assert_string_equal(report->code_type, "X86-64");
	assert_string_equal(report->coalition, "com.example [44]");
	assert_string_equal(report->user_id, "501");
	assert_string_equal(report->identifier, "com.example.body");
	assert_string_equal(report->version, "7");
	assert_null(report->build);
	assert_string_equal(report->os_version, "macOS 14.2 (23C64)");
	assert_string_equal(report->os_build, "23C64");
	assert_string_equal(report->date_time,
	                    "2026-01-31 09:08:07.1234 +0800");
	assert_int_equal(report->platform, 2);
	assert_string_equal(report->exception.note, "EXC_CORPSE_NOTIFY");
	assert_string_equal(field(report, "Beta"), "YES");
	assert_string_equal(field(report, "AppStoreTools"), "15A1");
	assert_string_equal(field(report, "AppVariant"), "1:iPad");
	assert_string_equal(field(report, "Time Awake Since Boot"),
	                    "7800 seconds");
	assert_int_equal(report->note_count, 0);
}

static void the_header_fills_what_the_body_leaves_out(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read_threads("[]", &arena);

	(void)state;
	assert_string_equal(report->process.name, "Demo");
	assert_string_equal(report->identifier, "com.example.demo");
	assert_string_equal(report->version, "2.1");
	assert_string_equal(report->build, "210");
	assert_string_equal(report->os_version, "iPhone OS 17.2 (21C62)");
	assert_string_equal(report->incident,
	                    "9A000000-0000-0000-0000-000000000001");
}

static void exception_and_termination_are_read(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = parsed(
	        &ips_reader,
	        "{\"exception\":{\"type\":\"EXC_BAD_ACCESS\",\"signal\":"
	        "\"SIGSEGV\",\"rawCodes\":[1,18446744073709551615],"
	        "\"subtype\":\"KERN_INVALID_ADDRESS at 0x10\"},"
	        "\"termination\":{\"namespace\":\"FRONTBOARD\",\"code\":"
	        "2343432205,\"reasons\":[\"one\",\"two\"],\"details\":[\"d\"],"
	        "\"indicator\":\"i\",\"byProc\":\"exc handler\",\"byPid\":612},"
	        "\"exceptionReason\":{\"name\":\"NSRangeException\","
	        "\"composed_message\":\"too far\",\"class\":\"NSException\","
	        "\"type\":\"objc-exception\"},\"threads\":[]," IMAGES "}",
	        &arena);
	assert_string_equal(report->exception.type, "EXC_BAD_ACCESS");
	assert_string_equal(report->exception.signal, "SIGSEGV");
	assert_string_equal(report->exception.codes,
	                    "0x0000000000000001, 0xffffffffffffffff");
	assert_string_equal(report->termination.namespace_name, "FRONTBOARD");
	assert_true(report->termination.has_code);
	assert_int_equal(report->termination.code, 0x8badf00d);
	assert_int_equal(report->termination.reason_count, 2);
	assert_string_equal(report->termination.reasons[1], "two");
	assert_int_equal(report->termination.detail_count, 1);
	assert_int_equal(report->termination.by.pid, 612);
	assert_string_equal(report->thrown.name, "NSRangeException");
	assert_string_equal(report->thrown.reason, "too far");
}

static void images_keep_their_index(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	char uuid[UUID_TEXT_SIZE];
	const struct report *report;

	(void)state;
	report = parsed(&ips_reader,
	                "{\"threads\":[],\"usedImages\":[" DEMO_IMAGE
	                ",7,{\"base\":4.3e+09,\"uuid\":\"x\"},[\"0a0b0c0d"
	                "00003000800000000000000f\",4096,\"P\"]]}",
	                &arena);
	assert_int_equal(report->image_count, 4);
	assert_int_equal(report->images[0].base, 4345167872);
	assert_int_equal(report->images[0].kind, 'P');
	assert_string_equal(report->images[0].path, "/private/var/x/Demo.app/"
	                                            "Demo");
	assert_string_equal(uuid_format(&report->images[0].uuid, uuid),
	                    "1A2B3C4D-5E6F-3071-8293-A4B5C6D7E8F9");
	assert_int_equal(report->images[3].base, 4096);
	assert_note(report, "usedImages[1]", "expected an object, found '7'");
	assert_note(report, "usedImages[2].base",
	            "expected a whole number of 64 bits, found '4.3e+09'");
	assert_note(report, "usedImages[2].uuid", "expected a UUID, found 'x'");
}

static void frames_are_placed_by_image_and_offset(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report_thread *thread;
	const struct report *report;

	(void)state;
	report = read_threads(
	        "[{\"id\":4711,\"name\":\"n\",\"queue\":\"q\",\"triggered\":"
	        "true,\"frames\":[{\"imageOffset\":51500,\"imageIndex\":0},"
	        "{\"imageOffset\":140,\"symbol\":\"start\",\"symbolLocation\":"
	        "20,\"imageIndex\":1,\"sourceFile\":\"/src/start.c\","
	        "\"sourceLine\":7},"
	        "{\"imageOffset\":4660,\"imageIndex\":2},"
	        "{\"imageOffset\":22136,\"imageIndex\":3}]}]",
	        &arena);
	assert_int_equal(report->thread_count, 1);
	thread = report->threads[0];
	assert_int_equal(thread->id, 4711);
	assert_string_equal(thread->name, "n");
	assert_string_equal(thread->queue, "q");
	assert_true(thread->crashed);
	assert_true(report->has_triggered_thread);
	assert_int_equal(thread->stack.count, 4);
	assert_int_equal(thread->stack.frames[0].image, 0);
	assert_int_equal(thread->stack.frames[0].address, 4345219372);
	assert_int_equal(thread->stack.frames[0].call_count, 0);
	assert_int_equal(thread->stack.frames[0].source, REPORT_SOURCE_NONE);
	assert_int_equal(thread->stack.frames[1].address, 7000000140);
	assert_int_equal(thread->stack.frames[1].source, REPORT_SOURCE_REPORT);
	assert_string_equal(thread->stack.frames[1].calls[0].symbol, "start");
	assert_int_equal(thread->stack.frames[1].calls[0].symbol_offset, 20);
	assert_string_equal(thread->stack.frames[1].calls[0].file, "start.c");
	assert_string_equal(thread->stack.frames[1].calls[0].path,
	                    "/src/start.c");
	assert_int_equal(thread->stack.frames[1].calls[0].line, 7);
	// 'A' is no image: the offset is the address.
	assert_true(thread->stack.frames[2].image == REPORT_NO_IMAGE);
	assert_int_equal(thread->stack.frames[2].address, 4660);
	assert_true(thread->stack.frames[3].image == REPORT_NO_IMAGE);
	assert_note(report, "threads[0].frames[3].imageIndex",
	            "3 is past the last image");
}

static void images_that_are_cut_off_are_one_note(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = read_threads("[{\"frames\":["
	                      "{\"imageOffset\":1,\"imageIndex\":7},"
	                      "{\"imageOffset\":2,\"imageIndex\":8},"
	                      "{\"imageOffset\":3,\"imageIndex\":7}]}]",
	                      &arena);
	assert_int_equal(report->threads[0]->stack.count, 3);
	assert_int_equal(report->note_count, 1);
	assert_note(report, "threads[0].frames[0].imageIndex",
	            "7 is past the last image, as in 2 more frames");
}

static void inlined_neighbours_are_one_frame(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report_stack *stack;

	(void)state;
	stack = &read_threads(
	                 "[{\"frames\":["
	                 "{\"imageOffset\":8,\"imageIndex\":0,\"symbol\":\"a\","
	                 "\"inline\":true,\"sourceFile\":"
	                 "\"/<compiler-generated>\"},"
	                 "{\"imageOffset\":8,\"imageIndex\":0,\"symbol\":\"b\","
	                 "\"inline\":true},"
	                 "{\"imageOffset\":8,\"imageIndex\":0,\"symbol\":\"c\"}"
	                 ","
	                 // The same function again: recursion, a frame.
	                 "{\"imageOffset\":8,\"imageIndex\":0,\"symbol\":\"c\"}"
	                 ","
	                 "{\"imageOffset\":9,\"imageIndex\":0,\"symbol\":\"d\","
	                 "\"inline\":true},"
	                 "{\"imageOffset\":10,\"imageIndex\":0,\"symbol\":"
	                 "\"e\"}]}]",
	                 &arena)
	                 ->threads[0]
	                 ->stack;
	assert_int_equal(stack->count, 4);
	assert_int_equal(stack->frames[0].call_count, 3);
	assert_string_equal(stack->frames[0].calls[0].symbol, "a");
	assert_string_equal(stack->frames[0].calls[0].file,
	                    "<compiler-generated>");
	assert_null(stack->frames[0].calls[0].path);
	assert_false(stack->frames[0].calls[0].has_line);
	assert_string_equal(stack->frames[0].calls[2].symbol, "c");
	assert_int_equal(stack->frames[1].call_count, 1);
	assert_int_equal(stack->frames[2].call_count, 1);
	assert_int_equal(stack->frames[3].call_count, 1);
}

static void frames_may_be_pairs(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = read_threads("[{\"frames\":[[1,16],[0],\"x\",{}]}]", &arena);
	assert_int_equal(report->threads[0]->stack.count, 2);
	assert_int_equal(report->threads[0]->stack.frames[0].address,
	                 7000000016);
	assert_note(report, "threads[0].frames[2]",
	            "skipped: no imageIndex and no imageOffset");
}

static void the_frame_after_a_trampoline_is_marked(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report_stack *stack;

	(void)state;
	stack = &read_threads("[{\"frames\":[[0,1],{\"imageIndex\":0,"
	                      "\"imageOffset\":2,\"symbol\":\"_sigtramp\"},"
	                      "[0,3],[0,4]]}]",
	                      &arena)
	                 ->threads[0]
	                 ->stack;
	assert_false(stack->frames[1].is_pc);
	assert_true(stack->frames[2].is_pc);
	assert_false(stack->frames[3].is_pc);
}

static void the_faulting_thread_is_an_index(void **state)
{
	static const struct {
		const char *body;
		bool has_triggered;
		uint64_t triggered;
		const char *place; ///< of the note; NULL: none
		const char *text;
	} cases[] = {
		{ "\"faultingThread\":1,\"threads\":[{\"id\":1},{\"id\":9}]",
		  true, 1, NULL, NULL },
		{ "\"threads\":[{},{\"triggered\":true}]", true, 1, NULL,
		  NULL },
		{ "\"threads\":[{},{}]", false, 0, NULL, NULL },
		{ "\"faultingThread\":2,\"threads\":[{},{}]", false, 0,
		  "faultingThread", "there is no thread 2" },
		{ "\"faultingThread\":\"n/a\",\"threads\":[{}]", false, 0,
		  "faultingThread", "expected a number, found 'n/a'" },
		{ "\"threads\":[{\"triggered\":1},{\"triggered\":1}]", true, 0,
		  "threads",
		  "thread 1 is marked as triggered, and so is thread 0" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report =
		        parsed(&ips_reader,
		               arena_printf(&arena, HEADER "{%s," IMAGES "}",
		                            cases[i].body),
		               &arena);

		assert_int_equal(report->has_triggered_thread,
		                 cases[i].has_triggered);
		assert_int_equal(report->triggered_thread, cases[i].triggered);
		if (cases[i].has_triggered)
			assert_true(
			        report->threads[cases[i].triggered]->crashed);
		if (cases[i].place)
			assert_note(report, cases[i].place, cases[i].text);
		else
			assert_int_equal(report->note_count, 0);
	}
}

static void registers_are_in_apples_order(void **state)
{
	static const char *const names[] = { "x0", "x1",   "fp",  "lr", "sp",
		                             "pc", "cpsr", "far", "esr" };
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report_thread_state *registers;

	(void)state;
	registers =
	        &read_threads(
	                 "[{\"threadState\":{\"esr\":{\"value\":2449473542,"
	                 "\"description\":\"(Data Abort) byte read\"},"
	                 "\"cpsr\":{\"value\":5},\"pc\":{\"value\":4},\"sp\":"
	                 "{\"value\":3},\"lr\":{\"value\":2},\"fp\":{\"value\":"
	                 "1},\"far\":{\"value\":16},\"x\":[{\"value\":10},{"
	                 "\"value\":18446744073709551615,\"symbol\":\"s\","
	                 "\"symbolLocation\":4}],\"flavor\":"
	                 "\"ARM_THREAD_STATE64\"}}]",
	                 &arena)
	                 ->threads[0]
	                 ->state;
	assert_string_equal(registers->flavor, "ARM Thread State (64-bit)");
	assert_int_equal(registers->count, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_string_equal(registers->registers[i].name, names[i]);
	assert_true(registers->registers[1].value == UINT64_MAX);
	assert_string_equal(registers->registers[1].note, "s + 4");
	assert_string_equal(registers->registers[8].note,
	                    "(Data Abort) byte read");
}

static void rosetta_may_not_know_the_counter(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report_thread_state *registers;
	const struct report *report;

	(void)state;
	report = read_threads("[{\"triggered\":true,\"threadState\":{"
	                      "\"flavor\":\"x86_THREAD_STATE\",\"rax\":{"
	                      "\"value\":1},\"rflags\":{\"value\":518},"
	                      "\"rosetta\":{\"tmp0\":{\"value\":3}},\"cpu\":{"
	                      "\"value\":2},\"err\":{\"value\":4,"
	                      "\"description\":\"(no mapping)\"},\"trap\":{"
	                      "\"value\":14}}}]",
	                      &arena);
	registers = &report->threads[0]->state;
	assert_string_equal(registers->flavor, "X86 Thread State (64-bit)");
	assert_int_equal(registers->count, 4);
	assert_string_equal(registers->registers[1].name, "rip");
	assert_false(registers->registers[1].available);
	assert_string_equal(registers->registers[2].name, "rfl");
	assert_string_equal(registers->registers[3].name, "tmp0");
	assert_string_equal(field(report, "Logical CPU"), "2");
	assert_string_equal(field(report, "Error Code"),
	                    "0x00000004 (no mapping)");
	assert_string_equal(field(report, "Trap Number"), "14");
}

#define NULL_PC_LR(frames, lr)                                          \
	"[{\"triggered\":true,\"frames\":[" frames                      \
	"],\"threadState\":{\"flavor\":\"ARM_THREAD_STATE64\",\"lr\":{" \
	"\"value\":" lr "}}}]"
#define NULL_PC(frames) NULL_PC_LR(frames, "7000000016")

static void a_null_counter_has_its_caller_in_the_link_register(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report_stack *stack;
	const struct report *report;

	(void)state;
	report = read_threads(NULL_PC("[2,0],[0,64]"), &arena);
	stack = &report->threads[0]->stack;
	assert_int_equal(stack->count, 3);
	assert_int_equal(stack->frames[1].address, 7000000016);
	assert_int_equal(stack->frames[1].image, 1);
	assert_int_equal(stack->frames[1].image_offset, 16);
	assert_int_equal(stack->frames[2].image_offset, 64);
	assert_note(report, "threads[0].frames[0]",
	            "the program counter is 0: the link register's address was "
	            "added as its caller");
	report = read_threads(NULL_PC("[2,0],[1,16]"), &arena);
	assert_int_equal(report->threads[0]->stack.count, 2);
	report = read_threads(NULL_PC("[0,64]"), &arena);
	assert_int_equal(report->threads[0]->stack.count, 1);
}

static void a_signed_link_register_is_found_among_the_frames(void **state)
{
	// 7000000016 with a signature in the bits from 47 up.
	static const char threads[] =
	        NULL_PC_LR("[2,0],[1,16]", "48272965505877520");
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = read_threads(threads, &arena);
	assert_int_equal(report->threads[0]->stack.count, 2);
	assert_int_equal(report->note_count, 0);
}

static void notes_have_a_limit(void **state)
{
	(void)state;
	for (size_t count = 999; count <= 1002; count++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str text = { 0 };
		const struct report *report;
		const struct notice *last;

		str_add(&text, "[{}");
		for (size_t i = 0; i < count; i++)
			str_add(&text, ",7");
		str_add(&text, "]");
		report = read_threads(str_cstr(&text), &arena);
		assert_int_equal(report->note_count,
		                 count <= 1000 ? count : 1001);
		last = &report->notes[report->note_count - 1];
		assert_string_equal(last->text,
		                    count <= 1000
		                            ? "expected an object, found '7'"
		                            : "further notes are not listed");
	}
}

static void an_exception_has_its_own_backtrace(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = parsed(&ips_reader,
	                HEADER
	                "{\"lastExceptionBacktrace\":[{\"imageIndex\":1,"
	                "\"imageOffset\":5},{\"imageIndex\":0,"
	                "\"imageOffset\":\"far\"}],\"threads\":[]," IMAGES "}",
	                &arena);
	assert_int_equal(report->exception_backtrace.count, 2);
	assert_true(report->exception_backtrace.all_return_addresses);
	assert_int_equal(report->exception_backtrace.frames[0].address,
	                 7000000005);
	assert_note(report, "lastExceptionBacktrace[1].imageOffset",
	            "expected a number, found 'far'");
}

static void labelled_text_becomes_sections(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = parsed(
	        &ips_reader,
	        "{\"asi\":{\"libA\":[\"one\",\"two\\n\"],\"libB\":[\"three\"]},"
	        "\"ktriageinfo\":\"VM - a\\nVM - "
	        "b\\n\",\"vmregioninfo\":\"0x0\","
	        "\"vmRegionInfo\":\"0x1 is not in any region\","
	        "\"reportNotes\":[\"n1\",\"n2\"],\"extMods\":{\"caller\":{"
	        "\"thread_create\":1},\"targeted\":{\"task_for_pid\":2,"
	        "\"thread_set_state\":3}},\"vmSummary\":7,\"threads\":[{"
	        "\"instructionState\":{\"instructionStream\":{\"bytes\":"
	        "[15,11,72],\"offset\":1}}}]," IMAGES "}",
	        &arena);
	assert_string_equal(
	        report_section(report, "Application Specific Information"),
	        "one\ntwo\nthree");
	assert_string_equal(report_section(report, "Kernel Triage"),
	                    "VM - a\nVM - b");
	assert_string_equal(report_section(report, "VM Region Info"),
	                    "0x1 is not in any region");
	assert_string_equal(
	        report_section(report, "Error Formulating Crash Report"),
	        "n1\nn2");
	assert_string_equal(
	        report_section(report, "External Modification Summary"),
	        "  Calls made by other processes targeting this process:\n"
	        "    task_for_pid: 2\n"
	        "    thread_create: 0\n"
	        "    thread_set_state: 3\n"
	        "  Calls made by this process:\n"
	        "    task_for_pid: 0\n"
	        "    thread_create: 1\n"
	        "    thread_set_state: 0");
	assert_string_equal(
	        report_section(report, "Thread 0 instruction stream"),
	        "  0f[0b]48                                         ..H\t<==");
	assert_null(report_section(report, "VM Region Summary"));
	assert_note(report, "vmSummary", "expected text, found '7'");
}

static void ready_made_backtraces_are_read_as_frames(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = parsed(
	        &ips_reader,
	        "{\"asiBacktraces\":[\"0   CoreFoundation   "
	        "0x0000000184c5f6f4 __exceptionPreprocess + 176\\n"
	        "1   Demo   0x0000000102fe0010 0x102fe0000 + 16\\nbye\\n\"],"
	        "\"threads\":[]," IMAGES "}",
	        &arena);
	assert_int_equal(report->app_backtrace_count, 1);
	assert_int_equal(report->app_backtraces[0]->count, 2);
	assert_string_equal(
	        report->app_backtraces[0]->frames[0].calls[0].symbol,
	        "__exceptionPreprocess");
	assert_int_equal(report->app_backtraces[0]->frames[1].address,
	                 0x102fe0010);
	assert_note(report, "asiBacktraces[0]", "not a frame: \"bye\"");
}

static void mistyped_fields_are_notes_with_their_path(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = parsed(
	        &ips_reader,
	        HEADER "{\"pid\":\"n/a\",\"osVersion\":7,\"exception\":[],"
	               "\"termination\":{\"reasons\":[1]},\"threads\":[{\"id\":"
	               "[]},{\"frames\":{}},{\"frames\":[{\"imageOffset\":"
	               "\"n/a\",\"imageIndex\":0}],\"threadState\":{\"flavor\":"
	               "\"PPC\"}},4]," IMAGES "}",
	        &arena);
	assert_note(report, "pid", "expected a number, found 'n/a'");
	assert_note(report, "osVersion", "expected an object, found '7'");
	assert_note(report, "exception", "expected an object, found an array");
	assert_note(report, "termination.reasons", "expected text, found '1'");
	assert_note(report, "threads[0].id",
	            "expected a number, found an array");
	assert_note(report, "threads[1].frames",
	            "expected an array, found an object");
	assert_note(report, "threads[2].frames[0].imageOffset",
	            "expected a number, found 'n/a'");
	assert_note(report, "threads[2].threadState",
	            "registers of an unknown kind");
	assert_note(report, "threads[3]", "expected an object, found '4'");
	assert_int_equal(report->thread_count, 4);
}

static void an_unknown_kind_is_read_by_its_shape(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = parsed(&ips_reader,
	                "{\"bug_type\":\"777\"}\n{\"threads\":[{}]," IMAGES "}",
	                &arena);
	assert_int_equal(report->thread_count, 1);
	assert_string_equal(report->bug_type, "777");
	assert_note(report, "bug_type",
	            "777 is not a crash report's: read as one by its members");
}

static void faults_that_leave_nothing_are_errors(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ HEADER, "the file ends after its header line" },
		{ HEADER "\n \n", "the file ends after its header line" },
		{ "", "line 1, column 1: expected a value, found the end" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = NULL;
		SCOPED(error_drop)
		struct error *err = reader_read(
		        &ips_reader, text_from(cases[i].text), &arena, &report);

		assert_non_null(err);
		assert_string_equal(error_message(err), cases[i].message);
	}
}

static void a_body_with_a_fault_is_read_up_to_it(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = parsed(&ips_reader,
	                HEADER "{" IMAGES
	                       ",\n\"threads\":[{\"frames\":[[0,4]]},"
	                       "{\"frames\":[[0,8],oops]}]}",
	                &arena);
	assert_true(report->truncated);
	assert_int_equal(report->thread_count, 2);
	assert_int_equal(report->threads[1]->stack.count, 1);
	assert_note(report, "body",
	            "damaged, read up to line 2, column 48: expected a value, "
	            "found 'o'");
}

static void what_follows_the_body_is_not_read(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = parsed(&ips_reader,
	                HEADER "{\"threads\":[]," IMAGES
	                       "}\n\nModel: Mac14,12\n",
	                &arena);
	assert_int_equal(report->note_count, 0);
	report = parsed(&ips_reader,
	                HEADER "{\"threads\":[]," IMAGES "}" HEADER "{}",
	                &arena);
	assert_note(report, "body",
	            "another report follows in the file: only the first one "
	            "was read");
}

#define TEXT_BODY                                                     \
	"Incident Identifier: 11111111-2222-3333-4444-555555555555\n" \
	"Process:             Demo [612]\n"                           \
	"\n"                                                          \
	"Exception Type:  EXC_CRASH (SIGABRT)\n"                      \
	"\n"                                                          \
	"Thread 0 Crashed:\n"                                         \
	"0   Demo                          \t0x0000000102fec92c "     \
	"0x102fe0000 + 51500\n"                                       \
	"\n"                                                          \
	"Binary Images:\n"                                            \
	"0x102fe0000 - 0x102ffffff Demo arm64  "                      \
	"<1a2b3c4d5e6f30718293a4b5c6d7e8f9> /x/Demo.app/Demo\n"

static void a_text_body_goes_to_the_text_reader(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        parsed(&ips_reader, HEADER TEXT_BODY, &arena);

	(void)state;
	assert_string_equal(report->format, "crash-text");
	assert_string_equal(report->bug_type, "309");
	assert_string_equal(report->incident,
	                    "11111111-2222-3333-4444-555555555555");
	assert_string_equal(report->version, "2.1");
	assert_int_equal(report->thread_count, 1);
	assert_int_equal(report->image_count, 1);
}

#define CONSOLE                                               \
	"-------------------------------------\n"             \
	"Translated Report (Full Report Below)\n"             \
	"-------------------------------------\n\n" TEXT_BODY \
	"\n-----------\nFull Report\n-----------\n\n"

static void a_copy_from_the_console_is_read_from_its_json(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report;

	(void)state;
	report = parsed(&ips_reader,
	                CONSOLE HEADER "{\"threads\":[{},{}]," IMAGES "}",
	                &arena);
	assert_string_equal(report->format, "ips-crash");
	assert_int_equal(report->thread_count, 2);
	report = parsed(&ips_reader, CONSOLE HEADER "{\"threads\":[{},{}],",
	                &arena);
	assert_string_equal(report->format, "crash-text");
	assert_int_equal(report->thread_count, 1);
	assert_note(report, "Full Report",
	            "the JSON is damaged: the translated text was read");
}

static void deep_stacks_keep_both_ends(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	const struct report_stack *stack;
	const struct report *report;

	(void)state;
	str_add(&text, "[{\"frames\":[");
	for (size_t i = 0; i < 100001; i++)
		str_addf(&text, "%s[0,%zu]", i ? "," : "", i);
	str_add(&text, "]}]");
	report = read_threads(str_cstr(&text), &arena);
	stack = &report->threads[0]->stack;
	assert_int_equal(stack->count, 1024);
	assert_int_equal(stack->frames[511].image_offset, 511);
	assert_int_equal(stack->frames[512].image_offset, 100001 - 512);
	assert_int_equal(stack->frames[1023].image_offset, 100000);
	assert_note(report, "threads[0].frames",
	            "100001 frames: only the first and the last 512 were read "
	            "(--limit frames=COUNT raises it)");
}

static void the_number_of_threads_is_limited(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	const struct report *report;

	(void)state;
	str_add(&text, "[{}");
	for (size_t i = 0; i < 10000; i++)
		str_add(&text, ",{}");
	str_add(&text, "]");
	report = read_threads(str_cstr(&text), &arena);
	assert_int_equal(report->thread_count, 10000);
	assert_note(report, "threads",
	            "only the first 10000 of 10001 threads were read (--limit "
	            "threads=COUNT raises it)");
}

static void a_report_truncated_anywhere_keeps_what_came_before(void **state)
{
	const char *whole = HEADER
	        "{" IMAGES ",\"threads\":[{\"frames\":[{\"imageIndex\":0,"
	        "\"imageOffset\":4},{\"imageIndex\":1,\"imageOffset\":8}]},"
	        "{\"name\":\"\\ud83d\\ude00\",\"frames\":[[0,1]]}]}";
	size_t threads = 0;

	(void)state;
	for (size_t size = 0; size < strlen(whole); size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = NULL;
		// A copy of its own, so that a read past the end is seen.
		char *cut = arena_strndup(&arena, whole, size);
		struct text in = { .data = cut, .size = size };
		struct error *err =
		        reader_read(&ips_reader, in, &arena, &report);

		if (err) {
			error_free(err);
			assert_true(size <= strlen(HEADER) + 1);
			continue;
		}
		assert_true(report->truncated);
		assert_true(report->thread_count >= threads);
		threads = report->thread_count;
	}
	assert_int_equal(threads, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_format_is_detected_from_the_bytes),
		cmocka_unit_test(facts_come_from_the_body),
		cmocka_unit_test(the_header_fills_what_the_body_leaves_out),
		cmocka_unit_test(exception_and_termination_are_read),
		cmocka_unit_test(images_keep_their_index),
		cmocka_unit_test(frames_are_placed_by_image_and_offset),
		cmocka_unit_test(images_that_are_cut_off_are_one_note),
		cmocka_unit_test(inlined_neighbours_are_one_frame),
		cmocka_unit_test(frames_may_be_pairs),
		cmocka_unit_test(the_frame_after_a_trampoline_is_marked),
		cmocka_unit_test(the_faulting_thread_is_an_index),
		cmocka_unit_test(registers_are_in_apples_order),
		cmocka_unit_test(rosetta_may_not_know_the_counter),
		cmocka_unit_test(
		        a_null_counter_has_its_caller_in_the_link_register),
		cmocka_unit_test(
		        a_signed_link_register_is_found_among_the_frames),
		cmocka_unit_test(notes_have_a_limit),
		cmocka_unit_test(an_exception_has_its_own_backtrace),
		cmocka_unit_test(labelled_text_becomes_sections),
		cmocka_unit_test(ready_made_backtraces_are_read_as_frames),
		cmocka_unit_test(mistyped_fields_are_notes_with_their_path),
		cmocka_unit_test(an_unknown_kind_is_read_by_its_shape),
		cmocka_unit_test(faults_that_leave_nothing_are_errors),
		cmocka_unit_test(a_body_with_a_fault_is_read_up_to_it),
		cmocka_unit_test(what_follows_the_body_is_not_read),
		cmocka_unit_test(a_text_body_goes_to_the_text_reader),
		cmocka_unit_test(a_copy_from_the_console_is_read_from_its_json),
		cmocka_unit_test(deep_stacks_keep_both_ends),
		cmocka_unit_test(the_number_of_threads_is_limited),
		cmocka_unit_test(
		        a_report_truncated_anywhere_keeps_what_came_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
