// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct form_sizes sizes = { .address = 8,
	                                 .offset = 4,
	                                 .ref_addr = 4 };

/** A form, bytes of a value, and what is read of them. */
struct form_case {
	uint64_t form;
	const char *bytes;
	size_t size; ///< of the value, in all
	uint64_t number;
	bool unread; ///< form_read() has no number for it
};

// Four bytes of the number 0x04030201, and more to come.
#define BYTES "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21"

static const struct form_case cases[] = {
	{ FORM_ADDR, BYTES, 8, 0x0807060504030201, false },
	{ FORM_BLOCK, BYTES, 2, 1, false },
	{ FORM_BLOCK1, BYTES, 2, 1, false },
	{ FORM_BLOCK2, "\2\0\7\7", 4, 2, false },
	{ FORM_BLOCK4, "\1\0\0\0\7", 5, 1, false },
	{ FORM_EXPRLOC, "\3\7\7\7", 4, 3, false },
	{ FORM_DATA1, BYTES, 1, 1, false },
	{ FORM_DATA2, BYTES, 2, 0x0201, false },
	{ FORM_DATA4, BYTES, 4, 0x04030201, false },
	{ FORM_DATA8, BYTES, 8, 0x0807060504030201, false },
	{ FORM_DATA16, BYTES, 16, 0, true },
	{ FORM_STRING, "ab\0", 3, 0, false },
	{ FORM_FLAG, BYTES, 1, 1, false },
	{ FORM_FLAG_PRESENT, "", 0, 1, false },
	{ FORM_SDATA, "\x7f", 1, UINT64_MAX, false },
	{ FORM_UDATA, "\xff\1", 2, 0xff, false },
	{ FORM_STRP, BYTES, 4, 0x04030201, false },
	{ FORM_LINE_STRP, BYTES, 4, 0x04030201, false },
	{ FORM_STRP_SUP, BYTES, 4, 0x04030201, false },
	{ FORM_SEC_OFFSET, BYTES, 4, 0x04030201, false },
	{ FORM_REF_ADDR, BYTES, 4, 0x04030201, false },
	{ FORM_REF1, BYTES, 1, 1, false },
	{ FORM_REF2, BYTES, 2, 0x0201, false },
	{ FORM_REF4, BYTES, 4, 0x04030201, false },
	{ FORM_REF8, BYTES, 8, 0x0807060504030201, false },
	{ FORM_REF_UDATA, "\x81\1", 2, 0x81, false },
	{ FORM_REF_SIG8, BYTES, 8, 0x0807060504030201, false },
	{ FORM_REF_SUP4, BYTES, 4, 0x04030201, false },
	{ FORM_REF_SUP8, BYTES, 8, 0x0807060504030201, false },
	{ FORM_STRX, "\x81\1", 2, 0x81, false },
	{ FORM_STRX1, BYTES, 1, 1, false },
	{ FORM_STRX2, BYTES, 2, 0x0201, false },
	{ FORM_STRX3, BYTES, 3, 0x030201, false },
	{ FORM_STRX4, BYTES, 4, 0x04030201, false },
	{ FORM_ADDRX, "\x81\1", 2, 0x81, false },
	{ FORM_ADDRX1, BYTES, 1, 1, false },
	{ FORM_ADDRX2, BYTES, 2, 0x0201, false },
	{ FORM_ADDRX3, BYTES, 3, 0x030201, false },
	{ FORM_ADDRX4, BYTES, 4, 0x04030201, false },
	{ FORM_LOCLISTX, "\1", 1, 1, false },
	{ FORM_RNGLISTX, "\1", 1, 1, false },
	{ FORM_GNU_ADDR_INDEX, "\1", 1, 1, false },
	{ FORM_GNU_STR_INDEX, "\1", 1, 1, false },
	{ FORM_GNU_REF_ALT, BYTES, 4, 0x04030201, false },
	{ FORM_GNU_STRP_ALT, BYTES, 4, 0x04030201, false },
};

