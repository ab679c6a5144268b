// SPDX-License-Identifier: MIT
#include "lib/text/json/json.h"

#include "lib/base/limit.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct json_doc *parse(const char *cstr)
{
	struct json_doc *doc = NULL;
	struct error *err = json_parse(text_from(cstr), NULL, &doc);

	if (err)
		fail_msg("%s: %s", cstr, error_message(err));
	return doc;
}

static void assert_error(struct text in, enum error_code code,
                         const char *message)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	SCOPED(error_drop) struct error *err = json_parse(in, NULL, &doc);

	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_int_equal(error_code(err), code);
	assert_null(doc);
}

static const cJSON *at(const cJSON *array, size_t index)
{
	const cJSON *value = cJSON_GetArrayItem(array, 0);

	while (index--)
		value = value->next;
	return value;
}

static void values_have_their_types(void **state)
{
	SCOPED(json_doc_drop)
	struct json_doc *doc =
	        parse(" {\"n\" : 1, \"s\":\"x\", \"a\":[], \"o\":{}, "
	              "\"t\":true, \"z\":null, \"big\":18446744073709551615} ");
	const cJSON *root = json_root(doc);

	(void)state;
	assert_int_equal(json_type(root), JSON_OBJECT);
	assert_int_equal((size_t)cJSON_GetArraySize(root), 7);
	assert_int_equal(json_type(cJSON_GetObjectItemCaseSensitive(root, "n")),
	                 JSON_NUMBER);
	assert_int_equal(json_type(cJSON_GetObjectItemCaseSensitive(root, "s")),
	                 JSON_TEXT);
	assert_int_equal(json_type(cJSON_GetObjectItemCaseSensitive(root, "a")),
	                 JSON_ARRAY);
	assert_int_equal(json_type(cJSON_GetObjectItemCaseSensitive(root, "o")),
	                 JSON_OBJECT);
	assert_int_equal(json_type(cJSON_GetObjectItemCaseSensitive(root, "t")),
	                 JSON_BOOL);
	assert_int_equal(json_type(cJSON_GetObjectItemCaseSensitive(root, "z")),
	                 JSON_NULL);
	assert_int_equal(
	        json_type(cJSON_GetObjectItemCaseSensitive(root, "big")),
	        JSON_NUMBER);
	assert_null(cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(root, "big")));
	assert_null(cJSON_GetObjectItemCaseSensitive(root, "absent"));
	assert_int_equal(json_type(NULL), JSON_NULL);
	assert_string_equal(cJSON_GetArrayItem(root, 0)->string, "n");
	assert_null(cJSON_GetArrayItem(
	        cJSON_GetObjectItemCaseSensitive(root, "s"), 0));
	assert_null(cJSON_GetObjectItemCaseSensitive(
	        cJSON_GetObjectItemCaseSensitive(root, "a"), "n"));
}

