// SPDX-License-Identifier: MIT
#include "lib/text/yaml.h"

#include "lib/base/limit.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/** A file, read; `root` is NULL where that failed. */
struct read {
	struct arena arena;
	const struct yml *root;
	struct error *err;
};

static void read_release(struct read *read)
{
	error_free(read->err);
	arena_release(&read->arena);
}

static void read_bytes(struct read *read, struct text in)
{
	*read = (struct read){ 0 };
	read->err = yml_parse(in, "f.yml", &read->arena, &read->root);
}

#define READ(cstr)                          \
	SCOPED(read_release) struct read r; \
	read_bytes(&r, text_from(cstr));    \
	if (r.err)                          \
	fail_msg("%s", error_message(r.err))

static void assert_refused(struct text in, enum error_code code,
                           const char *message)
{
	SCOPED(read_release) struct read r;

	read_bytes(&r, in);
	assert_non_null(r.err);
	assert_string_equal(error_message(r.err), message);
	assert_int_equal(error_code(r.err), code);
	assert_null(r.root);
}

static void assert_message(struct error *err, const char *message)
{
	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_int_equal(error_code(err), ERROR_CONFIG);
	error_free(err);
}

static void a_file_becomes_a_tree_with_places(void **state UNUSED)
{
	const struct yml *list;

	READ("dsym:\n  - build\n  - 'a: b'\njobs: 4\nempty:\n");
	assert_int_equal(r.root->type, YML_MAP);
	list = r.root->first;
	assert_string_equal(list->key->text, "dsym");
	assert_int_equal(list->key->line, 1);
	assert_int_equal(list->type, YML_LIST);
	assert_string_equal(list->first->text, "build");
	assert_int_equal(list->first->line, 2);
	assert_int_equal(list->first->column, 5);
	assert_false(list->first->quoted);
	assert_string_equal(list->first->next->text, "a: b");
	assert_true(list->first->next->quoted);
	assert_null(list->first->next->next);
	assert_ptr_equal(yml_field(r.root, "jobs"), list->next);
	assert_int_equal(yml_field(r.root, "empty")->type, YML_EMPTY);
	assert_null(yml_field(r.root, "absent"));
	assert_null(yml_field(list, "dsym"));
}

static void columns_are_characters(void **state UNUSED)
{
	READ("\xef\xbb\xbf[\xc3\xa4, b]");
	assert_int_equal(r.root->first->next->column, 5);
}

static void an_empty_file_is_empty(void **state UNUSED)
{
	static const char *const files[] = { "", "# only words\n", "---\n", "~",
		                             "null\n" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		READ(files[i]);
		assert_int_equal(r.root->type, YML_EMPTY);
		assert_string_equal(r.root->file, "f.yml");
	}
}

