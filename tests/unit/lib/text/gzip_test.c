// SPDX-License-Identifier: MIT
#include "lib/text/gzip.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <zlib.h>

#include <cmocka.h>

#define LIMIT ((size_t)64 << 20)

/** Append @p in to @p out as a gzip member. */
static void put_member(struct str *out, const void *in, size_t size)
{
	uint8_t *room = mem_alloc(size + 4096);
	z_stream stream = {
		.next_in = (Bytef *)(uintptr_t)in,
		.avail_in = (uInt)size,
		.next_out = room,
		.avail_out = (uInt)(size + 4096),
	};

	assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9,
	                              Z_DEFAULT_STRATEGY),
	                 Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	str_add_bytes(out, room, stream.total_out);
	deflateEnd(&stream);
	free(room);
}

static struct bytes bytes_of(const struct str *str)
{
	return bytes_from_text(str_text(str));
}

static void members_are_unpacked_one_after_the_other(void **state UNUSED)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(gzip_release) struct gzip gzip = { 0 };

	put_member(&in, "Incident ", 9);
	put_member(&in, "", 0);
	put_member(&in, "Identifier", 10);
	// Tapes are padded.
	str_add_bytes(&in, "\0\0\0\0", 4);
	assert_true(gzip_is(bytes_of(&in)));
	assert_null(gzip_inflate(bytes_of(&in), LIMIT, &gzip));
	assert_null(gzip.fault);
	assert_true(text_is(bytes_text(gzip.bytes), "Incident Identifier"));
}

static void other_bytes_after_the_last_member_are_a_fault(void **state UNUSED)
{
	static const struct {
		const char *rest;
		size_t size;
		bool is_fault;
	} cases[] = {
		{ "a;b 5\n", 6, true }, { "\0\0\0", 3, false },
		{ "\0\0a", 3, true },   { "\x1f", 1, true },
		{ "", 0, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str in = { 0 };
		SCOPED(gzip_release) struct gzip gzip = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct inflater *inflater;
		char buffer[16];
		size_t got = 0;

		put_member(&in, "Process", 7);
		str_add_bytes(&in, cases[i].rest, cases[i].size);
		assert_null(gzip_inflate(bytes_of(&in), LIMIT, &gzip));
		assert_int_equal(gzip.bytes.size, 7);
		assert_int_equal(!!gzip.fault, cases[i].is_fault);
		inflater = inflater_new_gzip(bytes_of(&in));
		err = inflater_read(inflater, buffer, sizeof(buffer), &got);
		inflater_free(inflater);
		assert_int_equal(got, 7);
		assert_int_equal(!!err, cases[i].is_fault);
		if (err)
			assert_string_equal(error_message(err), gzip.fault);
	}
}

static void more_than_one_step_of_zlib_is_unpacked(void **state UNUSED)
{
	SCOPED(str_release) struct str plain = { 0 };
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(gzip_release) struct gzip gzip = { 0 };
	uint32_t seed = 1;

	// Noise of 16 letters packs to half its size.
	for (size_t i = 0; i < 3000000; i++) {
		seed = seed * 1664525 + 1013904223;
		str_add_char(&plain, (char)('a' + (seed >> 28)));
	}
	put_member(&in, plain.data, plain.size);
	assert_null(gzip_inflate(bytes_of(&in), LIMIT, &gzip));
	assert_true(text_equal(bytes_text(gzip.bytes), str_text(&plain)));
}

static void data_truncated_anywhere_keeps_what_came_before(void **state UNUSED)
{
	SCOPED(file_release) struct file_data packed = { 0 };
	SCOPED(file_release) struct file_data plain = { 0 };

	assert_null(file_read(APMTOOL_SOURCE_DIR "/samples/demo.crash.gz",
	                      LIMIT, &packed));
	assert_null(file_read(APMTOOL_SOURCE_DIR "/samples/demo.crash", LIMIT,
	                      &plain));
	for (size_t size = 0; size <= packed.bytes.size; size++) {
		SCOPED(gzip_release) struct gzip gzip = { 0 };
		SCOPED(error_drop) struct error *err = NULL;

		err = gzip_inflate(bytes_part(packed.bytes, 0, size), LIMIT,
		                   &gzip);
		if (err) {
			assert_string_equal(error_message(err),
			                    "the gzip data is truncated: "
			                    "nothing can be decompressed");
			assert_true(size < 200);
			continue;
		}
		assert_true(gzip.bytes.size <= plain.bytes.size);
		assert_memory_equal(gzip.bytes.data, plain.bytes.data,
		                    gzip.bytes.size);
		if (size == packed.bytes.size)
			assert_null(gzip.fault);
		else
			assert_string_equal(gzip.fault,
			                    "the gzip data is truncated");
	}
}

static void damage_ends_what_is_unpacked(void **state UNUSED)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(gzip_release) struct gzip checked = { 0 };
	SCOPED(gzip_release) struct gzip spoiled = { 0 };
	struct error *err;

	put_member(&in, "Process: Demo [1]\n", 18);
	// The sum at the end is wrong: the text may be, but it is all here.
	in.data[in.size - 5] ^= 1;
	assert_null(gzip_inflate(bytes_of(&in), LIMIT, &checked));
	assert_int_equal(checked.bytes.size, 18);
	assert_string_equal(checked.fault, "the gzip data is damaged");
	// No such method of packing.
	in.data[2] = 7;
	err = gzip_inflate(bytes_of(&in), LIMIT, &spoiled);
	assert_string_equal(
	        error_message(err),
	        "the gzip data is damaged: nothing can be decompressed");
	error_free(err);
}

