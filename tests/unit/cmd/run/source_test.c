// SPDX-License-Identifier: MIT
#include "cmd/run/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** A pipe that holds @p in and no more will come of. */
static void open_pipe(struct source *source, const char *in, size_t size)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], in, size), size);
	close(ends[1]);
	*source = (struct source){ .name = "pipe", .fd = ends[0] };
}

static void assert_rest(struct source *source, const char *expected)
{
	struct bytes rest;

	assert_null(source_read_all(source, &rest));
	assert_true(text_is(bytes_text(rest), expected));
	assert_null(source_take_error(source));
}

static void what_was_peeked_at_is_given_again(void **state UNUSED)
{
	SCOPED(source_release) struct source source;
	char buffer[4];

	open_pipe(&source, "head and rest", 13);
	assert_true(text_is(source_peek(&source, 4), "head"));
	// Whatever is asked for, a short input takes little room.
	assert_true(text_is(source_peek(&source, 1 << 20), "head and rest"));
	assert_true(source.head.cap < 1 << 19);
	assert_true(text_is(source_peek(&source, 99), "head and rest"));
	source_skip(&source, 5);
	assert_int_equal(source_read(&source, buffer, 4), 4);
	assert_memory_equal(buffer, "and ", 4);
	assert_rest(&source, "rest");
}

static void a_line_is_waited_for_but_no_more(void **state UNUSED)
{
	SCOPED(source_release) struct source source = { .name = "pipe" };
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	source.fd = ends[0];
	assert_int_equal(write(ends[1], "one\ntw", 6), 6);
	assert_true(text_is(source_peek_line(&source, 100), "one\ntw"));
	close(ends[1]);
	assert_rest(&source, "one\ntw");
}

static void a_mark_is_taken_off_a_stream(void **state UNUSED)
{
	SCOPED(source_release) struct source source;

	open_pipe(&source, "\xef\xbb\xbftext", 7);
	assert_null(source_decode(&source, SIZE_MAX));
	assert_null(source.whole.data);
	assert_rest(&source, "text");
}

static void utf16_is_decoded_as_a_whole(void **state UNUSED)
{
	SCOPED(source_release) struct source source;

	open_pipe(&source, "\xfe\xff\0o\0k", 6);
	assert_null(source_decode(&source, SIZE_MAX));
	assert_string_equal(source.decoded.note,
	                    "the file is UTF-16: converted to UTF-8");
	assert_true(text_is(source_peek(&source, 99), "ok"));
	assert_rest(&source, "ok");
}

// "\xef\xbb\xbfmain;load 1\n"
static const char packed[] =
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x7b\xbf\x7b\x7f"
        "\x6e\x62\x66\x9e\x75\x4e\x7e\x62\x8a\x82\x21\x17\x00\xd6"
        "\xeb\x28\x95\x0f\x00\x00\x00";

static void packed_samples_are_a_stream(void **state UNUSED)
{
	SCOPED(error_drop) struct error *err = NULL;
	SCOPED(source_release) struct source source;
	SCOPED(source_release) struct source cut;
	struct bytes rest;

	open_pipe(&source, packed, sizeof(packed) - 1);
	open_pipe(&cut, packed, sizeof(packed) - 1 - 12);
	assert_null(source_decode(&source, SIZE_MAX));
	assert_null(source.whole.data);
	assert_rest(&source, "main;load 1\n");
	assert_null(source_decode(&cut, SIZE_MAX));
	assert_null(source_read_all(&cut, &rest));
	err = source_take_error(&cut);
	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "pipe: the gzip data is truncated");
}

static void damage_is_blamed_that_was_not_reached(void **state UNUSED)
{
	SCOPED(error_drop) struct error *err = NULL;
	SCOPED(source_release) struct source source;
	const size_t size = sizeof(packed) - 1;
	char damaged[64 * (sizeof(packed) - 1)];

	// The last member is, behind what is peeked at.
	for (size_t at = 0; at < sizeof(damaged); at += size)
		memcpy(damaged + at, packed, size);
	damaged[sizeof(damaged) - 5] ^= 1;
	open_pipe(&source, damaged, sizeof(damaged));
	assert_null(source_decode(&source, SIZE_MAX));
	assert_null(source.decoded.fault);
	assert_null(source_blame(&source, NULL));
	err = source_blame(&source, error_new(ERROR_FORMAT, "no sense"));
	assert_string_equal(error_message(err),
	                    "pipe: the gzip data is damaged: no sense");
}

static void a_failure_is_blamed_alone(void **state UNUSED)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	char buffer[1];

	assert_null(source_open(&source, "/"));
	assert_int_equal(source_read(&source, buffer, 1), 0);
	err = source_blame(&source, error_new(ERROR_FORMAT, "no sense"));
	assert_string_equal(error_message(err),
	                    "cannot read '/': is a directory");
}

static void a_failure_is_kept_until_it_is_taken(void **state UNUSED)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	char buffer[1];

	assert_null(source_open(&source, "/"));
	assert_int_equal(source_read(&source, buffer, 1), 0);
	assert_int_equal(source_read(&source, buffer, 1), 0);
	err = source_take_error(&source);
	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "cannot read '/': is a directory");
	assert_null(source_take_error(&source));
}

/** What reading a file of 3,000 bytes gives that becomes @p size bytes. */
static void check_change(off_t size, const char *message)
{
	SCOPED(source_release) struct source source = { .name = "file" };
	SCOPED(error_drop) struct error *err = NULL;
	char path[] = "/tmp/apmtool-source.XXXXXX";
	char buffer[1000] = { 0 };

	source.fd = mkstemp(path);
	assert_true(source.fd > 2);
	unlink(path);
	for (int i = 0; i < 3; i++)
		assert_int_equal(write(source.fd, buffer, sizeof(buffer)),
		                 sizeof(buffer));
	assert_int_equal(lseek(source.fd, 500, SEEK_SET), 500);
	assert_int_equal(source_read(&source, buffer, sizeof(buffer)),
	                 sizeof(buffer));
	assert_int_equal(ftruncate(source.fd, size), 0);
	while (source_read(&source, buffer, sizeof(buffer)))
		continue;
	err = source_take_error(&source);
	assert_string_equal(err ? error_message(err) : "", message);
}

static void a_file_that_becomes_shorter_is_a_failure(void **state UNUSED)
{
	static const char changed[] =
	        "file: the file changed while it was read";

	check_change(3000, "");
	check_change(5000, "");
	check_change(2999, changed);
	check_change(1500, changed);
	check_change(0, changed);
}

static void a_file_that_is_missing_is_no_source(void **state UNUSED)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(error_drop)
	struct error *err = source_open(&source, "/none/such");

	assert_string_equal(error_message(err), "cannot open '/none/such': "
	                                        "no such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_peeked_at_is_given_again),
		cmocka_unit_test(a_line_is_waited_for_but_no_more),
		cmocka_unit_test(a_mark_is_taken_off_a_stream),
		cmocka_unit_test(utf16_is_decoded_as_a_whole),
		cmocka_unit_test(packed_samples_are_a_stream),
		cmocka_unit_test(damage_is_blamed_that_was_not_reached),
		cmocka_unit_test(a_failure_is_blamed_alone),
		cmocka_unit_test(a_failure_is_kept_until_it_is_taken),
		cmocka_unit_test(a_file_that_is_missing_is_no_source),
		cmocka_unit_test(a_file_that_becomes_shorter_is_a_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
