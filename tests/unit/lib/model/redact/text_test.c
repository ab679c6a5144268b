// SPDX-License-Identifier: MIT
#include "lib/model/redact/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KEY "0123456789abcdef"

/** A pattern, and what comes of it: `#` stands for the digits of a pseudonym.
 */
struct row {
	const char *in;
	const char *out;
};

static bool matches(const char *out, const char *expected)
{
	for (; *expected; expected++) {
		size_t digits = *expected == '#' ? 8 : 0;

		if (!digits && *out++ != *expected)
			return false;
		for (; digits; digits--)
			if (!text_is_hex_digit(*out++))
				return false;
	}
	return !*out;
}

static void check(const struct row *rows, size_t count,
                  enum redact_manner manner)
{
	struct redactor redactor;
	struct arena arena = { 0 };

	redactor_init_key(&redactor, text_from(KEY));
	for (size_t i = 0; i < count; i++) {
		const char *out =
		        redact_text(&redactor, rows[i].in, manner, &arena);

		if (!matches(out, rows[i].out))
			fail_msg("'%s': expected '%s', got '%s'", rows[i].in,
			         rows[i].out, out);
	}
	arena_release(&arena);
}

static void homes_are_found_in_all_spellings(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "at /Users/jane/app.m:3", "at /Users/user-#/app.m:3" },
		{ "/USERS/jane/a", "/USERS/user-#/a" },
		{ "/Users//jane/a", "/Users//user-#/a" },
		{ "/Users/./jane/a", "/Users/./user-#/a" },
		{ "//Users/././/jane", "//Users/././/user-#" },
		{ "\\/Users\\/jane\\/a", "\\/Users\\/user-#\\/a" },
		{ "file:%2FUsers%2Fjane%2fa", "file:%2FUsers%2Fuser-#%2fa" },
		{ "\\u002fUsers\\u002Fjane\\u002fa",
		  "\\u002fUsers\\u002Fuser-#\\u002fa" },
		{ "C:\\Users\\jane\\a", "C:\\Users\\user-#\\a" },
		{ "C:\\\\Users\\\\jane doe\\\\a",
		  "C:\\\\Users\\\\user-#\\\\a" },
		{ "/Users/O'Brien/a", "/Users/user-#/a" },
		{ "/Users/Doe, Jane/a", "/Users/user-#/a" },
		{ "/Users/a<b/c", "/Users/user-#/c" },
		{ "/Users/jane", "/Users/user-#" },
		{ "'/Users/O'Brien'", "'/Users/user-#'" },
		{ "/Users/jane, /Users/joe", "/Users/user-#, /Users/user-#" },
		{ "/Users/jane:/Users/joe/b", "/Users/user-#:/Users/user-#/b" },
		{ "/home/jane/x", "/home/user-#/x" },
		{ "/Volumes/Janes Disk/x", "/Volumes/volume-#/x" },
		{ "/A/7D1F0C5E-2B3A-4C4D-9E5F-60718293A4B5/Demo.app",
		  "/A/container-#/Demo.app" },
	};

	check(rows, ARRAY_SIZE(rows), REDACT_PROSE);
	check(rows, ARRAY_SIZE(rows), REDACT_CODE);
}

static void mails_are_found_at_any_domain(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "mail jane.doe+x@mail.example.org, please",
		  "mail mail-#, please" },
		{ "jane@corp.app.", "mail-#." },
		{ "jane@corp.swift", "mail-#" },
		{ "a=jane%40corp.com&b", "a=mail-#&b" },
		{ "j\xc3\xa4ne@b\xc3\xbc"
		  "cher.de",
		  "mail-#" },
		{ "jane@xn--bcher-kva.xn--p1ai", "mail-#" },
		{ "\"jane doe\"@corp.com", "mail-#" },
		{ "o'brien@corp.com", "mail-#" },
		{ "https://jane:pa55@corp.com/x", "https://user-#@corp.com/x" },
	};

	check(rows, ARRAY_SIZE(rows), REDACT_PROSE);
	check(rows, ARRAY_SIZE(rows), REDACT_CODE);
}