static void limits_hold_to_the_byte(void **state UNUSED)
{
	static const struct {
		size_t size;
		size_t limit;
		bool fits;
	} cases[] = {
		{ 99, 100, true }, { 100, 100, true }, { 101, 100, false },
		{ 0, 0, true },    { 1, 0, false },
	};
	char text[128];

	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str in = { 0 };
		SCOPED(gzip_release) struct gzip gzip = { 0 };
		SCOPED(error_drop) struct error *err = NULL;

		put_member(&in, text, cases[i].size);
		err = gzip_inflate(bytes_of(&in), cases[i].limit, &gzip);
		assert_int_equal(!err, cases[i].fits);
		if (!err)
			continue;
		assert_int_equal(error_code(err), ERROR_LIMIT);
		if (cases[i].limit)
			assert_string_equal(error_message(err),
			                    "gzip data that decompresses to "
			                    "more than 100 bytes");
	}
}

static void a_bomb_is_refused_but_small_ones_are_not(void **state UNUSED)
{
	// Zeros pack to a thousandth, and a bit less.
	size_t size = (size_t)16 << 20;
	char *zeros = mem_zalloc(size, 1);
	SCOPED(str_release) struct str bomb = { 0 };
	SCOPED(str_release) struct str small = { 0 };
	SCOPED(gzip_release) struct gzip gzip = { 0 };
	struct error *err;

	put_member(&bomb, zeros, size);
	put_member(&small, zeros, GZIP_RATIO_FREE_BYTES);
	free(zeros);
	err = gzip_inflate(bytes_of(&bomb), LIMIT, &gzip);
	assert_non_null(err);
	assert_int_equal(error_code(err), ERROR_LIMIT);
	assert_string_equal(error_message(err),
	                    "gzip data that decompresses to more than 1000 "
	                    "times its size (--limit "
	                    "gzip-ratio=COUNT raises it)");
	error_free(err);
	assert_null(gzip_inflate(bytes_of(&small), LIMIT, &gzip));
	assert_int_equal(gzip.bytes.size, GZIP_RATIO_FREE_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_unpacked_one_after_the_other),
		cmocka_unit_test(other_bytes_after_the_last_member_are_a_fault),
		cmocka_unit_test(more_than_one_step_of_zlib_is_unpacked),
		cmocka_unit_test(
		        data_truncated_anywhere_keeps_what_came_before),
		cmocka_unit_test(damage_ends_what_is_unpacked),
		cmocka_unit_test(limits_hold_to_the_byte),
		cmocka_unit_test(a_bomb_is_refused_but_small_ones_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
