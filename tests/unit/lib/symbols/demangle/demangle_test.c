// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/demangle.h"

#include "lib/base/str.h"
#include "lib/symbols/demangle/running_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct demangle_case {
	const char *name;
	const char *printed;
};

static void check(const struct demangle_case *cases, size_t count,
                  bool from_symtab)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	for (size_t i = 0; i < count; i++)
		assert_string_equal(
		        demangle(text_from(cases[i].name), from_symtab, &arena),
		        cases[i].printed);
}

static void cxx_names_are_printed_as_written(void **state)
{
	static const struct demangle_case cases[] = {
		{ "_Z3foov", "foo()" },
		{ "_ZN4Feed5parseEPKcm",
		  "Feed::parse(char const*, unsigned long)" },
		{ "_ZNK4Feed4sizeEv", "Feed::size() const" },
		{ "_ZN12_GLOBAL__N_14walkEi",
		  "(anonymous namespace)::walk(int)" },
		{ "_Z5clampIiET_S0_", "int clamp<int>(int)" },
		{ "_ZThn8_N1A1fEv", "non-virtual thunk to A::f()" },
		{ "_ZGVZ3foovE1x", "guard variable for foo()::x" },
		{ "_ZL6helperv", "helper()" },
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), false);
}

static void suffixes_of_the_optimiser_follow_in_brackets(void **state)
{
	static const struct demangle_case cases[] = {
		{ "_Z3foov.cold.1", "foo() (.cold.1)" },
		{ "_Z3foov.llvm.123456", "foo() (.llvm.123456)" },
		{ "_Z3fooIiEvT_.isra.0", "void foo<int>(int) (.isra.0)" },
		{ "_Z3foov.", "foo() (.)" },
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), false);
}

static void blocks_name_the_function_that_holds_them(void **state)
{
	static const struct demangle_case cases[] = {
		{ "___Z3foov_block_invoke",
		  "invocation function for block in foo()" },
		{ "___Z3foov_block_invoke_2",
		  "invocation function for block in foo()" },
		{ "___Z3foov_block_invoke.12",
		  "invocation function for block in foo()" },
		{ "___ZN4Feed5parseEi_block_invoke_2.cold.1",
		  "invocation function for block in Feed::parse(int)" },
		{ "___Z3foov_block_invoke_", "___Z3foov_block_invoke_" },
		{ "___Z3foov_block_invoke_x", "___Z3foov_block_invoke_x" },
		{ "___Z3foov", "___Z3foov" },
		{ "___Znonsense_block_invoke", "___Znonsense_block_invoke" },
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), false);
}

static void names_of_c_stay_as_they_are(void **state)
{
	static const struct demangle_case cases[] = {
		{ "", "" },
		{ "main", "main" },
		{ "-[Feed parse:]", "-[Feed parse:]" },
		{ "__15-[Feed parse:]_block_invoke.12",
		  "__15-[Feed parse:]_block_invoke.12" },
		// Names of C that begin as names of Swift once did.
		{ "_TouchTrackerInstall", "_TouchTrackerInstall" },
		{ "_TSomething", "_TSomething" },
		// Not a hash: a C++ name that happens to begin so.
		{ "_ZN4feed17h0123456789abcdexE", "feed::h0123456789abcdex" },
		{ "_Z", "_Z" },
		{ "_Znonsense", "_Znonsense" },
		{ "_Z3foov?", "_Z3foov?" },
		// Types alone would demangle too, and are names of C.
		{ "i", "i" },
		{ "St", "St" },
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), false);
}

static void one_underscore_of_a_symbol_table_is_removed(void **state)
{
	static const struct demangle_case cases[] = {
		{ "_main", "main" },
		{ "__main", "_main" },
		{ "_", "" },
		{ "start", "start" },
		{ "__Z3foov", "foo()" },
		{ "____Z3foov_block_invoke",
		  "invocation function for block in foo()" },
		{ "-[Feed parse:]", "-[Feed parse:]" },
		{ "___15-[Feed parse:]_block_invoke",
		  "__15-[Feed parse:]_block_invoke" },
		{ "_$s4Feed5parseyyF", "parse()" },
		{ "_OBJC_CLASS_$_Feed", "OBJC_CLASS_$_Feed" },
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), true);
}

static void long_names_stay_mangled(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str name = { 0 };

	(void)state;
	str_add(&name, "_Z4090");
	str_add_repeat(&name, 'x', 4090);
	str_add(&name, "v");
	assert_int_equal(name.size, 4097);
	assert_string_equal(demangle(str_text(&name), false, &arena),
	                    name.data);
}

static void names_of_a_kilobyte_are_printed(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	const char *printed;

	(void)state;
	// GCC's runtime gives up at 1,025 bytes; LLVM's goes on.
	str_add(&name, "_Z1017");
	str_add_repeat(&name, 'x', 1017);
	str_add(&name, "v");
	printed = demangle(str_text(&name), false, &arena);
	assert_int_equal(strlen(printed), 1017 + 2);
	assert_int_equal(printed[0], 'x');
}

