#include "cmd/run/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define LONGEST ((size_t)64 << 20)

/** Lines of a few bytes, of @p size bytes together. */
static void add_lines(struct str *out, size_t size)
{
	for (size_t i = 0; out->size < size; i++)
		str_addf(out, "line %zu\n", i);
}

static void blocks_end_with_lines_and_leave_nothing_out(void **state UNUSED)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(str_release) struct str all = { 0 };
	SCOPED(str_release) struct str block = { 0 };
	struct source source = { .name = "in", .ended = true };
	SCOPED(lines_release)
	struct lines lines = { .source = &source, .longest = LONGEST };
	size_t line, blocks = 0, expected = 1;

	add_lines(&in, 3 * LINES_BLOCK_BYTES);
	str_add(&in, "the end");
	source.whole = str_text(&in);
	while (lines_next(&lines, &block, &line)) {
		assert_int_equal(line, expected);
		assert_false(lines_broken(&lines, &block));
		for (size_t i = 0; i < block.size; i++)
			expected += block.data[i] == '\n';
		str_add_text(&all, str_text(&block));
		blocks++;
	}
	assert_int_equal(blocks, 4);
	assert_true(text_equal(str_text(&all), str_text(&in)));
	source_release(&source);
}

static void blocks_are_as_large_as_wanted(void **state UNUSED)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(str_release) struct str block = { 0 };
	struct source source = { .name = "in", .ended = true };
	SCOPED(lines_release)
	struct lines lines = { .source = &source,
		               .longest = LONGEST,
		               .block_bytes = 1024 };
	size_t line, blocks = 0;

	add_lines(&in, LINES_BLOCK_BYTES);
	source.whole = str_text(&in);
	for (; lines_next(&lines, &block, &line); blocks++)
		assert_true(block.size <= 1024);
	assert_true(blocks >= LINES_BLOCK_BYTES / 1024);
	source_release(&source);
}

static void a_line_end_of_two_bytes_may_lie_between_blocks(void **state UNUSED)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(str_release) struct str block = { 0 };
	struct source source = { .name = "in", .ended = true };
	SCOPED(lines_release)
	struct lines lines = { .source = &source,
		               .longest = LONGEST,
		               .ends_at_cr = true };
	size_t line;

	// The CR of CR LF is the last byte of the first read; the one before
	// it is alone.
	str_add(&in, "first\n");
	str_add_repeat(&in, 'x', LINES_BLOCK_BYTES - 2 - in.size);
	str_add(&in, "\r\r\nlast\rone");
	source.whole = str_text(&in);
	assert_true(lines_next(&lines, &block, &line));
	assert_true(text_starts(str_text(&block), "first\n"));
	assert_true(text_ends(str_text(&block), "x\n"));
	assert_true(lines_next(&lines, &block, &line));
	assert_int_equal(line, 3);
	assert_string_equal(str_cstr(&block), "\r\nlast\none");
	assert_false(lines_next(&lines, &block, &line));
	source_release(&source);
}

static void a_line_that_is_too_long_is_given_in_parts(void **state UNUSED)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(str_release) struct str block = { 0 };
	struct source source = { .name = "in", .ended = true };
	SCOPED(lines_release)
	struct lines lines = { .source = &source,
		               .longest = LINES_BLOCK_BYTES };
	size_t line;

	str_add_repeat(&in, 'x', 5 * LINES_BLOCK_BYTES);
	str_add(&in, "\nlast");
	source.whole = str_text(&in);
	assert_true(lines_next(&lines, &block, &line));
	assert_true(lines_broken(&lines, &block));
	// The longest allowed is none of these.
	lines.longest = 5 * LINES_BLOCK_BYTES;
	assert_true(lines_next(&lines, &block, &line));
	assert_false(lines_broken(&lines, &block));
	assert_int_equal(line, 1);
	source_release(&source);
}

static void what_has_come_is_given_at_once(void **state UNUSED)
{
	SCOPED(str_release) struct str block = { 0 };
	struct source source = { .name = "pipe" };
	SCOPED(lines_release)
	struct lines lines = { .source = &source,
		               .longest = LONGEST,
		               .at_once = true };
	size_t line;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	source.fd = ends[0];
	// Were more waited for, this would never end.
	assert_int_equal(write(ends[1], "one\ntwo\nthr", 11), 11);
	assert_true(lines_next(&lines, &block, &line));
	assert_string_equal(str_cstr(&block), "one\ntwo\n");
	assert_int_equal(write(ends[1], "ee\n", 3), 3);
	assert_true(lines_next(&lines, &block, &line));
	assert_string_equal(str_cstr(&block), "three\n");
	assert_int_equal(line, 3);
	close(ends[1]);
	assert_false(lines_next(&lines, &block, &line));
	source_release(&source);
}

/** Of what a program pours in, a first read has only the beginning. */
static void what_is_poured_in_is_one_block(void **state UNUSED)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(str_release) struct str block = { 0 };
	struct source source = { .name = "pipe" };
	SCOPED(lines_release)
	struct lines lines = { .source = &source,
		               .longest = LONGEST,
		               .at_once = true };
	size_t line;
	int ends[2];

	while (in.size < 40000)
		str_add(&in, "0x100000a0c\n");
	assert_int_equal(pipe(ends), 0);
	source.fd = ends[0];
	assert_int_equal(write(ends[1], in.data, in.size), (ssize_t)in.size);
	assert_int_equal(source_peek(&source, 8192).size, 8192);
	assert_true(lines_next(&lines, &block, &line));
	assert_int_equal(block.size, in.size);
	// A few words are answered as ever.
	assert_int_equal(write(ends[1], "one\n", 4), 4);
	assert_true(lines_next(&lines, &block, &line));
	assert_string_equal(str_cstr(&block), "one\n");
	close(ends[1]);
	assert_false(lines_next(&lines, &block, &line));
	source_release(&source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_end_with_lines_and_leave_nothing_out),
		cmocka_unit_test(blocks_are_as_large_as_wanted),
		cmocka_unit_test(
		        a_line_end_of_two_bytes_may_lie_between_blocks),
		cmocka_unit_test(a_line_that_is_too_long_is_given_in_parts),
		cmocka_unit_test(what_has_come_is_given_at_once),
		cmocka_unit_test(what_is_poured_in_is_one_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
