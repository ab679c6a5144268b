#include "lib/text/json_pull.h"

#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** Events as text: `{a:1 b:['x' t -]}`, a `.` for DONE. */
static void add_event(struct str *out, const struct json_event *event)
{
	static const char *const signs[] = {
		[JSON_EVENT_DONE] = ".",      [JSON_EVENT_OBJECT] = "{",
		[JSON_EVENT_ARRAY] = "[",     [JSON_EVENT_END_OBJECT] = "}",
		[JSON_EVENT_END_ARRAY] = "]", [JSON_EVENT_NULL] = "- ",
		[JSON_EVENT_NAME] = ":",      [JSON_EVENT_NUMBER] = " ",
		[JSON_EVENT_TEXT] = "' ",     [JSON_EVENT_BOOL] = "",
	};

	if (event->type == JSON_EVENT_TEXT)
		str_add_char(out, '\'');
	if (event->type == JSON_EVENT_NAME ||
	    event->type == JSON_EVENT_NUMBER || event->type == JSON_EVENT_TEXT)
		str_add_text(out, event->text);
	if (event->type == JSON_EVENT_BOOL)
		str_add(out, event->truth ? "t " : "f ");
	str_add(out, signs[event->type]);
}

static void read_all(struct json_pull *pull, struct str *out)
{
	const struct json_event *event;

	do {
		event = json_pull_next(pull);
		add_event(out, event);
	} while (event->type != JSON_EVENT_DONE);
}

/** What comes of an input of @p size bytes. */
static void assert_reads_bytes(struct text in, unsigned flags,
                               const char *events, bool truncated,
                               const char *fault)
{
	// A copy of its own size: a byte read behind it is seen.
	SCOPED(mem_drop) char *data = mem_alloc(in.size);
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;
	SCOPED(error_drop) struct error *err = NULL;
	SCOPED(str_release) struct str out = { 0 };

	if (in.size)
		memcpy(data, in.data, in.size);
	pull = json_pull_new((struct text){ data, in.size }, flags);
	read_all(pull, &out);
	if (strcmp(str_cstr(&out), events) != 0)
		fail_msg("%.*s gave %s", TEXT_ARGS(in), str_cstr(&out));
	assert_int_equal(json_pull_truncated(pull), truncated);
	err = json_pull_take_error(pull);
	if (fault && !err)
		fail_msg("%.*s: no fault", TEXT_ARGS(in));
	if (err && !fault)
		fail_msg("%.*s: %s", TEXT_ARGS(in), error_message(err));
	if (fault)
		assert_string_equal(error_message(err), fault);
	assert_null(json_pull_take_error(pull));
	assert_int_equal(json_pull_next(pull)->type, JSON_EVENT_DONE);
	assert_int_equal(json_pull_depth(pull), 0);
}

static void assert_reads(const char *in, const char *events, bool truncated,
                         const char *fault)
{
	assert_reads_bytes(text_from(in), 0, events, truncated, fault);
}

