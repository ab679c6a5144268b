// SPDX-License-Identifier: MIT
#include "tests/unit/formatters/rendered.h"

static void assert_text(const struct report *report, const char *expected)
{
	assert_rendered(&text_formatter, report, expected);
}

/** Give @p frame calls; the array is the caller's. */
static void set_calls(struct report_frame *frame, struct report_call *calls,
                      size_t count)
{
	frame->calls = calls;
	frame->call_count = (uint32_t)count;
	frame->source = REPORT_SOURCE_DWARF;
}

static struct report_line *add_line(struct report *report, struct arena *arena,
                                    const char *text)
{
	ARENA_GROW(arena, report->lines, report->line_count, report->line_cap);
	report->lines[report->line_count].text = text;
	return &report->lines[report->line_count++];
}

static void add_run(struct report *report, struct arena *arena,
                    struct report_stack *stack, size_t first, size_t count)
{
	struct report_line *line = add_line(report, arena, NULL);

	line->stack = stack;
	line->first = first;
	line->count = count;
}

/** A frame as the reader of text leaves it, unnamed. */
static struct report_frame *add_text_frame(struct report_stack *stack,
                                           struct arena *arena, uint64_t index)
{
	struct report_frame *frame = report_add_frame(stack, arena);

	frame->index = index;
	frame->line_count = 1;
	frame->columns = "Demo \t0x0000000100001000 ";
	frame->verbatim = "0x100000000 + 4096";
	return frame;
}

static void lines_come_back_as_they_were(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_thread *thread = report_add_thread(report, &arena);
	struct report_call device = {
		.symbol = "main",
		.verbatim = "main (in Demo) (main.m:16)",
	};

	add_line(report, &arena, "Thread 0 Crashed:");
	add_text_frame(&thread->stack, &arena, 0);
	set_calls(add_text_frame(&thread->stack, &arena, 1), &device, 1);
	add_run(report, &arena, &thread->stack, 0, 2);
	add_line(report, &arena, "");
	add_line(report, &arena, "what nobody understands\there");
	assert_text(report,
	            "Thread 0 Crashed:\n"
	            "0   Demo \t0x0000000100001000 0x100000000 + 4096\n"
	            "1   Demo \t0x0000000100001000 main (in Demo) (main.m:16)\n"
	            "\n"
	            "what nobody understands\there\n");
}

static void inlined_calls_move_the_indices_below_them(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_thread *first = report_add_thread(report, &arena);
	struct report_thread *second = report_add_thread(report, &arena);
	struct report_call calls[] = {
		{ .symbol = "leaf",
		  .file = "a.c",
		  .has_line = true,
		  .line = 3 },
		{ .symbol = "root",
		  .has_symbol_offset = true,
		  .symbol_offset = 8 },
	};

	set_calls(add_text_frame(&first->stack, &arena, 0), calls, 2);
	add_text_frame(&first->stack, &arena, 1);
	// Numbers of the input that jump go on jumping.
	add_text_frame(&first->stack, &arena, 510);
	add_text_frame(&second->stack, &arena, 0);
	add_run(report, &arena, &first->stack, 0, 2);
	add_line(report, &arena, "junk");
	add_run(report, &arena, &first->stack, 2, 1);
	add_run(report, &arena, &second->stack, 0, 1);
	assert_text(report,
	            "0   Demo \t0x0000000100001000 leaf (a.c:3) [inlined]\n"
	            "1   Demo \t0x0000000100001000 root + 8\n"
	            "2   Demo \t0x0000000100001000 0x100000000 + 4096\n"
	            "junk\n"
	            "511 Demo \t0x0000000100001000 0x100000000 + 4096\n"
	            "0   Demo \t0x0000000100001000 0x100000000 + 4096\n");
}

static void calls_that_vanish_move_the_indices_back(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_stack *stack = &report_add_thread(report, &arena)->stack;
	struct report_call call = { .symbol = "alone" };

	set_calls(add_text_frame(stack, &arena, 0), &call, 1);
	stack->frames[0].line_count = 3;
	add_text_frame(stack, &arena, 3);
	add_run(report, &arena, stack, 0, 2);
	assert_text(report,
	            "0   Demo \t0x0000000100001000 alone\n"
	            "1   Demo \t0x0000000100001000 0x100000000 + 4096\n");
}

static void an_index_never_touches_the_image(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_stack *stack = &report_add_thread(report, &arena)->stack;

	add_text_frame(stack, &arena, 12345);
	add_run(report, &arena, stack, 0, 1);
	assert_text(report,
	            "12345 Demo \t0x0000000100001000 0x100000000 + 4096\n");
}

static void control_characters_become_visible(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_stack *stack = &report_add_thread(report, &arena)->stack;
	struct report_call call = { .symbol = "a\x1b[2Jb\nc", .file = "\x07" };

	call.has_line = true;
	set_calls(add_text_frame(stack, &arena, 0), &call, 1);
	add_run(report, &arena, stack, 0, 1);
	add_line(report, &arena, "Process: \x1b]0;x\x07");
	assert_text(report, "0   Demo \t0x0000000100001000 "
	                    "a\\x1b[2Jb\\x0ac (\\x07:0)\n"
	                    "Process: \\x1b]0;x\\x07\n");
}

