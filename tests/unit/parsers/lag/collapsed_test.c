// SPDX-License-Identifier: MIT
#include "tests/unit/parsers/lag/lag_reading.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_reads(struct text in, const char *gives)
{
	struct lag_reading reading;

	lag_reading_begin(&reading);
	lag_reading_take(&reading, in, LAG_FORMAT_COLLAPSED);
	assert_string_equal(str_cstr(&reading.out), gives);
	lag_reading_release(&reading);
}

static void test_a_line_is_a_stack_and_its_count(void **state)
{
	(void)state;
	assert_reads(text_from("a;b;c 12\r\na;b 1\n\na;b;c d e 2  \n"
	                       "  a;b\t3\na;b;c 1\nz 1"),
	             "1: 20/1000 a 16/800 { b 16/800(1/50 #2) "
	             "{ c 13/650(13/650 #5) c d e 2/100(2/100 #3) } } "
	             "  a 3/150 { b 3/150(3/150 #4) } z 1/50(1/50 #6) "
	             "run c*12\n");
}

static void test_lines_that_are_no_stacks_are_noted(void **state)
{
	(void)state;
	assert_reads(
	        text_from("a;b\na 2.5\n7\na;;b 1\n;x 1\na x2\na -1\n"
	                  "a 99999999999999999999\nb 0\nb 1.000\nb .5\n"),
	        "1: 5/250 a 3/150(2/100 #1) { b 1/50(1/50 #2) } "
	        "x 1/50(1/50 #3) b 1/50(1/50 #4) run a*2\n"
	        "  note line 1: expected a stack and its count, found "
	        "'a;b'\n"
	        "  note line 2: expected a whole count, found 2.5: 2 is used\n"
	        "  note line 3: expected a stack and its count, found "
	        "'7'\n"
	        "  note line 4: expected a frame, found none: left out\n"
	        "  note line 5: expected a frame, found none: left out\n"
	        "  note line 6: expected a stack and its count, found "
	        "'a x2'\n"
	        "  note line 7: expected a stack and its count, found "
	        "'a -1'\n"
	        "  note line 8: expected a stack and its count, found "
	        "'a 99999999999999999999'\n"
	        "  note line 11: expected a stack and its count, found "
	        "'b .5'\n");
}

static void test_names_become_valid_text(void **state)
{
	static const char in[] = "\xef\xbb\xbf"
	                         "a\xff;b;\xe4\xb8\xad 1\n"
	                         "a;b\0c 7\n";

	(void)state;
	assert_reads((struct text){ in, sizeof(in) - 1 },
	             "1: 1/50 a\xef\xbf\xbd 1/50 { b 1/50 { \xe4\xb8\xad "
	             "1/50(1/50 #1) } } run \xe4\xb8\xad*1\n"
	             "  note line 2: NUL bytes: the line, and the text in "
	             "their place, are lost\n");
}

static void test_each_line_with_a_flaw_is_noted(void **state)
{
	(void)state;
	assert_reads(text_from("a;;b 1\na;;b 1\na;;c 1\na;b 1\n"),
	             "1: 4/200 a 4/200 { b 3/150(3/150 #4) c 1/50(1/50 #3) } "
	             "run b*2\n"
	             "  note line 1: expected a frame, found none: left out\n"
	             "  note line 2: expected a frame, found none: left out\n"
	             "  note line 3: expected a frame, found none: left out\n");
}

static void test_frames_are_shared_up_to_a_semicolon_only(void **state)
{
	(void)state;
	assert_reads(text_from("main;load 1\nmain;loadAll 1\nmain;load;x 1\n"
	                       "main;load 1\nmain 1\nmai 1\nmain;load;x y 1\n"),
	             "1: 7/350 main 6/300(1/50 #5) { load 4/200(2/100 #4) "
	             "{ x 1/50(1/50 #3) x y 1/50(1/50 #7) } "
	             "loadAll 1/50(1/50 #2) } mai 1/50(1/50 #6) run x y*1\n");
}

static void test_the_founding_example_counts_the_same(void **state)
{
	(void)state;
	assert_reads(text_from("f1;f2;f3;f4;f5 1\nf1;f2;f3;f4;f6 2\n"
	                       "f1;f2;f3;f4;f7 1\nf1;f2;f3;f4 3\n"
	                       "f1;f2;f3;f4;f8 1\n"),
	             "1: 8/400 f1 8/400 { f2 8/400 { f3 8/400 { "
	             "f4 8/400(3/150 #4) { f5 1/50(1/50 #1) f6 2/100(2/100 #2) "
	             "f7 1/50(1/50 #3) f8 1/50(1/50 #5) } } } } run f4*3\n");
}

static void test_a_stack_too_deep_loses_its_middle(void **state)
{
	SCOPED(str_release) struct str in = { 0 };
	struct lag_reading reading;
	const char *out;

	(void)state;
	for (int line = 0; line < 2; line++) {
		for (int i = 0; i < 5000; i++)
			str_addf(&in, "%sf%d", i ? ";" : "", i);
		str_add(&in, " 1\n");
	}
	str_add(&in, "f0;f1 1\n");
	lag_reading_begin(&reading);
	lag_reading_take(&reading, str_text(&in), LAG_FORMAT_COLLAPSED);
	out = str_cstr(&reading.out);
	// The middle leaves no nodes.
	assert_non_null(strstr(out, "{ f1 3/150(1/50 #3) { f2 2/100 {"));
	assert_non_null(strstr(out, "{ f2047 2/100 { f2952 2/100 {"));
	assert_non_null(strstr(out, "{ f4999 2/100(2/100 #2) }"));
	assert_null(strstr(out, " f2048 "));
	assert_non_null(strstr(out, "\n  note line 2: expected at most 4096 "
	                            "frames, found 5000: the middle is left "
	                            "out\n"));
	lag_reading_release(&reading);
}

