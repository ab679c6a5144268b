// SPDX-License-Identifier: MIT
#include "lib/base/limit.h"
#include "parsers/reader.h"
#include "tests/unit/formatters/rendered.h"
#include "tests/unit/read_reports.h"

#include "lib/base/str.h"

#define HEADER "{\"bug_type\":\"309\",\"name\":\"Demo\",\"odd\":[1, 2]}\n"

static struct report *read_bytes(struct bytes in, struct arena *arena)
{
	struct report *report = NULL;
	struct error *err = read_reports(in, arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	return report;
}

static struct report *read_report(const char *text, struct arena *arena)
{
	return read_bytes((struct bytes){ .data = (const uint8_t *)text,
	                                  .size = strlen(text) },
	                  arena);
}

/** A body whose only thread has these elements for frames. */
static const char *body_of(struct arena *arena, const char *frames)
{
	return arena_printf(arena,
	                    HEADER
	                    "{ \"future\" : {\"key\":[null]}, \"threads\" : "
	                    "[{\"frames\":[%s],\"id\":7}],\n"
	                    "  \"usedImages\":[{\"source\":\"P\",\"base\":4096,"
	                    "\"size\":4096,\"name\":\"Demo\"}]\n}\n"
	                    "Model: Mac14,12\n",
	                    frames);
}

static void name(struct report_frame *frame, struct report_call *calls,
                 size_t count)
{
	frame->calls = calls;
	frame->call_count = (uint32_t)count;
	frame->source = REPORT_SOURCE_DWARF;
}

static void a_file_comes_back_byte_for_byte(void **state UNUSED)
{
	static const char *const frames[] = {
		"",
		"{\"imageOffset\":16,\"imageIndex\":0}",
		("\n\t{ \"imageOffset\" : 16 , \"imageIndex\":0, \"x\":{} } "
		 ",\r\n[0,32] "),
		"{\"imageOffset\":16,\"imageIndex\":99},null,{},17",
		("{\"imageOffset\":0,\"imageIndex\":0,\"symbol\":\"a\\/"
		 "\\u0062\"}"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(frames); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const char *text = body_of(&arena, frames[i]);

		assert_rendered(&ips_formatter, read_report(text, &arena),
		                text);
	}
}

static void only_frames_that_we_named_are_new(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read_report(
	        body_of(&arena, "{\"imageOffset\":16,\"imageIndex\":0}, "
	                        "{\"imageOffset\":32,\"imageIndex\":0,\"new\":"
	                        "\"\\/\"}, "
	                        "{\"imageOffset\":48,\"imageIndex\":0}"),
	        &arena);
	struct report_call calls[] = {
		{ .symbol = "leaf",
		  .file = "a.c",
		  .line = 3,
		  .has_line = true },
		{ .symbol = "root", .has_symbol_offset = true },
	};

	name(&report->threads[0]->stack.frames[1], calls, 2);
	assert_rendered(&ips_formatter, report,
	                body_of(&arena,
	                        "{\"imageOffset\":16,\"imageIndex\":0}, "
	                        "{\"symbol\":\"leaf\",\"inline\":true,"
	                        "\"imageIndex\":0,\"imageOffset\":32,"
	                        "\"sourceLine\":3,\"sourceFile\":\"a.c\"}, "
	                        "{\"imageOffset\":32,\"symbol\":\"root\","
	                        "\"symbolLocation\":0,\"imageIndex\":0,"
	                        "\"new\":\"\\/\"}, "
	                        "{\"imageOffset\":48,\"imageIndex\":0}"));
}

static void elements_of_one_address_are_replaced_together(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read_report(
	        body_of(&arena,
	                "{\"imageOffset\":16,\"imageIndex\":0,\"symbol\":\"a\","
	                "\"inline\":true},"
	                "{\"imageOffset\":16,\"imageIndex\":0,\"symbol\":\"b\"}"
	                ","
	                "[0,32]"),
	        &arena);
	struct report_stack *stack = &report->threads[0]->stack;
	struct report_call call = { .symbol = "c" };

	assert_int_equal(stack->count, 2);
	name(&stack->frames[0], &call, 1);
	name(&stack->frames[1], &call, 1);
	assert_rendered(&ips_formatter, report,
	                body_of(&arena, "{\"imageOffset\":16,\"symbol\":\"c\","
	                                "\"imageIndex\":0},"
	                                "{\"imageOffset\":32,\"symbol\":\"c\","
	                                "\"imageIndex\":0}"));
}

/** The caller of a null pointer is the reader's; the file has no place. */
static void a_frame_that_the_reader_added_is_not_written(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const char *text = HEADER
	        "{\"threads\":[{\"frames\":[{\"imageOffset\":0,"
	        "\"imageIndex\":1},{\"imageOffset\":32,"
	        "\"imageIndex\":0}],\"threadState\":{\"flavor\":"
	        "\"ARM_THREAD_STATE64\",\"lr\":{\"value\":4112}}}],"
	        "\"usedImages\":[{\"source\":\"P\",\"base\":4096,"
	        "\"size\":4096},{\"source\":\"A\"}]}\n";
	struct report *report = read_report(text, &arena);
	struct report_stack *stack = &report->threads[0]->stack;
	struct report_call call = { .symbol = "caller" };
	struct report_call named = { .symbol = "main" };

	assert_int_equal(stack->count, 3);
	name(&stack->frames[1], &call, 1);
	assert_rendered(&ips_formatter, report, text);
	name(&stack->frames[2], &named, 1);
	assert_rendered_holds(&ips_formatter, report,
	                      "\"imageIndex\":1},{\"imageOffset\":32,"
	                      "\"symbol\":\"main\",\"imageIndex\":0}]");
}

/** The reader takes the first, and so must the walk. */
static void of_a_repeated_name_the_first_one_counts(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read_report(
	        HEADER "{\"threads\":[{\"frames\":[[0,1]],\"frames\":[[0,2]]}],"
	               "\"threads\":[{\"frames\":[[0,3]]}],"
	               "\"usedImages\":[{\"base\":4096,\"size\":4096}]}",
	        &arena);
	struct report_call call = { .symbol = "f" };

	name(&report->threads[0]->stack.frames[0], &call, 1);
	assert_rendered(&ips_formatter, report,
	                HEADER
	                "{\"threads\":[{\"frames\":[{\"imageOffset\":1,"
	                "\"symbol\":\"f\",\"imageIndex\":0}],"
	                "\"frames\":[[0,2]]}],"
	                "\"threads\":[{\"frames\":[[0,3]]}],"
	                "\"usedImages\":[{\"base\":4096,\"size\":4096}]}");
}

static void a_body_may_be_alone(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read_report(
	        "{\"lastExceptionBacktrace\":[[0,8]],\"faultingThread\":0,"
	        "\"threads\":[],\"usedImages\":[{\"base\":1,\"size\":64}]}",
	        &arena);
	struct report_call call = { .symbol = "thrower" };

	name(&report->exception_backtrace.frames[0], &call, 1);
	assert_rendered(&ips_formatter, report,
	                "{\"lastExceptionBacktrace\":[{\"imageOffset\":8,"
	                "\"symbol\":\"thrower\",\"imageIndex\":0}],"
	                "\"faultingThread\":0,\"threads\":[],"
	                "\"usedImages\":[{\"base\":1,\"size\":64}]}");
}

static void a_damaged_file_is_written_anew(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read_report(
	        HEADER "{\"procName\":\"Demo\",\"threads\":[{\"id\":7,"
	               "\"frames\":[[0,1]]}],\"usedImages\":[{\"base\":4096",
	        &arena);

	assert_true(report->truncated);
	assert_int_equal(report->raw.size, 0);
	assert_string_equal(ips_formatter.shortcoming(report),
	                    "the report is damaged: rewritten from what could "
	                    "be read");
	assert_rendered_holds(&ips_formatter, report,
	                      "\n    {\"id\":7,\"frames\":[{\"imageOffset\":1,"
	                      "\"imageIndex\":0}]}\n");
}

static void other_kinds_of_reports_are_given_back(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const char *text = "{\"bug_type\":\"210\",\"timestamp\":\"x\"}\n"
	                   "{\"panicString\":\"panic(cpu 0): x\"}\n";
	struct report *report = read_report(text, &arena);

	assert_rendered(&ips_formatter, report, text);
	assert_string_equal(ips_formatter.shortcoming(report),
	                    "not a crash report: written unchanged, without "
	                    "names for its frames");
}

static void what_acts_on_a_terminal_is_escaped(void **state UNUSED)
{
	static const struct {
		const char *body;
		const char *written;
	} cases[] = {
		{ "{\"panicString\":\"a\x1b]0;b\x07\\\"\x7f\"}",
		  "{\"panicString\":\"a\\u001b]0;b\\u0007\\\"\\u007f\"}" },
		{ "{\"panicString\":\"\xc2\x9b \xe2\x80\xae \xe2\x80\xa8\"}",
		  "{\"panicString\":\"\\u009b \\u202e \\u2028\"}" },
		{ "{\"panicString\":\"\xff \xe2\x82\xac \xed\xa0\x80\"}",
		  "{\"panicString\":\"\\ufffd \xe2\x82\xac \\ufffd\\ufffd"
		  "\\ufffd\"}" },
		{ "{\"panicString\":\"a\tb\rc\"\r\n}\r",
		  "{\"panicString\":\"a\tb\\u000dc\"\r\n}\n" },
		{ "{\"panicString\":\"x\"}\nfree\x1b[2J text\n",
		  "{\"panicString\":\"x\"}\nfree\\x1b[2J text\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const char *header = "{\"bug_type\":\"210\",\"name\":\"x\"}\n";
		struct report *report = read_report(
		        arena_printf(&arena, "%s%s", header, cases[i].body),
		        &arena);

		assert_rendered(
		        &ips_formatter, report,
		        arena_printf(&arena, "%s%s", header, cases[i].written));
	}
}

/** Also beside the frames that are named, and in what they keep. */
static void a_rewritten_file_is_escaped(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = read_report(
	        body_of(&arena, "{\"imageOffset\":16,\"imageIndex\":0,"
	                        "\"x\":\"\x1b\"},"
	                        "{\"imageOffset\":32,\"y\":\"\x7f\"}"),
	        &arena);
	struct report_call call = { .symbol = "a" };

	name(&report->threads[0]->stack.frames[0], &call, 1);
	assert_rendered(&ips_formatter, report,
	                body_of(&arena,
	                        "{\"imageOffset\":16,\"symbol\":\"a\","
	                        "\"imageIndex\":0,\"x\":\"\\u001b\"},"
	                        "{\"imageOffset\":32,\"y\":\"\\u007f\"}"));
}

static void a_frame_in_no_image_gets_an_entry_for_none(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_thread *thread = report_add_thread(report, &arena);

	report->format = "crash-text";
	assert_null(ips_formatter.shortcoming(report));
	report_add_frame(&thread->stack, &arena)->address = 66;
	assert_rendered_holds(
	        &ips_formatter, report,
	        "\"frames\":[{\"imageOffset\":66,\"imageIndex\":0}]");
	assert_rendered_holds(
	        &ips_formatter, report,
	        "    {\"size\":0,\"source\":\"A\",\"base\":0,"
	        "\"uuid\":\"00000000-0000-0000-0000-000000000000\"}\n");
}

static void what_has_no_key_is_said(void **state UNUSED)
{
	static const struct {
		const char *line;
		bool is_held;
	} cases[] = {
		{ "", true },
		{ "Anonymous UUID: 1923FB8D", true },
		{ "Time Since Wake: 60 seconds\n", true },
		{ "Time Since Wake: a minute\n", false },
		{ "Build Info: App-1~2 (3)\n", true },
		{ "Build Info: App 1\n", false },
		{ "Bridge OS Version: 6.1 (19P647)\n", true },
		{ "Bridge OS Version: 6.1\n", false },
		{ "Beta: YES\n", true },
		{ "Beta: 3\n", false },
		{ "Exception Note: EXC_CORPSE_NOTIFY\n", true },
		{ "Exception Note: none\n", false },
		{ "Exception Codes: KERN_INVALID_ADDRESS at 0x1\n"
		  "Exception Codes: 0x1, 0x1\n",
		  true },
		{ "UDID: 1\nUDID: 1\n", true },
		{ "UDID: 1\nUDID: 2\n", false },
		{ "Framework Version: 1.0\n", false },
		{ "Framework Version: ???\n", true },
		{ "Framework Version:\n", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const char *text = arena_printf(
		        &arena,
		        "Incident Identifier: 1\nProcess: Demo [61]\n%s\n"
		        "Thread 0 Crashed:\n0   Demo  0x1 0x0 + 1\n",
		        cases[i].line);
		const char *said =
		        ips_formatter.shortcoming(read_report(text, &arena));

		if (!said == !cases[i].is_held)
			fail_msg("'%s': %s", cases[i].line,
			         said ? said : "nothing");
	}
}

static void text_of_any_bytes_stays_json(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);

	report->format = "crash-text";
	report->process.name = "a\"b\\c\n\x1b\xff";
	assert_rendered_holds(
	        &ips_formatter, report,
	        "{\"app_name\":\"a\\\"b\\\\c\\n\\u001b\xef\xbf\xbd\",");
}

// Real files, which are not part of the project

#define CORPUS APMTOOL_SOURCE_DIR "/../shared/corpus/ips-crash/"

/** By Apple's own tools, which put the frames of a thread on one line. */
static const char *const apple_files[] = {
	"CharAznableX__crash.ips",
	"inket__2022-08__ios-crash.ips",
	"inket__2022-08__multi-target-crash.ips",
	"inket__2022-08__single-target-crash.ips",
	"inket__ios-crash-in-ips-format.ips",
	"lapfelix__source.ips",
	"mobiledev__MemoryLeakingApp-2022-08-05-132419.ips",
};

/** Pretend that what the device named was named by us. */
static void claim_frames(struct report_stack *stack, void *context UNUSED)
{
	for (size_t i = 0; i < stack->count; i++)
		stack->frames[i].source = REPORT_SOURCE_DWARF;
}

/** Apple escapes slashes, which says the same. */
static char *without_escaped_slashes(struct text text)
{
	struct str plain = { 0 };

	for (size_t i = 0; i < text.size; i++)
		if (!text_starts(text_after(text, i), "\\/"))
			str_add_char(&plain, text.data[i]);
	return plain.data;
}

static void our_frames_are_those_of_apple(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(apple_files); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(file_release) struct file_data file = { 0 };
		const char *path =
		        arena_printf(&arena, CORPUS "%s", apple_files[i]);
		struct error *err =
		        file_read(path, LIMIT_DEFAULT_REPORT, &file);
		struct report *report;

		if (err) {
			error_free(err);
			print_message("skipped: no %s\n", path);
			continue;
		}
		report = read_bytes(file.bytes, &arena);
		report_each_stack(report, claim_frames, NULL);
		SCOPED(mem_drop) char *ours = rendered(&ips_formatter, report);
		SCOPED(mem_drop)
		char *plain = without_escaped_slashes(text_from(ours));
		SCOPED(mem_drop)
		char *expected =
		        without_escaped_slashes(bytes_text(file.bytes));

		assert_string_equal(plain, expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_comes_back_byte_for_byte),
		cmocka_unit_test(only_frames_that_we_named_are_new),
		cmocka_unit_test(elements_of_one_address_are_replaced_together),
		cmocka_unit_test(a_frame_that_the_reader_added_is_not_written),
		cmocka_unit_test(of_a_repeated_name_the_first_one_counts),
		cmocka_unit_test(a_body_may_be_alone),
		cmocka_unit_test(a_damaged_file_is_written_anew),
		cmocka_unit_test(other_kinds_of_reports_are_given_back),
		cmocka_unit_test(what_acts_on_a_terminal_is_escaped),
		cmocka_unit_test(a_rewritten_file_is_escaped),
		cmocka_unit_test(a_frame_in_no_image_gets_an_entry_for_none),
		cmocka_unit_test(what_has_no_key_is_said),
		cmocka_unit_test(text_of_any_bytes_stays_json),
		cmocka_unit_test(our_frames_are_those_of_apple),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
