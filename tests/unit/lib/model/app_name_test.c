// SPDX-License-Identifier: MIT
#include "lib/model/app_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_version_is_no_part_of_a_name(void **state UNUSED)
{
	static const struct {
		const char *app;
		const char *name;
	} cases[] = {
		{ "Demo", "Demo" },
		{ "Demo 2.1 (214)", "Demo" },
		{ "Demo 2.1", "Demo" },
		{ "Demo (214)", "Demo" },
		{ "Demo Pro 2.1", "Demo Pro" },
		{ "Demo Pro", "Demo Pro" },
		{ "Demo 2", "Demo" },
		{ "Demo ", "Demo " },
		{ " 2.1", " 2.1" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_true(text_is(app_name_of(text_from(cases[i].app)),
		                    cases[i].name));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_version_is_no_part_of_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
