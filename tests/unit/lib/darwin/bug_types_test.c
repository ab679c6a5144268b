// SPDX-License-Identifier: MIT
#include "lib/darwin/bug_types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void a_number_has_a_name_and_plain_words(void **state UNUSED)
{
	const struct bug_type *type = bug_type_find("202");

	assert_non_null(type);
	assert_string_equal(type->name, "SymptomsCPUUsage");
	assert_string_equal(type->what, "a CPU usage report");
	assert_int_equal(type->body, BUG_BODY_TREE);
	assert_null(bug_type_find("777"));
	assert_null(bug_type_find(""));
	assert_null(bug_type_find(NULL));
}

static void every_number_of_the_submission_table_is_known(void **state UNUSED)
{
	// Types from both tables.
	static const char *const ids =
	        "9 10 11 12 21 184 22 28 29 98 198 109 110 115 117 118 120 142 "
	        "145 151 154 157 183 185 385 187 188 194 202 206 203 204 208 "
	        "215 219 226 229 210 211 222 223 310 225 227 327 228 328 284 "
	        "288 298 301 308 309 409 410 509 13 14 17 18 20 23 24 25 27 30 "
	        "31 32 35 33 34 36 44 50 150 116 119 141 143 144 149 152 155 "
	        "156 158 159 161 165 166 167 172 174 176 178 179 181 182 186 "
	        "189 191 192 193 195 199 201 205 207 209 221 212 213 216 220 "
	        "230 238 239 240 242 243 244 245 248 278 302 305 diff_privacy "
	        "metriclog powerlog chw T01 T02 T03 T04 T05 T06 T07 T08";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text rest = text_from(ids);

	while (rest.size) {
		size_t end = text_find_char(rest, ' ');
		struct text id = text_first(rest, end);
		const struct bug_type *type;

		rest = text_after(rest,
		                  end == TEXT_NOWHERE ? rest.size : end + 1);
		type = bug_type_find(arena_text(&arena, id));
		if (!type)
			fail_msg("%.*s", TEXT_ARGS(id));
		assert_true(!strncmp(type->what, "a ", 2) ||
		            !strncmp(type->what, "an ", 3));
	}
}

static void crashes_are_distinguished_from_the_rest(void **state UNUSED)
{
	static const char *const crashes[] = { "309", "308", "385", "109",
		                               "185" };
	static const char *const others[] = { "298", "210", "202",
		                              "288", "777", "diff_privacy" };

	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
		assert_true(bug_type_is_crash(crashes[i]));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(bug_type_is_crash(others[i]));
	assert_false(bug_type_is_crash(NULL));
}

static void any_number_can_be_described(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	assert_string_equal(bug_type_describe("298", &arena),
	                    "a jetsam log (bug_type 298)");
	assert_string_equal(bug_type_describe("777", &arena),
	                    "a report of bug_type 777");
	assert_string_equal(bug_type_describe(NULL, &arena),
	                    "a report without a bug_type");
	assert_string_equal(bug_type_bare("an App Store log"), "App Store log");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_has_a_name_and_plain_words),
		cmocka_unit_test(every_number_of_the_submission_table_is_known),
		cmocka_unit_test(crashes_are_distinguished_from_the_rest),
		cmocka_unit_test(any_number_can_be_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
