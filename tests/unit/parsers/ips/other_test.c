// SPDX-License-Identifier: MIT
#include "lib/base/str.h"
#include "parsers/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/parsers/parsed.h"

#define HEADER(bug_type)                                              \
	"{\"bug_type\":\"" bug_type "\",\"os_version\":\"iPhone OS "  \
	"17.2 (21C62)\",\"timestamp\":\"2026-01-31 09:08:07.00 +0800" \
	"\",\"incident_id\":\"9A00\"}\n"

#define PANIC_TEXT                                                     \
	"panic(cpu 1 caller 0xfffffff0071a2b3c): userspace watchdog "  \
	"timeout: no successful checkins from com.example.service (1 " \
	"induced crashes) in 180 seconds\\nDebugger message: panic\\n" \
	"Panicked task 0xffffffe19a1b2c30: 3422 pages, 1 threads: "    \
	"pid 0: kernel_task\\nPanicked thread: 0xffffffe19b0d1e20, "   \
	"backtrace: 0xffffffe8017b3530, tid: 342\\n"

#define PROCESSES                                                           \
	"\"processByPid\":{\"0\":{\"pid\":0,\"procname\":\"kernel_task\","  \
	"\"threadById\":{\"342\":{\"id\":342,\"name\":\"timer\","           \
	"\"kernelFrames\":[[0,16],[0,32]]}}},\"612\":{\"pid\":612,"         \
	"\"procname\":\"Demo\",\"threadById\":{\"7\":{\"id\":7,\"queue\":"  \
	"\"main\",\"kernelFrames\":[[0,48]],\"userFrames\":[[2,64],[2,80]," \
	"[1,0]]},\"8\":{\"id\":8}}}}"

#define SHOT_IMAGES                                                    \
	"\"binaryImages\":[[\"1a2b3c4d-5e6f-3071-8293-a4b5c6d7e8f9\"," \
	"18446743936270598144,\"T\"],[\"00000000-0000-0000-0000-"      \
	"000000000000\",0,\"A\"],[\"0a0b0c0d-0000-3000-8000-"          \
	"000000000001\",4310000000,\"P\"]]"

#define PANIC                                                              \
	"{\"build\":\"iPhone OS 17.2 (21C62)\",\"product\":\"iPhone14,2\"" \
	",\"socId\":\"0x8110\",\"kernel\":\"Darwin 23\",\"incident\":"     \
	"\"9A01\",\"crashReporterKey\":\"8eb9\",\"date\":\"2026-01-31 "    \
	"09:08:07.12 +0800\",\"panicString\":\"" PANIC_TEXT "\","          \
	"\"macOSPanicString\":\"a\\nb\",\"panicFlags\":\"0x102\","         \
	"\"otherString\":\"\\nother\\n\",\"memoryStatus\":{\"pageSize\":"  \
	"16384,\"memoryPages\":{\"active\":5,\"free\":7}},"                \
	"\"notes\":[\"one\",\"two\"],\"frontmostPids\":[612]," PROCESSES   \
	"," SHOT_IMAGES "}"

static void a_panic_shows_its_facts(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        parsed(&ips_reader, HEADER("210") PANIC, &arena);

	assert_string_equal(report->format, "panic");
	assert_string_equal(report->kind, "kernel panic log");
	assert_string_equal(report->bug_type, "210");
	assert_string_equal(report->incident, "9A01");
	assert_string_equal(report->reporter_key, "8eb9");
	assert_string_equal(report->hardware_model, "iPhone14,2");
	assert_string_equal(report->os_version, "iPhone OS 17.2 (21C62)");
	assert_string_equal(report->date_time, "2026-01-31 09:08:07.12 +0800");
	assert_string_equal(report->process.name, "kernel_task");
	assert_true(report->process.has_pid);
	assert_int_equal(report->process.pid, 0);
	assert_string_equal(field(report, "Unresponsive Service"),
	                    "com.example.service");
	assert_string_equal(field(report, "Panic"),
	                    "panic(cpu 1 caller 0xfffffff0071a2b3c): userspace "
	                    "watchdog timeout: no successful checkins from "
	                    "com.example.service (1 induced crashes) in 180 "
	                    "seconds");
	assert_string_equal(field(report, "SoC"), "0x8110");
	assert_string_equal(field(report, "Kernel Version"), "Darwin 23");
	assert_string_equal(field(report, "Panic Flags"), "0x102");
	assert_string_equal(field(report, "Memory Status"), "pageSize 16384");
	assert_string_equal(field(report, "Memory Pages"), "active 5, free 7");
	assert_string_equal(field(report, "Frontmost Processes"), "612");
	assert_string_equal(report_section(report, "macOS Panic String"),
	                    "a\nb");
	assert_string_equal(report_section(report, "Other String"), "other");
	assert_string_equal(report_section(report, "Notes"), "one\ntwo");
	assert_non_null(strstr(report_section(report, "Panic String"),
	                       "\nDebugger message: panic\n"));
	assert_note(report, "body",
	            "a kernel panic log (bug_type 210): its statistics of "
	            "processes and threads are left out");
}

