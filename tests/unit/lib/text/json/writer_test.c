// SPDX-License-Identifier: MIT
#include "lib/text/json/writer.h"

#include "lib/base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef void (*write_function)(struct json_writer *w);

/** What @p write writes, compared byte by byte. */
static void assert_written(write_function write, const char *expected)
{
	char path[] = "/tmp/apmtool-json-writer-XXXXXX";
	struct file_data written = { 0 };
	struct json_writer writer;
	struct out *out = NULL;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_null(out_open(path, &out));
	writer = json_writer_to(out);
	write(&writer);
	json_finish(&writer);
	assert_null(out_close(out));
	assert_null(file_read(path, 1 << 20, &written));
	unlink(path);
	assert_int_equal(written.bytes.size, strlen(expected));
	assert_memory_equal(written.bytes.data, expected, strlen(expected));
	file_release(&written);
}

static void write_nested(struct json_writer *w)
{
	json_open_object(w, NULL);
	json_text(w, "schema", "apmtool.report/1");
	json_text(w, "absent", NULL);
	json_open_array(w, "threads");
	json_number(w, NULL, UINT64_MAX);
	json_open_object(w, NULL);
	json_bool(w, "crashed", true);
	json_null(w, "name");
	json_signed(w, "delta", -7);
	json_address(w, "address", 0x100F0C92C);
	json_close(w);
	json_close(w);
	json_open_array(w, "images");
	json_close(w);
	json_open_object(w, "empty");
	json_close(w);
	json_close(w);
}

static void containers_are_indented_and_empty_ones_are_not(void **state)
{
	(void)state;
	assert_written(write_nested, "{\n"
	                             "  \"schema\": \"apmtool.report/1\",\n"
	                             "  \"threads\": [\n"
	                             "    18446744073709551615,\n"
	                             "    {\n"
	                             "      \"crashed\": true,\n"
	                             "      \"name\": null,\n"
	                             "      \"delta\": -7,\n"
	                             "      \"address\": \"0x100f0c92c\"\n"
	                             "    }\n"
	                             "  ],\n"
	                             "  \"images\": [],\n"
	                             "  \"empty\": {}\n"
	                             "}\n");
}

static void write_hostile(struct json_writer *w)
{
	json_open_array(w, NULL);
	json_text(w, NULL, "quote\" back\\slash /");
	json_text(w, NULL, "line\nline\ttab\r");
	json_text(w, NULL, "\x1b[31mred\x7f");
	json_text(w, NULL, "bad \xff\xc3 utf8 \xe5\xbe\xae");
	json_text(w, NULL,
	          "\xe2\x80\xae"
	          "rtl\xe2\x80\xa8"
	          "\xc2\x9b");
	json_close(w);
}

static void nothing_in_a_string_can_act_on_a_terminal(void **state)
{
	(void)state;
	assert_written(write_hostile,
	               "[\n"
	               "  \"quote\\\" back\\\\slash /\",\n"
	               "  \"line\\nline\\ttab\\u000d\",\n"
	               "  \"\\u001b[31mred\\u007f\",\n"
	               "  \"bad \xef\xbf\xbd\xef\xbf\xbd utf8 \xe5\xbe\xae\",\n"
	               "  \"\\u202ertl\\u2028\\u009b\"\n"
	               "]\n");
}

static void write_commands(struct json_writer *w)
{
	json_open_object(w, NULL);
	json_text(w, "##[a", "\n::b");
	json_text(w, "c", "x##vso[d]\"##[\xe5\xbe\xae##teamcity[");
	json_text(w, "closure #1", "# ## [e]");
	json_close(w);
}

static void nothing_in_a_string_is_a_workflow_command(void **state UNUSED)
{
	assert_written(write_commands,
	               "{\n"
	               "  \"##\\u005ba\": \"\\n::b\",\n"
	               "  \"c\": \"x##vso\\u005bd]\\\"##\\u005b\xe5\xbe\xae"
	               "##teamcity\\u005b\",\n"
	               "  \"closure #1\": \"# ## [e]\"\n"
	               "}\n");
}

static void write_uuids(struct json_writer *w)
{
	struct uuid none = { 0 };
	struct uuid some = { 0 };

	assert_true(uuid_parse(text_from("1a2b3c4d5e6f30718293a4b5c6d7e8f9"),
	                       &some));
	json_open_object(w, NULL);
	json_uuid(w, "none", &none);
	json_uuid(w, "some", &some);
	json_close(w);
}