/** `f` with @p count parameters of the type of the first. */
static const char *with_references(struct str *name, size_t count)
{
	str_clear(name);
	str_add(name, "_Z1f1A");
	for (size_t i = 0; i < count; i++)
		str_add(name, "S_");
	return str_cstr(name);
}

static void many_references_stay_mangled(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str name = { 0 };

	(void)state;
	with_references(&name, 24);
	assert_int_equal(demangle(str_text(&name), false, &arena)[0], 'f');
	with_references(&name, 25);
	assert_string_equal(demangle(str_text(&name), false, &arena),
	                    name.data);
	// Doubles with every step; prints as 2 MB.
	str_clear(&name);
	str_add(&name, "_Z1f1A");
	str_add(&name, "PFvS_S_E");
	for (int i = 0; i < 18; i++)
		str_addf(&name, "PFvS%d_S%d_E", i * 2 + 1, i * 2 + 1);
	assert_string_equal(demangle(str_text(&name), false, &arena),
	                    name.data);
}

static void swift_and_rust_have_demanglers_of_their_own(void **state)
{
	static const struct demangle_case cases[] = {
		{ "$s4Feed5parseyyF", "parse()" },
		{ "_$s4Feed5parseyyF", "parse()" },
		{ "_T04Feed5parseyyF", "parse()" },
		{ "_RNvC4feed5parse", "feed::parse" },
		{ "_ZN4feed5parse17h0123456789abcdefE", "feed::parse" },
		{ "_ZN4feed5parse17h0123456789abcdefE.llvm.77",
		  "feed::parse (.llvm.77)" },
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), false);
}

static void a_form_can_be_chosen(void **state)
{
	static const char name[] = "$s4Feed5parseyyF";
	SCOPED(arena_release) struct arena arena = { 0 };

	(void)state;
	assert_string_equal(
	        demangle_as(text_from(name), DEMANGLE_FULL, false, &arena),
	        "Feed.parse() -> ()");
	assert_string_equal(
	        demangle_as(text_from(name), DEMANGLE_NONE, false, &arena),
	        name);
	assert_string_equal(
	        demangle_as(text_from("_main"), DEMANGLE_NONE, true, &arena),
	        "main");
}

/** A name, its printed form, and what it says of itself. */
struct parts_case {
	const char *name;
	const char *printed;
	const char *language;
	struct name_parts parts;
};

static void check_part(const char *name, const char *part, const char *wanted)
{
	if (!part != !wanted || (part && strcmp(part, wanted) != 0))
		fail_msg("%s: wanted '%s', got '%s'", name,
		         wanted ? wanted : "(none)", part ? part : "(none)");
}

static void a_name_says_what_it_names(void **state)
{
	static const struct parts_case cases[] = {
		{ "_ZN4Feed5parseEPKcm",
		  "Feed::parse(char const*, unsigned long)",
		  "C++",
		  { "function", NULL, "Feed", "parse" } },
		{ "__ZN4FeedC1Ei",
		  "Feed::Feed(int)",
		  "C++",
		  { "constructor", NULL, "Feed", "Feed" } },
		{ "_ZN4FeedIiEC2Ei",
		  "Feed<int>::Feed(int)",
		  "C++",
		  { "constructor", NULL, "Feed<int>", "Feed" } },
		{ "_ZN4FeedD0Ev",
		  "Feed::~Feed()",
		  "C++",
		  { "destructor", NULL, "Feed", "~Feed" } },
		{ "_ZN12_GLOBAL__N_14walkEi",
		  "(anonymous namespace)::walk(int)",
		  "C++",
		  { "function", NULL, "(anonymous namespace)", "walk" } },
		{ "_Z5clampIiET_S0_",
		  "int clamp<int>(int)",
		  "C++",
		  { "function", NULL, NULL, "clamp<int>" } },
		{ "_ZN1AclEi",
		  "A::operator()(int)",
		  "C++",
		  { "function", NULL, "A", "operator()" } },
		{ "_ZN1AltERKS_",
		  "A::operator<(A const&)",
		  "C++",
		  { "function", NULL, "A", "operator<" } },
		{ "_ZNK1AcvbEv",
		  "A::operator bool() const",
		  "C++",
		  { "function", NULL, "A", "operator bool" } },
		{ "_ZZNK1A1fEvE1x",
		  "A::f() const::x",
		  "C++",
		  { "variable", NULL, "A::f() const", "x" } },
		{ "_ZTV4Feed",
		  "vtable for Feed",
		  "C++",
		  { "vtable", NULL, NULL, "Feed" } },
		{ "_ZThn8_N1A1fEv",
		  "non-virtual thunk to A::f()",
		  "C++",
		  { "thunk", NULL, "A", "f" } },
		{ "$s8Checkout4CartC5totalSdyF",
		  "Cart.total()",
		  "Swift",
		  { "function", "Checkout", "Cart", "total" } },
		{ "_$s8Checkout4CartC5totalSdvg",
		  "Cart.total.getter",
		  "Swift",
		  { "getter", "Checkout", "Cart", "total" } },
		{ "$s8Checkout4CartCACycfC",
		  "Cart.__allocating_init()",
		  "Swift",
		  { "initializer", "Checkout", "Cart", "init" } },
		{ "$s8Checkout4CartCMa",
		  "type metadata accessor for Cart",
		  "Swift",
		  { "metadata", "Checkout", NULL, "Cart" } },
		{ "_RNvNtC4demo4feed5parse",
		  "demo::feed::parse",
		  "Rust",
		  { "function", "demo", "demo::feed", "parse" } },
		{ "_RNCNvC4demo4main0",
		  "demo::main::{closure#0}",
		  "Rust",
		  { "closure", "demo", "demo::main", "{closure#0}" } },
		{ "_RINvNtC3std3mem8align_ofjE",
		  "std::mem::align_of::<usize>",
		  "Rust",
		  { "function", "std", "std::mem", "align_of" } },
		{ "main", "main", NULL, { NULL, NULL, NULL, NULL } },
		{ "_Znonsense",
		  "_Znonsense",
		  NULL,
		  { NULL, NULL, NULL, NULL } },
	};
	SCOPED(arena_release) struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct parts_case *c = &cases[i];
		struct demangled got = demangle_whole(text_from(c->name),
		                                      DEMANGLE_SHORT, &arena);

		assert_string_equal(got.mangled, c->name);
		assert_string_equal(got.name, c->printed);
		check_part(c->name, got.language, c->language);
		check_part(c->name, got.parts.kind, c->parts.kind);
		check_part(c->name, got.parts.module, c->parts.module);
		check_part(c->name, got.parts.context, c->parts.context);
		check_part(c->name, got.parts.base, c->parts.base);
	}
}