static void threads_of_all_processes_are_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        parsed(&ips_reader, HEADER("210") PANIC, &arena);
	const struct report_stack *stack;

	assert_int_equal(report->image_count, 3);
	assert_int_equal(report->thread_count, 3);
	assert_string_equal(report->threads[0]->name, "kernel_task [0]: timer");
	assert_true(report->threads[0]->crashed);
	assert_true(report->has_triggered_thread);
	assert_int_equal(report->triggered_thread, 0);
	assert_string_equal(report->threads[1]->name, "Demo [612]");
	assert_string_equal(report->threads[1]->queue, "main");
	assert_int_equal(report->threads[1]->id, 7);
	assert_int_equal(report->threads[2]->stack.count, 0);
	stack = &report->threads[1]->stack;
	assert_int_equal(stack->count, 4);
	assert_int_equal(stack->frames[0].image, 0);
	assert_int_equal(stack->frames[0].address,
	                 UINT64_C(18446743936270598144) + 48);
	assert_int_equal(stack->frames[1].image, 2);
	assert_int_equal(stack->frames[1].image_offset, 64);
	// Where the thread entered the kernel is no return address.
	assert_true(stack->frames[1].is_pc);
	assert_false(stack->frames[2].is_pc);
	assert_int_equal(stack->frames[3].image, REPORT_NO_IMAGE);
}

static void older_panics_have_their_text_elsewhere(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        parsed(&ips_reader,
	               HEADER("151") "{\"string\":\"panic(cpu 1 caller 0x1): "
	                             "btn_rst\n  \nreal line ends\"}",
	               &arena);

	assert_string_equal(report->format, "panic");
	assert_string_equal(report->kind, "forced reset log");
	assert_string_equal(report_section(report, "Panic String"),
	                    "panic(cpu 1 caller 0x1): btn_rst\n  \nreal line "
	                    "ends");
}

static void a_body_without_its_header_is_known(void **state UNUSED)
{
	static const struct {
		const char *text;
		const char *format;
		const char *kind;
	} cases[] = {
		{ PANIC, "panic", "kernel panic log" },
		{ "{\"macOSPanicString\":\"x\"}", "panic", "kernel panic log" },
		{ "{\n\"exception\":\"0xdeaffeed\"," PROCESSES "}", "stackshot",
		  "stackshot" },
		{ HEADER("309") "{" PROCESSES "}", "stackshot", "stackshot" },
		{ HEADER("409") "{\"stackshot\":{" PROCESSES "}}", "stackshot",
		  "system watchdog report" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report =
		        parsed(&ips_reader, cases[i].text, &arena);

		assert_string_equal(report->format, cases[i].format);
		assert_string_equal(report->kind, cases[i].kind);
	}
}

static void other_bodies_show_their_single_values(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = parsed(
	        &ips_reader,
	        HEADER("284") "{\"process\":\"Demo\",\"signature\":12,"
	                      "\"guilty\":true,\"empty\":\"\",\"none\":null,"
	                      "\"text\":\"two\\nlines\",\"list\":[1,\"a\"],"
	                      "\"deep\":{\"a\":1,\"b\":{\"c\":2}},\"rows\":"
	                      "[{\"a\":1},{\"a\":2}]}",
	        &arena);

	assert_string_equal(report->format, "ips");
	assert_string_equal(report->kind, "GPU event log");
	assert_string_equal(report->incident, "9A00");
	assert_string_equal(report->os_version, "iPhone OS 17.2 (21C62)");
	assert_string_equal(field(report, "process"), "Demo");
	assert_string_equal(field(report, "signature"), "12");
	assert_string_equal(field(report, "guilty"), "true");
	assert_null(field(report, "empty"));
	assert_null(field(report, "none"));
	assert_string_equal(report_section(report, "text"), "two\nlines");
	assert_string_equal(report_section(report, "list"), "1\na");
	assert_string_equal(field(report, "deep"), "a 1");
	assert_string_equal(field(report, "deep.b"), "c 2");
	assert_note(report, "body",
	            "a GPU event log (bug_type 284): not translated; its "
	            "single values are listed");
	assert_note(report, "body", "not shown: rows");
}

static void an_unknown_number_and_none_are_named(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        parsed(&ips_reader, HEADER("777") "{\"a\":1}", &arena);

	assert_string_equal(report->kind, "report of an unknown kind");
	assert_note(report, "body",
	            "a report of bug_type 777: not translated; its single "
	            "values are listed");
	report = parsed(&ips_reader,
	                "{\"app_name\":\"a\",\"timestamp\":\"b\"}\n{\"a\":1}",
	                &arena);
	assert_note(report, "body",
	            "a report of an unknown kind: not translated; its single "
	            "values are listed");
}

static void records_a_line_are_counted(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        parsed(&ips_reader,
	               HEADER("211") "{\"_marker\":\"<metadata>\"}\n{\"a\":1}\n"
	                             "{\"a\":2}\n",
	               &arena);

	assert_string_equal(field(report, "_marker"), "<metadata>");
	assert_note(report, "body",
	            "3 records, one per line: only the first is shown");
}

static void mistyped_members_are_notes_with_their_path(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = parsed(
	        &ips_reader,
	        HEADER("288") "{\"product\":1,\"binaryImages\":{},"
	                      "\"processByPid\":{\"1\":7,\"2\":{\"procname\":"
	                      "[],\"threadById\":{\"3\":{\"id\":\"x\","
	                      "\"userFrames\":[[9,1],4]},\"4\":\"x\"}}}}",
	        &arena);

	assert_note(report, "product", "expected text, found '1'");
	assert_note(report, "binaryImages",
	            "expected an array, found an object");
	assert_note(report, "processByPid.1", "expected an object, found '7'");
	assert_note(report, "processByPid.2.procname",
	            "expected text, found an array");
	assert_note(report, "processByPid.2.threadById.3.id",
	            "expected a number, found 'x'");
	assert_note(report, "processByPid.2.threadById.3.userFrames[1]",
	            "skipped: no imageIndex and no imageOffset");
	assert_note(report, "processByPid.2.threadById.4",
	            "expected an object, found 'x'");
	assert_int_equal(report->thread_count, 2);
	assert_string_equal(report->threads[0]->name, "???");
}

static void values_and_threads_are_limited(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	struct report *report;

	str_add(&text, HEADER("225") "{");
	for (size_t i = 0; i < 300; i++)
		str_addf(&text, "%s\"k%zu\":1", i ? "," : "", i);
	str_add(&text, "}");
	report = parsed(&ips_reader, str_cstr(&text), &arena);
	assert_int_equal(report->field_count, 200);
	assert_note(report, "body",
	            "only the first 200 of 300 values are listed");

	str_clear(&text);
	str_add(&text, HEADER("288") "{\"processByPid\":{\"1\":{\"threadById\""
	                             ":{");
	for (size_t i = 0; i < 10005; i++)
		str_addf(&text, "%s\"%zu\":{}", i ? "," : "", i);
	str_add(&text, "}}}}");
	report = parsed(&ips_reader, str_cstr(&text), &arena);
	assert_int_equal(report->thread_count, 10000);
	assert_note(report, "processByPid",
	            "only the first 10000 of 10005 threads were read (--limit "
	            "threads=COUNT raises it)");
}

/** Where the JSON value at @p start ends. */
static size_t value_end(struct text text, size_t start)
{
	size_t depth = 0;
	bool quoted = false;

	for (size_t i = start; i < text.size; i++) {
		char c = text.data[i];

		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '{' || c == '['))
			depth++;
		else if (!quoted && (c == '}' || c == ']' || c == ',')) {
			if (!depth)
				return i;
			depth -= c != ',';
		}
	}
	return text.size;
}