static void a_uuid_is_canonical_and_a_zero_one_absent(void **state)
{
	(void)state;
	assert_written(write_uuids,
	               "{\n  \"some\": "
	               "\"1A2B3C4D-5E6F-3071-8293-A4B5C6D7E8F9\"\n}\n");
}

/** On one line from a depth on; 0: all of it. */
static void write_deep(struct json_writer *w)
{
	json_open_object(w, NULL);
	json_open_array(w, "empty");
	json_close(w);
	json_open_object(w, "inner");
	json_number(w, "a", 1);
	json_open_array(w, "list");
	json_bool(w, NULL, true);
	json_null(w, NULL);
	json_close(w);
	json_close(w);
	json_close(w);
}

static void write_on_one_line(struct json_writer *w)
{
	*w = json_writer_compact(w->out);
	write_deep(w);
}

static void write_outer_lines(struct json_writer *w)
{
	w->line_depth = 2;
	write_deep(w);
}

static void a_document_may_be_a_line_or_have_some(void **state)
{
	(void)state;
	assert_written(write_on_one_line, "{\"empty\":[],\"inner\":{\"a\":1,"
	                                  "\"list\":[true,null]}}\n");
	assert_written(write_outer_lines,
	               "{\n  \"empty\": [],\n"
	               "  \"inner\": {\"a\":1,\"list\":[true,null]}\n}\n");
}

static void write_members(struct json_writer *w)
{
	*w = json_writer_compact(w->out);
	json_open_array(w, NULL);
	json_open_object(w, NULL);
	json_members(w, TEXT_NONE);
	json_close(w);
	json_open_object(w, NULL);
	json_members(w, text_from("\"a\" : [ ]"));
	json_members(w, text_from("\"b\":\"\\/\""));
	json_number(w, "c", 1);
	json_close(w);
	json_close(w);
}

static void members_stay_as_they_were_written(void **state)
{
	(void)state;
	assert_written(write_members,
	               "[{},{\"a\" : [ ],\"b\":\"\\/\",\"c\":1}]\n");
}

/** Written as text, with its quotes, whatever is beside the character. */
static void assert_string(size_t before, const char *c, const char *expected)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str wanted = { 0 };
	struct out *out = out_memory();
	struct json_writer w = json_writer_to(out);

	str_add_repeat(&text, 'a', before);
	str_add(&text, c);
	str_add(&text, "bcdefghij");
	str_add_char(&wanted, '"');
	str_add_repeat(&wanted, 'a', before);
	str_add(&wanted, expected);
	str_add(&wanted, "bcdefghij\"");
	json_text(&w, NULL, str_cstr(&text));
	assert_string_equal(str_cstr(out_str(out)), str_cstr(&wanted));
	out_abandon(out);
}

static void escapes_are_found_wherever_they_are(void **state)
{
	static const char *const cases[][2] = {
		{ "\"", "\\\"" },
		{ "\\", "\\\\" },
		{ "\t", "\\t" },
		{ "\n", "\\n" },
		{ "\x1f", "\\u001f" },
		{ "\x7f", "\\u007f" },
		{ " ", " " },
		{ "~", "~" },
		{ "!", "!" },
		{ "\xff", "\xef\xbf\xbd" },
		{ "\xc3\xa9", "\xc3\xa9" },
		{ "\xe2\x80\xae", "\\u202e" },
		{ "#\"", "#\\\"" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (size_t before = 0; before < 20; before++)
			assert_string(before, cases[i][0], cases[i][1]);
}

static void write_signed(struct json_writer *w)
{
	json_open_array(w, NULL);
	json_signed(w, NULL, INT64_MIN);
	json_signed(w, NULL, -1);
	json_signed(w, NULL, INT64_MAX);
	json_close(w);
}

static void numbers_have_their_sign(void **state)
{
	(void)state;
	assert_written(write_signed, "[\n  -9223372036854775808,\n  -1,\n"
	                             "  9223372036854775807\n]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        containers_are_indented_and_empty_ones_are_not),
		cmocka_unit_test(nothing_in_a_string_can_act_on_a_terminal),
		cmocka_unit_test(nothing_in_a_string_is_a_workflow_command),
		cmocka_unit_test(a_uuid_is_canonical_and_a_zero_one_absent),
		cmocka_unit_test(a_document_may_be_a_line_or_have_some),
		cmocka_unit_test(members_stay_as_they_were_written),
		cmocka_unit_test(escapes_are_found_wherever_they_are),
		cmocka_unit_test(numbers_have_their_sign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
