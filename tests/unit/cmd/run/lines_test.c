// SPDX-License-Identifier: MIT
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

/** Lines of an input, and the block that was read last. */
struct fixture {
	struct str in;
	struct str block;
	struct source source;
	struct lines lines;
	size_t line;
};

static void fixture_release(struct fixture *f)
{
	lines_release(&f->lines);
	source_release(&f->source);
	str_release(&f->block);
	str_release(&f->in);
}

/** The text of the fixture is all of the input. */
static void use_text(struct fixture *f)
{
	f->source.name = "in";
	f->source.whole = str_text(&f->in);
	f->source.ended = true;
	f->lines.source = &f->source;
}

/** The input is a pipe, into which @p ret_writer leads. */
static void use_pipe(struct fixture *f, int *ret_writer)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	f->source.name = "pipe";
	f->source.fd = ends[0];
	f->lines.source = &f->source;
	f->lines.at_once = true;
	*ret_writer = ends[1];
}

static bool next(struct fixture *f)
{
	return lines_next(&f->lines, &f->block, &f->line);
}

static void blocks_end_with_lines_and_leave_nothing_out(void **state UNUSED)
{
	SCOPED(str_release) struct str all = { 0 };
	SCOPED(fixture_release)
	struct fixture f = { .lines = { .longest = LONGEST } };
	size_t blocks = 0, expected = 1;

	add_lines(&f.in, 3 * LINES_BLOCK_BYTES);
	str_add(&f.in, "the end");
	use_text(&f);
	while (next(&f)) {
		assert_int_equal(f.line, expected);
		assert_false(lines_broken(&f.lines, &f.block));
		for (size_t i = 0; i < f.block.size; i++)
			expected += f.block.data[i] == '\n';
		str_add_text(&all, str_text(&f.block));
		blocks++;
	}
	assert_int_equal(blocks, 4);
	assert_true(text_equal(str_text(&all), str_text(&f.in)));
}

static void blocks_are_as_large_as_wanted(void **state UNUSED)
{
	SCOPED(fixture_release)
	struct fixture f = { .lines = { .longest = LONGEST,
		                        .block_bytes = 1024 } };
	size_t blocks = 0;

	add_lines(&f.in, LINES_BLOCK_BYTES);
	use_text(&f);
	for (; next(&f); blocks++)
		assert_true(f.block.size <= 1024);
	assert_true(blocks >= LINES_BLOCK_BYTES / 1024);
}

static void a_short_input_takes_little_room(void **state UNUSED)
{
	SCOPED(fixture_release)
	struct fixture f = { .lines = { .longest = LONGEST } };

	str_add(&f.in, "one\ntwo\n");
	use_text(&f);
	assert_true(next(&f));
	assert_string_equal(str_cstr(&f.block), "one\ntwo\n");
	assert_true(f.block.cap < LINES_BLOCK_BYTES / 4);
}

static void a_line_end_of_two_bytes_may_lie_between_blocks(void **state UNUSED)
{
	SCOPED(fixture_release)
	struct fixture f = { .lines = { .longest = LONGEST,
		                        .ends_at_cr = true } };

	// The CR of CR LF is the last byte of the first read; the one before
	// it is alone.
	str_add(&f.in, "first\n");
	str_add_repeat(&f.in, 'x', LINES_BLOCK_BYTES - 2 - f.in.size);
	str_add(&f.in, "\r\r\nlast\rone");
	use_text(&f);
	assert_true(next(&f));
	assert_true(text_starts(str_text(&f.block), "first\n"));
	assert_true(text_ends(str_text(&f.block), "x\n"));
	assert_true(next(&f));
	assert_int_equal(f.line, 3);
	assert_string_equal(str_cstr(&f.block), "\r\nlast\none");
	assert_false(next(&f));
}

static void a_line_that_is_too_long_is_given_in_parts(void **state UNUSED)
{
	SCOPED(fixture_release)
	struct fixture f = { .lines = { .longest = LINES_BLOCK_BYTES } };

	str_add_repeat(&f.in, 'x', 5 * LINES_BLOCK_BYTES);
	str_add(&f.in, "\nlast");
	use_text(&f);
	assert_true(next(&f));
	assert_true(lines_broken(&f.lines, &f.block));
	// The longest allowed is not one of these.
	f.lines.longest = 5 * LINES_BLOCK_BYTES;
	assert_true(next(&f));
	assert_false(lines_broken(&f.lines, &f.block));
	assert_int_equal(f.line, 1);
}

static void what_has_come_is_given_at_once(void **state UNUSED)
{
	SCOPED(fixture_release)
	struct fixture f = { .lines = { .longest = LONGEST } };
	int writer;

	use_pipe(&f, &writer);
	// Were more waited for, this would never end.
	assert_int_equal(write(writer, "one\ntwo\nthr", 11), 11);
	assert_true(next(&f));
	assert_string_equal(str_cstr(&f.block), "one\ntwo\n");
	assert_int_equal(write(writer, "ee\n", 3), 3);
	assert_true(next(&f));
	assert_string_equal(str_cstr(&f.block), "three\n");
	assert_int_equal(f.line, 3);
	close(writer);
	assert_false(next(&f));
}

/** Of what a program pours in, a first read has only the beginning. */
static void what_is_poured_in_is_one_block(void **state UNUSED)
{
	SCOPED(fixture_release)
	struct fixture f = { .lines = { .longest = LONGEST } };
	int writer;

	while (f.in.size < 40000)
		str_add(&f.in, "0x100000a0c\n");
	use_pipe(&f, &writer);
	assert_int_equal(write(writer, f.in.data, f.in.size),
	                 (ssize_t)f.in.size);
	assert_int_equal(source_peek(&f.source, 8192).size, 8192);
	assert_true(next(&f));
	assert_int_equal(f.block.size, f.in.size);
	// A few words are answered as ever.
	assert_int_equal(write(writer, "one\n", 4), 4);
	assert_true(next(&f));
	assert_string_equal(str_cstr(&f.block), "one\n");
	close(writer);
	assert_false(next(&f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_end_with_lines_and_leave_nothing_out),
		cmocka_unit_test(blocks_are_as_large_as_wanted),
		cmocka_unit_test(a_short_input_takes_little_room),
		cmocka_unit_test(
		        a_line_end_of_two_bytes_may_lie_between_blocks),
		cmocka_unit_test(a_line_that_is_too_long_is_given_in_parts),
		cmocka_unit_test(what_has_come_is_given_at_once),
		cmocka_unit_test(what_is_poured_in_is_one_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
