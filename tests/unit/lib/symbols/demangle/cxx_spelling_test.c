// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/cxx_spelling.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void check(const char *printed, const char *wanted)
{
	SCOPED(str_release) struct str spelled = { 0 };

	cxx_spell(text_from(printed), &spelled);
	assert_string_equal(str_cstr(&spelled), wanted);
}

static void what_apple_spells_otherwise(void **state)
{
	static const char *const cases[][2] = {
		{ "f()::{lambda()#1}", "f()::'lambda'()" },
		{ "f()::{lambda(int)#2}::operator()(int) const",
		  "f()::'lambda0'(int)::operator()(int) const" },
		{ "{lambda({lambda(auto:1)#1}, auto:12)#3}",
		  "'lambda1'('lambda'(auto), auto)" },
		{ "A::{unnamed type#1}::f()", "A::'unnamed'::f()" },
		{ "A::{unnamed type#13}", "A::'unnamed11'" },
		{ "f(decltype(nullptr))", "f(std::nullptr_t)" },
		{ "decltype (a(b)) f<c<int> >(decltype (a(c<int>)))",
		  "decltype(a(b)) f<c<int>>(decltype(a(c<int>)))" },
		{ "a<b<c<int> > >", "a<b<c<int>>>" },
		{ "void ( swiftcall*)(int)", "void (int) swiftcall*" },
		{ "void ( swiftasynccall**)(a (b), int)",
		  "void (a (b), int) swiftasynccall**" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(cases[i][0], cases[i][1]);
}

/** No name prints so, or one whose blank means something. */
static void other_text_stays_as_it_is(void **state)
{
	static const char *const cases[] = {
		"{lambda(int",
		"{lambda(int)",
		"{lambda(int)}",
		"{lambda(int#1}",
		"{lambda(int)#}",
		"{lambda(int)#0}",
		"{lambda(int)#x}",
		"{lambda(int)#1x}",
		"{unnamed type#",
		"{unnamed type#}",
		"{unnamed type#0}",
		"{unnamed type#1x}",
		"{default arg#1}",
		"f(int)#1}",
		"auto:1",
		"a::auto",
		"void ( swiftcall*",
		"void ( swiftcall*)",
		"void ( swiftcall*)[4]",
		"void ( swiftcall*)(int",
		"void ( other*)(int)",
		"a-> > b",
		"operator> >",
		"operator>> >",
		"a > b",
		"decltype(null)",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(cases[i], cases[i]);
}

/** Each holds the next; from the 17th on they keep GNU's spelling. */
static void function_types_in_function_types(void **state)
{
	SCOPED(str_release) struct str printed = { 0 };
	SCOPED(str_release) struct str wanted = { 0 };

	(void)state;
	for (size_t i = 0; i < 17; i++) {
		str_add(&printed, "v ( swiftcall*)(");
		str_add(&wanted, i < 16 ? "v (" : "v ( swiftcall*)(");
	}
	for (size_t i = 0; i < 17; i++) {
		str_add(&printed, ")");
		str_add(&wanted, i ? ") swiftcall*" : ")");
	}
	check(str_cstr(&printed), str_cstr(&wanted));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_apple_spells_otherwise),
		cmocka_unit_test(other_text_stays_as_it_is),
		cmocka_unit_test(function_types_in_function_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
