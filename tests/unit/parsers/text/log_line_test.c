// SPDX-License-Identifier: MIT
#include "parsers/text/log_line.h"

#include "parsers/text/log_mark.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define DEMO_UUID "4C4C44BD-5555-3144-A18B-1D7A14ACC538"

/** A line, what it says, and what of it a name replaces; -1: absent. */
struct frame_case {
	const char *line;
	const char *image;
	uint64_t address;
	int64_t offset;
	const char *symbol;
	int64_t symbol_offset;
	int64_t index;
	const char *replaced;
};

static bool is_marked(struct text line)
{
	enum log_mark mark = LOG_MARK_NONE;
	size_t at = 0;

	while ((at = log_line_find(line, at, &mark)) < line.size &&
	       mark != LOG_MARK_LINE)
		at++;
	return at < line.size;
}

static struct log_line read_line(const char *line, enum log_line_kind kind)
{
	struct log_line found;

	log_line_read(text_from(line), &found);
	if (found.kind != kind)
		fail_msg("%s: expected kind %d, found %d", line, (int)kind,
		         (int)found.kind);
	if (kind != LOG_LINE_OTHER && !is_marked(text_from(line)))
		fail_msg("%s: would not be read", line);
	return found;
}

static void assert_text(const char *line, struct text text,
                        const char *expected)
{
	if (!text_is(text, expected ? expected : ""))
		fail_msg("%s: expected \"%s\", found \"%.*s\"", line,
		         expected ? expected : "", TEXT_ARGS(text));
}

static void check_case(const struct frame_case *expected)
{
	struct log_frame found =
	        read_line(expected->line, LOG_LINE_FRAME).frame;
	struct text line = text_from(expected->line);

	assert_text(expected->line, found.image, expected->image);
	assert_int_equal(found.address, expected->address);
	assert_int_equal(found.has_offset, expected->offset >= 0);
	if (found.has_offset)
		assert_int_equal(found.offset, expected->offset);
	assert_text(expected->line, found.symbol, expected->symbol);
	assert_int_equal(found.has_symbol_offset, expected->symbol_offset >= 0);
	if (found.has_symbol_offset)
		assert_int_equal(found.symbol_offset, expected->symbol_offset);
	assert_int_equal(found.index_size > 0, expected->index >= 0);
	if (found.index_size)
		assert_int_equal(found.index, expected->index);
	assert_text(
	        expected->line,
	        text_first(text_after(line, found.name_at), found.name_size),
	        expected->replaced);
}

