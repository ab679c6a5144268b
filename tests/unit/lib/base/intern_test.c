// SPDX-License-Identifier: MIT
#include "lib/base/intern.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void numbers_count_from_0_in_order_of_appearance(void **state UNUSED)
{
	SCOPED(intern_release) struct intern intern = { 0 };

	assert_int_equal(intern_add(&intern, text_from("b")), 0);
	assert_int_equal(intern_add(&intern, text_from("a")), 1);
	assert_int_equal(intern_add(&intern, text_from("b")), 0);
	assert_int_equal(intern_add(&intern, text_from("c")), 2);
	assert_int_equal(intern.count, 3);
	assert_string_equal(intern_cstr(&intern, 1), "a");
}

static void find_adds_nothing(void **state UNUSED)
{
	SCOPED(intern_release) struct intern intern = { 0 };

	assert_int_equal(intern_find(&intern, text_from("a")), INTERN_NONE);
	intern_add(&intern, text_from("b"));
	assert_int_equal(intern_find(&intern, text_from("a")), INTERN_NONE);
	assert_int_equal(intern_find(&intern, text_from("b")), 0);
	assert_int_equal(intern.count, 1);
}

static void the_empty_text_is_a_text(void **state UNUSED)
{
	SCOPED(intern_release) struct intern intern = { 0 };

	assert_int_equal(intern_add(&intern, text_from("x")), 0);
	assert_int_equal(intern_add(&intern, (struct text){ 0 }), 1);
	assert_int_equal(intern_add(&intern, TEXT_NONE), 1);
	assert_string_equal(intern_cstr(&intern, 1), "");
}

static void bytes_are_compared_nul_included(void **state UNUSED)
{
	SCOPED(intern_release) struct intern intern = { 0 };

	assert_int_equal(intern_add(&intern, (struct text){ "a\0b", 3 }), 0);
	assert_int_equal(intern_add(&intern, (struct text){ "a\0c", 3 }), 1);
	assert_int_equal(intern_add(&intern, (struct text){ "a\0", 2 }), 2);
	assert_int_equal(intern_add(&intern, text_from("a")), 3);
	assert_memory_equal(intern.texts[0].data, "a\0b", 4);
}

static void texts_are_copied(void **state UNUSED)
{
	SCOPED(intern_release) struct intern intern = { 0 };
	char text[] = "frame";

	intern_add(&intern, text_from(text));
	text[0] = 'g';
	assert_string_equal(intern_cstr(&intern, 0), "frame");
	assert_int_equal(intern_add(&intern, text_from(text)), 1);
}

static void numbers_outlive_growth_and_a_text_may_be_its_own(
        void **state UNUSED)
{
	SCOPED(intern_release) struct intern intern = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	const uint32_t count = 100000;

	for (uint32_t i = 0; i < count; i++) {
		str_clear(&name);
		str_addf(&name, "function%u", (unsigned)i);
		assert_int_equal(intern_add(&intern, str_text(&name)), i);
		// A text of the table itself, while the table grows.
		assert_int_equal(intern_add(&intern, intern.texts[i / 2]),
		                 i / 2);
	}
	for (uint32_t i = 0; i < count; i++) {
		str_clear(&name);
		str_addf(&name, "function%u", (unsigned)i);
		assert_int_equal(intern_find(&intern, str_text(&name)), i);
		assert_string_equal(intern_cstr(&intern, i), str_cstr(&name));
	}
	assert_true(intern.map.mask / 2 >= intern.count);
}

static void a_released_one_can_be_used_again(void **state UNUSED)
{
	SCOPED(intern_release) struct intern intern = { 0 };

	intern_add(&intern, text_from("a"));
	intern_release(&intern);
	assert_int_equal(intern.count, 0);
	assert_int_equal(intern_find(&intern, text_from("a")), INTERN_NONE);
	assert_int_equal(intern_add(&intern, text_from("b")), 0);
}

static struct text without_first(struct text text)
{
	return text_after(text, 1);
}

static void texts_can_be_shortened_while_they_differ(void **state UNUSED)
{
	SCOPED(intern_release) struct intern intern = { 0 };

	intern_add(&intern, text_from("same"));
	intern_add(&intern, text_from("name"));
	intern_add(&intern, text_from("fame"));
	assert_false(intern_shorten(&intern, without_first));
	assert_int_equal(intern_find(&intern, text_from("name")), 1);
	intern_release(&intern);
	intern_add(&intern, text_from("same"));
	intern_add(&intern, text_from("some"));
	assert_true(intern_shorten(&intern, without_first));
	assert_int_equal(intern_find(&intern, text_from("some")), INTERN_NONE);
	assert_int_equal(intern_add(&intern, text_from("ome")), 1);
	assert_string_equal(intern_cstr(&intern, 0), "ame");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_count_from_0_in_order_of_appearance),
		cmocka_unit_test(find_adds_nothing),
		cmocka_unit_test(the_empty_text_is_a_text),
		cmocka_unit_test(bytes_are_compared_nul_included),
		cmocka_unit_test(texts_are_copied),
		cmocka_unit_test(
		        numbers_outlive_growth_and_a_text_may_be_its_own),
		cmocka_unit_test(a_released_one_can_be_used_again),
		cmocka_unit_test(texts_can_be_shortened_while_they_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
