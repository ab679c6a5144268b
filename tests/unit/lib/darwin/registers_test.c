// SPDX-License-Identifier: MIT
#include "lib/darwin/registers.h"

#include "lib/darwin/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void a_title_may_be_of_another_writer(void **state UNUSED)
{
	static const struct {
		const char *title;
		const char *flavor;
	} cases[] = {
		{ "ARM Thread State (64-bit)", "ARM_THREAD_STATE64" },
		{ "ARM64 Thread State", "ARM_THREAD_STATE64" },
		{ "ARM Thread State (32-bit)", "ARM_THREAD_STATE" },
		{ "ARM Thread State", "ARM_THREAD_STATE" },
		{ "X86 Thread State (64-bit)", "x86_THREAD_STATE" },
		{ "x86 Thread State", "x86_THREAD_STATE" },
		{ "PPC Thread State", NULL },
		{ "Thread State", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct darwin_thread_state *kind =
		        darwin_thread_state_of_title(cases[i].title);

		if (cases[i].flavor)
			assert_string_equal(kind->flavor, cases[i].flavor);
		else
			assert_null(kind);
	}
}

static void a_flavor_says_the_width_or_means_64_bits(void **state UNUSED)
{
	static const struct {
		const char *flavor;
		uint64_t cpu_type;
	} cases[] = {
		{ "ARM_THREAD_STATE64", DARWIN_CPU_ARM64 },
		{ "ARM_THREAD_STATE", DARWIN_CPU_ARM },
		{ "x86_THREAD_STATE", DARWIN_CPU_X86_64 },
		{ "x86_THREAD_STATE64", DARWIN_CPU_X86_64 },
		{ "x86_THREAD_STATE32", DARWIN_CPU_X86 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(darwin_thread_state_of_flavor(cases[i].flavor)
		                         ->cpu_type,
		                 cases[i].cpu_type);
	assert_null(darwin_thread_state_of_flavor("PPC_THREAD_STATE"));
}

static void a_cpu_has_a_title(void **state UNUSED)
{
	assert_string_equal(
	        darwin_thread_state_of_cpu(DARWIN_CPU_ARM64_32)->title,
	        "ARM Thread State (64-bit)");
	assert_string_equal(darwin_thread_state_of_cpu(DARWIN_CPU_X86)->title,
	                    "X86 Thread State (32-bit)");
	assert_string_equal(
	        darwin_thread_state_of_cpu(DARWIN_CPU_POWERPC64)->title,
	        "PPC Thread State (64-bit)");
	assert_null(darwin_thread_state_of_cpu(99));
}

static void the_first_key_of_a_register_is_its_own(void **state UNUSED)
{
	const struct darwin_thread_state *arm =
	        darwin_thread_state_of_cpu(DARWIN_CPU_ARM64);
	const struct darwin_thread_state *x86 =
	        darwin_thread_state_of_cpu(DARWIN_CPU_X86);

	assert_string_equal(darwin_register_key(arm, "fp"), "fp");
	assert_string_equal(darwin_register_key(x86, "efl"), "eflags");
	assert_string_equal(darwin_register_key(x86, "cr2"), "cr2");
	assert_string_equal(darwin_register_key(x86, "tmp0"), "tmp0");
}

static void a_mark_belongs_to_one_kind(void **state UNUSED)
{
	for (size_t i = 0; darwin_thread_states[i].title; i++)
		for (size_t k = 0; darwin_thread_states[k].title; k++)
			for (size_t r = 0; darwin_thread_states[i].mark &&
			                   r < darwin_thread_states[k].count;
			     r++)
				assert_int_equal(
				        i == k && r == 0,
				        !strcmp(darwin_thread_states[i].mark,
				                darwin_thread_states[k]
				                        .registers[r]
				                        .key));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_title_may_be_of_another_writer),
		cmocka_unit_test(a_flavor_says_the_width_or_means_64_bits),
		cmocka_unit_test(a_cpu_has_a_title),
		cmocka_unit_test(the_first_key_of_a_register_is_its_own),
		cmocka_unit_test(a_mark_belongs_to_one_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
