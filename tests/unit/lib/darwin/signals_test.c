// SPDX-License-Identifier: MIT
#include "lib/darwin/signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void assert_name(const char *found, const char *expected)
{
	if (!found || !expected)
		assert_ptr_equal(found, expected);
	else
		assert_string_equal(found, expected);
}

static void numbers_are_darwins_whatever_the_host(void **state UNUSED)
{
	// Linux has SIGUSR1 at 10 and SIGSTKFLT at 16.
	assert_name(darwin_signal_name(7), "SIGEMT");
	assert_name(darwin_signal_name(10), "SIGBUS");
	assert_name(darwin_signal_name(16), "SIGURG");
	assert_name(darwin_signal_name(31), "SIGUSR2");
	assert_name(darwin_signal_name(0), NULL);
	assert_name(darwin_signal_name(32), NULL);
	assert_name(darwin_signal_code_name(11, 2), "SEGV_ACCERR");
	assert_name(darwin_signal_code_name(11, 3), NULL);
	assert_name(darwin_signal_code_name(10, 3), "BUS_OBJERR");
	assert_name(darwin_signal_code_name(5, 0), NULL);
	assert_name(darwin_signal_code_name(8, 7), "FPE_INTDIV");
	assert_name(darwin_signal_code_name(6, 0), NULL);
}

static void a_trampoline_is_recognized_by_its_name(void **state UNUSED)
{
	assert_true(darwin_is_signal_trampoline("_sigtramp"));
	assert_false(darwin_is_signal_trampoline("sigtramp"));
	assert_false(darwin_is_signal_trampoline(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_darwins_whatever_the_host),
		cmocka_unit_test(a_trampoline_is_recognized_by_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
