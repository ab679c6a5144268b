// SPDX-License-Identifier: MIT
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
		{ "_RNSNvC5crate3foo6vtable0", "_RNSNvC5crate3foo6vtable0" },
		{ "_RNSNvC5crate3foo6vtable", "crate::foo::{shim:vtable#0}" },
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
	static const char name[] = "_ZN4core3fmt5write17h0123456789abcdefE";

	(void)state;
	check(name, "core::fmt::write", true);
	check(name, "core::fmt::write::h0123456789abcdef", false);
	check("_ZN37_$LT$a..B$u20$as$u20$core..fmt..C$GT$3fmt"
	      "17h0123456789abcdefE",
	      "<a::B as core::fmt::C>::fmt", true);
	check("_ZN3foo17h0123456789abcdefE.llvm.1", "foo (.llvm.1)", true);
	check("_ZN3foo5barE", "_ZN3foo5barE", true);
}

/** More of the grammar, which LLVM's demangler prints in the same way. */
static const char *const grammar[][2] = {
	{ "_RNZNvC1a1fs_3foo", "a::f::{Z:foo#1}" },
	{ "_RNZNvC1a1f0", "a::f::{Z#0}" },
	{ "_RNCNvC1a1f1c", "a::f::{closure:c#0}" },
	{ "_RNCNvC1a1fsa_0", "a::f::{closure#12}" },
	{ "_RNCNvC1a1fsZ_0", "a::f::{closure#63}" },
	{ "_RNkNvC1a1f0", "a::f" },
	{ "_RINvC1a1fFG0_RL0_hRL1_hEuE",
	  "a::f::<for<'a, 'b> fn(&'b u8, &'a u8)>" },
	{ "_RINvC1a1fFGp_RL0_hRLq_hEuE",
	  "a::f::<for<'a, 'b, 'c, 'd, 'e, 'f, 'g, 'h, 'i, 'j, 'k, 'l, 'm, 'n, "
	  "'o, 'p, 'q, 'r, 's, 't, 'u, 'v, 'w, 'x, 'y, 'z, '_26> fn(&'_26 u8, "
	  "&'a u8)>" },
	{ "_RINvC1a1fRL_hE", "a::f::<&u8>" },
	{ "_RINvC1a1fQL_hE", "a::f::<&mut u8>" },
	{ "_RINvC1a1fDNtC1a1TNtC1a1UEL_E", "a::f::<dyn a::T + a::U>" },
	{ "_RINvC1a1fFG_DNtC1a1TEL0_EuE", "a::f::<for<'a> fn(dyn a::T + 'a)>" },
	{ "_RINvC1a1fDINtC1a1ThEp4ItemhEL_E",
	  "a::f::<dyn a::T<u8, Item = u8>>" },
	{ "_RINvC1a1fDNtC1a1Tp1Ahp1BaEL_E",
	  "a::f::<dyn a::T<A = u8, B = i8>>" },
	{ "_RINvC1a1fNtC1a1TDB7_p1AhEL_E", "a::f::<a::T, dyn a::T<A = u8>>" },
	{ "_RINvC1a1fINtC1a1ThEDB7_p1AhEL_E",
	  "a::f::<a::T<u8>, dyn a::T<u8, A = u8>>" },
	{ "_RINvC1a1fDG_NtC1a1TEL_E", "a::f::<dyn for<'a> a::T>" },
	{ "_RINvC1a1fL_E", "a::f::<'_>" },
	{ "_RINvC1a1fKa7f_E", "a::f::<127>" },
	{ "_RINvC1a1fKsn1_E", "a::f::<-1>" },
	{ "_RINvC1a1fKx1_Kn1_Kh1_Kt1_Km1_Ky1_E", "a::f::<1, 1, 1, 1, 1, 1>" },
	{ "_RINvC1a1fKo123456789abcdef01234_E",
	  "a::f::<0x123456789abcdef01234>" },
	{ "_RINvC1a1fKb0_E", "a::f::<false>" },
	{ "_RINvC1a1fKc27_E", "a::f::<'\\''>" },
	{ "_RINvC1a1fKce9_E", "a::f::<'é'>" },
	{ "_RINvC1a1fKj1_KB8_E", "a::f::<1, 1>" },
	{ "_RINvC1a1fThaEB8_E", "a::f::<(u8, i8), u8>" },
	{ "_RNvMINvC1a1fFG_RL0_hEuFUKCEuKj2a_Kc41_Kb1_Kxn1_DNtC1a1Tp1AhEL_hL_"
	  "Eh1m",
	  "<u8>::m" },
	{ "_RNvMINvC1a1fFKu7caf_dmaEuFK5c_"
	  "abiEuNCNvC1a1f0NZNvC1a1f1zNkNvC1a1f0Eh1m",
	  "<u8>::m" },
	{ "_RNvXs_C1aNtC1a1TNtC1a1U1m", "<a::T as a::U>::m" },
	{ "_RNvC1a1fC1b", "a::f" },
	{ "_RNvC1a1f$tail", "a::f ($tail)" },
	{ "_RNvC1au7caf_dma", "a::café" },
	{ "_RINvC1a1fShEC1b", "a::f::<[u8]>" },
	{ "_RINvC1a1fKc9_E", "a::f::<'\\t'>" },
	{ "_RINvC1a1fKca_E", "a::f::<'\\n'>" },
	{ "_RINvC1a1fKc7_E", "a::f::<'\\u{7}'>" },
	{ "_RINvC1a1fKc5c_E", "a::f::<'\\\\'>" },
};