static void faults_are_reported_with_their_place(void **state UNUSED)
{
	static const struct {
		const char *yaml;
		const char *message;
	} cases[] = {
		{ "a: &x 1\nb: *x\n", "f.yml:1:4: anchors are not supported" },
		{ "b: *x\n", "f.yml:1:4: aliases are not supported" },
		{ "*x : b\n", "f.yml:1:1: aliases are not supported" },
		{ "a: !!str 1\n", "f.yml:1:4: tags are not supported" },
		{ "a: !mine []\n", "f.yml:1:4: tags are not supported" },
		{ "a: !mine {}\n", "f.yml:1:4: tags are not supported" },
		{ "%YAML 1.1\n---\na: 1\n",
		  "f.yml:1:1: directives are not supported" },
		{ "a: 1\n...\n%TAG ! b\n",
		  "f.yml:3:1: directives are not supported" },
		{ "a: 1\n---\nb: 2\n",
		  "f.yml:2:1: expected one document, found another" },
		{ "a: 1\nb: 2\na: 3\n",
		  "f.yml:3:1: field 'a' is already set in line 1" },
		{ "{a: 1, a: 2}",
		  "f.yml:1:8: field 'a' is already set in line 1" },
		{ "? [a]\n: b\n", "f.yml:1:3: expected the name of a field" },
		{ "? {a: b}\n: b\n",
		  "f.yml:1:3: expected the name of a field" },
		{ "a:\n\tb: 1\n",
		  "f.yml:2:1: expected spaces for indentation, found a tab" },
		{ "a: [1\n", "f.yml:2:1: did not find expected ',' or ']'" },
		{ "a: \"\\0\"\n",
		  "f.yml:1:4: expected text, found a NUL in it" },
		{ "a: b\nc: \xff\n", "f.yml:2:4: invalid leading UTF-8 octet" },
		{ "a: \x01\n",
		  "f.yml:1:4: control characters are not allowed" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_refused(text_from(cases[i].yaml), ERROR_CONFIG,
		               cases[i].message);
}

static void every_line_end_begins_a_directive(void **state UNUSED)
{
	static const char *const ends[] = { "\n", "\r", "\xc2\x85",
		                            "\xe2\x80\xa8", "\xe2\x80\xa9" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		SCOPED(str_release) struct str file = { 0 };
		SCOPED(read_release) struct read r;

		str_addf(&file, "#%s%%TAG ! b\n", ends[i]);
		read_bytes(&r, str_text(&file));
		assert_non_null(r.err);
		assert_non_null(strstr(error_message(r.err), "directives"));
	}
	assert_refused(text_from("\xef\xbb\xbf%YAML 1.1\n--- a\n"),
	               ERROR_CONFIG, "f.yml:1:1: directives are not supported");
}

/** @p count times @p part. */
static void repeat(struct str *out, const char *part, size_t count)
{
	while (count--)
		str_add(out, part);
}

static void nesting_ends_at_32_levels(void **state UNUSED)
{
	SCOPED(str_release) struct str file = { 0 };

	repeat(&file, "[", LIMIT_DEFAULT_CONFIG_DEPTH);
	repeat(&file, "]", LIMIT_DEFAULT_CONFIG_DEPTH);
	READ(str_cstr(&file));
	str_clear(&file);
	repeat(&file, "[", LIMIT_DEFAULT_CONFIG_DEPTH + 1);
	repeat(&file, "]", LIMIT_DEFAULT_CONFIG_DEPTH + 1);
	assert_refused(str_text(&file), ERROR_LIMIT,
	               "f.yml:1:33: nested deeper than 32 levels");
}

// Without limits these take libyaml from many seconds to minutes.
static void bombs_end_soon(void **state UNUSED)
{
	static const struct {
		const char *part;
		const char *message;
	} cases[] = {
		{ "[", "f.yml:1:33: nested deeper than 32 levels" },
		{ "{a: ", "f.yml:1:129: nested deeper than 32 levels" },
		{ "- ", "f.yml:1:65: nested deeper than 32 levels" },
		{ "? ", "f.yml:1:3: expected the name of a field" },
		{ "%TAG !a! b\n", "f.yml:1:1: directives are not supported" },
		{ "- &a x\n", "f.yml:1:3: anchors are not supported" },
		{ "-\n", "f.yml:49998:2: more than 50,000 values" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str file = { 0 };

		repeat(&file, cases[i].part,
		       LIMIT_DEFAULT_CONFIG_FILE / strlen(cases[i].part) - 1);
		assert_refused(str_text(&file),
		               strstr(cases[i].message, "than") ? ERROR_LIMIT
		                                                : ERROR_CONFIG,
		               cases[i].message);
	}
}

static void sizes_are_limited(void **state UNUSED)
{
	SCOPED(str_release) struct str file = { 0 };

	str_add_repeat(&file, '#', LIMIT_DEFAULT_CONFIG_FILE);
	{
		READ(str_cstr(&file));
		assert_int_equal(r.root->type, YML_EMPTY);
	}
	str_add_char(&file, '#');
	assert_refused(str_text(&file), ERROR_LIMIT,
	               "'f.yml' is larger than 1 MB (--limit config-file=SIZE "
	               "raises it)");
	str_clear(&file);
	str_add_repeat(&file, 'x', YML_SCALAR_BYTES);
	{
		READ(str_cstr(&file));
		assert_int_equal(strlen(r.root->text), YML_SCALAR_BYTES);
	}
	str_add_char(&file, 'x');
	assert_refused(str_text(&file), ERROR_LIMIT,
	               "f.yml:1:1: text of more than 64 kB");
}

// A map of half the events has 25,000 names to compare.
static void many_fields_are_distinguished_soon(void **state UNUSED)
{
	SCOPED(str_release) struct str file = { 0 };

	for (unsigned i = 0; i < 24000; i++)
		str_addf(&file, "f%u:\n", i);
	{
		READ(str_cstr(&file));
		assert_int_equal(r.root->type, YML_MAP);
	}
	str_add(&file, "f7: again\n");
	assert_refused(str_text(&file), ERROR_CONFIG,
	               "f.yml:24001:1: field 'f7' is already set in line 8");
}

static void unknown_fields_are_named_with_the_nearest(void **state UNUSED)
{
	static const char *const names[] = { "pattern", "app", NULL };
	static const struct {
		const char *yaml;
		const char *message;
	} cases[] = {
		{ "app: 1\npatern: x\n", "f.yml:2:1: unknown field 'patern' "
		                         "(did you mean 'pattern'?)" },
		{ "zebra: x\n", "f.yml:1:1: unknown field 'zebra'" },
		{ "- app\n", "f.yml:1:1: expected a map, found a list" },
		{ "app\n", "f.yml:1:1: expected a map, found 'app'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		READ(cases[i].yaml);
		assert_message(yml_known_fields(r.root, names),
		               cases[i].message);
	}
	READ("pattern: x\napp: y\n");
	assert_null(yml_known_fields(r.root, names));
	assert_null(yml_known_fields(&(const struct yml){ .type = YML_EMPTY },
	                             names));
}

static void values_have_one_type(void **state UNUSED)
{
	static const char *const choices[] = { "auto", "always", "never",
		                               NULL };
	bool truth = false;
	const char *text = NULL;
	uint64_t number = 0;
	unsigned choice = 9;

	READ("b: true\nt: on\nn: 256\nq: '7'\nc: never\nl: []\nm: {}\ne:\n");
	assert_null(yml_bool(yml_field(r.root, "b"), &truth));
	assert_true(truth);
	assert_null(yml_text(yml_field(r.root, "t"), &text));
	assert_string_equal(text, "on");
	assert_null(yml_number(yml_field(r.root, "n"), 1, 256, &number));
	assert_int_equal(number, 256);
	assert_null(yml_choice(yml_field(r.root, "c"), choices, &choice));
	assert_int_equal(choice, 2);
	assert_null(yml_list(yml_field(r.root, "l")));
	assert_null(yml_list(yml_field(r.root, "e")));
	assert_message(yml_bool(yml_field(r.root, "t"), &truth),
	               "f.yml:2:4: t: expected true or false, found 'on'");
	assert_message(yml_text(yml_field(r.root, "e"), &text),
	               "f.yml:8:3: e: expected text, found nothing");
	assert_message(yml_text(yml_field(r.root, "m"), &text),
	               "f.yml:7:4: m: expected text, found a map");
	assert_message(
	        yml_number(yml_field(r.root, "n"), 1, 255, &number),
	        "f.yml:3:4: n: expected a number from 1 to 255, found '256'");
	assert_message(
	        yml_number(yml_field(r.root, "q"), 1, 255, &number),
	        "f.yml:4:4: q: expected a number from 1 to 255, found '7'");
	assert_message(
	        yml_choice(yml_field(r.root, "t"), choices, &choice),
	        "f.yml:2:4: t: expected auto, always or never, found 'on'");
	assert_message(yml_list(yml_field(r.root, "t")),
	               "f.yml:2:4: t: expected a list, found 'on'");
	assert_int_equal(number, 256);
	assert_int_equal(choice, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_becomes_a_tree_with_places),
		cmocka_unit_test(columns_are_characters),
		cmocka_unit_test(an_empty_file_is_empty),
		cmocka_unit_test(faults_are_reported_with_their_place),
		cmocka_unit_test(every_line_end_begins_a_directive),
		cmocka_unit_test(nesting_ends_at_32_levels),
		cmocka_unit_test(bombs_end_soon),
		cmocka_unit_test(sizes_are_limited),
		cmocka_unit_test(many_fields_are_distinguished_soon),
		cmocka_unit_test(unknown_fields_are_named_with_the_nearest),
		cmocka_unit_test(values_have_one_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
