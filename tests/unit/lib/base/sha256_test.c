// SPDX-License-Identifier: MIT
#include "lib/base/sha256.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_digest(struct text in, size_t piece, const char *expected)
{
	SCOPED(str_release) struct str hex = { 0 };
	uint8_t digest[SHA256_SIZE];
	struct sha256 hash;

	sha256_init(&hash);
	while (in.size) {
		sha256_add(&hash, text_first(in, piece));
		in = text_after(in, piece);
	}
	sha256_finish(&hash, digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		str_addf(&hex, "%02x", digest[i]);
	assert_string_equal(str_cstr(&hex), expected);
}

// FIPS 180-4's own examples, and the lengths around the end of a block.
static void digests_are_those_of_the_standard(void **state UNUSED)
{
	static const char zeros[64];

	assert_digest(text_from(""), 1,
	              "e3b0c44298fc1c149afbf4c8996fb924"
	              "27ae41e4649b934ca495991b7852b855");
	assert_digest(text_from("abc"), 1,
	              "ba7816bf8f01cfea414140de5dae2223"
	              "b00361a396177a9cb410ff61f20015ad");
	assert_digest(text_from("abcdbcdecdefdefgefghfghighijhijk"
	                        "ijkljklmklmnlmnomnopnopq"),
	              7,
	              "248d6a61d20638b8e5c026930c3e6039"
	              "a33ce45964ff2167f6ecedd419db06c1");
	assert_digest((struct text){ zeros, 55 }, 64,
	              "02779466cdec163811d078815c633f21"
	              "901413081449002f24aa3e80f0b88ef7");
	assert_digest((struct text){ zeros, 64 }, 13,
	              "f5a5fd42d16a20302798ef6ed309979b"
	              "43003d2320d9f0e8ea9831a92759fb4b");
}

static void a_prefix_leaves_the_hash_as_it_is(void **state UNUSED)
{
	struct sha256 hash;

	sha256_init(&hash);
	sha256_add(&hash, text_from("a"));
	sha256_prefix(&hash);
	sha256_add(&hash, text_from("bc"));
	assert_int_equal(sha256_prefix(&hash), 0xba7816bf8f01cfea);
}

static void a_keyed_digest_is_that_of_the_standard(void **state UNUSED)
{
	// RFC 4231, test case 1: the rest of a key counts as zeros.
	uint8_t key[SHA256_SIZE] = { 0 };
	uint8_t digest[SHA256_SIZE];

	memset(key, 0x0b, 20);
	sha256_hmac(key, text_from("Hi There"), digest);
	assert_memory_equal(digest, "\xb0\x34\x4c\x61\xd8\xdb\x38\x53", 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digests_are_those_of_the_standard),
		cmocka_unit_test(a_keyed_digest_is_that_of_the_standard),
		cmocka_unit_test(a_prefix_leaves_the_hash_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
