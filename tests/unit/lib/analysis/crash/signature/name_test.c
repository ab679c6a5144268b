// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/signature/name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

struct name_case {
	const char *printed;
	const char *name;
};

static void assert_names(const struct name_case *cases, size_t count,
                         enum signature_style style)
{
	for (size_t i = 0; i < count; i++) {
		SCOPED(str_release) struct str name = { 0 };

		signature_name_add(text_from(cases[i].printed), style, &name);
		assert_string_equal(str_cstr(&name), cases[i].name);
	}
}

static void cxx_names_lose_arguments_and_types(void **state UNUSED)
{
	static const struct name_case cases[] = {
		{ "main", "main" },
		{ "demo::Feed::decode(demo::Entry const&)",
		  "demo::Feed::decode" },
		{ "unsigned short demo::Reader::load<unsigned short>("
		  "unsigned char const*)",
		  "demo::Reader::load" },
		{ "std::vector<int, std::allocator<int>>::push_back(int&&)",
		  "std::vector::push_back" },
		{ "demo::Feed::process(demo::Entry const&)::$_0::operator()("
		  "unsigned int) const",
		  "demo::Feed::process::$_::operator()" },
		{ "demo::Feed::process(int)::'lambda12'(int)::operator()("
		  "int) const",
		  "demo::Feed::process::$_::operator()" },
		{ "demo::Feed::process(int)::{lambda(int)#2}::operator()(int) "
		  "const",
		  "demo::Feed::process::$_::operator()" },
		{ "-[Feed load:].cold.1", "-[Feed load:]" },
		{ "Swift runtime failure: Index out of range",
		  "Swift runtime failure: Index out of range" },
		{ "-[NSString(Feed) load].llvm.12", "-[NSString(Feed) load]" },
		{ "__27-[Feed load]_block_invoke_7.cold.1",
		  "-[Feed load] block" },
		{ "__27-[Feed load]_block_invoke.cold.2",
		  "-[Feed load] block" },
		{ "(anonymous namespace)::scale(int)",
		  "(anonymous namespace)::scale" },
		{ "kit::(anonymous namespace)::scale(int) const &",
		  "kit::(anonymous namespace)::scale" },
		{ "bool operator<< <int>(A<int> const&, int)", "operator<<" },
		{ "A::operator->() const", "A::operator->" },
		{ "A::operator bool() const", "A::operator bool" },
		{ "operator new(unsigned long)", "operator new" },
		{ "f(int) [clone .cold]", "f" },
		{ "f(int) (.cold.1)", "f" },
		{ "decode.cold.1", "decode" },
		{ "decode.llvm.123456789", "decode" },
		{ "void f<(Kind)3>(void (*)(int))", "f" },
		{ "tag[abi:cxx11](int)", "tag" },
		{ "non-virtual thunk to A::f(int)", "A::f" },
		{ "v1/vector:1393: assertion __n < size() failed: vector[] "
		  "index out of bounds",
		  "assertion failed" },
	};

	assert_names(cases, ARRAY_SIZE(cases), SIGNATURE_STYLE_APM);
}