static void whole_numbers_keep_all_64_bits(void **state)
{
	static const struct {
		const char *json;
		uint64_t value;
	} cases[] = {
		{ "[0]", 0 },
		{ "[999999999999999]", 999999999999999 },
		{ "[9007199254740993]", 9007199254740993 },
		{ "[18446744073709551615]", UINT64_MAX },
		{ "[-1]", UINT64_MAX },
		{ "[-4294967296]", 0xffffffff00000000 },
		{ "[-9223372036854775808]", 0x8000000000000000 },
		{ "[\"0x1F\"]", 31 },
		{ "[\"0xffffffffffffffff\"]", UINT64_MAX },
		{ "[\"42\"]", 42 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(json_doc_drop)
		struct json_doc *doc = parse(cases[i].json);
		uint64_t value = 1234;

		if (!json_as_u64(cJSON_GetArrayItem(json_root(doc), 0),
		                 &value) ||
		    value != cases[i].value)
			fail_msg("%s gave %llu", cases[i].json,
			         (unsigned long long)value);
	}
}

static void what_has_lost_precision_is_no_whole_number(void **state)
{
	static const char *const cases[] = {
		"[4.3e+09]",
		"[1.0]",
		"[1e999]",
		"[18446744073709551616]",
		"[-9223372036854775809]",
		"[\"\"]",
		"[\"12 \"]",
		"[\"0x\"]",
		"[true]",
		"[null]",
		"[[]]",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(json_doc_drop) struct json_doc *doc = parse(cases[i]);
		uint64_t value = 1234;

		if (json_as_u64(cJSON_GetArrayItem(json_root(doc), 0),
		                &value) ||
		    value != 1234)
			fail_msg("%s read as %llu", cases[i],
			         (unsigned long long)value);
	}
}

static void numbers_are_shown_as_written(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(json_doc_drop)
	struct json_doc *doc =
	        parse("[7,-12,4.3e+09,123456789012345678901234567890,\"7\"]");
	const cJSON *root = json_root(doc);

	(void)state;
	assert_string_equal(json_number_text(at(root, 0), &arena), "7");
	assert_string_equal(json_number_text(at(root, 1), &arena), "-12");
	assert_string_equal(json_number_text(at(root, 2), &arena), "4.3e+09");
	assert_string_equal(json_number_text(at(root, 3), &arena),
	                    "123456789012345678901234567890");
	assert_null(json_number_text(at(root, 4), &arena));
}

static void truth_is_a_word_or_a_digit(void **state)
{
	SCOPED(json_doc_drop)
	struct json_doc *doc = parse("[true, 1, false, 0, 2, \"1\"]");
	const cJSON *root = json_root(doc);

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		bool truth = i >= 2;

		assert_true(json_as_bool(at(root, i), &truth));
		assert_int_equal(truth, i < 2);
	}
	assert_false(json_as_bool(at(root, 4), &(bool){ false }));
	assert_false(json_as_bool(at(root, 5), &(bool){ false }));
}

static void strings_are_utf8_without_nul(void **state)
{
	static const struct {
		const char *json;
		const char *text;
		const char *repair; ///< NULL: none
	} cases[] = {
		{ "[\"\\/\\n\\u0041\\\"\"]", "/\nA\"", NULL },
		{ "[\"\\ud83d\\ude00\"]", "\xf0\x9f\x98\x80", NULL },
		{ "[\"a\\u0000b\"]",
		  "a\xef\xbf\xbd"
		  "b",
		  "\\u0000 replaced by U+FFFD" },
		{ "[\"\\ud83d!\"]", "\xef\xbf\xbd!",
		  "unpaired surrogate replaced by U+FFFD" },
		{ "[\"\\ud83d\\u0041\"]",
		  "\xef\xbf\xbd"
		  "A",
		  "unpaired surrogate replaced by U+FFFD" },
		{ "[\"\\ude00\"]", "\xef\xbf\xbd",
		  "unpaired surrogate replaced by U+FFFD" },
		{ "[\"a\xff"
		  "12\"]",
		  "a\xef\xbf\xbd"
		  "12",
		  "bytes that are not UTF-8 replaced by U+FFFD" },
		{ "[\"\xff"
		  "12\"]",
		  "\xef\xbf\xbd"
		  "12",
		  "bytes that are not UTF-8 replaced by U+FFFD" },
		{ "[\"a\n \tb\"]", "a\n \tb",
		  "control character inside a string" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(json_doc_drop)
		struct json_doc *doc = parse(cases[i].json);

		assert_int_equal(json_repair_count(doc),
		                 cases[i].repair ? 1 : 0);
		assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(
		                            json_root(doc), 0)),
		                    cases[i].text);
		if (cases[i].repair)
			assert_string_equal(json_repair(doc, 0).text,
			                    cases[i].repair);
	}
}

static void the_first_of_two_members_of_one_name_counts(void **state)
{
	SCOPED(json_doc_drop)
	struct json_doc *doc = parse("{\"a\":1,\"b\":{\"a\":2},\"a\":3}");
	uint64_t value;

	(void)state;
	assert_true(json_as_u64(
	        cJSON_GetObjectItemCaseSensitive(json_root(doc), "a"), &value));
	assert_int_equal(value, 1);
	assert_int_equal(json_repair_count(doc), 1);
	assert_int_equal(json_repair(doc, 0).offset, 19);
	assert_string_equal(json_repair(doc, 0).text,
	                    "duplicate name in an object: the first is used");
}

