// SPDX-License-Identifier: MIT
#include "cmd/filter/envelope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_text(struct text found, const char *expected)
{
	if (!expected)
		assert_null(found.data);
	else
		assert_true(text_is(found, expected));
}

/** @param report  NULL: all of the frame. */
static void expect(const char *frame, const char *id, const char *meta,
                   enum envelope_content content, const char *report)
{
	struct frame_envelope found;
	struct error *err = envelope_find(text_from(frame), &found);

	assert_null(err);
	expect_text(found.id, id);
	expect_text(found.meta, meta);
	assert_int_equal(found.content, content);
	expect_text(found.report, report ? report : frame);
}

static void expect_error(const char *frame, const char *id, const char *message)
{
	struct frame_envelope found;
	struct error *err = envelope_find(text_from(frame), &found);

	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	expect_text(found.id, id);
	error_free(err);
}

static void parts_are_as_they_were_written(void **state UNUSED)
{
	expect("{\"apm\":1,\"id\":\"a\\u0041\",\"meta\":{ \"x\" : [1.50] },"
	       "\"report\":{\"a\":{}}}",
	       "\"a\\u0041\"", "{ \"x\" : [1.50] }", ENVELOPE_BYTES,
	       "{\"a\":{}}");
	expect("{\"report\":\"te\\nxt\",\"id\":1e3,\"apm\":1}", "1e3", NULL,
	       ENVELOPE_STRING, "\"te\\nxt\"");
	expect("{\"apm\":1,\"report\":{\"base64\":\"AAAA\"},\"new\":[{}]}",
	       NULL, NULL, ENVELOPE_BASE64, "\"AAAA\"");
	expect("{\"apm\":1,\"report\":[1]}", NULL, NULL, ENVELOPE_BYTES, "[1]");
	expect("{\"apm\":1,\"id\":null,\"report\":{}}", NULL, NULL,
	       ENVELOPE_BYTES, "{}");
}

static void shape_is_as_it_was_written(void **state UNUSED)
{
	static const struct {
		const char *frame;
		const char *shape;
	} cases[] = {
		{ "{\"apm\":1,\"shape\":\"html\",\"report\":{}}", "\"html\"" },
		{ "{\"apm\":1,\"report\":{},\"shape\":[1]}", "[1]" },
		{ "{\"apm\":1,\"report\":{}}", NULL },
		// It does not make an envelope of a report.
		{ "{\"shape\":\"html\",\"apm\":1,\"report\":{}}", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct frame_envelope found;

		assert_null(envelope_find(text_from(cases[i].frame), &found));
		expect_text(found.shape, cases[i].shape);
	}
}

static void other_frames_are_reports(void **state UNUSED)
{
	expect("", NULL, NULL, ENVELOPE_BYTES, NULL);
	expect("Incident Identifier: 1", NULL, NULL, ENVELOPE_BYTES, NULL);
	expect("{\"report\":{\"id\":\"1\"},\"system\":{}}", NULL, NULL,
	       ENVELOPE_BYTES, NULL);
	expect("{\"crash\":1,\"apm\":1}", NULL, NULL, ENVELOPE_BYTES, NULL);
	expect("{\"base64\":\"AAAA\"}", NULL, NULL, ENVELOPE_BYTES, NULL);
}

static void wrong_envelope_keeps_its_id(void **state UNUSED)
{
	expect_error("{\"apm\":1,\"id\":7}", "7", "report: missing");
	expect_error("{\"apm\":2,\"id\":7,\"report\":{}}", "7",
	             "apm: expected 1, found 2");
	expect_error("{\"apm\":1,\"id\":7,\"report\":true}", "7",
	             "report: expected an object or a string");
	expect_error("{\"apm\":1,\"id\":7,\"id\":8,\"report\":{}}", NULL,
	             "id: given twice");
	expect_error("{\"apm\":1,\"id\":[],\"report\":{}}", NULL,
	             "id: expected a string or a number");
	expect_error("{\"apm\":1,\"id\":7,\"meta\":{\"a\":NaN},\"report\":{}}",
	             "7", "meta: not valid JSON");
	expect_error("{\"apm\":1,\"id\":7,\"report\":\"abc", "7",
	             "report: expected an object or a string");
}

static void what_is_no_json_is_not_repeated(void **state UNUSED)
{
	expect_error("{\"apm\":1,\"id\":\"a\tb\",\"report\":{}}", NULL,
	             "id: not valid JSON");
	expect_error("{\"apm\":1,\"id\":\"\xff\",\"report\":{}}", NULL,
	             "id: not valid JSON");
	expect_error("{\"apm\":1,\"id\":7,\"meta\":Infinity,\"report\":{}}",
	             "7", "meta: not valid JSON");
	expect("\xef\xbb\xbf{\"apm\":1,\"id\":7,\"report\":{}}", "7", NULL,
	       ENVELOPE_BYTES, "{}");
	expect("{\"apm\":1,\"id\":-1.5E+3,\"meta\":[true,null,false],"
	       "\"report\":{}}",
	       "-1.5E+3", "[true,null,false]", ENVELOPE_BYTES, "{}");
}

static void damaged_report_is_passed_on(void **state UNUSED)
{
	expect("{\"apm\":1,\"id\":7,\"report\":{\"a\":[1,", "7", NULL,
	       ENVELOPE_BYTES, "{\"a\":[1,");
	expect("{\"apm\":1,\"id\":7,\"report\":{\"a\" 5 \"b\"}}", "7", NULL,
	       ENVELOPE_BYTES, "{\"a\" 5 \"b\"}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_as_they_were_written),
		cmocka_unit_test(shape_is_as_it_was_written),
		cmocka_unit_test(other_frames_are_reports),
		cmocka_unit_test(wrong_envelope_keeps_its_id),
		cmocka_unit_test(what_is_no_json_is_not_repeated),
		cmocka_unit_test(damaged_report_is_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