static void cxx_names_are_spelled_as_apples_tools_do(void **state)
{
	static const struct demangle_case cases[] = {
		{ "_ZZ1fvENKUlPvE_clES_", "f()::'lambda'(void*)::operator()"
		                          "(void*) const" },
		{ "_ZZ1fvENKUlT_E0_clEv",
		  "f()::'lambda0'(auto)::operator()() const" },
		{ "_ZZ1fvENKUlvE10_clEv",
		  "f()::'lambda10'()::operator()() const" },
		{ "_ZN1AUt_1fEv", "A::'unnamed'::f()" },
		{ "_ZN1AUt1_1fEv", "A::'unnamed1'::f()" },
		{ "_Z1fDn", "f(std::nullptr_t)" },
		{ "_Z1f1AIS_IS_IiEEE", "f(A<A<A<int>>>)" },
#ifdef __APPLE__
		{ "_Z1f1AIXadgtLi3ELi2EEE", "f(A<&(((3) > (2)))>)" },
#else
		{ "_Z1f1AIXadgtLi3ELi2EEE", "f(A<&(((3)>(2)))>)" },
#endif
		{ "_Z1fPU14swiftasynccallFvPU9swiftcallFviEE",
		  "f(void (void (int) swiftcall*) swiftasynccall*)" },
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), false);
}

static void names_are_found_in_running_text(void **state)
{
	static const char text[] = "at _ZN1A1fEv. Not a_ZN1A1fEv, not _x; "
	                           "[_$s8Checkout4CartC5totalSdyF] "
	                           "__Z3foov.cold.1 @ $x.";
	static const char *const names[] = {
		"_ZN1A1fEv",
		"_$s8Checkout4CartC5totalSdyF",
		"__Z3foov.cold.1",
	};
	struct text rest = text_from(text);
	struct text before, name;
	size_t count = 0, size = 0;

	(void)state;
	while (mangled_next(&rest, &before, &name)) {
		assert_true(count < ARRAY_SIZE(names));
		assert_true(text_is(name, names[count++]));
		size += before.size + name.size;
	}
	assert_int_equal(count, ARRAY_SIZE(names));
	assert_int_equal(size + before.size, strlen(text));
	assert_true(text_is(before, " @ $x."));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cxx_names_are_printed_as_written),
		cmocka_unit_test(suffixes_of_the_optimiser_follow_in_brackets),
		cmocka_unit_test(blocks_name_the_function_that_holds_them),
		cmocka_unit_test(names_of_c_stay_as_they_are),
		cmocka_unit_test(swift_and_rust_have_demanglers_of_their_own),
		cmocka_unit_test(a_form_can_be_chosen),
		cmocka_unit_test(one_underscore_of_a_symbol_table_is_removed),
		cmocka_unit_test(long_names_stay_mangled),
		cmocka_unit_test(names_of_a_kilobyte_are_printed),
		cmocka_unit_test(many_references_stay_mangled),
		cmocka_unit_test(a_name_says_what_it_names),
		cmocka_unit_test(cxx_names_are_spelled_as_apples_tools_do),
		cmocka_unit_test(names_are_found_in_running_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