static void frames_are_found_after_any_prefix(void **state UNUSED)
{
	static const struct frame_case cases[] = {
		{ "4   Demo   0x0000000104d08abc Demo + 35516", "Demo",
		  0x104d08abc, 35516, NULL, -1, 4, "Demo + 35516" },
		{ "2026-11-01 10:00:00.123 My App[612:12] \t4   My App 2   "
		  "0x0000000104d08abc 0x104d00000 + 35516\r",
		  "My App 2", 0x104d08abc, 35516, NULL, -1, 4,
		  "0x104d00000 + 35516" },
		{ "E/x ( 12): 17  Demo\t0x104d08abc -[VC run:] + 20", "Demo",
		  0x104d08abc, -1, "-[VC run:]", 20, 17, "-[VC run:] + 20" },
		{ "12 frames: 3 Demo 0x104d08abc main + 1", "Demo", 0x104d08abc,
		  -1, "main", 1, 3, "main + 1" },
		{ "4   Demo   0x0000000104d08abc ", "Demo", 0x104d08abc, -1,
		  NULL, -1, 4, "" },
		{ "\\t4   Demo   0x0000000104d08abc Demo + 1", "Demo",
		  0x104d08abc, 1, NULL, -1, 4, "Demo + 1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_case(&cases[i]);
}

static void other_tools_write_frames_otherwise(void **state UNUSED)
{
	static const struct frame_case cases[] = {
		{ "Demo                  0x104d08abc main + 20", "Demo",
		  0x104d08abc, -1, "main", 20, -1, "main + 20" },
		{ "  * frame #0: 0x0000000104d08abc Demo`main + 20", "Demo",
		  0x104d08abc, -1, "main", 20, -1, "main + 20" },
		{ "frame #1: 0x0000000104d08abc Demo`___lldb_unnamed_symbol7 "
		  "+ 20",
		  "Demo", 0x104d08abc, -1, NULL, -1, -1,
		  "___lldb_unnamed_symbol7 + 20" },
		{ "1 [ra] [system] 0x0000000104d08abc f() + 12 in Demo", "Demo",
		  0x104d08abc, -1, "f()", 12, -1, "f() + 12" },
		{ "0      0x0000000104d08abc in My App", "My App", 0x104d08abc,
		  -1, NULL, -1, -1, "" },
		{ "3  Demo  0x8abc (Missing UUID " DEMO_UUID ")", "Demo", 0,
		  0x8abc, NULL, -1, 3, "(Missing UUID " DEMO_UUID ")" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_case(&cases[i]);
	assert_true(read_line(cases[1].line, LOG_LINE_FRAME).frame.is_pc);
	assert_true(
	        read_line(cases[0].line, LOG_LINE_FRAME).frame.is_unnumbered);
	assert_false(read_line(cases[3].line, LOG_LINE_FRAME).frame.is_pc);
}

/** Their offsets are from where the image was linked. */
static void sanitizers_print_linked_addresses(void **state UNUSED)
{
	static const struct {
		struct frame_case frame;
		uint64_t linked;
	} cases[] = {
		{ { "    #1 0x104d08abc  (Demo:arm64+0x100000abc)", "Demo",
		    0x104d08abc, -1, NULL, -1, 1, "" },
		  0x100000abc },
		{ { "10:00:00 Demo[612]     #12 0x104d08abc in f(int)+0x9 "
		    "(/tmp/My App:arm64+0xabc)",
		    "My App", 0x104d08abc, -1, "f(int)", -1, 12,
		    "in f(int)+0x9" },
		  0xabc },
		{ { "    #0 f <null> (Demo:arm64+0xabc)\r", "Demo", 0, -1,
		    "f <null>", -1, 0, "f <null>" },
		  0xabc },
		{ { "#0 <null> <null> (Demo:arm64+0xabc)", "Demo", 0, -1, NULL,
		    -1, 0, "<null> <null>" },
		  0xabc },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct log_frame found;

		check_case(&cases[i].frame);
		found = read_line(cases[i].frame.line, LOG_LINE_FRAME).frame;
		assert_true(found.is_linked && found.is_pc);
		assert_int_equal(found.linked, cases[i].linked);
		assert_false(found.has_line);
	}
	assert_true(read_line("#0 f a.c:3 (Demo:arm64+0xabc)", LOG_LINE_FRAME)
	                    .frame.has_line);
	read_line("#0 0x104d08abc in f a.c:3", LOG_LINE_OTHER);
	read_line("# 0x104d08abc (Demo+0xabc)", LOG_LINE_OTHER);
}

static void lines_that_have_a_line_are_marked(void **state UNUSED)
{
	static const char *const lines[] = {
		"4   Demo   0x0000000104d08abc main + 20 (main.c:3)",
		"4   Demo   0x0000000104d08abc f + 2 (main.c:3) [inlined]",
		"frame #1: 0x0000000104d08abc Demo`main at main.c:3:1",
		"1 [ra] 0x0000000104d08abc f() + 12 in Demo at /a/b.swift:1:2",
		"4   Demo   0x0000000104d08abc main + 20 (main.c:3, near)",
		"4   Demo   0x0000000104d08abc kfun:f(){} (a.kt:10:9)",
		"4   Demo   0x0000000104d08abc f [inlined]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_true(read_line(lines[i], LOG_LINE_FRAME).frame.has_line);
}

static void other_lines_are_no_frames(void **state UNUSED)
{
	static const char *const lines[] = {
		"",
		"0x104d08abc",
		"<UIView: 0x104d08abc; frame = (0 0; 1 2)>",
		"opened 3 files at 0x104d08abc",
		"4   Demo   0x12 main + 20",
		"x0: 0x0000000104d08abc   x1: 0x0000000104d08abc",
		"3 Demo 0x104d08abc a + 1 4 Demo 0x104d08abc",
		"[ 0] nothing",
		"dyld: <" DEMO_UUID ">",
		"0x104d00000 - 0x104d0bfff Demo arm64 /var/Demo",
		// What is no word is no address.
		"frame #0: 0x0000000104d08abc@x Demo`main + 20",
		"[  0] " DEMO_UUID " 0x0000000104d00000@ /tmp/Demo",
		"dyld: <4C4C44-BD5555-3144-A18B-1D7A14ACC538> /tmp/Demo",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		read_line(lines[i], LOG_LINE_OTHER);
}

/** Nearly all lines of a log: the first look has to decide. */
static void other_lines_of_logs_have_no_mark(void **state UNUSED)
{
	static const char *const lines[] = {
		"(libxpc.dylib) 0x10a2b3c40 deallocated",
		"Demo(UIKitCore)[612] <Notice>: 0x10a2b3c40 deallocated",
		"task 0x10a2b3c40 ended, error [5] (null) (0 0; 375 812)",
		"[com.acme.shop:payload] 0x10a2b3c40 is in use",
		"<4c4c44bd> and <UIView: 0x104d08abc; frame = (0 0; 1 2)>",
		"2026-11-01 10:00:00.1+0100 0x1234567  Error  "
		"0x80000000000abcd "
		" 612  0  Demo: (libsystem_trace.dylib) [com.acme:cart] is in "
		"use",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (is_marked(text_from(lines[i])))
			fail_msg("%s: is marked", lines[i]);
		read_line(lines[i], LOG_LINE_OTHER);
	}
}

static void images_of_all_lists_are_found(void **state UNUSED)
{
	static const struct {
		const char *line;
		bool has_base;
		uint64_t size;
	} cases[] = {
		{ "10:00:00 Demo[612] 0x104d00000 - 0x104d0bfff Demo arm64  "
		  "<4c4c44bd55553144a18b1d7a14acc538> /var/Demo.app/Demo",
		  true, 0xc000 },
		{ "[  0] " DEMO_UUID " 0x0000000104d00000 /var/Demo.app/Demo",
		  true, 0 },
		{ "0x0000000104d00000\xe2\x80\x93"
		  "0x0000000104d0bfff 4c4c44bd55553144a18b1d7a14acc538 Demo "
		  "/var/Demo.app/Demo",
		  true, 0xc000 },
		{ "dyld[612]: <" DEMO_UUID "> /var/Demo.app/Demo", false, 0 },
		{ "dyld: loaded: <" DEMO_UUID "> /var/Demo.app/Demo\r", false,
		  0 },
	};
	struct uuid uuid;

	assert_true(uuid_parse(text_from(DEMO_UUID), &uuid));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct log_image found =
		        read_line(cases[i].line, LOG_LINE_IMAGE).image;

		assert_true(uuid_equal(&found.uuid, &uuid));
		assert_int_equal(found.has_base, cases[i].has_base);
		assert_int_equal(found.base, found.has_base ? 0x104d00000 : 0);
		assert_int_equal(found.size, cases[i].size);
		assert_text(cases[i].line, found.name, "Demo");
		assert_text(cases[i].line, found.path, "/var/Demo.app/Demo");
	}
}

static void the_process_is_in_the_prefix(void **state UNUSED)
{
	static const struct {
		const char *line;
		uint64_t pid; ///< 0: none
	} cases[] = {
		{ "2026-11-01 10:00:00.123 My App[612:12af] a", 612 },
		{ "Nov  1 10:00:00 iPhone Demo(UIKitCore)[612] <Error>: a[1]",
		  612 },
		{ "dyld[612]: a", 612 },
		{ "2026-11-01 10:00:00.123456+0100 0x1a2b     Error       0x0 "
		  "                 612    0    Demo: a",
		  612 },
		{ "Process:             Demo [612]", 612 },
		{ "2026-11-01 10:00:00.123456+0100 0x1a2b     Error       0x0 "
		  "                 612    0    Acme Shop: (UIKitCore) a[1]",
		  612 },
		{ "2026-11-01 10:00:00.123 Df Demo[612:3039] [com.acme:a] a",
		  612 },
		{ "items[612]: a", 0 },
		{ "10:00:00 4   Demo   0x0000000104d08abc f + 1", 0 },
		{ "10:00:00 a [612]", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct log_line found;

		log_line_read(text_from(cases[i].line), &found);
		assert_int_equal(found.has_pid, cases[i].pid != 0);
		assert_int_equal(found.pid, cases[i].pid);
	}
}

static void a_stack_may_be_one_line(void **state UNUSED)
{
	struct log_line found =
	        read_line("x (0x19f809e48 0x100e80b98)", LOG_LINE_ADDRESSES);

	assert_int_equal(found.addresses_at, 2);
	assert_text("", found.addresses, "0x19f809e48 0x100e80b98");
	read_line("(0x19f809e48)", LOG_LINE_OTHER);
	read_line("(0x19f809e48 a)", LOG_LINE_OTHER);
	read_line("(0x19f809e48 0x100e80b98) b", LOG_LINE_OTHER);
}

static void strings_of_json_are_parts(void **state UNUSED)
{
	struct text rest = text_from("{\"a\":\"b\\nc\\\"d\"}");
	static const char *const parts[] = {
		"{", "a", ":", "b", "c\\\"d", "}"
	};
	struct text part;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		assert_true(log_line_next_part(&rest, &part));
		assert_text(parts[i], part, parts[i]);
	}
	assert_false(log_line_next_part(&rest, &part));
}

static void heads_of_threads_are_known(void **state UNUSED)
{
	assert_true(log_line_begins_thread(text_from("Thread 0 Crashed:")));
	assert_true(log_line_begins_thread(text_from("a: Thread 12:")));
	assert_true(log_line_begins_thread(text_from("Thread 3 name: x")));
	assert_false(log_line_begins_thread(text_from("Thread name: (none)")));
	assert_false(
	        log_line_begins_thread(text_from("Last Exception Backtrace:")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_found_after_any_prefix),
		cmocka_unit_test(other_tools_write_frames_otherwise),
		cmocka_unit_test(sanitizers_print_linked_addresses),
		cmocka_unit_test(lines_that_have_a_line_are_marked),
		cmocka_unit_test(other_lines_are_no_frames),
		cmocka_unit_test(other_lines_of_logs_have_no_mark),
		cmocka_unit_test(images_of_all_lists_are_found),
		cmocka_unit_test(the_process_is_in_the_prefix),
		cmocka_unit_test(a_stack_may_be_one_line),
		cmocka_unit_test(strings_of_json_are_parts),
		cmocka_unit_test(heads_of_threads_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