/** A thread whose frames try what a style may do with them. */
static struct report *styled_report(struct arena *arena)
{
	static struct report_call inlined[] = {
		{ .symbol = "leaf" },
		{ .symbol = "run",
		  .has_symbol_offset = true,
		  .symbol_offset = 8,
		  .file = "a.c",
		  .line = 3,
		  .has_line = true },
	};
	static struct report_call system = { .symbol = "start",
		                             .has_symbol_offset = true,
		                             .symbol_offset = 4 };
	static struct report_call redacted = { .symbol = "<redacted>" };
	static struct report_call lost = { .symbol = "jit" };
	struct report *report = report_new(arena);
	struct report_stack *stack = &report_add_thread(report, arena)->stack;
	struct report_image *image = report_add_image(report, arena);

	report->path = "/private/var/x/Demo.app/Demo";
	*image = (struct report_image){ .base = 0x1000,
		                        .name = "Demo",
		                        .path = report->path };
	*report_add_image(report, arena) = (struct report_image){
		.base = 0x8000, .name = "dyld", .path = "/usr/lib/dyld"
	};
	set_calls(add_text_frame(stack, arena, 0), inlined, 2);
	set_calls(add_text_frame(stack, arena, 1), inlined, 2);
	set_calls(add_text_frame(stack, arena, 2), &system, 1);
	set_calls(add_text_frame(stack, arena, 3), &redacted, 1);
	set_calls(add_text_frame(stack, arena, 4), &lost, 1);
	add_text_frame(stack, arena, 5);
	for (size_t i = 0; i < stack->count; i++) {
		stack->frames[i].image = i == 0 || i == 5 ? 0 : 1;
		stack->frames[i].image_offset = 16 + i;
	}
	stack->frames[4].image = REPORT_NO_IMAGE;
	add_run(report, arena, stack, 0, stack->count);
	return report;
}

#define COLUMNS "Demo \t0x0000000100001000 "

static void each_style_shows_names_in_its_way(void **state UNUSED)
{
	static const char *const expected[] = {
		[TEXT_STYLE_FULL] = "0   " COLUMNS "leaf [inlined]\n"
		                    "1   " COLUMNS "run + 8 (a.c:3)\n"
		                    "2   " COLUMNS "leaf [inlined]\n"
		                    "3   " COLUMNS "run + 8 (a.c:3)\n"
		                    "4   " COLUMNS "start + 4\n"
		                    "5   " COLUMNS "<redacted>\n"
		                    "6   " COLUMNS "jit\n"
		                    "7   " COLUMNS "0x100000000 + 4096\n",
		[TEXT_STYLE_PARTIAL] = "0   " COLUMNS "0x1000 + 16\n"
		                       "1   " COLUMNS "leaf [inlined]\n"
		                       "2   " COLUMNS "run + 8 (a.c:3)\n"
		                       "3   " COLUMNS "start + 4\n"
		                       "4   " COLUMNS "0x8000 + 19\n"
		                       "5   " COLUMNS "jit\n"
		                       "6   " COLUMNS "0x1000 + 21\n",
		[TEXT_STYLE_SIDE_BY_SIDE] =
		        "0   " COLUMNS "0x1000 + 16 (run + 8)\n"
		        "1   " COLUMNS "0x8000 + 17 (run + 8)\n"
		        "2   " COLUMNS "0x8000 + 18 (start + 4)\n"
		        "3   " COLUMNS "0x8000 + 19 (<redacted>)\n"
		        "4   " COLUMNS "jit\n"
		        "5   " COLUMNS "0x1000 + 21\n",
		[TEXT_STYLE_RAW] = "0   " COLUMNS "0x1000 + 16\n"
		                   "1   " COLUMNS "0x8000 + 17\n"
		                   "2   " COLUMNS "0x8000 + 18\n"
		                   "3   " COLUMNS "0x8000 + 19\n"
		                   "4   " COLUMNS "jit\n"
		                   "5   " COLUMNS "0x1000 + 21\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(mem_drop)
		char *text = rendered_style((enum text_style)i,
		                            styled_report(&arena));

		assert_string_equal(text, expected[i]);
	}
}

/** The reader leaves the brackets in the call's text. */
static void a_name_beside_its_address_can_be_alone(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_stack *stack = &report_add_thread(report, &arena)->stack;
	struct report_call call = { .symbol = "run",
		                    .has_symbol_offset = true,
		                    .symbol_offset = 8,
		                    .verbatim = "0x1000 + 16 (run + 8)" };

	set_calls(add_text_frame(stack, &arena, 0), &call, 1);
	add_run(report, &arena, stack, 0, 1);
	assert_text(report, "0   " COLUMNS "run + 8\n");
}

static void formatters_are_found_by_name(void **state UNUSED)
{
	assert_ptr_equal(formatter_find("text"), &text_formatter);
	assert_ptr_equal(formatter_find("json"), &json_formatter);
	assert_ptr_equal(formatter_find("jsonl"), &jsonl_formatter);
	assert_ptr_equal(formatter_find("ips"), &ips_formatter);
	assert_null(formatter_find("TEXT"));
	assert_null(formatter_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_back_as_they_were),
		cmocka_unit_test(inlined_calls_move_the_indices_below_them),
		cmocka_unit_test(calls_that_vanish_move_the_indices_back),
		cmocka_unit_test(an_index_never_touches_the_image),
		cmocka_unit_test(control_characters_become_visible),
		cmocka_unit_test(each_style_shows_names_in_its_way),
		cmocka_unit_test(a_name_beside_its_address_can_be_alone),
		cmocka_unit_test(formatters_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