static struct cursor cursor_of(const char *bytes, size_t size)
{
	return cursor_at((struct bytes){ (const uint8_t *)bytes, size }, 0,
	                 CURSOR_LITTLE);
}

static void a_value_of_each_form_is_read_and_skipped(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct form_case *f = &cases[i];
		struct cursor c = cursor_of(f->bytes, f->size);
		int size = form_size(f->form, &sizes);
		uint64_t number = 0;

		if (size != FORM_VARIES)
			assert_int_equal(size, f->size);
		assert_int_equal(form_read(f->form, &sizes, &c, &number),
		                 !f->unread);
		assert_int_equal(number, f->number);
		assert_int_equal(c.pos, f->size);
		c = cursor_of(f->bytes, f->size);
		form_skip(f->form, &sizes, &c);
		assert_true(cursor_ok(&c));
		assert_int_equal(c.pos, f->size);
	}
}

static void a_value_that_is_cut_short_is_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct form_case *f = &cases[i];

		for (size_t size = 0; size < f->size; size++) {
			struct cursor c = cursor_of(f->bytes, size);
			uint64_t number;

			assert_false(form_read(f->form, &sizes, &c, &number));
			assert_false(cursor_ok(&c));
			c = cursor_of(f->bytes, size);
			form_skip(f->form, &sizes, &c);
			assert_false(cursor_ok(&c));
		}
	}
}

/** It is followed once, and to where the value is. */
static void an_indirect_form_leads_to_another(void **state)
{
	static const uint8_t indirect[] = { FORM_INDIRECT, 1 };
	static const uint8_t implied[] = { FORM_IMPLICIT_CONST, 1 };
	static const uint8_t data2[] = { FORM_DATA2, 1, 2 };
	struct cursor c = cursor_of((const char *)data2, 3);
	uint64_t number;

	(void)state;
	assert_int_equal(form_size(FORM_INDIRECT, &sizes), FORM_VARIES);
	assert_int_equal(form_size(FORM_IMPLICIT_CONST, &sizes), 0);
	assert_false(form_read(FORM_INDIRECT, &sizes, &c, &number));
	form_skip(FORM_INDIRECT, &sizes, &c);
	assert_true(cursor_ok(&c));
	assert_int_equal(c.pos, 3);
	c = cursor_of((const char *)indirect, 2);
	form_skip(FORM_INDIRECT, &sizes, &c);
	assert_false(cursor_ok(&c));
	c = cursor_of((const char *)implied, 2);
	form_skip(FORM_INDIRECT, &sizes, &c);
	assert_false(cursor_ok(&c));
}

static void other_forms_are_not_known(void **state)
{
	static const uint64_t forms[] = { 0, 0x02, 0x2d, 0x1f00, 1ULL << 32 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct cursor c = cursor_of(BYTES, 16);
		uint64_t number;

		assert_int_equal(form_size(forms[i], &sizes), FORM_UNKNOWN);
		assert_false(form_read(forms[i], &sizes, &c, &number));
		c = cursor_of(BYTES, 16);
		form_skip(forms[i], &sizes, &c);
		assert_false(cursor_ok(&c));
	}
}

static void indexes_are_known_by_their_forms(void **state)
{
	(void)state;
	for (uint16_t form = 0; form < 0x30; form++) {
		bool address = form == 0x1b || (form >= 0x29 && form <= 0x2c);
		bool string = form == 0x1a || (form >= 0x25 && form <= 0x28);

		assert_int_equal(form_is_address_index(form), address);
		assert_int_equal(form_is_string_index(form), string);
	}
	assert_true(form_is_address_index(FORM_GNU_ADDR_INDEX));
	assert_true(form_is_string_index(FORM_GNU_STR_INDEX));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_of_each_form_is_read_and_skipped),
		cmocka_unit_test(a_value_that_is_cut_short_is_none),
		cmocka_unit_test(an_indirect_form_leads_to_another),
		cmocka_unit_test(other_forms_are_not_known),
		cmocka_unit_test(indexes_are_known_by_their_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
