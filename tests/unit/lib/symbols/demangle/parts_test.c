// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/** A printed name, and what it says of itself. */
struct parts_case {
	const char *printed;
	struct name_parts parts;
};

static void check_part(const char *name, const char *part, const char *wanted)
{
	if (!part != !wanted || (part && strcmp(part, wanted) != 0))
		fail_msg("%s: wanted '%s', got '%s'", name,
		         wanted ? wanted : "(none)", part ? part : "(none)");
}

static void check(const struct parts_case *cases, size_t count,
                  void (*read)(struct text printed, struct arena *arena,
                               struct name_parts *ret))
{
	SCOPED(arena_release) struct arena arena = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct name_parts *wanted = &cases[i].parts;
		struct name_parts parts = { 0 };

		read(text_from(cases[i].printed), &arena, &parts);
		check_part(cases[i].printed, parts.kind, wanted->kind);
		check_part(cases[i].printed, parts.module, wanted->module);
		check_part(cases[i].printed, parts.context, wanted->context);
		check_part(cases[i].printed, parts.base, wanted->base);
	}
}

static void names_of_cxx(void **state)
{
	static const struct parts_case cases[] = {
		{ "A::operator[](int)",
		  { "function", NULL, "A", "operator[]" } },
		{ "A::operator->() const",
		  { "function", NULL, "A", "operator->" } },
		{ "A::operator<<=(int)",
		  { "function", NULL, "A", "operator<<=" } },
		{ "operator new(unsigned long)",
		  { "function", NULL, NULL, "operator new" } },
		{ "A::operator bool",
		  { "variable", NULL, "A", "operator bool" } },
		{ "operators::f()", { "function", NULL, "operators", "f" } },
		{ "a<&(b->c)>::f()", { "function", NULL, "a<&(b->c)>", "f" } },
		{ "a<(1 - 2)>::f()", { "function", NULL, "a<(1 - 2)>", "f" } },
		{ "f(int) volatile::x",
		  { "variable", NULL, "f(int) volatile", "x" } },
		{ "f() const &::x", { "variable", NULL, "f() const &", "x" } },
		{ "f(int", { "function", NULL, NULL, "f" } },
		{ "a<int", { "variable", NULL, NULL, "a<int" } },
		{ "A::'lambda'(int)", { "lambda", NULL, "A", "'lambda'" } },
		{ "f[abi:v1](int)", { "function", NULL, NULL, "f[abi:v1]" } },
		{ "a::{b}::c", { "variable", NULL, "a::{b}", "c" } },
		{ "invocation function for block in f()",
		  { "block", NULL, NULL, "f" } },
		{ "vtable for ", { "vtable", NULL, NULL, NULL } },
		{ "", { NULL, NULL, NULL, NULL } },
		{ "a::", { NULL, NULL, "a", NULL } },
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), cxx_parts);
}

static void names_of_rust(void **state)
{
	static const struct parts_case cases[] = {
		{ "main", { "function", NULL, NULL, "main" } },
		{ "a::b", { "function", "a", "a", "b" } },
		{ "<a::B as c::D>::e",
		  { "function", NULL, "<a::B as c::D>", "e" } },
		{ "a::f::<a::g>::{closure#0}",
		  { "closure", "a", "a::f::<a::g>", "{closure#0}" } },
		{ "a::f::<a::g>", { "function", "a", "a", "f" } },
		{ "a::f::<", { "function", "a", "a", "f::<" } },
		{ "a::<b::c", { "function", NULL, NULL, "a::<b::c" } },
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), rust_parts);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_cxx),
		cmocka_unit_test(names_of_rust),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