static void swift_names_keep_what_people_wrote(void **state UNUSED)
{
	static const struct name_case cases[] = {
		{ "Cart.total(of:)", "Cart.total" },
		{ "Checkout.Cart.total() -> Swift.Double",
		  "Checkout.Cart.total" },
		{ "static Cart.total(of:)", "Cart.total" },
		{ "specialized Cart.total(of:)", "Cart.total" },
		{ "@objc Cart.total(of:)", "Cart.total" },
		{ "partial apply for closure #1 in Cart.total(of:)",
		  "Cart.total closure" },
		{ "closure #1 in Cart.total(of:)", "Cart.total closure" },
		{ "closure #12 in closure #3 in Cart.total(of:)",
		  "Cart.total closure" },
		{ "closure #1 (Swift.Int) -> () in Cart<A>.total() -> ()",
		  "Cart.total closure" },
		{ "implicit closure #2 in Cart.total(of:)",
		  "Cart.total closure" },
		{ "generic specialization <Swift.Int> of Box.get() -> A",
		  "Box.get" },
		{ "Box<Swift.Int>.get()", "Box.get" },
		{ "(extension in Demo):Swift.Array.demo(A)",
		  "Swift.Array.demo" },
		{ "Cart.(load in _12AB34CD)(at: Swift.Int)", "Cart.load" },
		{ "protocol witness for Sink.put(_:) in conformance Cart",
		  "Sink.put" },
		{ "(1) suspend resume partial function for Cart.load()",
		  "Cart.load" },
		{ "static Cart.== infix(_:_:)", "Cart.==" },
		{ "Cart.items.getter", "Cart.items.getter" },
		{ "Cart.load(_:) async throws -> Swift.Int", "Cart.load" },
		{ "thunk for @escaping @callee_guaranteed () -> ()", "thunk" },
	};

	assert_names(cases, ARRAY_SIZE(cases), SIGNATURE_STYLE_APM);
}

static void objective_c_and_rust(void **state UNUSED)
{
	static const struct name_case cases[] = {
		{ "-[Feed load:from:]", "-[Feed load:from:]" },
		{ "+[NSString(Demo) demo]", "+[NSString(Demo) demo]" },
		{ "__18-[Feed refresh]_block_invoke", "-[Feed refresh] block" },
		{ "__18-[Feed refresh]_block_invoke_2",
		  "-[Feed refresh] block" },
		{ "__load_block_invoke.31", "load block" },
		{ "core::panicking::panic::h0123456789abcdef",
		  "core::panicking::panic" },
		{ "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop",
		  "alloc::vec::Vec::drop" },
		{ "demo::load::<u8, u16>", "demo::load" },
		{ "demo::run::{{closure}}", "demo::run::{closure}" },
		{ "demo::run::{closure#3}", "demo::run::{closure}" },
	};

	assert_names(cases, ARRAY_SIZE(cases), SIGNATURE_STYLE_APM);
}

static void socorro_keeps_a_mark_of_generic_arguments(void **state UNUSED)
{
	static const struct name_case cases[] = {
		{ "std::vector<int>::at(unsigned long)", "std::vector<T>::at" },
		{ "closure #2 in Cart.total()", "Cart.total" },
		{ "__9-[Feed load]_block_invoke_2",
		  "__9-[Feed load]_block_invoke_2" },
	};

	assert_names(cases, ARRAY_SIZE(cases), SIGNATURE_STYLE_SOCORRO);
}

// What is hostile or damaged gives some name, and never none.
static void damaged_names_are_bounded(void **state UNUSED)
{
	static const struct name_case cases[] = {
		{ "f(((", "f" },
		{ "f)>]}", "f)>]}" },
		{ "<<<<<<<<<<<<<<<<a", "<<<<<<<<<<<<<<<<a" },
		{ "(int)", "(int)" },
		{ "closure #1 in ", "in" },
		{ "operator", "operator" },
		{ "a.", "a." },
	};

	assert_names(cases, ARRAY_SIZE(cases), SIGNATURE_STYLE_APM);
}

static void some_texts_are_no_names(void **state UNUSED)
{
	static const char *const texts[] = { "",
		                             "  ",
		                             "???",
		                             "<redacted>",
		                             "0x1043fe0",
		                             "_mh_execute_header",
		                             "GCC_except_table12",
		                             "deduplicated_symbol",
		                             "<deduplicated_symbol>" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_true(signature_is_unnamed(text_from(texts[i])));
	assert_false(signature_is_unnamed(text_from("main")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cxx_names_lose_arguments_and_types),
		cmocka_unit_test(swift_names_keep_what_people_wrote),
		cmocka_unit_test(objective_c_and_rust),
		cmocka_unit_test(socorro_keeps_a_mark_of_generic_arguments),
		cmocka_unit_test(damaged_names_are_bounded),
		cmocka_unit_test(some_texts_are_no_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