static void secrets_are_found_in_any_form(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "GET /x?token=0a1b2c&page=2", "GET /x?token=token-#&page=2" },
		{ "TOKEN=abc", "TOKEN=token-#" },
		{ "pwd=p!@$s;x", "pwd=token-#;x" },
		{ "password='p\"q'", "password='token-#'" },
		{ "{\"api_key\": \"abc\"}", "{\"api_key\": \"token-#\"}" },
		{ "{\"api_key\":12}", "{\"api_key\":token-#}" },
		{ "{\"accessToken\":\"a\\\"b\"}",
		  "{\"accessToken\":\"token-#\"}" },
		{ "{\"x\":\"{\\\"accessToken\\\":\\\"abc\\\"}\"}",
		  "{\"x\":\"{\\\"accessToken\\\":\\\"token-#\\\"}\"}" },
		{ "\"{\\\\\\\"token\\\\\\\":\\\\\\\"a\\\\\\\"}\"",
		  "\"{\\\\\\\"token\\\\\\\":\\\\\\\"token-#\\\\\\\"}\"" },
		{ "Authorization: Bearer abc.def",
		  "Authorization: Bearer token-#" },
		{ "authorization: basic abc==",
		  "authorization: basic token-#" },
		{ "bearer abc.def0", "bearer token-#" },
		{ "Cookie: a=b; c=d", "Cookie: token-#" },
		{ "x ghp_canaryCANARY0123456789canaryCANARY01 y",
		  "x token-# y" },
		{ "AKIAIOSFODNN7EXAMPLE", "token-#" },
		{ "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "token-#" },
	};
	static const struct row written[] = {
		{ "api key: x", "api key: token-#" },
		{ "\"access key\": \"x\"", "\"access key\": \"token-#\"" },
		{ "session id=5", "session id=token-#" },
		{ "Access Token: abc", "Access Token: token-#" },
		{ "password: hunter2, and", "password: token-#, and" },
		{ "the token is: abc", "the token is: abc" },
		{ "    token = abc;", "    token = token-#;" },
		{ "Hostname: janes-mac.local", "Hostname: host-#" },
		{ "ssid=\"Jane's\"", "ssid=\"network-#\"" },
		{ "IMEI: 35 209900 176148 1", "IMEI: device-#" },
	};

	check(rows, ARRAY_SIZE(rows), REDACT_PROSE);
	check(rows, ARRAY_SIZE(rows), REDACT_CODE);
	check(written, ARRAY_SIZE(written), REDACT_PROSE);
}