static void repeated_names_are_listed_in_the_order_of_the_input(void **state)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	size_t offsets[20];

	// More names than are compared one by one.
	(void)state;
	for (size_t i = 0; i < 40; i++) {
		str_add_char(&text, i ? ',' : '{');
		if (i >= 20)
			offsets[i - 20] = text.size;
		str_addf(&text, "\"n%zu\":%zu", i % 20, i);
	}
	str_add(&text, ",\"o\":{\"n1\":1}}");
	doc = parse(str_cstr(&text));
	assert_int_equal(json_repair_count(doc), 20);
	for (size_t i = 0; i < 20; i++)
		assert_int_equal(json_repair(doc, i).offset, offsets[i]);
}

static void only_so_many_repairs_are_listed(void **state)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;

	(void)state;
	str_add(&text, "[\"\"");
	for (size_t i = 0; i < 1000; i++)
		str_add(&text, ",\"\n\"");
	str_add(&text, "]");
	doc = parse(str_cstr(&text));
	assert_int_equal(json_repair_count(doc), 101);
	assert_string_equal(json_repair(doc, 100).text,
	                    "further repairs are not listed");
}

static void faults_are_named_with_their_place(void **state)
{
	static const struct {
		const char *json;
		const char *message;
	} cases[] = {
		{ "", "line 1, column 1: expected a value, found the end" },
		{ " \n ", "line 2, column 2: expected a value, found the end" },
		{ "tru", "line 1, column 4: expected a value, found the end" },
		{ "\"abc",
		  "line 1, column 5: expected a value, found the end" },
		{ "nope", "line 1, column 2: expected true, false or null, "
		          "found 'o'" },
		{ "{\"a\":1}x",
		  "line 1, column 8: expected the end, found 'x'" },
		{ "{} {}", "line 1, column 4: expected the end, found '{'" },
		{ "[1 2]", "line 1, column 4: expected ',' or ']', found '2'" },
		{ "[\n1,\n]", "line 3, column 1: expected a value, found ']'" },
		{ "[,]",
		  "line 1, column 2: expected a value or ']', found ','" },
		{ "{\"a\" 1}", "line 1, column 6: expected ':', found '1'" },
		{ "{a:1}",
		  "line 1, column 2: expected '\"' or '}', found 'a'" },
		{ "{\"a\":1,}", "line 1, column 8: expected '\"', found '}'" },
		{ "{\"a\":1]",
		  "line 1, column 7: expected ',' or '}', found ']'" },
		{ "[01]", "line 1, column 3: expected ',' or ']', found '1'" },
		{ "[-x]", "line 1, column 3: expected a digit, found 'x'" },
		{ "[1.]", "line 1, column 4: expected a digit, found ']'" },
		{ "[1e+]", "line 1, column 5: expected a digit, found ']'" },
		{ "[+1]",
		  "line 1, column 2: expected a value or ']', found '+'" },
		{ "[None]",
		  "line 1, column 2: expected a value or ']', found 'N'" },
		{ "[\"\\x\"]",
		  "line 1, column 4: expected an escape such as \\n "
		  "or \\u0041, found 'x'" },
		{ "[\"\\u12g4\"]",
		  "line 1, column 7: expected four hex digits, found 'g'" },
		{ "[\x01]", "line 1, column 2: expected a value or ']', found "
		            "byte 0x01" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_error(text_from(cases[i].json), ERROR_FORMAT,
		             cases[i].message);
}

static void nesting_is_limited(void **state)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;

	(void)state;
	str_add_repeat(&text, '[', LIMIT_DEFAULT_JSON_DEPTH);
	str_add_repeat(&text, ']', LIMIT_DEFAULT_JSON_DEPTH);
	doc = parse(str_cstr(&text));
	assert_false(json_truncated(doc));
	str_clear(&text);
	str_add_repeat(&text, '[', (size_t)16 << 20);
	assert_error(str_text(&text), ERROR_LIMIT,
	             "line 1, column 257: nested deeper than 256 levels");
}

static void the_number_of_values_is_limited(void **state)
{
	SCOPED(str_release) struct str text = { 0 };

	(void)state;
	str_add(&text, "[1");
	for (size_t i = 0; i < JSON_VALUES_MAX; i++)
		str_add(&text, ",1");
	assert_error(str_text(&text), ERROR_LIMIT,
	             "more than 2200000 JSON values");
}

static void the_number_of_names_is_limited(void **state)
{
	SCOPED(str_release) struct str text = { 0 };

	(void)state;
	str_add(&text, "{\"\":1");
	for (size_t i = 0; i < 1000000; i++)
		str_add(&text, ",\"\":1");
	str_add(&text, "}");
	assert_error(str_text(&text), ERROR_LIMIT,
	             "more than 1000000 names in an object");
}

static void what_is_no_number_is_null(void **state)
{
	static const char *const cases[] = { "[NaN]", "[-inf]", "[Infinity]" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(json_doc_drop) struct json_doc *doc = parse(cases[i]);
		const cJSON *value = cJSON_GetArrayItem(json_root(doc), 0);

		assert_non_null(value);
		assert_int_equal(json_type(value), JSON_NULL);
		assert_int_equal(json_repair_count(doc), 1);
		assert_string_equal(json_repair(doc, 0).text,
		                    "NaN or Infinity read as null");
	}
}

/** As compact JSON. */
static void add_value(struct str *out, const cJSON *value)
{
	enum json_type type = json_type(value);
	bool is_object = type == JSON_OBJECT;
	SCOPED(arena_release) struct arena arena = { 0 };

	if (!is_object && type != JSON_ARRAY) {
		const char *digits = json_number_text(value, &arena);

		str_add(out, digits ? digits : json_type_name(type));
		return;
	}
	str_add_char(out, is_object ? '{' : '[');
	const cJSON *child;

	cJSON_ArrayForEach (child, value) {
		if (is_object)
			str_addf(out, "\"%s\":", child->string);
		add_value(out, child);
		if (child->next)
			str_add_char(out, ',');
	}
	str_add_char(out, is_object ? '}' : ']');
}

static void small_faults_are_repaired_where_documents_are_salvaged(void **state)
{
	static const struct {
		const char *json;
		const char *repaired;
		const char *repair;
	} cases[] = {
		{ "[1,2,]", "[1,2]", "extra comma before the closing bracket" },
		{ "{\"a\":1, }", "{\"a\":1}",
		  "extra comma before the closing bracket" },
		{ "{\"a\":,\"b\":1}", "{\"a\":null,\"b\":1}",
		  "name without a value: treated as null" },
		{ "{\"a\":}", "{\"a\":null}",
		  "name without a value: treated "
		  "as null" },
		{ "{\"a\"}", "{\"a\":null}",
		  "name without a value: treated "
		  "as null" },
		{ "{\"a\":1 \"b\":2}", "{\"a\":1,\"b\":2}",
		  "a comma is missing" },
	};

	SCOPED(str_release) struct str found = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(json_doc_drop) struct json_doc *doc = NULL;
		SCOPED(json_doc_drop) struct json_doc *plain = NULL;
		SCOPED(error_drop) struct error *err = NULL;
		size_t used;

		assert_null(
		        json_salvage(text_from(cases[i].json), &used, &doc));
		assert_null(json_fault(doc));
		assert_int_equal(used, strlen(cases[i].json));
		str_clear(&found);
		add_value(&found, json_root(doc));
		assert_string_equal(str_cstr(&found), cases[i].repaired);
		assert_int_equal(json_repair_count(doc), 1);
		assert_string_equal(json_repair(doc, 0).text, cases[i].repair);
		// Elsewhere they are faults.
		err = json_parse(text_from(cases[i].json), NULL, &plain);
		assert_non_null(err);
	}
}

