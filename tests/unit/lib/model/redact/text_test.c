#include "lib/model/redact_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** What is replaced, up to the digits of its pseudonym. */
static void expect(const char *in, const char *before, const char *after)
{
	struct arena arena = { 0 };
	const char *out = redact_text(in, &arena);
	size_t size = strlen(before);

	assert_int_equal(strncmp(out, before, size), 0);
	assert_int_equal(strlen(out), size + 8 + strlen(after));
	assert_string_equal(out + size + 8, after);
	arena_release(&arena);
}

static void what_says_who_it_is_is_replaced(void **state UNUSED)
{
	expect("at /Users/jane/app.m:3", "at /Users/user-", "/app.m:3");
	expect("\\/Users\\/jane\\/a", "\\/Users\\/user-", "\\/a");
	expect("/Application/7D1F0C5E-2B3A-4C4D-9E5F-60718293A4B5/Demo.app",
	       "/Application/container-", "/Demo.app");
	expect("mail jane.doe+x@mail.example.org, please", "mail mail-",
	       ", please");
	expect("GET /x?token=0a1b2c&page=2", "GET /x?token=token-", "&page=2");
	expect("{\"password\":\"hunter2\"}", "{\"password\":\"token-", "\"}");
	expect("Authorization: Bearer abc.def", "Authorization: Bearer token-",
	       "");
	expect("id 00008030-001C2D3E4F506172.", "id device-", ".");
	expect("8eb912eeffaa7653999e2b23c345caa5d54ddeaf", "device-", "");
}

static void what_identifies_code_stays(void **state UNUSED)
{
	static const char *const kept[] = {
		"",
		"/Users/Shared/x",
		"/home/",
		"<4c4c44bd55553144a18b1d7a14acc538> /usr/lib/dyld",
		"4C4C44BD-5555-3144-A18B-1D7A14ACC538",
		"handle@main.jsbundle:1:200",
		"@objc ViewController.tap(_:)",
		"@rpath/DemoKit.framework/DemoKit",
		"user@host",
		"0x0000000100e80a0c 0x100e80000 + 2572",
		"tokens=12",
	};
	struct arena arena = { 0 };

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		assert_ptr_equal(redact_text(kept[i], &arena), kept[i]);
	assert_null(redact_text(NULL, &arena));
	arena_release(&arena);
}

static void the_same_name_has_the_same_pseudonym(void **state UNUSED)
{
	struct arena arena = { 0 };

	// A promise to those who compare reports of different days.
	assert_string_equal(redact_text("/Users/jane/a", &arena),
	                    "/Users/user-c21ff38f/a");
	assert_string_equal(redact_whole("user-c21ff38f", "user", &arena),
	                    "user-c21ff38f");
	assert_string_equal(redact_whole("jane", "user", &arena),
	                    "user-c21ff38f");
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_says_who_it_is_is_replaced),
		cmocka_unit_test(what_identifies_code_stays),
		cmocka_unit_test(the_same_name_has_the_same_pseudonym),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