static void values_are_found_in_every_notation(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "password=Optional(hunter2)", "password=Optional(token-#)" },
		{ "[AnyHashable(\"token\"): \"X\", AnyHashable(\"password\"): "
		  "X]",
		  "[AnyHashable(\"token\"): \"token-#\", "
		  "AnyHashable(\"password\"): token-#]" },
		{ "headers[\"token\"] = \"X\"",
		  "headers[\"token\"] = \"token-#\"" },
		{ "password={X}", "password={token-#}" },
		{ "password=[X]", "password=[token-#]" },
		{ "password=&quot;X&quot;", "password=&quot;token-#&quot;" },
		{ "password\\u003dX", "password\\u003dtoken-#" },
		{ "{\"pass\\u0077ord\":\"X\"}",
		  "{\"pass\\u0077ord\":\"token-#\"}" },
		{ "{\"\\u0070ass\":\"X\"}", "{\"\\u0070ass\":\"token-#\"}" },
		{ "<password>X</password>", "<password>token-#</password>" },
		{ "<key>password</key>\n\t<string>X</string>",
		  "<key>password</key>\n\t<string>token-#</string>" },
		{ "Authorization: Digest username=\"X\", response=\"X\"",
		  "Authorization: Digest token-#" },
		{ "{\"h\":\"Authorization: Digest a=\\\"X\\\", "
		  "b=\\\"X\\\"\",\"c\":1}",
		  "{\"h\":\"Authorization: Digest token-#\",\"c\":1}" },
		{ "curl -u jane:X https://a.b", "curl -u token-# https://a.b" },
		{ "otp=1", "otp=token-#" },
		{ "nonce=1", "nonce=token-#" },
		{ "passwordHash=1", "passwordHash=token-#" },
		{ "password1=1", "password1=token-#" },
		{ "https://a.b/c?sig=1&X-Amz-Signature=2&code=3&key=4&pw=5",
		  "https://a.b/"
		  "c?sig=token-#&X-Amz-Signature=token-#&code=token-#&key="
		  "token-#&pw=token-#" },
		{ "-----BEGIN RSA PRIVATE KEY-----\nAb\n-----END RSA PRIVATE "
		  "KEY-----\nb",
		  "token-#\nb" },
		{ "-----BEGIN PRIVATE KEY-----\nAb", "token-#" },
		{ "glpat-LEAKLEAKLEAK", "token-#" },
		{ "whsec_LEAKLEAKLEAK", "token-#" },
		{ "hf_LEAKLEAKLEAKLEAKLEA1", "token-#" },
		{ "dop_v1_LEAKLEAKLEAK", "token-#" },
		{ "https://hooks.slack.com/services/T0/B0/abc",
		  "https://hooks.slack.com/services/token-#" },
		{ "bearer abcdefghijklmnopqrst", "bearer token-#" },
	};
	static const struct row written[] = {
		{ "password == \"X\"", "password == \"token-#\"" },
		{ "passwd \"X\"", "passwd \"token-#\"" },
		{ "password->X", "password->token-#" },
		{ "password\tX1", "password\ttoken-#" },
		{ "password\xef\xbc\x9a"
		  "X",
		  "password\xef\xbc\x9a"
		  "token-#" },
		{ "password->X", "password->token-#" },
		{ "session key: abc", "session key: token-#" },
		{ "encryption key: abc", "encryption key: token-#" },
		{ "pass word: correct horse", "pass word: token-#" },
		{ "password:\n  hunter2\nb", "password:\n  token-#\nb" },
		{ "Authorization: Bearer\nabc.def",
		  "Authorization: Bearer\ntoken-#" },
		{ "aws_secret_access_key wJalrXUtnFEMI/K7MDENGb",
		  "aws_secret_access_key token-#" },
		{ "tool --password X --user jane",
		  "tool --password token-# --user user-#" },
		{ "(password:hunter2)", "(password:token-#)" },
		{ "password: p(a)ss", "password: token-#" },
		{ "token: Optional(\"LEAK\")", "token: Optional(\"token-#\")" },
		{ "token: Optional(nil)", "token: Optional(nil)" },
		{ "token=<X>", "token=<token-#>" },
		{ "password: (X y)", "password: (token-#)" },
		{ "user: Jane Doe logged in", "user: user-# logged in" },
		{ "user: jane doe", "user: user-#" },
		{ "host: janes-mac, and", "host: host-#, and" },
		{ "hostname janes-mac", "hostname host-#" },
		{ "SSID \"X Y\"", "SSID \"network-#\"" },
		{ "serial C02XL0GYJGH5", "serial device-#" },
		{ "IMEI 352099001761481", "IMEI device-#" },
		{ "IDFA 3F2A90B1-0000", "IDFA device-#" },
		{ "on macbook.local:80", "on host-#:80" },
		{ "end token: X1\nnext: y", "end token: token-#\nnext: y" },
	};

	check(rows, ARRAY_SIZE(rows), REDACT_PROSE);
	check(rows, ARRAY_SIZE(rows), REDACT_CODE);
	check(written, ARRAY_SIZE(written), REDACT_PROSE);
}

