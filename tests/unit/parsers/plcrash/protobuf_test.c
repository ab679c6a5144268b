// SPDX-License-Identifier: MIT
#include "parsers/plcrash/protobuf.h"
#include "tests/unit/parsers/plcrash/protobuf_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define OPEN(literal)                                                     \
	protobuf_open((struct bytes){ .data = (const uint8_t *)(literal), \
	                              .size = sizeof(literal) - 1 },      \
	              0)

static void fields_of_every_type_are_read(void **state UNUSED)
{
	struct protobuf message =
	        OPEN("\x08\xac\x02"           // 1: 300
	             "\x11\1\2\3\4\5\6\7\x08" // 2: fixed64
	             "\x1d\1\2\3\4"           // 3: fixed32
	             "\x22\3abc"              // 4: bytes
	             "\xf8\xff\xff\xff\x0f\1" // 2^29 - 1: 1
	             "\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"); // 5: -1
	static const struct {
		uint64_t number;
		enum protobuf_wire wire;
		uint64_t value;
		size_t offset;
	} expected[] = {
		{ 1, PROTOBUF_VARINT, 300, 1 },
		{ 2, PROTOBUF_FIXED64, UINT64_C(0x0807060504030201), 4 },
		{ 3, PROTOBUF_FIXED32, 0x04030201, 13 },
		{ 4, PROTOBUF_BYTES, 0, 19 },
		{ 536870911, PROTOBUF_VARINT, 1, 27 },
		{ 5, PROTOBUF_VARINT, UINT64_MAX, 29 },
	};
	struct protobuf_field field;

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_true(protobuf_next(&message, &field));
		assert_int_equal(field.number, expected[i].number);
		assert_int_equal(field.wire, expected[i].wire);
		assert_int_equal(field.value, expected[i].value);
		assert_int_equal(field.offset, expected[i].offset);
		if (field.wire == PROTOBUF_BYTES)
			assert_true(text_is(bytes_text(field.bytes), "abc"));
	}
	assert_false(protobuf_next(&message, &field));
	assert_null(message.fault);
	assert_false(message.truncated);
}

static void faults_end_the_message_and_are_placed(void **state UNUSED)
{
#define CASE(bytes, offset, fault)                       \
	{                                                \
		bytes, sizeof(bytes) - 1, offset, fault, \
	}
	static const struct {
		const char *bytes;
		size_t size;
		size_t offset;
		const char *fault;
	} cases[] = {
		CASE("\x08\1\x13\x14", 2, "a field of an unknown type"),
		CASE("\x08\1\x0c", 2, "a field of an unknown type"),
		CASE("\x08\1\x0e", 2, "a field of an unknown type"),
		CASE("\x08\1\x0f", 2, "a field of an unknown type"),
		CASE("\x08\1\0\1", 2, "a field without a number"),
		CASE("\x08\1\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\2", 3,
		     "a number that does not fit 64 bits"),
		CASE("\x08\1\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\2", 3,
		     "a number that does not fit 64 bits"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bytes in = { .data = (const uint8_t *)cases[i].bytes,
			            .size = cases[i].size };
		struct protobuf message = protobuf_open(in, 100);
		struct protobuf_field field;

		assert_true(protobuf_next(&message, &field));
		assert_false(protobuf_next(&message, &field));
		assert_false(protobuf_next(&message, &field));
		assert_string_equal(message.fault, cases[i].fault);
		assert_int_equal(message.fault_offset, 100 + cases[i].offset);
		assert_false(message.truncated);
	}
}

static void a_truncated_message_gives_what_is_complete(void **state UNUSED)
{
	static const char whole[] = "\x08\1\x11\1\2\3\4\5\6\7\x08\x12\4abcd";
	// Fields that can be seen in the first so many bytes.
	static const unsigned counts[] = { 0, 0, 1, 1, 1, 1, 1, 1, 1,
		                           1, 1, 2, 2, 3, 3, 3, 3, 3 };

	for (size_t size = 0; size < sizeof(whole); size++) {
		struct bytes in = { .data = (const uint8_t *)whole,
			            .size = size };
		struct protobuf message = protobuf_open(in, 0);
		struct protobuf_field field = { 0 };
		unsigned count = 0;

		while (protobuf_next(&message, &field))
			count++;
		assert_int_equal(count, counts[size]);
		assert_int_equal(message.truncated, size != 0 && size != 2 &&
		                                            size != 11 &&
		                                            size != 17);
		// The last field comes with what there is of it.
		assert_int_equal(field.truncated, count == 3 && size < 17);
		if (count == 3)
			assert_int_equal(field.bytes.size, size - 13);
	}
}

static void a_length_beyond_everything_is_truncated(void **state UNUSED)
{
	struct protobuf message =
	        OPEN("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\1ab");
	struct protobuf_field field;

	assert_true(protobuf_next(&message, &field));
	assert_true(field.truncated);
	assert_int_equal(field.bytes.size, 2);
	assert_false(protobuf_next(&message, &field));
}

static void only_messages_are_entered_and_not_too_deep(void **state UNUSED)
{
	struct protobuf message = OPEN("\x08\1");
	struct protobuf_field field;
	struct protobuf inner;
	SCOPED(str_release) struct str deep = { 0 };
	SCOPED(str_release) struct str outer = { 0 };
	unsigned depth = 0;

	assert_true(protobuf_next(&message, &field));
	assert_false(protobuf_enter(&message, &field, &inner));
	for (int i = 0; i < 100; i++) {
		put_message(&outer, 1, &deep);
		str_add_text(&deep, str_text(&outer));
		str_clear(&outer);
	}
	message = protobuf_open(built(&deep), 0);
	while (protobuf_next(&message, &field) &&
	       protobuf_enter(&message, &field, &inner)) {
		message = inner;
		depth++;
	}
	assert_int_equal(depth, PROTOBUF_DEPTH - 1);
}

static void offsets_are_those_of_the_input(void **state UNUSED)
{
	struct protobuf message = OPEN("\x12\4\x1a\2\x08\1");
	struct protobuf_field field;
	struct protobuf inner;

	for (int i = 0; i < 2; i++) {
		assert_true(protobuf_next(&message, &field));
		assert_true(protobuf_enter(&message, &field, &inner));
		message = inner;
	}
	assert_true(protobuf_next(&message, &field));
	assert_int_equal(field.offset, 5);
}

static void repeated_numbers_are_read_packed_or_not(void **state UNUSED)
{
	struct protobuf message = OPEN("\x12\4\1\xac\2\3"
	                               "\x10\4"
	                               "\x12\0"
	                               "\x12\2\5\x80");
	static const uint64_t expected[] = { 1, 300, 3, 4, 5 };
	struct protobuf_field field;
	size_t count = 0;

	while (protobuf_next(&message, &field)) {
		struct protobuf_numbers numbers = protobuf_numbers(&field);
		uint64_t value;

		while (protobuf_next_number(&numbers, &value))
			assert_int_equal(value, expected[count++]);
	}
	assert_int_equal(count, ARRAY_SIZE(expected));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_of_every_type_are_read),
		cmocka_unit_test(faults_end_the_message_and_are_placed),
		cmocka_unit_test(a_truncated_message_gives_what_is_complete),
		cmocka_unit_test(a_length_beyond_everything_is_truncated),
		cmocka_unit_test(only_messages_are_entered_and_not_too_deep),
		cmocka_unit_test(offsets_are_those_of_the_input),
		cmocka_unit_test(repeated_numbers_are_read_packed_or_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
