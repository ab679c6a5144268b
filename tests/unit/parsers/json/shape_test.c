// SPDX-License-Identifier: MIT
#include "parsers/json/shape.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void names_of_the_outermost_object_are_seen(void **state)
{
	static const struct {
		const char *json;
		uint64_t names;
	} cases[] = {
		{ "{\"crash\":{\"threads\":[]},\"report\" : 1}",
		  JSON_HAS(CRASH) | JSON_HAS(REPORT) },
		{ "{\"a\":\"samples\",\"samples\":\"}\\\"{\"}",
		  JSON_HAS(SAMPLES) },
		// Damaged or shortened, as far as it goes.
		{ "{\"crash\":nope,,\"dump_type\":",
		  JSON_HAS(CRASH) | JSON_HAS(DUMP_TYPE) },
		{ "{\"crash\"", 0 },
		{ "{}\n{\"crash\":1}", 0 },
		{ "[{\"crash\":1}]", 0 },
		{ "\"crash\":1", 0 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct json_shape shape = json_shape(text_from(cases[i].json));

		if (shape.names != cases[i].names)
			fail_msg("%s", cases[i].json);
	}
}

static void a_header_has_no_name_of_a_body(void **state)
{
	static const struct {
		const char *json;
		bool has_header_names;
		bool is_body;
	} cases[] = {
		{ "{\"bug_type\":\"309\"}", true, false },
		{ "{\"bug_type\":\"309\",\"threads\":[]}", true, true },
		{ "{\"timestamp\":\"\",\"os_version\":\"\"}", true, false },
		{ "{\"timestamp\":\"\"}", false, false },
		{ "{\"usedImages\":[]}", false, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct json_shape shape = json_shape(text_from(cases[i].json));

		assert_true(shape.complete);
		assert_int_equal(shape.has_header_names,
		                 cases[i].has_header_names);
		assert_int_equal(shape.is_body, cases[i].is_body);
		assert_int_equal(shape.is_header, cases[i].has_header_names &&
		                                          !cases[i].is_body);
	}
}

static void a_value_that_lost_its_end_ends_where_another_begins(void **state)
{
	static const struct {
		const char *json;
		size_t size; ///< of the value, one of many
		bool complete;
	} cases[] = {
		{ "{\"a\":1}\n{\"a\":2}", 7, true },
		// No value may be there.
		{ "{\"a\":1\n{\"b\":2}", 7, false },
		{ "{\"a\":\"x\n{\"b\":2}", 8, false },
		// It begins as the first one does.
		{ "{\"a\":[\n{\"a\":2}", 7, false },
		{ "{\"a\":[\n{\"b\":2}]}", 16, true },
		{ "{\"a\":[\r\nIncident Identifier: X", 8, false },
		{ "{\"a\":1\nb", 8, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct text in = text_from(cases[i].json);
		struct json_shape shape = json_shape_in_line(in);

		if (shape.size != cases[i].size ||
		    shape.complete != cases[i].complete)
			fail_msg("%s: %zu", cases[i].json, shape.size);
		assert_true(text_is(shape.first_name, "\"a\""));
	}
}

static void a_value_is_measured_wherever_its_marks_are(void **state)
{
	static const char *const tails[] = {
		"\":1}",
		"\\\"\":1}",
		"\\\\\":[{}]}",
		"\x8a\x8d\x22:1}",
		"\" \t:\n {\"bug_type\" : 2}}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tails); i++)
		for (size_t before = 0; before < 20; before++) {
			SCOPED(str_release) struct str in = { 0 };
			struct json_shape shape;

			str_add(&in, "{\"");
			str_add_repeat(&in, 'a', before);
			str_add(&in, tails[i]);
			shape = json_shape_in_line(str_text(&in));
			assert_true(shape.complete);
			assert_int_equal(shape.size, in.size);
			assert_int_equal(shape.names, 0);
			str_add(&in, "\n{");
			shape = json_shape(str_text(&in));
			assert_int_equal(shape.size, in.size - 2);
		}
}

static void a_known_value_is_not_looked_at_again(void **state)
{
	struct text in = text_from("{\"threads\":[]} {\"bug_type\":1}");
	struct json_shape_known known = {
		.data = in.data,
		.shape = { .size = 14, .complete = true, .names = 7 },
	};

	(void)state;
	assert_int_equal(json_shape_known(in, &known).names, 7);
	// Another one, or one that has been cut.
	assert_int_equal(json_shape_known(text_after(in, 15), &known).names,
	                 JSON_HAS(BUG_TYPE));
	assert_false(json_shape_known(text_first(in, 13), &known).complete);
}

static void a_bracket_alone_begins_no_json(void **state)
{
	static const char *const json[] = { "{}",      "[]",      "{ \"a\":1}",
		                            "[{",      "[1,2]",   "[-1.5]",
		                            "[\"a\"]", "[ null]", "{\n\"",
		                            "[",       "[12" };
	static const char *const texts[] = {
		"{System.Exception: no cart",
		"[ERROR] no cart",
		"[10:00:00] no cart",
		"[0:] no cart",
		"{a: 1}",
		"-[Cart pay]",
		"",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(json); i++)
		if (!json_begins(text_from(json[i])))
			fail_msg("%s", json[i]);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (json_begins(text_from(texts[i])))
			fail_msg("%s", texts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_the_outermost_object_are_seen),
		cmocka_unit_test(a_header_has_no_name_of_a_body),
		cmocka_unit_test(
		        a_value_that_lost_its_end_ends_where_another_begins),
		cmocka_unit_test(a_value_is_measured_wherever_its_marks_are),
		cmocka_unit_test(a_known_value_is_not_looked_at_again),
		cmocka_unit_test(a_bracket_alone_begins_no_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
