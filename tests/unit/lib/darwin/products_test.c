// SPDX-License-Identifier: MIT
#include "lib/darwin/products.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void products_have_their_models(void **state UNUSED)
{
	// Public lists get these wrong.
	assert_string_equal(darwin_model_name("iPhone17,1"), "iPhone 16 Pro");
	assert_string_equal(darwin_model_name("iPhone17,3"), "iPhone 16");
	assert_string_equal(darwin_model_name("iPad7,11"),
	                    "iPad (7th generation)");
	assert_string_equal(darwin_model_name("Watch6,2"),
	                    "Apple Watch Series 6");
	assert_string_equal(darwin_model_name("Watch6,13"),
	                    "Apple Watch SE (2nd generation)");
	assert_string_equal(darwin_model_name("AppleTV5,3"), "Apple TV HD");
	assert_null(darwin_model_name("iPhone99,1"));
	assert_null(darwin_model_name("Watch6,5"));
	assert_null(darwin_model_name(NULL));
}

static void a_product_settles_the_page_size_or_not(void **state UNUSED)
{
	static const struct {
		const char *product;
		bool settled;
		uint64_t bytes;
	} cases[] = {
		{ "iPhone5,2", true, 4096 },    { "iPhone6,1", false, 4096 },
		{ "iPhone7,2", false, 4096 },   { "iPhone8,1", true, 16384 },
		{ "iPad3,6", true, 4096 },      { "iPad6,3", true, 16384 },
		{ "iPod9,1", true, 16384 },     { "AppleTV5,3", false, 4096 },
		{ "Watch3,4", true, 4096 },     { "Watch4,1", false, 16384 },
		{ "Vision14,1", false, 16384 }, { NULL, false, 16384 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t bytes = 0;

		assert_int_equal(darwin_page_bytes(cases[i].product, &bytes),
		                 cases[i].settled);
		assert_int_equal(bytes, cases[i].bytes);
	}
	assert_true(darwin_is_model("iPhone XR"));
	assert_false(darwin_is_model("iPhone11,8"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_have_their_models),
		cmocka_unit_test(a_product_settles_the_page_size_or_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
