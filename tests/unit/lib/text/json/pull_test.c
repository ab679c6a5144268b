// SPDX-License-Identifier: MIT
#include "lib/text/json/pull.h"

#include "lib/base/mem.h"
#include "tests/unit/lib/text/json/pull_trace.h"

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

/** In pieces of any size it gives the same, to the last offset. */
static void assert_pieces_read_alike(struct text in, unsigned flags)
{
	static const size_t sizes[] = { 1, 2, 3, 7, 0, SIZE_MAX };
	SCOPED(json_pull_drop)
	struct json_pull *whole = json_pull_new(in, flags);
	SCOPED(str_release) struct str expected = { 0 };

	trace_values(whole, &expected);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct pieces pieces = { .left = in, .size = sizes[i] };
		SCOPED(json_pull_drop)
		struct json_pull *feed =
		        json_pull_new_feed(read_pieces, &pieces, flags);
		SCOPED(str_release) struct str found = { 0 };

		trace_values(feed, &found);
		if (strcmp(str_cstr(&found), str_cstr(&expected)) != 0)
			fail_msg("%.*s in pieces of %zu:\n%sis not\n%s",
			         TEXT_ARGS(in), sizes[i], str_cstr(&found),
			         str_cstr(&expected));
	}
}

/** What comes of an input of @p size bytes. */
static void assert_reads_bytes(struct text in, unsigned flags,
                               const char *events, bool truncated,
                               const char *fault)
{
	// A copy of its own size: a byte read after it is seen.
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
	assert_pieces_read_alike(in, flags);
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

/** Runs of each length, for strings are decoded in blocks. */
static void escapes_may_be_anywhere(void **state)
{
	static const char *const escapes[][2] = {
		{ "\\n", "\n" },
		{ "\\\"\\\\", "\"\\" },
		{ "\\u00e9", "\xc3\xa9" },
		{ "\xe5\x8d\xa1", "\xe5\x8d\xa1" },
	};

	(void)state;
	for (size_t first = 0; first < 18; first++) {
		for (size_t second = 500; second < 518; second++) {
			SCOPED(str_release) struct str json = { 0 };
			SCOPED(str_release) struct str text = { 0 };
			size_t i = (first + second) % ARRAY_SIZE(escapes);

			str_add_char(&json, '"');
			str_add_char(&text, '\'');
			str_add_repeat(&json, 'a', first);
			str_add_repeat(&text, 'a', first);
			str_add(&json, escapes[i][0]);
			str_add(&text, escapes[i][1]);
			str_add_repeat(&json, 'b', second);
			str_add_repeat(&text, 'b', second);
			str_add(&json, "\\tc\"");
			str_add(&text, "\tc' .");
			assert_reads(str_cstr(&json), str_cstr(&text), false,
			             NULL);
		}
	}
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
		assert_pieces_read_alike(in, 0);
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
			assert_pieces_read_alike((struct text){ in, 43 }, 0);
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
		{ "[None]", "[].",
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

static void every_truncation_reads_well_formed(void **state)
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
		assert_pieces_read_alike(in, 0);
	}
}

static void a_missing_comma_is_accepted_on_demand(void **state)
{
	static const char json[] = "{\"address\":1\n\"subFrames\":[]}";
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;
	SCOPED(str_release) struct str out = { 0 };

	(void)state;
	assert_reads_bytes(text_from(json), JSON_PULL_REPAIR,
	                   "{address:1 subFrames:[]}.", false, NULL);
	assert_reads_bytes(text_from("[1 \"a\"]"), JSON_PULL_REPAIR, "[1 ].",
	                   false,
	                   "line 1, column 4: expected ',' or ']', found "
	                   "'\"'");
	pull = json_pull_new(text_from(json), JSON_PULL_REPAIR);
	read_all(pull, &out);
	assert_int_equal(json_pull_repair_count(pull), 1);
	assert_string_equal(json_pull_repair(pull, 0).text,
	                    "a comma is missing");
	assert_int_equal(json_pull_repair(pull, 0).offset, 13);
	assert_pieces_read_alike(text_from(json), JSON_PULL_REPAIR);
}

static void slips_are_repaired_on_demand(void **state)
{
	static const struct {
		const char *json;
		const char *events;
	} cases[] = {
		{ "[1,2, ]", "[1 2 ]." },
		{ "{\"a\":1,}", "{a:1 }." },
		{ "{\"a\",\"b\":}", "{a:- b:- }." },
		{ "[{\"a\" }]", "[{a:- }]." },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct text in = text_from(cases[i].json);
		SCOPED(json_pull_drop)
		struct json_pull *plain = json_pull_new(in, 0);
		SCOPED(error_drop) struct error *err = NULL;
		SCOPED(str_release) struct str out = { 0 };

		assert_reads_bytes(in, JSON_PULL_REPAIR, cases[i].events, false,
		                   NULL);
		assert_pieces_read_alike(in, JSON_PULL_REPAIR);
		read_all(plain, &out);
		err = json_pull_take_error(plain);
		assert_non_null(err);
	}
}

static void words_for_no_number_are_null(void **state)
{
	const char *json = "[NaN,{\"a\":Infinity},-Infinity,-1,null, nan,-INF]";
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(text_from(json), 0);
	const struct json_event *event;
	size_t found = 0;

	(void)state;
	assert_reads_bytes(text_from(json), 0, "[- {a:- }- -1 - - - ].", false,
	                   NULL);
	assert_reads_bytes(text_from("[1,nano]"), 0, "[1 - ].", false,
	                   "line 1, column 7: expected ',' or ']', found 'o'");
	assert_reads_bytes(text_from("[1,-Infi"), 0, "[1 ].", true, NULL);
	assert_pieces_read_alike(text_from(json), 0);
	while ((event = json_pull_next(pull))->type != JSON_EVENT_DONE)
		found += event->type == JSON_EVENT_NULL && event->text.size;
	assert_int_equal(found, 5);
	assert_int_equal(json_pull_repair_count(pull), 5);
	assert_string_equal(json_pull_repair(pull, 2).text,
	                    "NaN or Infinity read as null");
	assert_int_equal(json_pull_repair(pull, 2).offset, 20);
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
	assert_pieces_read_alike(str_text(&json), 0);

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
	assert_pieces_read_alike(str_text(&json), 0);
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
	assert_pieces_read_alike(text_from(json), 0);
}

static void nul_bytes_after_the_text_are_ignored(void **state)
{
	(void)state;
	assert_reads_bytes((struct text){ "[1]\0\0\0", 6 }, 0, "[1 ].", false,
	                   NULL);
	assert_reads_bytes((struct text){ "[1\0\0\0", 5 }, 0, "[].", true,
	                   NULL);
	assert_reads_bytes((struct text){ "12\0\0", 4 }, 0, "12 .", false,
	                   NULL);
	assert_reads_bytes((struct text){ "[tr\0\0", 5 }, 0, "[].", true, NULL);
	assert_reads_bytes((struct text){ "[1.\0\0", 5 }, 0, "[].", true, NULL);
	assert_reads_bytes((struct text){ "[\"a\\\0\0", 6 }, 0, "[].", true,
	                   NULL);
	assert_reads_bytes((struct text){ "[\"a\\u1\0\0", 8 }, 0, "[].", true,
	                   NULL);
	assert_reads_bytes((struct text){ "[\"a\0\0", 5 }, 0, "[].", true,
	                   NULL);
}

static void nul_bytes_before_more_are_a_fault(void **state)
{
	(void)state;
	assert_reads_bytes((struct text){ "[1\0\0,2]", 7 }, 0, "[1 ].", false,
	                   "line 1, column 3: expected ',' or ']', found byte "
	                   "0x00");
	assert_reads_bytes((struct text){ "[tr\0\0e]", 7 }, 0, "[].", false,
	                   "line 1, column 4: expected true, false or null, "
	                   "found byte 0x00");
	assert_reads_bytes((struct text){ " \0\0{}", 5 }, 0, ".", false,
	                   "line 1, column 2: expected a value, found byte "
	                   "0x00");
}

/** Step over two values of @p pull, and read what is left. */
static void assert_steps_over(struct json_pull *pull)
{
	SCOPED(str_release) struct str out = { 0 };
	const struct json_event *event;

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

static void values_can_be_stepped_over(void **state)
{
	static const char json[] =
	        "{\"a\":{\"x\":[1,{}]},\"b\":2,\"c\":[3],\"d\":4}";
	struct pieces pieces = { .left = text_from(json), .size = 1 };
	SCOPED(json_pull_drop)
	struct json_pull *whole = json_pull_new(text_from(json), 0);
	SCOPED(json_pull_drop)
	struct json_pull *feed = json_pull_new_feed(read_pieces, &pieces, 0);

	(void)state;
	assert_steps_over(whole);
	assert_steps_over(feed);
}

static void stepping_over_ends_with_the_input(void **state)
{
	struct pieces pieces = { .left = text_from("{\"a\":[[[1,"), .size = 2 };
	SCOPED(json_pull_drop)
	struct json_pull *whole = json_pull_new(pieces.left, 0);
	SCOPED(json_pull_drop)
	struct json_pull *feed = json_pull_new_feed(read_pieces, &pieces, 0);
	struct json_pull *both[] = { whole, feed };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(both); i++) {
		json_pull_next(both[i]);
		json_pull_skip(both[i]);
		assert_int_equal(json_pull_depth(both[i]), 0);
		assert_int_equal(json_pull_next(both[i])->type,
		                 JSON_EVENT_DONE);
	}
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
	assert_pieces_read_alike(str_text(&json), 0);
}

static void values_convert_as_those_of_documents_do(void **state)
{
	static const struct {
		const char *json;
		bool is_number;
		uint64_t number;
		bool is_bool;
		bool truth;
		const char *found; ///< as messages say it
	} cases[] = {
		{ "1", true, 1, true, true, "'1'" },
		{ "2", true, 2, false, false, "'2'" },
		{ "18446744073709551615", true, UINT64_MAX, false, false,
		  "'18446744073709551615'" },
		{ "-1", true, UINT64_MAX, false, false, "'-1'" },
		{ "1.0", false, 0, false, false, "'1.0'" },
		{ "\"0x1f\"", true, 31, false, false, "'0x1f'" },
		{ "\"0\"", true, 0, true, false, "'0'" },
		{ "\"true\"", false, 0, true, true, "'true'" },
		{ "true", false, 0, true, true, "true or false" },
		{ "null", false, 0, false, false, "null" },
		{ "NaN", false, 0, false, false, "'NaN'" },
		{ "[]", false, 0, false, false, "an array" },
		{ "{}", false, 0, false, false, "an object" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(json_pull_drop)
		struct json_pull *pull =
		        json_pull_new(text_from(cases[i].json), 0);
		const struct json_event *event = json_pull_next(pull);
		SCOPED(str_release) struct str found = { 0 };
		uint64_t number = 0;
		bool truth = false;

		assert_int_equal(json_event_u64(event, &number),
		                 cases[i].is_number);
		assert_true(number == cases[i].number);
		assert_int_equal(json_event_bool(event, &truth),
		                 cases[i].is_bool);
		assert_int_equal(truth, cases[i].truth);
		json_event_add_found(&found, event);
		assert_string_equal(str_cstr(&found), cases[i].found);
	}
}

static void what_was_found_is_shown_up_to_64_bytes(void **state)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str found = { 0 };

	(void)state;
	str_add_repeat(&text, 'x', 64);
	json_add_found(&found, JSON_TEXT, str_text(&text));
	assert_int_equal(found.size, 66);
	// No half of a character.
	str_clear(&text);
	str_clear(&found);
	str_add_repeat(&text, 'x', 63);
	str_add(&text, "\xc3\xa4");
	json_add_found(&found, JSON_TEXT, str_text(&text));
	assert_int_equal(found.size, 1 + 63 + strlen("…'"));
	assert_true(text_ends(str_text(&found), "x…'"));
}

// Several values

/** Each value of @p in as text, on lines of their own with their line. */
static void add_values(struct json_pull *pull, struct str *out)
{
	while (json_pull_again(pull)) {
		str_addf(out, "%zu ", json_pull_line(pull));
		read_all(pull, out);
		str_add_char(out, '\n');
	}
}

static void several_values_come_one_after_the_other(void **state)
{
	static const struct {
		const char *json;
		size_t size;
		const char *values;
		const char *fault;
		bool truncated;
		size_t used;
		size_t repairs;
	} cases[] = {
		{ "", 0, "", NULL, false, 0, 0 },
		{ " \n\0\0", 4, "", NULL, false, 2, 0 },
		{ "{}\n[1]\r\n\"x\"\n", 12, "1 {}.\n2 [1 ].\n3 'x' .\n", NULL,
		  false, 12, 0 },
		{ "{}{}[]7 8\n\n9", 12,
		  "1 {}.\n1 {}.\n1 [].\n1 7 .\n1 8 .\n3 9 .\n", NULL, false, 12,
		  0 },
		{ "\x1e{}\n\x1e[]\n", 8, "1 {}.\n2 [].\n", NULL, false, 8, 0 },
		{ "[]\n\0\0\n\0\0", 8, "1 [].\n", NULL, false, 6, 0 },
		{ "[]\n\0\0\0{}", 8, "1 [].\n2 {}.\n", NULL, false, 8, 1 },
		{ "[]\n[1,]\n{}", 10, "1 [].\n2 [1 ].\n",
		  "line 2, column 4: expected a value, found ']'", false, 6,
		  0 },
		{ "[]\n\n{\"a\":1", 10, "1 [].\n3 {a:- }.\n", NULL, true, 10,
		  0 },
		{ "{}\n,{}", 6, "1 {}.\n2 .\n",
		  "line 2, column 1: expected a value, found ','", false, 3,
		  0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pieces pieces = {
			.left = { cases[i].json, cases[i].size },
			.size = 1,
		};
		SCOPED(json_pull_drop)
		struct json_pull *whole = json_pull_new(pieces.left, 0);
		SCOPED(json_pull_drop)
		struct json_pull *feed =
		        json_pull_new_feed(read_pieces, &pieces, 0);
		struct json_pull *both[] = { whole, feed };

		for (size_t k = 0; k < ARRAY_SIZE(both); k++) {
			SCOPED(str_release) struct str out = { 0 };
			SCOPED(error_drop) struct error *err = NULL;

			add_values(both[k], &out);
			assert_string_equal(str_cstr(&out), cases[i].values);
			err = json_pull_take_error(both[k]);
			assert_int_equal(!err, !cases[i].fault);
			if (err)
				assert_string_equal(error_message(err),
				                    cases[i].fault);
			assert_int_equal(json_pull_truncated(both[k]),
			                 cases[i].truncated);
			assert_int_equal(json_pull_used(both[k]),
			                 cases[i].used);
			assert_int_equal(json_pull_repair_count(both[k]),
			                 cases[i].repairs);
			assert_false(json_pull_again(both[k]));
		}
	}
}

static void what_is_left_of_a_value_is_stepped_over(void **state)
{
	SCOPED(json_pull_drop)
	struct json_pull *pull =
	        json_pull_new(text_from("[1,[2,{\"a\":3}]] \"x\""), 0);
	SCOPED(str_release) struct str out = { 0 };

	(void)state;
	for (size_t i = 0; i < 5; i++)
		json_pull_next(pull);
	assert_true(json_pull_again(pull));
	// It is found already.
	assert_true(json_pull_again(pull));
	read_all(pull, &out);
	assert_string_equal(str_cstr(&out), "'x' .");
	assert_false(json_pull_again(pull));
}

static void an_event_does_not_wait_for_more_than_it_is(void **state)
{
	static const char json[] = "[\"ab\",1,{\"x\":true}]\n7 ";
	struct pieces pieces = { .left = text_from(json), .size = SIZE_MAX };
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new_feed(read_pieces, &pieces, 0);
	SCOPED(str_release) struct str out = { 0 };

	(void)state;
	read_all(pull, &out);
	assert_true(json_pull_again(pull));
	read_all(pull, &out);
	assert_string_equal(str_cstr(&out), "['ab' 1 {x:t }].7 .");
	// All came with the first piece: the end was not asked for.
	assert_false(pieces.ended);
}

// Windows

static void a_string_may_be_longer_than_the_window(void **state)
{
	static const size_t sizes[] = { 10, 4096, SIZE_MAX };
	SCOPED(str_release) struct str json = { 0 };

	(void)state;
	str_add(&json, "{\"name\":[1,\"");
	str_add_repeat(&json, 'x', 1000000);
	str_add(&json, "\\n\",2],\"");
	str_add_repeat(&json, 'y', 700000);
	str_add(&json, "\":");
	str_add_repeat(&json, '9', 600000);
	str_add(&json, "}");
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct pieces pieces = { .left = str_text(&json),
			                 .size = sizes[i] };
		SCOPED(json_pull_drop)
		struct json_pull *pull =
		        json_pull_new_feed(read_pieces, &pieces, 0);
		SCOPED(str_release) struct str path = { 0 };
		const struct json_event *event;

		json_pull_next(pull); // {
		json_pull_next(pull); // name
		json_pull_next(pull); // [
		json_pull_next(pull); // 1
		event = json_pull_next(pull);
		assert_int_equal(event->type, JSON_EVENT_TEXT);
		assert_int_equal(event->text.size, 1000001);
		assert_int_equal(event->text.data[0], 'x');
		assert_int_equal(event->text.data[1000000], '\n');
		assert_int_equal(event->offset, 11);
		json_pull_path(pull, &path);
		assert_string_equal(str_cstr(&path), "name[1]");
		event = json_pull_next(pull); // 2
		assert_int_equal(event->offset, 1000016);
		json_pull_next(pull); // ]
		event = json_pull_next(pull);
		assert_int_equal(event->text.size, 700000);
		event = json_pull_next(pull);
		assert_int_equal(event->type, JSON_EVENT_NUMBER);
		assert_int_equal(event->text.size, 600000);
		str_clear(&path);
		json_pull_path(pull, &path);
		assert_string_equal(str_cstr(&path),
		                    "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
		assert_int_equal(json_pull_next(pull)->type,
		                 JSON_EVENT_END_OBJECT);
		assert_int_equal(json_pull_used(pull), json.size);
	}
}

static void a_fault_far_into_the_input_has_its_place(void **state)
{
	SCOPED(str_release) struct str json = { 0 };
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct pieces pieces = { .size = 1000 };
	SCOPED(json_pull_drop) struct json_pull *pull = NULL;
	const struct json_event *event;

	(void)state;
	str_add(&json, "{\"re\\\"ports\":{\"samples\":[\n");
	for (size_t i = 2; i < 100000; i++)
		str_addf(&json, " %zu,\n", i);
	str_add(&json, " 7, {\"bad\": x}]}}");
	pieces.left = str_text(&json);
	pull = json_pull_new_feed(read_pieces, &pieces, 0);
	do {
		event = json_pull_next(pull);
	} while (event->type != JSON_EVENT_NAME ||
	         !text_is(event->text, "bad"));
	assert_int_equal(json_pull_line(pull), 100000);
	assert_int_equal(event->offset, json.size - 12);
	event = json_pull_next(pull);
	json_pull_path(pull, &path);
	assert_string_equal(str_cstr(&path), "re\\\"ports.samples[99999].bad");
	assert_int_equal(json_pull_line(pull), 100000);
	while (event->type != JSON_EVENT_DONE)
		event = json_pull_next(pull);
	err = json_pull_take_error(pull);
	assert_string_equal(
	        error_message(err),
	        "line 100000, column 13: expected a value, found 'x'");
	assert_pieces_read_alike(text_first(str_text(&json), 20000), 0);
}

static void lines_are_counted_from_where_they_were_last(void **state)
{
	static const char json[] = "[\n1,2,\n\n3\n]\n\n{}";
	static const size_t lines[] = { 1, 2, 2, 4, 5 };
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new(text_from(json), 0);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		json_pull_next(pull);
		assert_int_equal(json_pull_line(pull), lines[i]);
		assert_int_equal(json_pull_line(pull), lines[i]);
	}
	assert_true(json_pull_again(pull));
	assert_int_equal(json_pull_line(pull), 7);
}

/** `["aaa…`, without an end. */
static size_t read_endless(void *context, char *buffer, size_t size)
{
	size_t *given = context;

	memset(buffer, 'a', size);
	if (!*given && size > 2)
		memcpy(buffer, "\n[\"", 3);
	*given += size;
	return size;
}

static void an_endless_string_ends_at_the_limit(void **state)
{
	SCOPED(str_release) struct str out = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	size_t given = 0;
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new_feed(read_endless, &given, 0);

	(void)state;
	read_all(pull, &out);
	assert_string_equal(str_cstr(&out), "[].");
	assert_false(json_pull_truncated(pull));
	err = json_pull_take_error(pull);
	assert_int_equal(error_code(err), ERROR_LIMIT);
	assert_string_equal(error_message(err),
	                    "line 2, column 2: a text or number of more than "
	                    "256 MB");
	assert_true(given <= JSON_PULL_TOKEN_BYTES + 2);
}

/** `[1` or another text, then NUL bytes, many times what a window may hold. */
struct nuls {
	struct text text;
	size_t left;
};

static size_t read_nuls(void *context, char *buffer, size_t size)
{
	struct nuls *nuls = context;
	size_t got = nuls->left < size ? nuls->left : size;

	memset(buffer, 0, got);
	if (nuls->text.size && got > nuls->text.size) {
		memcpy(buffer, nuls->text.data, nuls->text.size);
		nuls->text = TEXT_NONE;
	}
	nuls->left -= got;
	return got;
}

static void nul_bytes_at_the_end_need_no_room(void **state)
{
	SCOPED(str_release) struct str out = { 0 };
	struct nuls nuls = { text_from("[1"), (size_t)64 << 20 };
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new_feed(read_nuls, &nuls, 0);

	(void)state;
	read_all(pull, &out);
	assert_string_equal(str_cstr(&out), "[].");
	assert_true(json_pull_truncated(pull));
	assert_null(json_pull_take_error(pull));
	assert_int_equal(json_pull_used(pull), 2);
	assert_int_equal(nuls.left, 0);
}

static void nul_bytes_that_end_a_string_need_little_room(void **state)
{
	SCOPED(str_release) struct str out = { 0 };
	struct nuls nuls = { text_from("[1, \"ab"), (size_t)64 << 20 };
	SCOPED(json_pull_drop)
	struct json_pull *pull = json_pull_new_feed(read_nuls, &nuls, 0);

	(void)state;
	read_all(pull, &out);
	assert_string_equal(str_cstr(&out), "[1 ].");
	assert_true(json_pull_truncated(pull));
	assert_null(json_pull_take_error(pull));
	assert_true(nuls.left > (size_t)60 << 20);
}

static void what_is_no_json_can_be_stepped_over_between_values(void **state)
{
	static const size_t sizes[] = { 1, 7, SIZE_MAX };

	(void)state;
	for (size_t i = 0; i <= ARRAY_SIZE(sizes); i++) {
		struct pieces pieces = {
			.left = text_from("[1]\n{ a = 12; }\n[2]"),
			.size = i < ARRAY_SIZE(sizes) ? sizes[i] : 0,
		};
		SCOPED(json_pull_drop)
		struct json_pull *pull =
		        i < ARRAY_SIZE(sizes)
		                ? json_pull_new_feed(read_pieces, &pieces, 0)
		                : json_pull_new(pieces.left, 0);
		SCOPED(str_release) struct str out = { 0 };

		assert_true(json_pull_again(pull));
		assert_int_equal(json_pull_next(pull)->type, JSON_EVENT_ARRAY);
		assert_int_equal(json_pull_peek(pull, 5).size, 0);
		assert_true(json_pull_again(pull));
		assert_true(text_is(json_pull_peek(pull, 5), "{ a ="));
		assert_true(
		        text_is(json_pull_peek(pull, 100), "{ a = 12; }\n[2]"));
		assert_int_equal(json_pull_line(pull), 2);
		json_pull_step(pull, 11);
		assert_true(json_pull_again(pull));
		assert_int_equal(json_pull_line(pull), 3);
		read_all(pull, &out);
		assert_string_equal(str_cstr(&out), "[2 ].");
		assert_false(json_pull_again(pull));
		assert_null(json_pull_take_error(pull));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_in_their_order),
		cmocka_unit_test(strings_lose_their_escapes),
		cmocka_unit_test(escapes_may_be_anywhere),
		cmocka_unit_test(spoiled_strings_are_repaired),
		cmocka_unit_test(a_string_ends_where_it_ends),
		cmocka_unit_test(what_is_no_json_ends_all_that_is_open),
		cmocka_unit_test(an_early_end_ends_all_that_is_open),
		cmocka_unit_test(every_truncation_reads_well_formed),
		cmocka_unit_test(a_missing_comma_is_accepted_on_demand),
		cmocka_unit_test(slips_are_repaired_on_demand),
		cmocka_unit_test(words_for_no_number_are_null),
		cmocka_unit_test(nesting_ends_at_the_limit),
		cmocka_unit_test(what_follows_the_value_is_left),
		cmocka_unit_test(nul_bytes_after_the_text_are_ignored),
		cmocka_unit_test(nul_bytes_before_more_are_a_fault),
		cmocka_unit_test(values_can_be_stepped_over),
		cmocka_unit_test(stepping_over_ends_with_the_input),
		cmocka_unit_test(an_event_knows_its_place),
		cmocka_unit_test(the_middle_of_a_deep_path_is_left_out),
		cmocka_unit_test(values_convert_as_those_of_documents_do),
		cmocka_unit_test(what_was_found_is_shown_up_to_64_bytes),
		cmocka_unit_test(several_values_come_one_after_the_other),
		cmocka_unit_test(what_is_left_of_a_value_is_stepped_over),
		cmocka_unit_test(an_event_does_not_wait_for_more_than_it_is),
		cmocka_unit_test(a_string_may_be_longer_than_the_window),
		cmocka_unit_test(a_fault_far_into_the_input_has_its_place),
		cmocka_unit_test(lines_are_counted_from_where_they_were_last),
		cmocka_unit_test(an_endless_string_ends_at_the_limit),
		cmocka_unit_test(nul_bytes_at_the_end_need_no_room),
		cmocka_unit_test(nul_bytes_that_end_a_string_need_little_room),
		cmocka_unit_test(
		        what_is_no_json_can_be_stepped_over_between_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