static void machines_and_numbers_have_many_shapes(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "x@[192.168.1.1] y", "mail-# y" },
		{ "jane\xef\xbc\xa0"
		  "corp.com",
		  "mail-#" },
		{ "\"~jdoe/a\"", "\"~user-#/a\"" },
		{ "smb://HOST/x", "smb://host-#/x" },
		{ "\\\\HOST\\share", "\\\\host-#\\share" },
		{ "\"\\\\\\\\HOST\\\\share\"", "\"\\\\\\\\host-#\\\\share\"" },
		{ "ssh://u@HOST", "ssh://user-#@host-#" },
		{ "janes-mac.local", "host-#" },
		{ "call (415) 555-2671", "call phone-#" },
		{ "415.555.2671", "phone-#" },
		{ "415-555-2671.", "phone-#." },
		{ "aabb.ccdd.eeff", "mac-#" },
	};

	check(rows, ARRAY_SIZE(rows), REDACT_PROSE);
	check(rows, ARRAY_SIZE(rows), REDACT_CODE);
}

static void addresses_in_prose_are_no_versions(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "db (10.1.2.3)", "db (ip-#)" },
		{ "ping - 10.0.0.1", "ping - ip-#" },
		{ "server-10.0.0.1", "server-ip-#" },
		{ "connecting...10.0.0.1", "connecting...ip-#" },
		{ "via fe80::1%en0", "via ip-#%en0" },
		{ "version 1.2.3.4", "version 1.2.3.4" },
		{ "2.1.2.3.4", "2.1.2.3.4" },
	};

	check(rows, ARRAY_SIZE(rows), REDACT_PROSE);
}

static void a_home_may_end_like_a_source_file(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "/Users/john.m/Demo.app", "/Users/user-#/Demo.app" },
		{ "/home/peter.c/x", "/home/user-#/x" },
		{ "Views/Users/List.swift", "Views/Users/List.swift" },
	};

	check(rows, ARRAY_SIZE(rows), REDACT_PROSE);
	check(rows, ARRAY_SIZE(rows), REDACT_CODE);
}

static void numbers_of_devices_and_networks_are_found(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "id 00008030-001C2D3E4F506172.", "id device-#." },
		{ "8eb912eeffaa7653999e2b23c345caa5d54ddeaf", "device-#" },
		{ "to 192.168.1.20:443", "to ip-#:443" },
		{ "from fe80::1c2d:3eff:fe4f:5061%en0", "from ip-#%en0" },
		{ "2001:db8::1", "ip-#" },
		{ "a4:83:e7:12:34:56", "mac-#" },
		{ "call +49 170 1234567 now", "call phone-# now" },
		{ "+49 (0)170-1234567  1DA998D2", "phone-#  1DA998D2" },
	};

	check(rows, ARRAY_SIZE(rows), REDACT_PROSE);
	check(rows, ARRAY_SIZE(rows), REDACT_CODE);
}

static void expect_same(const char *const *kept, size_t count,
                        enum redact_manner manner)
{
	struct redactor redactor;
	struct arena arena = { 0 };

	redactor_init_key(&redactor, text_from(KEY));
	for (size_t i = 0; i < count; i++)
		assert_ptr_equal(
		        redact_text(&redactor, kept[i], manner, &arena),
		        kept[i]);
	assert_null(redact_text(&redactor, NULL, manner, &arena));
	arena_release(&arena);
}

