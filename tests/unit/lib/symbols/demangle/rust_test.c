#include "lib/symbols/demangle/rust.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *name, const char *wanted, bool brief)
{
	SCOPED(str_release) struct str printed = { 0 };
	bool known = rust_demangle(text_from(name), brief, &printed);

	assert_string_equal(known ? str_cstr(&printed) : name, wanted);
}

static void paths_are_printed_as_rust_writes_them(void **state)
{
	static const char *const cases[][2] = {
		{ "_RNvC5crate3foo", "crate::foo" },
		{ "__RNvC5crate3foo", "crate::foo" },
		{ "_RNvCs1234_5crate3foo", "crate::foo" },
		{ "_RNvNtC5crate3mod3foo", "crate::mod::foo" },
		{ "_RNCNvC5crate3foo0", "crate::foo::{closure#0}" },
		{ "_RNCNvC5crate3foos_0", "crate::foo::{closure#1}" },
		{ "_RNSNvC5crate3foo6vtable0",
		  "_RNSNvC5crate3foo6vtable0" },
		{ "_RNSNvC5crate3foo6vtable",
		  "crate::foo::{shim:vtable#0}" },
		{ "_RMC5crateNtC5crate3Foo", "<crate::Foo>" },
		{ "_RNvMC5crateNtB2_3Foo3bar", "<crate::Foo>::bar" },
		{ "_RNvXC5crateNtB2_3FooNtB2_3Bar3baz",
		  "<crate::Foo as crate::Bar>::baz" },
		{ "_RNvYNtC5crate3FooNtB4_3Bar3baz",
		  "<crate::Foo as crate::Bar>::baz" },
		{ "_RINvC5crate3foolE", "crate::foo::<i32>" },
		{ "_RINvC5crate3fooNtB2_3BaruE",
		  "crate::foo::<crate::Bar, ()>" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(cases[i][0], cases[i][1], true);
}

static void types_are_printed_as_rust_writes_them(void **state)
{
	static const char *const cases[][2] = {
		{ "_RINvC1a1fAhj4_E", "a::f::<[u8; 4]>" },
		{ "_RINvC1a1fShE", "a::f::<[u8]>" },
		{ "_RINvC1a1fTlmEE", "a::f::<(i32, u32)>" },
		{ "_RINvC1a1fTlEE", "a::f::<(i32,)>" },
		{ "_RINvC1a1fReE", "a::f::<&str>" },
		{ "_RINvC1a1fQeE", "a::f::<&mut str>" },
		{ "_RINvC1a1fPeE", "a::f::<*const str>" },
		{ "_RINvC1a1fOeE", "a::f::<*mut str>" },
		{ "_RINvC1a1fFlEuE", "a::f::<fn(i32)>" },
		{ "_RINvC1a1fFlEmE", "a::f::<fn(i32) -> u32>" },
		{ "_RINvC1a1fFUKCEuE", "a::f::<unsafe extern \"C\" fn()>" },
		{ "_RINvC1a1fFK11system_nameEuE",
		  "a::f::<extern \"system-name\" fn()>" },
		{ "_RINvC1a1fFG_RL0_hEuE", "a::f::<for<'a> fn(&'a u8)>" },
		{ "_RINvC1a1fDNtC1a1TEL_E", "a::f::<dyn a::T>" },
		{ "_RINvC1a1fDNtC1a1Tp4ItemlEL_E",
		  "a::f::<dyn a::T<Item = i32>>" },
		{ "_RINvC1a1fKj2a_E", "a::f::<42>" },
		{ "_RINvC1a1fKin2a_E", "a::f::<-42>" },
		{ "_RINvC1a1fKb1_E", "a::f::<true>" },
		{ "_RINvC1a1fKc61_E", "a::f::<'a'>" },
		{ "_RINvC1a1fKpE", "a::f::<_>" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(cases[i][0], cases[i][1], true);
}

static void suffixes_and_unicode(void **state)
{
	(void)state;
	check("_RNvC5crate3foo.llvm.9D1C9369", "crate::foo (.llvm.9D1C9369)",
	      true);
	check("_RNvC5crateu8caf_dma", "_RNvC5crateu8caf_dma", true);
	check("_RNvC5crateu7caf_dma", "crate::café", true);
}

static void the_old_scheme_has_a_hash(void **state)
{
	static const char name[] =
	        "_ZN4core3fmt5write17h0123456789abcdefE";

	(void)state;
	check(name, "core::fmt::write", true);
	check(name, "core::fmt::write::h0123456789abcdef", false);
	check("_ZN37_$LT$a..B$u20$as$u20$core..fmt..C$GT$3fmt"
	      "17h0123456789abcdefE",
	      "<a::B as core::fmt::C>::fmt", true);
	check("_ZN3foo17h0123456789abcdefE.llvm.1",
	      "foo (.llvm.1)", true);
	check("_ZN3foo5barE", "_ZN3foo5barE", true);
}

static void hostile_names_are_refused(void **state)
{
	SCOPED(str_release) struct str name = { 0 };

	(void)state;
	check("_R", "_R", true);
	check("_RB_", "_RB_", true);
	check("_RNvB_3foo", "_RNvB_3foo", true);
	check("_RINvC1a1fKb2_E", "_RINvC1a1fKb2_E", true);
	check("_RNvC99999999999999999999a3foo",
	      "_RNvC99999999999999999999a3foo", true);
	str_add(&name, "_R");
	for (size_t i = 0; i < 5000; i++)
		str_add(&name, "I");
	check(str_cstr(&name), str_cstr(&name), true);
}

/** Each argument refers to the one before it, twice. */
static void doubling_stops_at_the_limit(void **state)
{
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str printed = { 0 };
	const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz"
	                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	(void)state;
	str_add(&name, "_RINvC1a1fTllE");
	for (size_t i = 0; i < 10; i++) {
		size_t at = i ? 12 + 6 * (i - 1) : 8;

		str_addf(&name, "TB%c_B%c_E", digits[at - 1], digits[at - 1]);
	}
	str_add(&name, "E");
	rust_demangle(str_text(&name), true, &printed);
	assert_true(printed.size <= 65536 + 64);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_printed_as_rust_writes_them),
		cmocka_unit_test(types_are_printed_as_rust_writes_them),
		cmocka_unit_test(suffixes_and_unicode),
		cmocka_unit_test(the_old_scheme_has_a_hash),
		cmocka_unit_test(hostile_names_are_refused),
		cmocka_unit_test(doubling_stops_at_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
