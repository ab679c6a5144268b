// SPDX-License-Identifier: MIT
#include "lib/darwin/exceptions.h"

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

static void numbers_have_names(void **state UNUSED)
{
	assert_name(darwin_exception_name(0), NULL);
	assert_name(darwin_exception_name(1), "EXC_BAD_ACCESS");
	assert_name(darwin_exception_name(13), "EXC_CORPSE_NOTIFY");
	assert_name(darwin_exception_name(14), NULL);
	assert_name(darwin_exception_name(UINT64_MAX), NULL);
	assert_name(darwin_kern_return_name(1), "KERN_INVALID_ADDRESS");
	assert_name(darwin_kern_return_name(50), "KERN_CODESIGN_ERROR");
	assert_name(darwin_kern_return_name(56), "KERN_NOT_FOUND");
	assert_name(darwin_kern_return_name(57), NULL);
}

static void a_code_is_named_for_its_processor(void **state UNUSED)
{
	static const struct {
		const char *code_type;
		uint64_t exception, code;
		const char *name;
		bool has_address;
	} cases[] = {
		{ "X86-64", 1, 13, "EXC_I386_GPFLT", false },
		{ "X86", 1, 13, "EXC_I386_GPFLT", false },
		{ "X86-64", 1, 1, "KERN_INVALID_ADDRESS", true },
		{ "X86-64", 1, 0x101, NULL, true },
		{ "X86-64", 3, 1, "EXC_I386_DIV (divide by zero)", false },
		{ "X86-64", 3, 8, "EXC_I386_SSEEXTERR", false },
		{ "X86-64", 2, 1, NULL, false },
		{ "ARM-64", 1, 13, "KERN_NAME_EXISTS", true },
		{ "ARM-64", 1, 0x101, "EXC_ARM_DA_ALIGN", true },
		{ "ARM-64", 1, 0x105, "EXC_ARM_PAC_FAIL", true },
		{ "ARM", 3, 2, "EXC_ARM_FP_DZ", false },
		{ "ARM-64", 6, 1, NULL, false },
		{ NULL, 1, 2, "KERN_PROTECTION_FAILURE", true },
		{ NULL, 1, 0, NULL, false },
		{ NULL, 3, 1, NULL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct darwin_exception_code code = darwin_exception_code(
		        cases[i].code_type, cases[i].exception, cases[i].code);

		assert_name(code.name, cases[i].name);
		assert_int_equal(code.has_address, cases[i].has_address);
	}
}

static void a_signal_alone_has_an_exception(void **state UNUSED)
{
	static const struct {
		const char *signal, *exception;
	} cases[] = {
		{ "SIGSEGV", "EXC_BAD_ACCESS" },
		{ "SIGBUS", "EXC_BAD_ACCESS" },
		{ "SIGILL", "EXC_BAD_INSTRUCTION" },
		{ "SIGFPE", "EXC_ARITHMETIC" },
		{ "SIGEMT", "EXC_EMULATION" },
		{ "SIGTRAP", "EXC_BREAKPOINT" },
		{ "SIGABRT", "EXC_CRASH" },
		{ "SIGKILL", "EXC_CRASH" },
		{ "SIGTERM", "EXC_CRASH" },
		{ "SIGSYS", "EXC_CRASH" },
		{ "SIG", NULL },
		{ "", NULL },
		{ "99", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_name(darwin_exception_of_signal(cases[i].signal),
		            cases[i].exception);
}

static void an_exception_becomes_a_signal(void **state UNUSED)
{
	static const struct {
		uint64_t exception, code, subcode;
		const char *signal;
	} cases[] = {
		{ 1, 1, 0, "SIGSEGV" },       { 1, 2, 0, "SIGBUS" },
		{ 1, 13, 0, "SIGSEGV" },      { 2, 1, 0, "SIGILL" },
		{ 3, 1, 0, "SIGFPE" },        { 4, 0, 0, "SIGEMT" },
		{ 5, 0x10000, 0, "SIGSYS" },  { 5, 0x10001, 0, "SIGPIPE" },
		{ 5, 0x10002, 0, "SIGABRT" }, { 5, 0x10003, 15, "SIGTERM" },
		{ 5, 0x10003, 99, NULL },     { 5, 7, 0, NULL },
		{ 6, 1, 0, "SIGTRAP" },       { 10, 0x6000000, 0, "SIGABRT" },
		{ 10, 0, 0, NULL },           { 11, 0, 0, NULL },
		{ 12, 0, 0, "SIGKILL" },      { 99, 0, 0, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_name(darwin_signal_name(darwin_default_signal(
		                    cases[i].exception, cases[i].code,
		                    cases[i].subcode)),
		            cases[i].signal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_names),
		cmocka_unit_test(a_code_is_named_for_its_processor),
		cmocka_unit_test(a_signal_alone_has_an_exception),
		cmocka_unit_test(an_exception_becomes_a_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