static void a_salvaged_document_ends_at_its_fault(void **state)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	SCOPED(json_doc_drop) struct json_doc *none = NULL;
	SCOPED(error_drop) struct error *err = NULL;
	size_t used;

	(void)state;
	assert_null(json_salvage(text_from("{\"a\":[1,2,x],\"b\":3}"), &used,
	                         &doc));
	assert_true(json_truncated(doc));
	assert_int_equal(used, 10);
	assert_int_equal((size_t)cJSON_GetArraySize(json_root(doc)), 1);
	assert_int_equal((size_t)cJSON_GetArraySize(
	                         cJSON_GetArrayItem(json_root(doc), 0)),
	                 2);
	assert_string_equal(json_fault(doc),
	                    "line 1, column 11: expected a value, found 'x'");
	// Before the outermost container there is nothing to keep.
	err = json_salvage(text_from("x"), &used, &none);
	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "line 1, column 1: expected a value, found 'x'");
}

static void a_document_that_ends_early_is_closed(void **state)
{
	static const struct {
		const char *json;
		size_t members; ///< of the root
		size_t inner;   ///< of the last of them
	} cases[] = {
		{ "{", 0, 0 },
		{ "{\"a", 0, 0 },
		{ "{\"a\"", 0, 0 },
		{ "{\"a\":", 0, 0 },
		{ "{\"a\":tru", 0, 0 },
		{ "{\"a:4", 0, 0 },
		{ "{\"a\":12", 0, 0 }, // more digits may be missing
		{ "{\"a\":12.", 0, 0 },
		{ "{\"a\":\"x\\u00", 0, 0 },
		{ "{\"a\":\"x\\", 0, 0 },
		{ "{\"a\":12,", 1, 0 },
		{ "{\"a\":12,\"b", 1, 0 },
		{ "{\"a\":12,\"b\":[1,2,3", 2, 2 },
		{ "{\"a\":12,\"b\":{\"c\":[1],\"d\":\"", 2, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(json_doc_drop)
		struct json_doc *doc = parse(cases[i].json);
		const cJSON *root = json_root(doc);
		size_t count = (size_t)cJSON_GetArraySize(root);

		assert_true(json_truncated(doc));
		assert_int_equal(count, cases[i].members);
		if (count)
			assert_int_equal(
			        (size_t)cJSON_GetArraySize(at(root, count - 1)),
			        cases[i].inner);
	}
}

static void nul_bytes_at_the_end_are_lost_text(void **state)
{
	static const char padded[] = "[1,2,\0\0\0";
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	struct text in = { .data = padded, .size = sizeof(padded) };

	(void)state;
	assert_null(json_parse(in, NULL, &doc));
	assert_true(json_truncated(doc));
	assert_int_equal((size_t)cJSON_GetArraySize(json_root(doc)), 2);
}

static void what_follows_the_value_is_left_to_the_caller(void **state)
{
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	size_t used = 0;

	(void)state;
	assert_null(
	        json_parse(text_from(" {\"a\":[]}\n\nModel: x"), &used, &doc));
	assert_int_equal(used, 9);
	assert_false(json_truncated(doc));
}

struct sample {
	const char *name;
	const char *build;
	uint64_t pid;
	bool has_pid;
	bool corpse;
};

static void remember(const char *key, const char *message, void *context)
{
	str_addf(context, "%s: %s\n", key, message);
}

static const struct json_field sample_fields[] = {
	JSON_FIELD("name", JSON_FIELD_TEXT, struct sample, name),
	JSON_FIELD("build", JSON_FIELD_NUMBER_TEXT, struct sample, build),
	JSON_FIELD_HAS("pid", JSON_FIELD_U64, struct sample, pid, has_pid),
	JSON_FIELD("corpse", JSON_FIELD_BOOL, struct sample, corpse),
};

static struct sample read_sample(const char *json, struct arena *arena,
                                 struct str *complaints)
{
	SCOPED(json_doc_drop) struct json_doc *doc = parse(json);
	struct sample sample = { .name = "default" };

	json_read_fields(json_root(doc), sample_fields,
	                 ARRAY_SIZE(sample_fields), arena, &sample, remember,
	                 complaints);
	return sample;
}

static void an_object_is_read_by_a_table(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str complaints = { 0 };
	struct sample sample;

	(void)state;
	sample = read_sample("{\"pid\":612,\"name\":\"Demo\",\"more\":[],"
	                     "\"build\":210,\"corpse\":1,\"pid\":9}",
	                     &arena, &complaints);
	assert_string_equal(sample.name, "Demo");
	assert_string_equal(sample.build, "210");
	assert_int_equal(sample.pid, 612);
	assert_true(sample.has_pid);
	assert_true(sample.corpse);
	assert_string_equal(str_cstr(&complaints), "");
}

static void absent_and_null_fields_stay(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str complaints = { 0 };
	struct sample sample;

	(void)state;
	sample = read_sample("{\"name\":null}", &arena, &complaints);
	assert_string_equal(sample.name, "default");
	assert_false(sample.has_pid);
	assert_string_equal(str_cstr(&complaints), "");
	sample = read_sample("[]", &arena, &complaints);
	assert_string_equal(sample.name, "default");
}

static void mistyped_fields_are_complained_about(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str complaints = { 0 };
	struct sample sample;

	(void)state;
	sample = read_sample("{\"pid\":\"n/a\",\"name\":7,\"build\":[],"
	                     "\"corpse\":\"yes\"}",
	                     &arena, &complaints);
	assert_false(sample.has_pid);
	assert_string_equal(str_cstr(&complaints),
	                    "pid: expected a number, found 'n/a'\n"
	                    "name: expected text, found '7'\n"
	                    "build: expected text or a number, found an array\n"
	                    "corpse: expected true or false, found 'yes'\n");
	str_clear(&complaints);
	read_sample("{\"pid\":4.3e+09}", &arena, &complaints);
	assert_string_equal(str_cstr(&complaints),
	                    "pid: expected a whole number of 64 bits, found "
	                    "'4.3e+09'\n");
}

static void scalars_are_as_they_were_written(void **state UNUSED)
{
	SCOPED(json_doc_drop)
	struct json_doc *doc = parse(
	        "{\"n\" : -1.50e3 ,\"t\":\"\\u0041\",\"e\":\"\",\"o\":{}}");
	const cJSON *root = json_root(doc);

	assert_true(text_is(
	        json_scalar(cJSON_GetObjectItemCaseSensitive(root, "n")),
	        "-1.50e3"));
	assert_true(text_is(
	        json_scalar(cJSON_GetObjectItemCaseSensitive(root, "t")), "A"));
	assert_non_null(
	        json_scalar(cJSON_GetObjectItemCaseSensitive(root, "e")).data);
	assert_null(
	        json_scalar(cJSON_GetObjectItemCaseSensitive(root, "o")).data);
	assert_null(json_scalar(cJSON_GetObjectItemCaseSensitive(root, "none"))
	                    .data);
}

static void names_that_share_a_place_are_kept_apart(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	char name[16];

	// More than are remembered, and each of them twice.
	for (unsigned i = 0; i < 1000; i++)
		str_addf(&text, "%s{\"n%u\":%u}", i ? "," : "[", i % 500, i);
	str_add(&text, "]");
	doc = parse(str_cstr(&text));
	for (const cJSON *item = cJSON_GetArrayItem(json_root(doc), 0); item;
	     item = item->next) {
		uint64_t number;

		assert_true(json_as_u64(cJSON_GetArrayItem(item, 0), &number));
		snprintf(name, sizeof(name), "n%u", (unsigned)number % 500);
		assert_string_equal(cJSON_GetArrayItem(item, 0)->string, name);
		assert_ptr_equal(cJSON_GetObjectItemCaseSensitive(item, name),
		                 cJSON_GetArrayItem(item, 0));
		assert_null(cJSON_GetObjectItemCaseSensitive(item, "n"));
	}
}

/** Each as cJSON_GetObjectItemCaseSensitive() finds it, whatever the objects
 * before were like. */
static void lookups_find_what_members_are(void **state UNUSED)
{
	static const char *const names[] = { "pid", "name", "age" };
	SCOPED(json_doc_drop)
	struct json_doc *doc =
	        parse("[{\"name\":1,\"other\":2,\"pid\":3,\"age\":4},"
	              " {\"name\":5,\"other\":6,\"pid\":7,\"age\":8},"
	              " {\"age\":9,\"pid\":10,\"age\":11},"
	              " {\"other\":12,\"pid\":13,\"pid\":14,\"nam\":15},"
	              " {}, [\"name\"], null]");
	const cJSON *found[JSON_LOOKUP_MAX];
	struct json_lookup lookup = { .count = 0 };

	json_lookup_find(&lookup, cJSON_GetArrayItem(json_root(doc), 0), found);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		json_lookup_add(&lookup, names[i]);
	for (const cJSON *item = cJSON_GetArrayItem(json_root(doc), 0); item;
	     item = item->next) {
		json_lookup_find(&lookup, item, found);
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			assert_ptr_equal(found[i],
			                 cJSON_GetObjectItemCaseSensitive(
			                         item, names[i]));
	}
}

/** Further members than a lookup remembers the places of. */
static void lookups_read_objects_of_any_length(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	const cJSON *found[JSON_LOOKUP_MAX];
	struct json_lookup lookup = { .count = 0 };

	for (unsigned i = 0; i < 100; i++)
		str_addf(&text, "%s\"n%u\":%u", i ? "," : "{", i, i);
	str_add(&text, "}");
	doc = parse(str_cstr(&text));
	json_lookup_add(&lookup, "n99");
	json_lookup_add(&lookup, "n3");
	for (unsigned i = 0; i < 2; i++) {
		json_lookup_find(&lookup, json_root(doc), found);
		assert_ptr_equal(found[0], cJSON_GetObjectItemCaseSensitive(
		                                   json_root(doc), "n99"));
		assert_ptr_equal(found[1], cJSON_GetObjectItemCaseSensitive(
		                                   json_root(doc), "n3"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_their_types),
		cmocka_unit_test(whole_numbers_keep_all_64_bits),
		cmocka_unit_test(what_has_lost_precision_is_no_whole_number),
		cmocka_unit_test(numbers_are_shown_as_written),
		cmocka_unit_test(truth_is_a_word_or_a_digit),
		cmocka_unit_test(strings_are_utf8_without_nul),
		cmocka_unit_test(the_first_of_two_members_of_one_name_counts),
		cmocka_unit_test(
		        repeated_names_are_listed_in_the_order_of_the_input),
		cmocka_unit_test(only_so_many_repairs_are_listed),
		cmocka_unit_test(faults_are_named_with_their_place),
		cmocka_unit_test(nesting_is_limited),
		cmocka_unit_test(the_number_of_values_is_limited),
		cmocka_unit_test(the_number_of_names_is_limited),
		cmocka_unit_test(what_is_no_number_is_null),
		cmocka_unit_test(
		        small_faults_are_repaired_where_documents_are_salvaged),
		cmocka_unit_test(a_salvaged_document_ends_at_its_fault),
		cmocka_unit_test(a_document_that_ends_early_is_closed),
		cmocka_unit_test(nul_bytes_at_the_end_are_lost_text),
		cmocka_unit_test(what_follows_the_value_is_left_to_the_caller),
		cmocka_unit_test(an_object_is_read_by_a_table),
		cmocka_unit_test(absent_and_null_fields_stay),
		cmocka_unit_test(mistyped_fields_are_complained_about),
		cmocka_unit_test(scalars_are_as_they_were_written),
		cmocka_unit_test(names_that_share_a_place_are_kept_apart),
		cmocka_unit_test(lookups_find_what_members_are),
		cmocka_unit_test(lookups_read_objects_of_any_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
