// SPDX-License-Identifier: MIT
#include "lib/darwin/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void architectures_have_their_names(void **state)
{
	static const struct {
		uint64_t cpu_type;
		uint64_t cpu_subtype;
		const char *name;
	} cases[] = {
		{ DARWIN_CPU_ARM64, 0, "arm64" },
		{ DARWIN_CPU_ARM64, 1, "arm64" },
		{ DARWIN_CPU_ARM64, 0x80000002, "arm64e" },
		{ DARWIN_CPU_ARM64, 77, "unknown" },
		{ DARWIN_CPU_ARM64_32, 1, "arm64_32" },
		{ DARWIN_CPU_X86_64, 3, "x86_64" },
		{ DARWIN_CPU_X86_64, 0x80000003, "x86_64" },
		{ DARWIN_CPU_X86_64, 8, "x86_64h" },
		{ DARWIN_CPU_X86, 3, "i386" },
		{ DARWIN_CPU_ARM, 6, "armv6" },
		{ DARWIN_CPU_ARM, 9, "armv7" },
		{ DARWIN_CPU_ARM, 11, "armv7s" },
		{ DARWIN_CPU_ARM, 12, "armv7k" },
		// A subtype that we do not know is of its family all the same.
		{ DARWIN_CPU_ARM, 77, "arm" },
		{ DARWIN_CPU_X86_64, 77, "x86_64" },
		{ 99, 0, "unknown" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name = darwin_arch_label(cases[i].cpu_type,
		                                     cases[i].cpu_subtype);

		assert_string_equal(name, cases[i].name);
		assert_int_equal(darwin_arch_matches(name, cases[i].cpu_type,
		                                     cases[i].cpu_subtype),
		                 strcmp(name, "unknown") != 0);
	}
	assert_true(darwin_arch_matches("ARM64", DARWIN_CPU_ARM64, 0));
	assert_true(darwin_arch_matches("aarch64", DARWIN_CPU_ARM64, 1));
	assert_false(
	        darwin_arch_matches("arm64", DARWIN_CPU_ARM64, 0x80000002));
	assert_false(darwin_arch_matches("arm64e", DARWIN_CPU_ARM64, 0));
	assert_false(darwin_arch_matches("x86_64", DARWIN_CPU_X86_64, 8));
	assert_false(darwin_arch_matches("armv7", DARWIN_CPU_ARM, 11));
	assert_false(darwin_arch_matches("", DARWIN_CPU_ARM, 9));
}

static void a_name_is_one_of_the_table(void **state UNUSED)
{
	assert_true(darwin_arch_is_name(text_from("arm64e")));
	assert_true(darwin_arch_is_name(text_from("ppc64")));
	assert_false(darwin_arch_is_name(text_from("arm64x")));
	assert_false(darwin_arch_is_name(text_from("aarch64")));
	assert_false(darwin_arch_is_name(TEXT_NONE));
	assert_null(darwin_arch_name(DARWIN_CPU_ARM64, 77));
}

static void a_cpu_has_a_code_type(void **state UNUSED)
{
	assert_string_equal(darwin_code_type(DARWIN_CPU_ARM64), "ARM-64");
	assert_string_equal(darwin_code_type(DARWIN_CPU_ARM64_32), "ARM64_32");
	assert_string_equal(darwin_code_type(DARWIN_CPU_ARM), "ARM");
	assert_string_equal(darwin_code_type(DARWIN_CPU_X86), "X86");
	assert_string_equal(darwin_code_type(DARWIN_CPU_POWERPC64), "PPC-64");
	assert_null(darwin_code_type(99));
	assert_string_equal(darwin_code_type_of_arch("arm64_32"), "ARM64_32");
	assert_string_equal(darwin_code_type_of_arch("arm64e"), "ARM-64");
	assert_string_equal(darwin_code_type_of_arch("armv7k"), "ARM");
	assert_string_equal(darwin_arch_of_code_type("X86-64 (Native)"),
	                    "x86_64");
	assert_string_equal(darwin_arch_of_code_type("X86"), "i386");
	assert_string_equal(darwin_arch_of_code_type("arm64e"), "arm64e");
	assert_string_equal(darwin_arch_of_code_type("arm64 v8"), "arm64");
	assert_string_equal(darwin_arch_of_code_type("ARM64"), "arm64");
	assert_string_equal(darwin_arch_of_code_type("m88k"), "m88k");
	assert_null(darwin_arch_of_code_type("ARM-64"));
	assert_null(darwin_arch_of_code_type(NULL));
	assert_string_equal(darwin_code_type_of_arch("x86_64h"), "X86-64");
	assert_string_equal(darwin_code_type_of_arch("vax"), "vax");
	assert_null(darwin_code_type_of_arch(NULL));
	assert_true(darwin_arch_is_intel("i386"));
	assert_false(darwin_arch_is_intel("iPhone12,1"));
	assert_false(darwin_arch_is_intel(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(architectures_have_their_names),
		cmocka_unit_test(a_name_is_one_of_the_table),
		cmocka_unit_test(a_cpu_has_a_code_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
