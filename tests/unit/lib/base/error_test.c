// SPDX-License-Identifier: MIT
#include "lib/base/error.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void contexts_read_from_the_outside_in(void **state UNUSED)
{
	struct error *err = error_new(ERROR_FORMAT, "expected %d", 3);

	err = error_prefix(err, "frames[%d]", 7);
	err = error_prefix(err, "%s", "a%sb.ips");
	assert_string_equal(error_message(err),
	                    "a%sb.ips: frames[7]: expected 3");
	assert_int_equal(error_code(err), ERROR_FORMAT);
	error_free(err);
}

static void the_system_reason_is_lower_case(void **state UNUSED)
{
	struct error *err = error_os(ENOENT, "cannot open '%s'", "x");

	assert_string_equal(error_message(err),
	                    "cannot open 'x': no such file or directory");
	assert_int_equal(error_code(err), ERROR_OS);
	error_free(err);
}

static void a_reason_is_without_the_name_in_front(void **state UNUSED)
{
	struct error *err = error_new(ERROR_FORMAT, "a.ips: b: expected 3");

	assert_true(text_is(error_reason(err, "a.ips"), "b: expected 3"));
	assert_true(text_is(error_reason(err, "a"), "a.ips: b: expected 3"));
	assert_true(text_is(error_reason(err, "b"), "a.ips: b: expected 3"));
	error_free(err);
}

static void success_needs_no_context(void **state UNUSED)
{
	assert_null(error_prefix(NULL, "unused"));
	error_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contexts_read_from_the_outside_in),
		cmocka_unit_test(the_system_reason_is_lower_case),
		cmocka_unit_test(a_reason_is_without_the_name_in_front),
		cmocka_unit_test(success_needs_no_context),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
