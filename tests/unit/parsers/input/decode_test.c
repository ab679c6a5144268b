// SPDX-License-Identifier: MIT
#include "parsers/input/decode.h"

#include "lib/base/file.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define SAMPLES APMTOOL_SOURCE_DIR "/samples/"
#define LIMIT   ((size_t)64 << 20)

static struct bytes bytes_of(const char *data, size_t size)
{
	return (struct bytes){ .data = (const uint8_t *)data, .size = size };
}

#define LITERAL(text) bytes_of(text, sizeof(text) - 1)

static void marks_are_taken_away_and_utf16_becomes_utf8(void **state UNUSED)
{
	static const struct {
		const char *in;
		size_t size;
		const char *out;
		const char *note;
		bool had_mark;
		bool needs_all;
	} cases[] = {
#define CASE(in, ...) { in, sizeof(in) - 1, __VA_ARGS__ }
		CASE("plain", "plain", NULL, false, false),
		CASE("", "", NULL, false, false),
		CASE("\xef\xbb\xbf", "", NULL, true, false),
		CASE("\xef\xbb\xbfplain", "plain", NULL, true, false),
		// A mark is one at the front, and one only.
		CASE("\xef\xbb\xbf\xef\xbb\xbfx", "\xef\xbb\xbfx", NULL, true,
		     false),
		CASE("\xff\xfe\xe4\0", "\xc3\xa4",
		     "the file is UTF-16: converted to UTF-8", true, true),
		CASE("\xfe\xff\0\xe4", "\xc3\xa4",
		     "the file is UTF-16: converted to UTF-8", true, true),
		CASE("\xfe\xff\xd8\x3d\xde\0", "\xf0\x9f\x98\x80",
		     "the file is UTF-16: converted to UTF-8", true, true),
		// Without a mark, it begins with ASCII.
		CASE("{\0\"\0a\0\"\0:\0 \0\"\0b\0\xe4\0", "{\"a\": \"b\xc3\xa4",
		     "the file is UTF-16: converted to UTF-8", true, true),
		CASE("\0{\0\n\0a\0\"", "{\na\"",
		     "the file is UTF-16: converted to UTF-8", true, true),
		// Half a pair, and half a character.
		CASE("\xfe\xff\xd8\x3d\0x", "\xef\xbf\xbdx",
		     "the file is UTF-16 with invalid characters: converted to "
		     "UTF-8",
		     true, true),
		CASE("\xfe\xff\0x\0", "x",
		     "the file is UTF-16 with invalid characters: converted to "
		     "UTF-8",
		     true, true),
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(decoded_release) struct decoded decoded = { 0 };
		struct bytes in = bytes_of(cases[i].in, cases[i].size);

		assert_null(decode(in, LIMIT, &decoded));
		assert_true(text_is(bytes_text(decoded.bytes), cases[i].out));
		assert_int_equal(decoded.had_mark, cases[i].had_mark);
		assert_int_equal(decode_needs_all(in), cases[i].needs_all);
		assert_null(decoded.packing);
		assert_null(decoded.fault);
		if (cases[i].note)
			assert_string_equal(decoded.note, cases[i].note);
		else
			assert_null(decoded.note);
	}
}

static void gzip_data_is_unpacked_as_far_as_it_goes(void **state UNUSED)
{
	SCOPED(file_release) struct file_data packed = { 0 };
	SCOPED(file_release) struct file_data plain = { 0 };
	SCOPED(decoded_release) struct decoded whole = { 0 };
	SCOPED(decoded_release) struct decoded part = { 0 };

	assert_null(file_read(SAMPLES "demo.crash.gz", LIMIT, &packed));
	assert_null(file_read(SAMPLES "demo.crash", LIMIT, &plain));
	assert_true(decode_needs_all(packed.bytes));
	assert_null(decode(packed.bytes, LIMIT, &whole));
	assert_string_equal(whole.packing, "gzip");
	assert_null(whole.fault);
	assert_true(
	        text_equal(bytes_text(whole.bytes), bytes_text(plain.bytes)));
	packed.bytes.size -= 8;
	assert_null(decode(packed.bytes, LIMIT, &part));
	assert_string_equal(part.fault, "the gzip data is truncated");
	assert_true(
	        text_equal(bytes_text(part.bytes), bytes_text(plain.bytes)));
}

static void data_that_cannot_be_decoded_is_an_error(void **state UNUSED)
{
	// gzip data, stored, that holds the first bytes of gzip data.
	static const char twice[] = "\x1f\x8b\x08\0\0\0\0\0\0\xff"
	                            "\x01\x02\0\xfd\xff\x1f\x8b";
	SCOPED(decoded_release) struct decoded decoded = { 0 };
	SCOPED(error_drop)
	struct error *nested = decode(LITERAL(twice), LIMIT, &decoded);
	SCOPED(decoded_release) struct decoded empty = { 0 };
	SCOPED(error_drop)
	struct error *damaged = decode(LITERAL("\x1f\x8bx"), LIMIT, &empty);

	assert_int_equal(error_code(nested), ERROR_UNSUPPORTED);
	assert_string_equal(error_message(nested),
	                    "gzip data inside gzip data: unpack it first");
	assert_int_equal(error_code(damaged), ERROR_FORMAT);
}

static void what_unpacks_to_more_than_the_limit_is_refused(void **state UNUSED)
{
	SCOPED(file_release) struct file_data packed = { 0 };
	SCOPED(decoded_release) struct decoded decoded = { 0 };
	SCOPED(error_drop) struct error *err = NULL;

	assert_null(file_read(SAMPLES "demo.crash.gz", LIMIT, &packed));
	err = decode(packed.bytes, 100, &decoded);
	assert_int_equal(error_code(err), ERROR_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_are_taken_away_and_utf16_becomes_utf8),
		cmocka_unit_test(gzip_data_is_unpacked_as_far_as_it_goes),
		cmocka_unit_test(data_that_cannot_be_decoded_is_an_error),
		cmocka_unit_test(
		        what_unpacks_to_more_than_the_limit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
