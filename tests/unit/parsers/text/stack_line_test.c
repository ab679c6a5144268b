// SPDX-License-Identifier: MIT
#include "parsers/text/stack_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void add_lines(struct report_stack *stack, struct arena *arena,
                      const char *const *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct frame_line line;

		assert_true(frame_line_parse(text_from(lines[i]), &line));
		stack_add_line(stack, &line, arena);
	}
}

static void marked_calls_share_the_frame_of_their_function(void **state UNUSED)
{
	static const char *const lines[] = {
		"0   Demo 0x1010 inner (/src/a.c:1) [inlined]",
		"1   Demo 0x1010 middle (a.c:2) [inlined]",
		"2   Demo 0x1010 outer + 16 (a.c:3)",
		"3   Demo 0x1010 outer + 16 (a.c:3)",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report_stack stack = { 0 };
	const struct report_frame *frame;

	add_lines(&stack, &arena, lines, ARRAY_SIZE(lines));
	assert_int_equal(stack.count, 2);
	frame = &stack.frames[0];
	assert_int_equal(frame->call_count, 3);
	assert_int_equal(frame->line_count, 3);
	assert_int_equal(frame->address, 0x1010);
	assert_int_equal(frame->source, REPORT_SOURCE_REPORT);
	assert_string_equal(frame->image_name, "Demo");
	assert_string_equal(frame->columns, "Demo 0x1010 ");
	assert_int_equal(frame->index_width, 4);
	assert_string_equal(frame->calls[0].symbol, "inner");
	assert_string_equal(frame->calls[0].file, "a.c");
	assert_string_equal(frame->calls[0].path, "/src/a.c");
	assert_string_equal(frame->calls[0].verbatim,
	                    "inner (/src/a.c:1) [inlined]");
	assert_string_equal(frame->calls[2].symbol, "outer");
	assert_null(frame->calls[2].path);
	assert_int_equal(frame->calls[2].symbol_offset, 16);
	assert_int_equal(stack.frames[1].index, 3);
}

static void unmarked_neighbours_are_one_frame_if_names_differ(
        void **state UNUSED)
{
	static const char *const lines[] = {
		"0   Demo 0x1010 _assertionFailure + 3",
		"1   Demo 0x1010 _assertionFailure + 3", // a writer's repeat
		"2   Demo 0x1020 inner + 3",
		"3   Demo 0x1020 outer + 3",
		"4   Demo 0x1020 inner + 3", // recursion begins again
		"5   Demo 0x1020 outer + 3",
		"6   Demo 0x1020 0x1000 + 32",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report_stack stack = { 0 };

	add_lines(&stack, &arena, lines, ARRAY_SIZE(lines));
	assert_int_equal(stack.count, 5);
	assert_int_equal(stack.frames[0].call_count, 1);
	assert_int_equal(stack.frames[1].call_count, 1);
	assert_int_equal(stack.frames[2].call_count, 2);
	assert_int_equal(stack.frames[3].call_count, 2);
	assert_int_equal(stack.frames[3].index, 4);
	assert_int_equal(stack.frames[4].call_count, 0);
	assert_string_equal(stack.frames[4].verbatim, "0x1000 + 32");
	assert_int_equal(stack.frames[4].source, REPORT_SOURCE_NONE);
	assert_int_equal(stack.frames[4].image_offset, 32);
}

static void lines_of_a_frame_are_numbered_one_after_the_other(
        void **state UNUSED)
{
	static const char *const lines[] = {
		"0   Demo 0x1010 inner (a.c:1) [inlined]",
		"1   Demo 0x1010 middle (a.c:2) [inlined]",
		"3   Demo 0x1010 outer + 16 (a.c:3)", // 2 was lost
		"3   Demo 0x1010 other + 16 (a.c:3)", // a number twice
		"2   Demo 0x1010 last + 16 (a.c:3)",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report_stack stack = { 0 };

	add_lines(&stack, &arena, lines, ARRAY_SIZE(lines));
	assert_int_equal(stack.count, 4);
	assert_int_equal(stack.frames[0].call_count, 2);
	assert_int_equal(stack.frames[1].index, 3);
	assert_int_equal(stack.frames[1].call_count, 1);
	assert_int_equal(stack.frames[2].index, 3);
	assert_int_equal(stack.frames[3].index, 2);
}

static void lines_without_address_are_never_merged(void **state UNUSED)
{
	static const char *const lines[] = {
		"0   Demo   inner + 1 [inlined]",
		"1   Demo   outer + 2",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report_stack stack = { 0 };

	add_lines(&stack, &arena, lines, ARRAY_SIZE(lines));
	assert_int_equal(stack.count, 2);
}

static void an_endless_chain_of_inlined_calls_is_truncated(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report_stack stack = { 0 };

	for (unsigned i = 0; i < 1000; i++) {
		struct frame_line line;
		const char *text = arena_printf(
		        &arena, "%-4u Demo 0x1010 f%u [inlined]", i, i);

		assert_true(frame_line_parse(text_from(text), &line));
		line.index_width = 5;
		stack_add_line(&stack, &line, &arena);
	}
	assert_int_equal(stack.count, (1000 + 63) / 64);
}

static void the_frame_after_a_signal_trampoline_is_a_program_counter(
        void **state UNUSED)
{
	static const char *const lines[] = {
		"0   Demo 0x1010 handler + 3",
		"1   libsystem_platform.dylib 0x2010 _sigtramp + 56",
		"2   Demo 0x1020 f + 3",
		"3   Demo 0x1030 g + 3",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report_stack stack = { 0 };

	add_lines(&stack, &arena, lines, ARRAY_SIZE(lines));
	assert_false(stack.frames[1].is_pc);
	assert_true(stack.frames[2].is_pc);
	assert_false(stack.frames[3].is_pc);
}

static void a_line_that_ends_with_the_address_leaves_room_for_a_name(
        void **state UNUSED)
{
	static const char *const lines[] = { "0   Demo 0x1010" };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report_stack stack = { 0 };

	add_lines(&stack, &arena, lines, ARRAY_SIZE(lines));
	assert_string_equal(stack.frames[0].columns, "Demo 0x1010 ");
	assert_string_equal(stack.frames[0].verbatim, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        marked_calls_share_the_frame_of_their_function),
		cmocka_unit_test(
		        unmarked_neighbours_are_one_frame_if_names_differ),
		cmocka_unit_test(
		        lines_of_a_frame_are_numbered_one_after_the_other),
		cmocka_unit_test(lines_without_address_are_never_merged),
		cmocka_unit_test(
		        an_endless_chain_of_inlined_calls_is_truncated),
		cmocka_unit_test(
		        the_frame_after_a_signal_trampoline_is_a_program_counter),
		cmocka_unit_test(
		        a_line_that_ends_with_the_address_leaves_room_for_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
