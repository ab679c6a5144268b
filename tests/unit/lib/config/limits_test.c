// SPDX-License-Identifier: MIT
#include "lib/config/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void our_own_table_is_sound(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct limits limits = { 0 };
	const struct limit *limit;

	assert_null(limits_parse(text_from(device_limits_text), "ours", &arena,
	                         &limits));
	limit = limits_find(&limits, "iPhone 6s Plus");
	assert_int_equal(limit->limit_bytes, 1396 << 20);
	assert_int_equal(limit->ram_bytes, (uint64_t)2048 << 20);
	assert_string_equal(limit->os, "10.2.1");
	assert_non_null(limits.source);
	assert_null(limits_find(&limits, "iPhone 99"));
	assert_null(limits_find(&limits, NULL));
}

static void a_limit_may_have_a_fraction(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct limits limits = { 0 };

	assert_null(limits_parse(
	        text_from("limits:\n  - {device: A, limit: 1450.09375, "
	                  "ram: 2048.5}\n"),
	        "f", &arena, &limits));
	assert_int_equal(limits.items[0].limit_bytes, 92806 * 16384);
	assert_int_equal(limits.items[0].ram_bytes, 4097ULL << 19);
}

static void a_limit_is_a_tebibyte_at_most(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct limits limits = { 0 };

	assert_null(limits_parse(
	        text_from("limits:\n  - {device: A, limit: 1048575.5, "
	                  "ram: 1048576}\n"),
	        "f", &arena, &limits));
	assert_true(limits.items[0].ram_bytes == UINT64_C(1) << 40);
}

static void mistakes_are_reported_with_their_place(void **state UNUSED)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "limits: 7\n", "f:1:9: limits: expected a list, found '7'" },
		{ "limit:\n",
		  "f:1:1: unknown field 'limit' (did you mean 'limits'?)" },
		{ "limits:\n  - device: A\n    ram: 9\n",
		  "f:2:5: the field 'limit' is missing" },
		{ "limits:\n  - device: A\n    limit: 9\n    ram: 8\n",
		  "f:3:12: the limit is above the device's memory" },
		{ "limits:\n  - {device: A, limit: 8., ram: 8}\n",
		  "f:2:24: expected MiB, such as 1450 or 1450.5, found '8.'" },
		{ "limits:\n  - {device: A, limit: 1.5e3, ram: 8}\n",
		  "f:2:24: expected MiB, such as 1450 or 1450.5, found "
		  "'1.5e3'" },
		{ "limits:\n  - {device: A, limit: 1048577, ram: 8}\n",
		  "f:2:24: limit: expected a number from 1 to 1048576, found "
		  "'1048577'" },
		{ "limits:\n  - {device: A, limit: 1048576.5, ram: 8}\n",
		  "f:2:24: expected MiB, such as 1450 or 1450.5, found "
		  "'1048576.5'" },
		{ "limits:\n  - {device: A, limit: 0.5, ram: 8}\n",
		  "f:2:24: expected MiB, such as 1450 or 1450.5, found '0.5'" },
		{ "limits:\n  - {device: A, limit: 8, ram: 8}\n"
		  "  - {device: A, limit: 8, ram: 8}\n",
		  "f:3:5: a second limit for 'A'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct limits limits = { 0 };

		err = limits_parse(text_from(cases[i].text), "f", &arena,
		                   &limits);
		assert_non_null(err);
		assert_string_equal(error_message(err), cases[i].message);
		assert_int_equal(error_code(err), ERROR_CONFIG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_table_is_sound),
		cmocka_unit_test(a_limit_is_a_tebibyte_at_most),
		cmocka_unit_test(a_limit_may_have_a_fraction),
		cmocka_unit_test(mistakes_are_reported_with_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