static void test_a_long_symbol_is_truncated(void **state)
{
	SCOPED(str_release) struct str in = { 0 };
	struct lag_reading reading;

	(void)state;
	str_add_repeat(&in, 'x', 20000);
	str_add(&in, ";y 1\n");
	lag_reading_begin(&reading);
	lag_reading_take(&reading, str_text(&in), LAG_FORMAT_COLLAPSED);
	assert_int_equal(reading.names.texts[0].size, 16384);
	assert_non_null(strstr(str_cstr(&reading.out),
	                       "  note line 1: expected at most 16384 bytes, "
	                       "found 20000: truncated\n"));
	lag_reading_release(&reading);
}

/** Whole lines, cut into blocks at every line end in turn. */
static void test_blocks_read_as_one_input(void **state)
{
	const struct text in = text_from("a;b;c 1\na;b;c 2\na;b 1\nbad\n"
	                                 "a;b;d x 1\na;;b 1\na;b;d x;e 4\n");
	struct lag_reading whole;

	(void)state;
	lag_reading_begin(&whole);
	lag_reading_take(&whole, in, LAG_FORMAT_COLLAPSED);
	for (size_t at = 0, line = 1; at < in.size; at++) {
		struct lag_reading parts;
		SCOPED(mem_drop) char *first = NULL;

		if (in.data[at] != '\n')
			continue;
		line++;
		// The first block's bytes are gone when the second is read.
		first = mem_strndup(in.data, at + 1);
		lag_reading_begin(&parts);
		lag_read_collapsed(&parts.reader,
		                   (struct text){ first, at + 1 }, 1);
		memset(first, '?', at + 1);
		lag_read_collapsed(&parts.reader, text_after(in, at + 1), line);
		lag_reader_end(&parts.reader);
		assert_string_equal(str_cstr(&parts.out), str_cstr(&whole.out));
		lag_reading_release(&parts);
	}
	lag_reading_release(&whole);
}

static void test_an_input_does_not_go_on_from_the_one_before(void **state)
{
	struct lag_reading reading;

	(void)state;
	lag_reading_begin(&reading);
	lag_reading_take(&reading, text_from("a;b 1\n"), LAG_FORMAT_COLLAPSED);
	lag_reading_take(&reading, text_from("a;c 1\n"), LAG_FORMAT_COLLAPSED);
	assert_string_equal(str_cstr(&reading.out),
	                    "1: 1/50 a 1/50 { b 1/50(1/50 #1) } run b*1\n"
	                    "1: 1/50 a 1/50 { c 1/50(1/50 #1) } run c*1\n");
	lag_reading_release(&reading);
}

/** Stacks enough for a tree that remembers whole lines, each twice. */
static void test_stacks_of_a_large_tree_are_found_again(void **state)
{
	const size_t stacks = 4000;
	struct str in = { 0 };
	struct lag_reader reader;
	struct intern names = { 0 };
	struct calltree *tree = &reader.report.profile.stacks;
	uint64_t samples = 0;

	(void)state;
	lag_reader_init(&reader, &names, NULL, NULL, NULL);
	for (size_t i = 0; i < 2 * stacks; i++) {
		size_t k = i * 7919 % stacks;

		str_addf(&in, "main;a%zu;b%zu %zu\n", k % 50, k, 1 + k % 3);
		// The line before must not be taken for one that was skipped.
		str_addf(&in, "main;a%zu;b%zu;c 1\n", k % 50, k);
	}
	lag_read_collapsed(&reader, str_text(&in), 1);
	assert_int_equal(tree->node_count, 2 + 50 + 2 * stacks);
	for (uint32_t i = 1; i < tree->node_count; i++) {
		const struct calltree_node *node = &tree->nodes[i];
		const char *name = intern_cstr(&names, node->frame);
		uint64_t k = 0;

		number_decimal(text_after(text_from(name), 1), &k);

		samples += node->self_samples;
		if (name[0] == 'b')
			assert_int_equal(node->self_samples, 2 * (1 + k % 3));
		if (name[0] == 'c')
			assert_int_equal(node->self_samples, 2);
	}
	assert_int_equal(samples, reader.report.profile.sample_count);
	lag_reader_release(&reader);
	intern_release(&names);
	str_release(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_line_is_a_stack_and_its_count),
		cmocka_unit_test(test_lines_that_are_no_stacks_are_noted),
		cmocka_unit_test(test_names_become_valid_text),
		cmocka_unit_test(test_each_line_with_a_flaw_is_noted),
		cmocka_unit_test(test_frames_are_shared_up_to_a_semicolon_only),
		cmocka_unit_test(test_the_founding_example_counts_the_same),
		cmocka_unit_test(test_a_stack_too_deep_loses_its_middle),
		cmocka_unit_test(test_a_long_symbol_is_truncated),
		cmocka_unit_test(test_blocks_read_as_one_input),
		cmocka_unit_test(
		        test_an_input_does_not_go_on_from_the_one_before),
		cmocka_unit_test(test_stacks_of_a_large_tree_are_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