static void values_come_in_their_order(void **state)
{
	static const struct {
		const char *json;
		const char *events;
	} cases[] = {
		{ "{}", "{}." },
		{ "[]", "[]." },
		{ "[[],{}]", "[[]{}]." },
		{ " [ 1 , \"x\" , true , false , null ] ", "[1 'x' t f - ]." },
		{ "{\"a\":1,\"b\":{\"c\":[2]}}", "{a:1 b:{c:[2 ]}}." },
		{ "\r\n\t{\"\":\"\"}", "{:'' }." },
		{ "\"x\"", "'x' ." },
		{ "-0.5e+10", "-0.5e+10 ." },
		{ "18446744073709551616", "18446744073709551616 ." },
		{ "null", "- ." },
		{ "{\"a\":1,\"a\":2}", "{a:1 a:2 }." },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_reads(cases[i].json, cases[i].events, false, NULL);
}

static void strings_lose_their_escapes(void **state)
{
	static const struct {
		const char *json;
		const char *events;
	} cases[] = {
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "'\"\\/\b\f\n\r\t' ." },
		{ "\"\\u0041\\u00e9\\u20ac\"", "'A\xc3\xa9\xe2\x82\xac' ." },
		{ "\"\\ud83d\\ude00!\"", "'\xf0\x9f\x98\x80!' ." },
		{ "\"\\uD83D\\uDE00\"", "'\xf0\x9f\x98\x80' ." },
		{ "{\"\\u0061b\":0}", "{ab:0 }." },
		{ "\"\xe5\x8d\xa1\xe9\xa1\xbf 12345678\"",
		  "'\xe5\x8d\xa1\xe9\xa1\xbf 12345678' ." },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_reads(cases[i].json, cases[i].events, false, NULL);
}

static void spoiled_strings_are_repaired(void **state)
{
	static const struct {
		const char *json;
		size_t size;
		const char *events;
		const char *repair;
	} cases[] = {
		{ "\"\\u0000\"", 8, "'\xef\xbf\xbd' .",
		  "\\u0000 replaced by U+FFFD" },
		{ "\"\\ud800x\"", 9, "'\xef\xbf\xbdx' .",
		  "unpaired surrogate replaced by U+FFFD" },
		{ "\"\\udc00\"", 8, "'\xef\xbf\xbd' .",
		  "unpaired surrogate replaced by U+FFFD" },
		{ "\"a\nb\"", 5, "'a\nb' .",
		  "control character inside a string" },
		{ "\"a\0b\"", 5,
		  "'a\xef\xbf\xbd"
		  "b' .",
		  "NUL inside a string replaced by U+FFFD" },
		{ "\"a\xff\"", 4, "'a\xef\xbf\xbd' .",
		  "bytes that are not UTF-8 replaced by U+FFFD" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct text in = { cases[i].json, cases[i].size };
		SCOPED(json_pull_drop)
		struct json_pull *pull = json_pull_new(in, 0);
		SCOPED(str_release) struct str out = { 0 };

		read_all(pull, &out);
		assert_string_equal(str_cstr(&out), cases[i].events);
		assert_int_equal(json_pull_repair_count(pull), 1);
		assert_string_equal(json_pull_repair(pull, 0).text,
		                    cases[i].repair);
	}
}

/** Each byte that ends a plain run, at each place of it. */
static void a_string_ends_where_it_ends(void **state)
{
	static const char ends[] = "\"\\\n\x1f\x80\xff";
	// Neighbours of what ends a run, which no arithmetic may confuse.
	static const char plain[] = "a!#[] \x7f";

	(void)state;
	for (size_t at = 0; at < 40; at++) {
		for (size_t i = 0; i + 1 < sizeof(ends); i++) {
			char in[64] = "\"";
			const struct json_event *event;
			SCOPED(json_pull_drop) struct json_pull *pull = NULL;

			memset(in + 1, plain[at % (sizeof(plain) - 1)], 41);
			in[1 + at] = ends[i];
			if (ends[i] == '\\')
				in[2 + at] = '"';
			in[42] = '"';
			pull = json_pull_new((struct text){ in, 43 }, 0);
			event = json_pull_next(pull);
			assert_int_equal(event->type, JSON_EVENT_TEXT);
			if (ends[i] == '"')
				assert_int_equal(event->text.size, at);
			else if (ends[i] == '\\')
				assert_int_equal(event->text.data[at], '"');
			else if ((unsigned char)ends[i] < 0x20)
				assert_int_equal(event->text.data[at], ends[i]);
			else
				assert_memory_equal(event->text.data + at,
				                    "\xef\xbf\xbd", 3);
		}
	}
}

static void what_is_no_json_ends_all_that_is_open(void **state)
{
	static const struct {
		const char *json;
		const char *events;
		const char *fault;
	} cases[] = {
		{ "", ".",
		  "line 1, column 1: expected a value, found the end" },
		{ " ", ".",
		  "line 1, column 2: expected a value, found the end" },
		{ "x", ".", "line 1, column 1: expected a value, found 'x'" },
		{ "]", ".", "line 1, column 1: expected a value, found ']'" },
		{ "[1,]", "[1 ].",
		  "line 1, column 4: expected a value, found ']'" },
		{ "[1 2]", "[1 ].",
		  "line 1, column 4: expected ',' or ']', found '2'" },
		{ "[,1]", "[].",
		  "line 1, column 2: expected a value or ']', found ','" },
		{ "[1}", "[1 ].",
		  "line 1, column 3: expected ',' or ']', found '}'" },
		{ "{\"a\":1]", "{a:1 }.",
		  "line 1, column 7: expected ',' or '}', found ']'" },
		{ "{\"a\" 1}", "{a:- }.",
		  "line 1, column 6: expected ':', found '1'" },
		{ "{\"a\":,}", "{a:- }.",
		  "line 1, column 6: expected a value, found ','" },
		{ "{\"a\":1,}", "{a:1 }.",
		  "line 1, column 8: expected '\"', found '}'" },
		{ "{a:1}", "{}.",
		  "line 1, column 2: expected '\"' or '}', found 'a'" },
		{ "{\n\"a\":\n[tru]}", "{a:[]}.",
		  "line 3, column 5: expected true, false or null, found ']'" },
		{ "[01]", "[0 ].",
		  "line 1, column 3: expected ',' or ']', found '1'" },
		{ "[-]", "[].",
		  "line 1, column 3: expected a digit, found ']'" },
		{ "[1.]", "[].",
		  "line 1, column 4: expected a digit, found ']'" },
		{ "[1e+]", "[].",
		  "line 1, column 5: expected a digit, found ']'" },
		{ "[+1]", "[].",
		  "line 1, column 2: expected a value or ']', found '+'" },
		{ "[NaN]", "[].",
		  "line 1, column 2: expected a value or ']', found 'N'" },
		{ "[\"\\x\"]", "[].",
		  "line 1, column 4: expected an escape such as \\n or "
		  "\\u0041, found 'x'" },
		{ "[\"\\u12g4\"]", "[].",
		  "line 1, column 7: expected four hex digits, found 'g'" },
		{ "{\"a\":1 \"b\":2}", "{a:1 }.",
		  "line 1, column 8: expected ',' or '}', found '\"'" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_reads(cases[i].json, cases[i].events, false,
		             cases[i].fault);
}

static void an_early_end_ends_all_that_is_open(void **state)
{
	static const struct {
		const char *json;
		const char *events;
	} cases[] = {
		{ "{", "{}." },
		{ "{\"a", "{}." },
		{ "{\"a\"", "{a:- }." },
		{ "{\"a\":", "{a:- }." },
		{ "{\"a\":12", "{a:- }." },
		{ "{\"a\":1,", "{a:1 }." },
		{ "{\"a\":[1,\"b", "{a:[1 ]}." },
		{ "{\"a\":[{\"b\":tr", "{a:[{b:- }]}." },
		{ "[1,2", "[1 ]." },
		{ "[\"x\\", "[]." },
		{ "[\"x\\u12", "[]." },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_reads(cases[i].json, cases[i].events, true, NULL);
}

static void every_cut_reads_well_formed(void **state)
{
	static const char json[] = "{\"a\":[1,{\"b\":\"x\\u20ac\\n\"},null,"
	                           "true],\"c\\td\":{\"e\":-1.5e3,\"f\":[]}}";

	(void)state;
	for (size_t size = 0; size < sizeof(json); size++) {
		struct text in = { json, size };
		SCOPED(json_pull_drop)
		struct json_pull *pull = json_pull_new(in, 0);
		const struct json_event *event;
		size_t open = 0;
		bool named = false;

		while ((event = json_pull_next(pull))->type !=
		       JSON_EVENT_DONE) {
			bool ends = event->type == JSON_EVENT_END_OBJECT ||
			            event->type == JSON_EVENT_END_ARRAY;

			// No name without its value.
			assert_false(named && ends);
			named = event->type == JSON_EVENT_NAME;
			open += event->type == JSON_EVENT_OBJECT ||
			        event->type == JSON_EVENT_ARRAY;
			open -= ends;
			assert_int_equal(json_pull_depth(pull), open);
		}
		assert_int_equal(open, 0);
	}
}

static void a_missing_comma_is_accepted_on_demand(void **state)
{
	static const char json[] = "{\"address\":1\n\"subFrames\":[]}";
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;
	SCOPED(str_release) struct str out = { 0 };

	(void)state;
	assert_reads_bytes(text_from(json), JSON_PULL_MISSING_COMMA,
	                   "{address:1 subFrames:[]}.", false, NULL);
	assert_reads_bytes(text_from("[1 \"a\"]"), JSON_PULL_MISSING_COMMA,
	                   "[1 ].", false,
	                   "line 1, column 4: expected ',' or ']', found "
	                   "'\"'");
	pull = json_pull_new(text_from(json), JSON_PULL_MISSING_COMMA);
	read_all(pull, &out);
	assert_int_equal(json_pull_repair_count(pull), 1);
	assert_string_equal(json_pull_repair(pull, 0).text,
	                    "a comma is missing");
	assert_int_equal(json_pull_repair(pull, 0).offset, 13);
}

static void nesting_ends_at_the_limit(void **state)
{
	SCOPED(str_release) struct str json = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;
	SCOPED(json_pull_drop) struct json_pull *deeper = NULL;
	SCOPED(str_release) struct str out = { 0 };

	(void)state;
	str_add_repeat(&json, '[', JSON_PULL_DEPTH);
	str_add_repeat(&json, ']', JSON_PULL_DEPTH);
	pull = json_pull_new(str_text(&json), 0);
	read_all(pull, &out);
	assert_null(json_pull_take_error(pull));
	assert_int_equal(out.size, 2 * JSON_PULL_DEPTH + 1);

	str_clear(&json);
	str_add_repeat(&json, '[', JSON_PULL_DEPTH + 1);
	deeper = json_pull_new(str_text(&json), 0);
	str_clear(&out);
	read_all(deeper, &out);
	assert_int_equal(out.size, 2 * JSON_PULL_DEPTH + 1);
	err = json_pull_take_error(deeper);
	assert_int_equal(error_code(err), ERROR_LIMIT);
	assert_string_equal(error_message(err),
	                    "line 1, column 4097: nested deeper than 4096 "
	                    "levels");
}

static void what_follows_the_value_is_left(void **state)
{
	static const char json[] = " {\"a\":[]} {\"b\":1}";
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(text_from(json), 0);
	SCOPED(str_release) struct str out = { 0 };

	(void)state;
	read_all(pull, &out);
	assert_string_equal(str_cstr(&out), "{a:[]}.");
	assert_int_equal(json_pull_used(pull), 9);
}

static void nul_bytes_behind_the_text_are_ignored(void **state)
{
	(void)state;
	assert_reads_bytes((struct text){ "[1]\0\0\0", 6 }, 0, "[1 ].", false,
	                   NULL);
	assert_reads_bytes((struct text){ "[1\0\0\0", 5 }, 0, "[].", true,
	                   NULL);
}

static void values_can_be_stepped_over(void **state)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(
	        text_from("{\"a\":{\"x\":[1,{}]},\"b\":2,\"c\":[3],\"d\":4}"),
	        0);
	SCOPED(str_release) struct str out = { 0 };
	const struct json_event *event;

	(void)state;
	json_pull_next(pull); // {
	json_pull_next(pull); // a
	json_pull_skip(pull);
	event = json_pull_next(pull);
	assert_true(text_is(event->text, "b"));
	json_pull_skip(pull);
	event = json_pull_next(pull);
	assert_true(text_is(event->text, "c"));
	json_pull_next(pull); // [
	json_pull_skip(pull);
	read_all(pull, &out);
	assert_string_equal(str_cstr(&out), "d:4 }.");
}

static void stepping_over_ends_with_the_input(void **state)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(text_from("{\"a\":[[[1,"), 0);

	(void)state;
	json_pull_next(pull);
	json_pull_skip(pull);
	assert_int_equal(json_pull_depth(pull), 0);
	assert_int_equal(json_pull_next(pull)->type, JSON_EVENT_DONE);
}

static void an_event_knows_its_place(void **state)
{
	static const struct {
		size_t events;
		const char *path;
	} cases[] = {
		{ 1, "" },        { 2, "a" },       { 3, "a" },
		{ 4, "a[0]" },    { 5, "a[1]" },    { 6, "a[1].b" },
		{ 7, "a[1].b" },  { 8, "a[1]" },    { 9, "a" },
		{ 10, "c\\\"d" }, { 11, "c\\\"d" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(json_pull_drop)
		struct json_pull *pull = json_pull_new(
		        text_from("{\"a\":[1,{\"b\":2}],\"c\\\"d\":3}"), 0);
		SCOPED(str_release) struct str path = { 0 };

		for (size_t k = 0; k < cases[i].events; k++)
			json_pull_next(pull);
		json_pull_path(pull, &path);
		assert_string_equal(str_cstr(&path), cases[i].path);
	}
}

static void the_middle_of_a_deep_path_is_left_out(void **state)
{
	SCOPED(str_release) struct str json = { 0 };
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;

	(void)state;
	str_add_repeat(&json, '[', 100);
	str_add(&json, "1");
	pull = json_pull_new(str_text(&json), 0);
	for (size_t i = 0; i < 100; i++)
		json_pull_next(pull);
	json_pull_path(pull, &path);
	assert_string_equal(
	        str_cstr(&path),
	        "[0][0][0][0][0][0][0][0].…[0][0][0][0][0][0][0][0]");
}

static void values_convert_as_those_of_documents_do(void **state)
{
	static const struct {
		const char *json;
		bool is_number;
		uint64_t number;
		bool is_bool;
		bool truth;
		const char *name;
	} cases[] = {
		{ "1", true, 1, true, true, "a number" },
		{ "2", true, 2, false, false, "a number" },
		{ "18446744073709551615", true, UINT64_MAX, false, false,
		  "a number" },
		{ "-1", true, UINT64_MAX, false, false, "a number" },
		{ "1.0", false, 0, false, false, "a number" },
		{ "\"0x1f\"", true, 31, false, false, "text" },
		{ "\"0\"", true, 0, true, false, "text" },
		{ "\"true\"", false, 0, true, true, "text" },
		{ "true", false, 0, true, true, "true or false" },
		{ "null", false, 0, false, false, "null" },
		{ "[]", false, 0, false, false, "an array" },
		{ "{}", false, 0, false, false, "an object" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(json_pull_drop)
		struct json_pull *pull =
		        json_pull_new(text_from(cases[i].json), 0);
		const struct json_event *event = json_pull_next(pull);
		uint64_t number = 0;
		bool truth = false;

		assert_int_equal(json_event_u64(event, &number),
		                 cases[i].is_number);
		assert_true(number == cases[i].number);
		assert_int_equal(json_event_bool(event, &truth),
		                 cases[i].is_bool);
		assert_int_equal(truth, cases[i].truth);
		assert_string_equal(json_event_name(event), cases[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_in_their_order),
		cmocka_unit_test(strings_lose_their_escapes),
		cmocka_unit_test(spoiled_strings_are_repaired),
		cmocka_unit_test(a_string_ends_where_it_ends),
		cmocka_unit_test(what_is_no_json_ends_all_that_is_open),
		cmocka_unit_test(an_early_end_ends_all_that_is_open),
		cmocka_unit_test(every_cut_reads_well_formed),
		cmocka_unit_test(a_missing_comma_is_accepted_on_demand),
		cmocka_unit_test(nesting_ends_at_the_limit),
		cmocka_unit_test(what_follows_the_value_is_left),
		cmocka_unit_test(nul_bytes_behind_the_text_are_ignored),
		cmocka_unit_test(values_can_be_stepped_over),
		cmocka_unit_test(stepping_over_ends_with_the_input),
		cmocka_unit_test(an_event_knows_its_place),
		cmocka_unit_test(the_middle_of_a_deep_path_is_left_out),
		cmocka_unit_test(values_convert_as_those_of_documents_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
