// SPDX-License-Identifier: MIT
/**
 * What cJSON makes of our trees, beside what it makes of its own.
 */
#include "lib/base/limit.h"
#include "lib/text/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct json_doc *parse(const char *text)
{
	struct json_doc *doc = NULL;

	assert_null(json_parse(text_from(text), NULL, &doc));
	return doc;
}

static void assert_printed(const cJSON *value, const char *expected)
{
	char *text = cJSON_PrintUnformatted(value);

	assert_non_null(text);
	assert_string_equal(text, expected);
	cJSON_free(text);
}

/** Every node of one tree is as that of the other. */
static void assert_nodes_equal(const cJSON *ours, const cJSON *theirs)
{
	assert_int_equal(ours->type, theirs->type);
	assert_int_equal(ours->valueint, theirs->valueint);
	assert_memory_equal(&ours->valuedouble, &theirs->valuedouble,
	                    sizeof(double));
	assert_int_equal(!ours->string, !theirs->string);
	if (ours->string)
		assert_string_equal(ours->string, theirs->string);
	if (cJSON_IsString(ours))
		assert_string_equal(ours->valuestring, theirs->valuestring);
	assert_int_equal(cJSON_GetArraySize(ours), cJSON_GetArraySize(theirs));
	theirs = theirs->child;
	for (const cJSON *child = ours->child; child; child = child->next) {
		// The first knows the last, others the one before.
		assert_ptr_equal(child->prev->next,
		                 child == ours->child ? NULL : child);
		assert_nodes_equal(child, theirs);
		theirs = theirs->next;
	}
}

static const char *const documents[] = {
	"{}",
	"[]",
	"null",
	"\"text\"",
	"-0",
	"{\"a\":1,\"b\":[true,false,null,\"x\",{\"c\":{}}],\"d\":-2.5}",
	// Names: empty, alike but for their case, escaped.
	"{\"\":1,\"A\":2,\"a\":3,\"\\u00e9\\n\\\"\":{\"\":\"\"}}",
	// Escapes, and what is beyond 16 bits.
	"[\"\\b\\f\\n\\r\\t\\\\\\/\\\"\",\"\\u20ac\",\"\\ud83d\\ude00\","
	"\"\xc3\xa9\"]",
	// Numbers: of an int and beyond, of a double and beyond.
	"[0,-1,2147483647,2147483648,-2147483648,-2147483649,4294967296]",
	"[9007199254740991,9007199254740992,9007199254740993,"
	"-9007199254740993]",
	"[9999999999999999999,18446744073709551615,18446744073709551616,"
	"123456789012345678901234567890]",
	"[0.1,1.5,-3.25e-2,4.3e+09,1E400,-1E400,2.2250738585072011e-308,"
	"4.9e-324,0.30000000000000004,1e22,1e23,-0.0]",
};

static void all_of_cjson_that_reads_reads_our_trees(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(documents); i++) {
		SCOPED(json_doc_drop)
		struct json_doc *doc = parse(documents[i]);
		const cJSON *ours = json_root(doc);
		cJSON *theirs = cJSON_Parse(documents[i]);
		char *text = cJSON_PrintUnformatted(theirs);
		cJSON *copy = cJSON_Duplicate(theirs, true);

		assert_nodes_equal(ours, theirs);
		assert_printed(ours, text);
		// What is infinite equals nothing in cJSON.
		assert_int_equal(cJSON_Compare(ours, theirs, true),
		                 cJSON_Compare(copy, theirs, true));
		cJSON_Delete(copy);
		copy = cJSON_Duplicate(ours, true);
		assert_nodes_equal(copy, theirs);
		assert_printed(copy, text);
		cJSON_Delete(copy);
		cJSON_Delete(theirs);
		cJSON_free(text);
	}
}

static void texts_end_where_the_next_value_begins(void **state UNUSED)
{
	SCOPED(json_doc_drop)
	struct json_doc *doc = parse("{\"one\":12345,\"two\":\"x\"}");
	const cJSON *root = json_root(doc);

	assert_string_equal(root->child->string, "one");
	assert_string_equal(root->child->valuestring, "12345");
	assert_string_equal(
	        cJSON_GetStringValue(
	                cJSON_GetObjectItemCaseSensitive(root, "two")),
	        "x");
}

static void digits_that_a_double_loses_are_beside_it(void **state UNUSED)
{
	static const char *const numbers[] = {
		"9007199254740993",
		"18446744073709551615",
		"123456789012345678901234567890",
		"4.30e+09",
		"0.1000000000000000055511151231257827",
		"-0",
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		SCOPED(json_doc_drop) struct json_doc *doc = parse(numbers[i]);
		cJSON *copy = cJSON_Duplicate(json_root(doc), true);

		assert_string_equal(copy->valuestring, numbers[i]);
		assert_true(cJSON_IsNumber(copy));
		assert_true(cJSON_GetNumberValue(copy) ==
		            strtod(numbers[i], NULL));
		cJSON_Delete(copy);
	}
}

static void a_text_has_no_end_within(void **state UNUSED)
{
	SCOPED(json_doc_drop)
	struct json_doc *doc = parse("{\"a\\u0000b\":\"c\\u0000d\"}");

	assert_printed(json_root(doc), "{\"a\xef\xbf\xbd"
	                               "b\":\"c\xef\xbf\xbd"
	                               "d\"}");
}

static void what_is_closed_early_is_a_tree(void **state UNUSED)
{
	SCOPED(json_doc_drop)
	struct json_doc *doc = parse("{\"a\":[1,{\"b\":\"c\",\"d\":[2,");

	assert_true(json_truncated(doc));
	assert_printed(json_root(doc), "{\"a\":[1,{\"b\":\"c\",\"d\":[2]}]}");
}

static void a_deep_tree_is_printed_and_copied(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(json_doc_drop) struct json_doc *doc = NULL;
	cJSON *copy;

	str_add_repeat(&text, '[', LIMIT_DEFAULT_JSON_DEPTH);
	str_add_repeat(&text, ']', LIMIT_DEFAULT_JSON_DEPTH);
	doc = parse(str_cstr(&text));
	copy = cJSON_Duplicate(json_root(doc), true);
	assert_true(cJSON_Compare(json_root(doc), copy, true));
	assert_printed(copy, str_cstr(&text));
	cJSON_Delete(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_cjson_that_reads_reads_our_trees),
		cmocka_unit_test(texts_end_where_the_next_value_begins),
		cmocka_unit_test(digits_that_a_double_loses_are_beside_it),
		cmocka_unit_test(a_text_has_no_end_within),
		cmocka_unit_test(what_is_closed_early_is_a_tree),
		cmocka_unit_test(a_deep_tree_is_printed_and_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