static void each_member_may_be_of_any_type_or_gone(void **state UNUSED)
{
	static const char *const values[] = { "null",      "1",     "-1",
		                              "1e300",     "\"x\"", "[]",
		                              "{}",        "true",  "[[1]]",
		                              "{\"a\":{}}" };
	const struct text whole = text_from(PANIC);
	size_t count = 0;

	for (size_t at = 0; at + 1 < whole.size; at++) {
		size_t end = value_end(whole, at + 2);

		if (memcmp(whole.data + at, "\":", 2) != 0)
			continue;
		count++;
		for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
			SCOPED(arena_release) struct arena arena = { 0 };
			SCOPED(str_release) struct str text = { 0 };
			SCOPED(error_drop) struct error *err = NULL;
			struct report *report = NULL;

			str_add(&text, HEADER("210"));
			str_add_text(&text, text_first(whole, at + 2));
			str_add(&text, values[i]);
			str_add_text(&text, text_after(whole, end));
			err = reader_read(&ips_reader, str_text(&text), &arena,
			                  &report);
			assert_null(err);
			assert_string_equal(report->bug_type, "210");
		}
	}
	assert_true(count > 25);
}

static void a_panic_truncated_anywhere_keeps_what_came_before(
        void **state UNUSED)
{
	const struct text whole = text_from(HEADER("210") PANIC);

	for (size_t size = strlen(HEADER("210")) + 1; size < whole.size;
	     size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;

		err = reader_read(&ips_reader, text_first(whole, size), &arena,
		                  &report);
		if (err)
			fail_msg("%zu: %s", size, error_message(err));
		assert_true(report->truncated);
		assert_string_equal(report->kind, "kernel panic log");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_panic_shows_its_facts),
		cmocka_unit_test(threads_of_all_processes_are_read),
		cmocka_unit_test(older_panics_have_their_text_elsewhere),
		cmocka_unit_test(a_body_without_its_header_is_known),
		cmocka_unit_test(other_bodies_show_their_single_values),
		cmocka_unit_test(an_unknown_number_and_none_are_named),
		cmocka_unit_test(records_a_line_are_counted),
		cmocka_unit_test(mistyped_members_are_notes_with_their_path),
		cmocka_unit_test(values_and_threads_are_limited),
		cmocka_unit_test(each_member_may_be_of_any_type_or_gone),
		cmocka_unit_test(
		        a_panic_truncated_anywhere_keeps_what_came_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
