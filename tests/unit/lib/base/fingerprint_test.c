// SPDX-License-Identifier: MIT
#include "lib/base/fingerprint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct fingerprint print_of(struct fingerprints *map, const char *key)
{
	return fingerprint_of(map, key, strlen(key));
}

static void a_number_is_found_again(void **state UNUSED)
{
	struct fingerprints map = { 0 };
	struct fingerprint one = print_of(&map, "main;load");
	struct fingerprint other = print_of(&map, "main;draw");
	bool is_new;

	*fingerprints_find(&map, &one, &is_new) = 7;
	assert_true(is_new);
	assert_int_equal(*fingerprints_find(&map, &other, &is_new), 0);
	assert_true(is_new);
	assert_int_equal(*fingerprints_find(&map, &one, &is_new), 7);
	assert_false(is_new);
	fingerprints_release(&map);
}

static void keys_differ_in_both_words_wherever_they_differ(void **state UNUSED)
{
	struct fingerprints map = { 0 };
	unsigned char key[67] = { 0 };
	struct fingerprint before = fingerprint_of(&map, key, sizeof(key));

	for (size_t i = 0; i < sizeof(key); i++) {
		struct fingerprint after;

		key[i] = 1;
		after = fingerprint_of(&map, key, sizeof(key));
		assert_int_not_equal(after.words[0], before.words[0]);
		assert_int_not_equal(after.words[1], before.words[1]);
		assert_int_not_equal(after.words[0], after.words[1]);
		key[i] = 0;
		// A key that only goes on with zeros is another.
		after = fingerprint_of(&map, key, i);
		assert_int_not_equal(after.words[0], before.words[0]);
	}
	fingerprints_release(&map);
}

static void many_are_distinguished_and_forgotten(void **state UNUSED)
{
	struct fingerprints map = { 0 };
	char key[16];
	bool is_new;

	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 20000; i++) {
			struct fingerprint print;

			snprintf(key, sizeof(key), "%u", i);
			print = print_of(&map, key);
			*fingerprints_find(&map, &print, &is_new) = i;
			assert_true(is_new);
		}
		for (uint32_t i = 0; i < 20000; i++) {
			struct fingerprint print;

			snprintf(key, sizeof(key), "%u", i);
			print = print_of(&map, key);
			assert_int_equal(
			        *fingerprints_find(&map, &print, &is_new), i);
		}
		fingerprints_clear(&map);
	}
	fingerprints_release(&map);
}

static void two_tables_have_seeds_of_their_own(void **state UNUSED)
{
	struct fingerprints map = { 0 };
	struct fingerprints other = { 0 };
	struct fingerprint one = print_of(&map, "main");
	struct fingerprint two = print_of(&other, "main");

	assert_int_not_equal(one.words[0], two.words[0]);
	fingerprints_release(&map);
	fingerprints_release(&other);
}

/** How many keys are kept of a map's, where each comes @p times. */
static size_t count_kept(uint32_t times)
{
	struct fingerprints map = { 0 };
	size_t count;

	for (uint32_t i = 0; i < 2 * FINGERPRINTS_TRIED; i++) {
		uint32_t key = i / times;
		struct fingerprint print;
		bool is_new;

		if (!fingerprints_repay(&map))
			continue;
		print = fingerprint_of(&map, &key, sizeof(key));
		fingerprints_find(&map, &print, &is_new);
	}
	count = map.count;
	fingerprints_clear(&map);
	assert_true(fingerprints_repay(&map));
	fingerprints_release(&map);
	return count;
}

static void keys_that_never_come_again_are_not_kept(void **state UNUSED)
{
	assert_int_equal(count_kept(1), 0);
	assert_int_equal(count_kept(2), FINGERPRINTS_TRIED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_found_again),
		cmocka_unit_test(
		        keys_differ_in_both_words_wherever_they_differ),
		cmocka_unit_test(many_are_distinguished_and_forgotten),
		cmocka_unit_test(two_tables_have_seeds_of_their_own),
		cmocka_unit_test(keys_that_never_come_again_are_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
