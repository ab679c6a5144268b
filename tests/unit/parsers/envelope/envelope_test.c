// SPDX-License-Identifier: MIT
#include "parsers/envelope/envelope.h"
#include "parsers/json/shape.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HEADER                                                        \
	"{\"app_name\":\"Demo\",\"bug_type\":\"309\",\"os_version\":" \
	"\"iPhone OS 18.0 (22A1)\"}\n"
#define BODY "{\"threads\":[],\"usedImages\":[],\"procName\":\"Demo\"}\n"
#define TEXT "Incident Identifier: X\nProcess: Demo [1]\n"

/** Documents that were parsed: the linker has these called instead. */
static size_t document_count;

struct error *__real_json_parse(struct text in, size_t *ret_used,
                                struct json_doc **ret);
struct error *__real_json_salvage(struct text in, size_t *ret_used,
                                  struct json_doc **ret);
struct error *__wrap_json_parse(struct text in, size_t *ret_used,
                                struct json_doc **ret);
struct error *__wrap_json_salvage(struct text in, size_t *ret_used,
                                  struct json_doc **ret);

struct error *__wrap_json_parse(struct text in, size_t *ret_used,
                                struct json_doc **ret)
{
	document_count++;
	return __real_json_parse(in, ret_used, ret);
}

struct error *__wrap_json_salvage(struct text in, size_t *ret_used,
                                  struct json_doc **ret)
{
	document_count++;
	return __real_json_salvage(in, ret_used, ret);
}

static void each_document_of_an_input_is_parsed_once(void **state)
{
	static const struct {
		const char *text;
		const char *format;
		size_t documents;
	} cases[] = {
		{ HEADER BODY, "ips-crash", 2 },
		{ HEADER BODY HEADER BODY, "ips-crash", 4 },
		{ BODY, "ips-crash", 1 },
		{ HEADER TEXT, "crash-text", 1 },
		{ TEXT, "crash-text", 0 },
		{ "{\"bug_type\":\"298\"}\n{\"largestProcess\":\"Demo\"}\n",
		  "jetsam", 2 },
		{ "{\"largestProcess\":\"Demo\"}\n", "jetsam", 1 },
		{ "{\"report\":{\"process_name\":\"Demo\"},\"crash\":"
		  "{\"error\":{}},\"system\":{}}\n",
		  "kscrash", 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct text in = text_from(cases[i].text);
		struct report *report;

		document_count = 0;
		assert_null(read_reports(bytes_from_text(in), &arena, &report));
		assert_string_equal(report->format, cases[i].format);
		if (document_count != cases[i].documents)
			fail_msg("%s: %zu documents", cases[i].text,
			         document_count);
	}
}

static void a_header_is_the_object_of_the_first_line(void **state)
{
	static const struct {
		const char *text;
		size_t lines; ///< of the header
		const char *body;
	} cases[] = {
		{ HEADER "Process:", 1, "\nProcess:" },
		{ "\n \n" HEADER, 3, "\n" },
		{ HEADER "{\"a\":1}", 1, "\n{\"a\":1}" },
		{ "{\"bug_type\":\n\"309\"}", 0, NULL },
		{ "{\"bug_type\":\"309\"", 0, NULL },
		{ "{\"bug_type\":309,}", 0, NULL },
		{ "{\"name\":\"x\"}\n" BODY, 0, NULL },
		{ "Process:", 0, NULL },
		{ "", 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct text in = text_from(cases[i].text);
		SCOPED(envelope_release)
		struct envelope envelope = envelope_open(in, &arena);
		const char *body = cases[i].body ? cases[i].body
		                                 : cases[i].text;

		if (envelope.has_header != (cases[i].lines > 0) ||
		    envelope.header_lines != cases[i].lines ||
		    !text_is(envelope.body, body))
			fail_msg("%s", cases[i].text);
		assert_int_equal(envelope.doc != NULL, envelope.has_header);
		assert_true(text_equal(envelope.text, in));
	}
}

static void names_are_those_of_header_and_body(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(envelope_release)
	struct envelope both = envelope_open(text_from(HEADER BODY), &arena);
	SCOPED(envelope_release)
	struct envelope alone = envelope_open(text_from(BODY), &arena);

	(void)state;
	assert_int_equal(both.names, JSON_HAS(BUG_TYPE) | JSON_HAS(APP_NAME) |
	                                     JSON_HAS(OS_VERSION));
	assert_int_equal(both.body_names,
	                 JSON_HAS(THREADS) | JSON_HAS(USED_IMAGES));
	assert_string_equal(both.header.bug_type, "309");
	assert_int_equal(alone.names, both.body_names);
	assert_int_equal(alone.body_names, both.body_names);
	assert_null(alone.header.bug_type);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_document_of_an_input_is_parsed_once),
		cmocka_unit_test(a_header_is_the_object_of_the_first_line),
		cmocka_unit_test(names_are_those_of_header_and_body),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
