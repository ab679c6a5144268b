// SPDX-License-Identifier: MIT
#include "lib/answers/answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void an_answer_is_read_whole(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct filter_answer answer;
	struct text text = text_from(
	        "{\"schema\":\"apmtool.answer/1\",\"id\":{\"a\":[1]},"
	        "\"status\":\"partial\",\"reason\":\"E-damaged\","
	        "\"message\":\"it \\\"ends\\\"\",\"missing\":[\"U1\",\"U2\"],"
	        "\"documents\":[{\"schema\":\"x\",\"id\":\"I-1\",\"b\":[{}]},"
	        "{\"incident\":\"I-2\"},\"Incident: text\",{\"id\":7}],"
	        "\"reports\":[{\"incident\":\"I-3\"}]}");

	(void)state;
	assert_null(filter_answer_read(text, &arena, &answer));
	assert_string_equal(filter_status_name(answer.status), "partial");
	assert_string_equal(answer.reason, "E-damaged");
	assert_string_equal(answer.message, "it \"ends\"");
	assert_int_equal(answer.missing_count, 2);
	assert_string_equal(answer.missing[1], "U2");
	assert_int_equal(answer.document_count, 4);
	assert_true(text_is(answer.documents[0].text,
	                    "{\"schema\":\"x\",\"id\":\"I-1\",\"b\":[{}]}"));
	assert_true(text_is(answer.documents[0].id, "I-1"));
	assert_true(text_is(answer.documents[1].id, "I-2"));
	assert_true(text_is(answer.documents[2].text, "\"Incident: text\""));
	assert_int_equal(answer.documents[2].id.size, 0);
	assert_int_equal(answer.documents[3].id.size, 0);
	assert_int_equal(answer.report_count, 1);
	assert_true(text_is(answer.reports[0].id, "I-3"));
}

static void an_answer_may_have_no_more_than_a_status(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct filter_answer answer;

	(void)state;
	assert_null(filter_answer_read(text_from("{\"status\":\"ok\"}"), &arena,
	                               &answer));
	assert_int_equal(answer.status, FILTER_OK);
	assert_null(answer.reason);
	assert_int_equal(answer.document_count + answer.missing_count, 0);
}

static void what_is_no_answer_is_an_error(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "", "answer: status: missing" },
		{ "[]", "answer: status: missing" },
		{ "{}", "answer: status: missing" },
		{ "{\"status\":\"fine\"}", "answer: status: unknown" },
		{ "{\"status\":[\"ok\"]}", "answer: status: unknown" },
		{ "{\"status\":\"ok\",\"documents\":[{\"a\":1}",
		  "answer: truncated" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct filter_answer answer;
		SCOPED(error_drop)
		struct error *err = filter_answer_read(text_from(cases[i].text),
		                                       &arena, &answer);

		assert_non_null(err);
		assert_string_equal(error_message(err), cases[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_read_whole),
		cmocka_unit_test(an_answer_may_have_no_more_than_a_status),
		cmocka_unit_test(what_is_no_answer_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
