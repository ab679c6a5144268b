// SPDX-License-Identifier: MIT
#include "lib/base/cursor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t digits[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static struct bytes sample(void)
{
	return (struct bytes){ .data = digits, .size = sizeof(digits) };
}

static void ranges_are_checked_without_overflow(void **state UNUSED)
{
	static const struct {
		uint64_t offset, size;
		bool inside;
	} cases[] = {
		{ 0, 8, true },           { 8, 0, true },
		{ 3, 5, true },           { 3, 6, false },
		{ 9, 0, false },          { UINT64_MAX, 1, false },
		{ 1, UINT64_MAX, false }, { UINT64_MAX, UINT64_MAX, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bytes part =
		        bytes_part(sample(), cases[i].offset, cases[i].size);

		assert_int_equal(
		        bytes_has(sample(), cases[i].offset, cases[i].size),
		        cases[i].inside);
		assert_int_equal(part.size,
		                 cases[i].inside ? cases[i].size : 0);
	}
	assert_ptr_equal(bytes_part(sample(), 3, 5).data, digits + 3);
}

static void nothing_is_a_fine_input(void **state UNUSED)
{
	struct bytes none = { 0 };
	struct cursor c = cursor_at(none, 0, CURSOR_LITTLE);

	assert_int_equal(bytes_part(none, 0, 0).size, 0);
	assert_int_equal(cursor_bytes(&c, 0).size, 0);
	assert_true(cursor_ok(&c));
	assert_string_equal(cursor_cstr(&c), "");
	assert_false(cursor_ok(&c));
}

static void numbers_come_in_both_orders(void **state UNUSED)
{
	struct cursor little = cursor_at(sample(), 0, CURSOR_LITTLE);
	struct cursor big = cursor_at(sample(), 0, CURSOR_BIG);

	assert_int_equal(cursor_u8(&little), 1);
	assert_int_equal(cursor_u16(&little), 0x0302);
	assert_int_equal(cursor_u32(&little), 0x07060504);
	assert_int_equal(cursor_u8(&big), 1);
	assert_int_equal(cursor_u16(&big), 0x0203);
	assert_int_equal(cursor_u32(&big), 0x04050607);
	little = cursor_at(sample(), 0, CURSOR_LITTLE);
	big = cursor_at(sample(), 0, CURSOR_BIG);
	assert_true(cursor_u64(&little) == 0x0807060504030201);
	assert_true(cursor_u64(&big) == 0x0102030405060708);
	assert_int_equal(cursor_left(&big), 0);
	assert_true(cursor_ok(&big));
}

static void the_first_failure_stays(void **state UNUSED)
{
	struct cursor c = cursor_at(sample(), 6, CURSOR_LITTLE);
	struct error *err;

	assert_int_equal(cursor_u32(&c), 0);
	// There are bytes left, but a failed cursor gives none.
	assert_int_equal(cursor_u8(&c), 0);
	assert_int_equal(cursor_bytes(&c, 1).size, 0);
	assert_int_equal(cursor_uleb(&c), 0);
	assert_int_equal(cursor_sleb(&c), 0);
	assert_int_equal(c.pos, 6);
	err = cursor_error(&c, "load command");
	assert_string_equal(error_message(err),
	                    "load command: offset 0x6: expected 4 more bytes, "
	                    "found 2");
	assert_int_equal(error_code(err), ERROR_FORMAT);
	error_free(err);
}

static void a_start_after_the_end_fails(void **state UNUSED)
{
	struct cursor c = cursor_at(sample(), 9, CURSOR_LITTLE);

	assert_false(cursor_ok(&c));
	c = cursor_at(sample(), UINT64_MAX, CURSOR_LITTLE);
	assert_false(cursor_ok(&c));
	c = cursor_at(sample(), 8, CURSOR_LITTLE);
	assert_true(cursor_ok(&c));
}

struct leb_case {
	const char *bytes;
	size_t size;
	uint64_t value;
	bool ok;
};

#define LEB(text, value, ok)                      \
	{                                         \
		text, sizeof(text) - 1, value, ok \
	}

static struct cursor leb_cursor(const struct leb_case *c)
{
	return cursor_at((struct bytes){ .data = (const uint8_t *)c->bytes,
	                                 .size = c->size },
	                 0, CURSOR_LITTLE);
}

static void unsigned_leb128_is_read_or_refused(void **state UNUSED)
{
	static const struct leb_case cases[] = {
		LEB("\x00", 0, true),
		LEB("\x7f", 127, true),
		LEB("\x80\x01", 128, true),
		LEB("\xe5\x8e\x26", 624485, true),
		LEB("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", UINT64_MAX,
		    true),
		// Padded with zeros, which writers do to leave room.
		LEB("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 1,
		    true),
		LEB("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 0, false),
		LEB("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 0, false),
		LEB("\x80", 0, false),
		LEB("", 0, false),
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cursor c = leb_cursor(&cases[i]);

		assert_true(cursor_uleb(&c) == cases[i].value);
		assert_int_equal(cursor_ok(&c), cases[i].ok);
		assert_int_equal(c.pos == cases[i].size || !cases[i].ok, true);
	}
}

static void signed_leb128_is_read_or_refused(void **state UNUSED)
{
	static const struct leb_case cases[] = {
		LEB("\x02", 2, true),
		LEB("\x7e", (uint64_t)-2, true),
		LEB("\x20", 32, true),
		LEB("\x40", (uint64_t)-64, true),
		LEB("\xff\x00", 127, true),
		LEB("\x81\x7f", (uint64_t)-127, true),
		LEB("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f",
		    (uint64_t)INT64_MIN, true),
		LEB("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", INT64_MAX,
		    true),
		// Padding repeats the sign.
		LEB("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
		    (uint64_t)-1, true),
		LEB("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 0, false),
		LEB("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 0, false),
		LEB("\xff", 0, false),
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cursor c = leb_cursor(&cases[i]);

		assert_true((uint64_t)cursor_sleb(&c) == cases[i].value);
		assert_int_equal(cursor_ok(&c), cases[i].ok);
	}
}

static void a_number_too_large_is_distinguished_from_a_short_file(
        void **state UNUSED)
{
	struct leb_case number =
	        LEB("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 0, false);
	struct cursor c = leb_cursor(&number);
	struct error *err;

	cursor_uleb(&c);
	err = cursor_error(&c, "size");
	assert_string_equal(error_message(err),
	                    "size: offset 0x0: number does not fit 64 bits");
	error_free(err);
}

static void a_string_ends_inside_the_data(void **state UNUSED)
{
	static const uint8_t data[] = { 'a', 'b', 0, 0, 'c' };
	struct bytes in = { .data = data, .size = sizeof(data) };
	struct cursor c = cursor_at(in, 0, CURSOR_LITTLE);

	assert_string_equal(cursor_cstr(&c), "ab");
	assert_string_equal(cursor_cstr(&c), "");
	assert_true(cursor_ok(&c));
	assert_string_equal(cursor_cstr(&c), "");
	assert_false(cursor_ok(&c));
}

static void an_end_is_ahead_and_inside(void **state UNUSED)
{
	static const uint8_t data[] = { 1, 2, 3, 4 };
	struct bytes in = { .data = data, .size = sizeof(data) };
	struct cursor c = cursor_at(in, 2, CURSOR_LITTLE);
	struct cursor behind = c;
	struct cursor outside = c;

	cursor_end_at(&c, 3);
	assert_int_equal(cursor_u8(&c), 3);
	assert_true(cursor_ok(&c));
	assert_int_equal(cursor_uleb(&c), 0);
	assert_false(cursor_ok(&c));

	cursor_end_at(&behind, 1);
	assert_false(cursor_ok(&behind));
	assert_int_equal(cursor_uleb(&behind), 0);
	cursor_end_at(&outside, 5);
	assert_false(cursor_ok(&outside));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_checked_without_overflow),
		cmocka_unit_test(nothing_is_a_fine_input),
		cmocka_unit_test(numbers_come_in_both_orders),
		cmocka_unit_test(the_first_failure_stays),
		cmocka_unit_test(a_start_after_the_end_fails),
		cmocka_unit_test(unsigned_leb128_is_read_or_refused),
		cmocka_unit_test(signed_leb128_is_read_or_refused),
		cmocka_unit_test(
		        a_number_too_large_is_distinguished_from_a_short_file),
		cmocka_unit_test(a_string_ends_inside_the_data),
		cmocka_unit_test(an_end_is_ahead_and_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
