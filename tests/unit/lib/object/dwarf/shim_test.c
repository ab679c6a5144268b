// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/shim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/** libdwarf may ask for a section by a number that it read somewhere. */
static void only_sections_that_are_there_are_given(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3 };
	struct shim_object object = {
		.sections = { { "", { NULL, 0 } },
		              { ".debug_info", { bytes, sizeof(bytes) } } },
		.section_count = 2,
	};
	shim_section_info info;
	Dwarf_Small *contents = NULL;
	int error = 0;

	(void)state;
	assert_int_equal(shim_section_get(&object, 1, &info, &error),
	                 DW_DLV_OK);
	assert_int_equal(shim_section_load(&object, 1, &contents, &error),
	                 DW_DLV_OK);
	assert_ptr_equal(contents, bytes);
	contents = NULL;
	assert_int_equal(shim_section_get(&object, 2, &info, &error),
	                 DW_DLV_NO_ENTRY);
	assert_int_equal(shim_section_load(&object, 2, &contents, &error),
	                 DW_DLV_NO_ENTRY);
	assert_null(contents);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_sections_that_are_there_are_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