static void what_identifies_code_stays(void **state UNUSED)
{
	static const char *const kept[] = {
		"",
		"/Users/Shared/x",
		"/home/",
		"/src/Users/List.swift",
		"<4c4c44bd55553144a18b1d7a14acc538> /usr/lib/dyld",
		"4C4C44BD-5555-3144-A18B-1D7A14ACC538",
		"handle@main.jsbundle:1:200",
		"@objc ViewController.tap(_:)",
		"@rpath/DemoKit.framework/DemoKit",
		"user@host",
		"0x0000000100e80a0c 0x100e80000 + 2572",
		"tokens=12",
		"-[Login setToken:password:completion:]",
		"version 1.2.3.4",
		"127.0.0.1",
		"std::token::init",
		"fade::bed::a1",
		"A::operator==(Token const&)",
		"%s %40 %2F",
	};
	static const char *const functions[] = {
		"Demo (1.2.3.4)",
		"Demo.login(user: Swift.String, token: Demo.Token) -> ()",
		"Demo.Session.token.getter : Swift.String",
		"variable initialization expression of Demo.S.token : "
		"Swift.String",
		"void f<T>(T) [with Token = Foo]",
		"closure #1 in Bearer in Demo.run(password:)",
		"loginWithUser:password:token:",
		"bool std::operator==<Token>(Token const&)",
	};
	static const char *const versions[] = { "1.2.3.4", "10.0.0.1 (5)" };

	expect_same(kept, ARRAY_SIZE(kept), REDACT_PROSE);
	expect_same(kept, ARRAY_SIZE(kept), REDACT_CODE);
	expect_same(functions, ARRAY_SIZE(functions), REDACT_CODE);
	expect_same(versions, ARRAY_SIZE(versions), REDACT_VERSION);
}

static void what_only_looks_like_a_value_stays(void **state UNUSED)
{
	static const char *const kept[] = {
		"icon@3x.png",
		"foo@2x.png",
		"image@2x.car",
		"(Login@2x.swift:5)",
		"foo@2x~ipad.png",
		"token: nil",
		"user: null",
		"token: true",
		"token: 0x00006000012a4000",
		"user: <User: 0x600001>",
		"password = (null)",
		"host: com.apple.WebKit device: iPhone14,2",
		"Qt bearer thread",
		"SDK 16.4.0.1",
		"Firebase/10.22.0.1",
		"build=1.2.3.4",
		"Version:\t1.2.3.4",
		"if (code=3)",
		"key=4",
		"A::~B/c",
		"foo.local.plist",
		"page 1415-555-2671",
		"\\\\d\\\\w+",
		"<token> is missing",
	};
	static const char *const prose[] = {
		"Fatal error: login: unexpected nil while unwrapping",
		"phone: invalid number in PhoneField.swift:44",
		"session: expired two hours ago",
		"host: lookup of it failed",
		"the password is too short",
		"hostname lookup failed",
		"unexpected token \"}\" at 3",
		"serial queue",
		"password:\nThread 0 Crashed:",
	};
	static const char *const code[] = {
		"session: audio",
		"static Demo.Env.local.getter",
	};

	expect_same(kept, ARRAY_SIZE(kept), REDACT_PROSE);
	expect_same(kept, ARRAY_SIZE(kept), REDACT_CODE);
	expect_same(prose, ARRAY_SIZE(prose), REDACT_PROSE);
	expect_same(code, ARRAY_SIZE(code), REDACT_CODE);
}

static void a_label_says_whose_a_line_is(void **state UNUSED)
{
	static const char *const own[] = { "Demo", "org.demo", "pwd=abc",
		                           NULL };
	static const struct row rows[] = {
		{ "CrashReporter Key:   abc", "CrashReporter Key:   device-#" },
		{ "Parent Process:  zsh [12]\nProcess: Demo [7]",
		  "Parent Process:  process-# [12]\nProcess: Demo [7]" },
		{ "Coalition: org.demo [3]\nParent Process: launchd [1]\n",
		  "Coalition: org.demo [3]\nParent Process: launchd [1]\n" },
		{ "Process: pwd=abc [7]", "Process: pwd=token-# [7]" },
		{ "Version: 1.2.3.4 (5)", "Version: 1.2.3.4 (5)" },
		{ "\"udid\" : \"a b\",", "\"udid\" : \"device-#\"," },
		{ "User ID: 501", "User ID: user-#" },
	};
	struct redactor redactor;
	struct arena arena = { 0 };

	redactor_init_key(&redactor, text_from(KEY));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *out =
		        redact_lines(&redactor, rows[i].in, own, &arena);

		if (!matches(out, rows[i].out))
			fail_msg("expected '%s', got '%s'", rows[i].out, out);
	}
	arena_release(&arena);
}