static void all_of_the_grammar_is_printed(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(grammar); i++)
		check(grammar[i][0], grammar[i][1], true);
}

static void escapes_of_the_old_scheme(void **state)
{
	static const char *const cases[][2] = {
		{ "__RNvC1a1f", "a::f" },
		{ "__ZN3foo17h0123456789abcdefE", "foo" },
		{ "_ZN1a17h0123456789abcdef17h0123456789abcdefE",
		  "a::h0123456789abcdef" },
		{ "_ZN31$SP$$BP$$RF$$LT$$GT$$LP$$RP$$C$17h0123456789abcdefE",
		  "@*&<>()," },
		{ "_ZN7$u7e$.x17h0123456789abcdefE", "~.x" },
		{ "_ZN1a3$C$1b17h0123456789abcdefE", "a::,::b" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(cases[i][0], cases[i][1], true);
}

static void what_breaks_the_grammar_is_refused(void **state)
{
	static const char *const names[] = {
		"_RNCNvC1a1fszzzzzzzzzzzzzz_0",
		"_RNCNvC1a1fs-_0",
		"_RN1NvC1a1f1c",
		"_RINvC1a1fRL0_hE",
		"_RINvC1a1fFG13_hEuE",
		"_RINvC1a1fDBz_EL_E",
		"_RINvC1a1fDNtC1a1TEE",
		"_RINvC1a1fKbzE",
		"_RINvC1a1fKcd800_E",
		"_RINvC1a1fKc110000_E",
		"_RINvC1a1fKc12345678901234567_E",
		"_RINvC1a1fKd1_E",
		"_RINvC1a1fKj1_KBz_E",
		"_RINvC1a1fKj1E",
		"_RINvC1a1fB8_E",
		"_RINvC1a1fasxndfvyoictz0E",
		"_RNvMINvC1a1fFG_RL0_hFUKCEuEKj2a_Kc41_KblE1m",
		"_RNvMINvC1a1fFG_RL0_hEuFUKCEuKj2a_Kc41_Kb1_Kxn1_"
		"DNtC1a1Tp1AhEL_hBa_L_EhE1m",
		"_RNvXINvC1a1fFKB_EhNtC1a1T1m",
		"_RNvC1a1fC",
		"_RNvC1a1fC1bh",
		"_RNvC1a02f",
		"_RNvC1a1fZ",
		"_RNvC1a_3f_x",
		"_RNvC1au7mnchn_8",
		"_RNvC1au11mnchen_3ya",
		"_RNvC1au9caf_zzzzzz",
		"_RINvC1a1fA_hE",
		"_Rz",
		"_ZN41$SP$$BP$$RF$$LT$$GT$$LP$$RP$$C$$u7e$x."
		"yz17h0123456789abcdefE",
		"_ZN4$XX$17h0123456789abcdefE",
		"_ZN9$u110000$17h0123456789abcdefE",
		"_ZN7$ud800$17h0123456789abcdefE",
		"_ZN4$u1$17h0123456789abcdefE",
		"_ZN3$u$17h0123456789abcdefE",
		"_ZN3$LT17h0123456789abcdefE",
		"_ZN5$u-1$17h0123456789abcdefE",
		"_ZN10$u1234567$17h0123456789abcdefE",
		"_ZN99a17h0123456789abcdefE",
		"_ZN3foo17h0123456789abcdefx",
		"_ZN3foo17h0123456789abcdegE",
		"_ZN3foo17h0123456789abcdefEx.",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		check(names[i], names[i], true);
		check(names[i], names[i], false);
	}
}

/** It is a name, or nothing is printed. */
static void check_answer(struct text name, bool brief)
{
	SCOPED(str_release) struct str printed = { 0 };

	if (rust_demangle(name, brief, &printed))
		assert_in_range(printed.size, 1, 65536 + 64);
	else
		assert_int_equal(printed.size, 0);
}

/** Cut behind each byte, and with each byte changed. */
static void damaged_names_are_read_without_harm(void **state)
{
	static const unsigned char flips[] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	char damaged[256];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(grammar); i++) {
		struct text name = text_from(grammar[i][0]);

		assert_true(name.size <= sizeof(damaged));
		memcpy(damaged, name.data, name.size);
		for (size_t k = 0; k < name.size * ARRAY_SIZE(flips); k++) {
			size_t at = k / ARRAY_SIZE(flips);

			damaged[at] = (char)(name.data[at] ^
			                     flips[k % ARRAY_SIZE(flips)]);
			check_answer((struct text){ damaged, name.size },
			             k % 2);
			damaged[at] = name.data[at];
			check_answer(text_first(name, at), k % 2);
		}
	}
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
		cmocka_unit_test(all_of_the_grammar_is_printed),
		cmocka_unit_test(escapes_of_the_old_scheme),
		cmocka_unit_test(what_breaks_the_grammar_is_refused),
		cmocka_unit_test(damaged_names_are_read_without_harm),
		cmocka_unit_test(hostile_names_are_refused),
		cmocka_unit_test(doubling_stops_at_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