static void a_message_names_no_input(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "jane/a.ips: line 3: expected a number, found \"jane\"",
		  "input-#: line 3: expected a number, found \"text-#\"" },
		{ "dir/jane's x.ips:12: no", "input-#:12: no" },
		{ "dir/m.zip: b/jane.ips: no", "input-#: input-#: no" },
		{ "such as dir/m.zip: jane doe.ips",
		  "such as input-#: input-#" },
		{ "dir: 3 files, such as jane/b 1.ips: no",
		  "input-#: 3 files, such as input-#: no" },
		{ "dir/a.ips: neither this, nor b.ips",
		  "input-#: neither this, nor b.ips" },
		{ "x: expected a UUID, found '/x/O'Brien'",
		  "x: expected a UUID, found 'text-#'" },
		{ "cannot open 'dir': no", "cannot open 'input-#': no" },
		{ "a report, and dir of it", "a report, and dir of it" },
		{ "a: no", "input-#: no" },
		{ "directory/x: no", "directory/x: no" },
		{ "at /Users/jane/x", "at /Users/user-#/x" },
	};
	struct redactor redactor;
	struct arena arena = { 0 };

	redactor_init_key(&redactor, text_from(KEY));
	redactor_know(&redactor, "jane/a.ips");
	redactor_know(&redactor, "dir");
	redactor_know(&redactor, "a");
	redactor_know(&redactor, "jane/");
	redactor_sort(&redactor);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *out = redact_message(&redactor, rows[i].in, &arena);

		if (!matches(out, rows[i].out))
			fail_msg("expected '%s', got '%s'", rows[i].out, out);
	}
	// Output names an input as messages do.
	assert_string_equal(redact_input(&redactor, "dir/b.ips:7", &arena),
	                    redact_message(&redactor, "dir/b.ips:7", &arena));
	redactor_release(&redactor);
	arena_release(&arena);
}

static void pseudonyms_depend_on_the_key_alone(void **state UNUSED)
{
	struct redactor one, same, other, random;
	struct arena arena = { 0 };
	const char *name;

	redactor_init_key(&one, text_from(KEY));
	redactor_init_key(&same, text_from(KEY));
	redactor_init_key(&other, text_from(KEY "0"));
	assert_true(redactor_init(&random));
	name = redact_whole(&one, "jane", "user", &arena);
	// A promise to those who compare reports of different days.
	assert_string_equal(name, "user-6638625d");
	assert_string_equal(redact_whole(&same, "jane", "user", &arena), name);
	assert_string_equal(
	        redact_text(&one, "/Users/jane/a", REDACT_CODE, &arena),
	        arena_printf(&arena, "/Users/%s/a", name));
	assert_string_not_equal(redact_whole(&other, "jane", "user", &arena),
	                        name);
	assert_string_not_equal(redact_whole(&random, "jane", "user", &arena),
	                        name);
	// Redacting twice changes nothing.
	assert_string_equal(redact_whole(&other, name, "user", &arena), name);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(homes_are_found_in_all_spellings),
		cmocka_unit_test(mails_are_found_at_any_domain),
		cmocka_unit_test(secrets_are_found_in_any_form),
		cmocka_unit_test(addresses_in_prose_are_no_versions),
		cmocka_unit_test(a_home_may_end_like_a_source_file),
		cmocka_unit_test(numbers_of_devices_and_networks_are_found),
		cmocka_unit_test(values_are_found_in_every_notation),
		cmocka_unit_test(machines_and_numbers_have_many_shapes),
		cmocka_unit_test(what_identifies_code_stays),
		cmocka_unit_test(what_only_looks_like_a_value_stays),
		cmocka_unit_test(a_label_says_whose_a_line_is),
		cmocka_unit_test(a_message_names_no_input),
		cmocka_unit_test(pseudonyms_depend_on_the_key_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
