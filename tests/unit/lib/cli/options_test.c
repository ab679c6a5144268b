// SPDX-License-Identifier: MIT
#include "lib/base/limit.h"
#include "lib/cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct settings {
	bool inlines;
	bool strict;
	bool full_path;
	const char *arch;
	const char *output;
	struct option_list dsym;
	uint64_t load;
	bool has_load;
	unsigned top;
	unsigned format;
};

static const struct option options[] = {
	OPT_FLAG('i', NULL, struct settings, inlines, "show inlined calls"),
	OPT_FLAG(0, "strict", struct settings, strict, "be strict"),
	OPT_SINGLE_DASH(OPTION_FLAG, 0, "fullPath", struct settings, full_path,
	                NULL, "print whole paths"),
	OPT_SINGLE_DASH(OPTION_TEXT, 0, "arch", struct settings, arch, "<arch>",
	                "the architecture"),
	OPT_TEXT('o', "output", struct settings, output, "<file>",
	         "write to <file>, which is replaced only when all went well"),
	OPT_LIST('d', "dsym", struct settings, dsym, "<path>", "search here"),
	OPT_HEX('l', NULL, struct settings, load, has_load, "<address>",
	        "load address"),
	OPT_UINT('n', "top", struct settings, top, 1, 9, "<count>", "how many"),
	{ .kind = OPTION_CHOICE,
	  .name = "format",
	  .also = "to",
	  .offset = offsetof(struct settings, format),
	  .has_offset = SIZE_MAX,
	  .value = "text|json|csv",
	  .help = "what to print" },
	OPT_END,
};

#define ARGS_MAX 12

/** A command line, parsed; `args` ends up with the operands first. */
struct parsed {
	char *args[ARGS_MAX + 1];
	struct settings settings;
	size_t operand_count;
	struct error *err;
};

static void parse(const char *const *args, struct parsed *ret)
{
	int count = 0;

	*ret = (struct parsed){ .settings = { .top = 10 } };
	for (; args[count]; count++)
		ret->args[count] = (char *)args[count];
	ret->err = options_parse(options, count, ret->args, &ret->settings,
	                         &ret->operand_count);
}

static void parsed_release(struct parsed *parsed)
{
	options_release(options, &parsed->settings);
	error_free(parsed->err);
}

#define PARSE(...)                              \
	SCOPED(parsed_release) struct parsed p; \
	parse((const char *[]){ __VA_ARGS__, NULL }, &p)

static void an_option_may_have_another_spelling(void **state UNUSED)
{
	PARSE("--to", "json");
	SCOPED(str_release) struct str usage = { 0 };

	assert_null(p.err);
	assert_int_equal(p.settings.format, 1);
	usage_options(options, 80, &usage);
	assert_null(strstr(str_cstr(&usage), "--to "));
}

static void no_arguments_leave_the_defaults(void **state UNUSED)
{
	struct settings settings = { .top = 10 };
	size_t operand_count = 99;

	assert_null(options_parse(options, 0, NULL, &settings, &operand_count));
	assert_int_equal(operand_count, 0);
	assert_int_equal(settings.top, 10);
}

static void every_kind_of_option_reaches_its_field(void **state UNUSED)
{
	PARSE("-i", "--strict", "-arch", "arm64", "--output", "x", "-l",
	      "0xffffffffffffffff", "--top=7", "--format", "csv");

	assert_null(p.err);
	assert_true(p.settings.inlines && p.settings.strict);
	assert_string_equal(p.settings.arch, "arm64");
	assert_string_equal(p.settings.output, "x");
	assert_true(p.settings.has_load);
	assert_true(p.settings.load == UINT64_MAX);
	assert_int_equal(p.settings.top, 7);
	assert_int_equal(p.settings.format, 2);
	assert_int_equal(p.operand_count, 0);
}

static void a_value_is_attached_or_follows(void **state UNUSED)
{
	static const char *const lines[][4] = {
		{ "-o", "file" },    { "-ofile" },  { "--output", "file" },
		{ "--output=file" }, { "-iofile" }, { "-io", "file" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		SCOPED(parsed_release) struct parsed p;

		parse(lines[i], &p);
		assert_null(p.err);
		assert_string_equal(p.settings.output, "file");
		assert_int_equal(p.operand_count, 0);
	}
}

static void a_value_may_be_empty_or_look_like_an_option(void **state UNUSED)
{
	PARSE("--output=", "--dsym", "--strict", "--dsym=a=b", "-d", "-");

	assert_null(p.err);
	assert_string_equal(p.settings.output, "");
	assert_false(p.settings.strict);
	assert_int_equal(p.settings.dsym.count, 3);
	assert_string_equal(p.settings.dsym.items[0], "--strict");
	assert_string_equal(p.settings.dsym.items[1], "a=b");
	assert_string_equal(p.settings.dsym.items[2], "-");
}

static void a_list_keeps_its_order(void **state UNUSED)
{
	PARSE("-d1", "-d2", "-d3", "-d4", "-d5", "-d6", "-d7", "-d8", "-d9");

	assert_null(p.err);
	assert_int_equal(p.settings.dsym.count, 9);
	for (size_t i = 0; i < 9; i++)
		assert_int_equal(p.settings.dsym.items[i][0], '1' + (int)i);
}

static void the_last_of_two_values_counts(void **state UNUSED)
{
	PARSE("-n1", "-n", "2", "--top", "3");

	assert_null(p.err);
	assert_int_equal(p.settings.top, 3);
}

static void all_tables_have_the_common_options(void **state UNUSED)
{
	static const struct option none[] = { OPT_END };
	const struct option *first = option_next(none, NULL);
	PARSE("a", "--limit", "threads=7", "--limit=frames=2,000", "--strict");

	assert_null(p.err);
	assert_true(p.settings.strict);
	assert_int_equal(p.operand_count, 1);
	assert_int_equal(limit_get(LIMIT_THREADS), 7);
	assert_int_equal(limit_get(LIMIT_FRAMES), 2000);
	limit_set(LIMIT_THREADS, LIMIT_DEFAULT_THREADS);
	limit_set(LIMIT_FRAMES, LIMIT_DEFAULT_FRAMES);
	assert_string_equal(first->name, "limit");
	assert_null(option_next(none, first));
	assert_ptr_equal(option_next(NULL, NULL), first);
}

static void operands_may_be_before_options(void **state UNUSED)
{
	PARSE("a", "-i", "-", "--top", "3", "b", "--", "--strict", "--", "c");
	static const char *const operands[] = { "a",        "-",  "b",
		                                "--strict", "--", "c" };

	assert_null(p.err);
	assert_true(p.settings.inlines);
	assert_false(p.settings.strict);
	assert_int_equal(p.operand_count, ARRAY_SIZE(operands));
	for (size_t i = 0; i < ARRAY_SIZE(operands); i++)
		assert_string_equal(p.args[i], operands[i]);
}

static void single_dash_names_are_tried_before_letters(void **state UNUSED)
{
	PARSE("-fullPath", "-arch", "-i", "-i");

	assert_null(p.err);
	assert_true(p.settings.full_path);
	assert_string_equal(p.settings.arch, "-i");
	assert_true(p.settings.inlines);
}

static void single_dash_names_take_two_dashes_and_a_value(void **state UNUSED)
{
	static const char *const lines[][3] = {
		{ "--arch", "x", "--fullPath" },
		{ "--arch=x", "-fullPath" },
		{ "-arch=x", "-fullPath" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		SCOPED(parsed_release) struct parsed p;

		parse(lines[i], &p);
		assert_null(p.err);
		assert_true(p.settings.full_path);
		assert_string_equal(p.settings.arch, "x");
		assert_int_equal(p.operand_count, 0);
	}
}

// Names of a table: those of set 1 and of all

static const char *name_at(unsigned set, size_t index)
{
	static const char *const names[] = { "text", "json", "csv", NULL };

	return set == 1 && index > 1 ? NULL : names[index];
}

static const struct option_names names = { name_at };

struct named {
	const char *format;
};

static const struct option named_options[] = {
	{
	        .kind = OPTION_NAME,
	        .letter = 't',
	        .name = "format",
	        .offset = offsetof(struct named, format),
	        .has_offset = SIZE_MAX,
	        .value = "<format>",
	        .help = "output format",
	        .names = &names,
	        .set = 1,
	        .first = "json",
	},
	OPT_END,
};

static struct error *parse_name(const char *value, const char **ret)
{
	char *args[] = { (char *)"--format", (char *)value };
	struct named settings = { 0 };
	size_t count;
	struct error *err = options_parse(named_options, value ? 2 : 0, args,
	                                  &settings, &count);

	*ret = settings.format;
	return err;
}

static void a_name_is_one_of_a_table(void **state UNUSED)
{
	static const struct {
		const char *value;
		const char *name;
		const char *message;
	} cases[] = {
		{ NULL, "json", NULL },
		{ "text", "text", NULL },
		{ "json", "json", NULL },
		{ "csv", "json",
		  "option '--format': expected json or text, found 'csv'" },
		{ "yaml", "json",
		  "option '--format': expected json or text, found 'yaml'" },
		{ "texd", "json",
		  "option '--format': expected json or text, found 'texd'; did "
		  "you mean 'text'?" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name = NULL;
		SCOPED(error_drop)
		struct error *err = parse_name(cases[i].value, &name);

		assert_string_equal(name, cases[i].name);
		assert_int_equal(!err, !cases[i].message);
		if (err)
			assert_string_equal(error_message(err),
			                    cases[i].message);
	}
}

static void names_are_listed_from_the_default_on(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };

	usage_options(named_options, 80, &text);
	assert_string_equal(
	        str_cstr(&text),
	        "  -t, --format <format>   output format: json (default), "
	        "text\n"
	        "      --limit <name>=<value>\n"
	        "                          change one of the limits that "
	        "'apmtool doctor' lists\n"
	        "  -h, --help              print this help\n");
	str_clear(&text);
	option_add_value(&named_options[0], &text);
	assert_string_equal(str_cstr(&text), "json|text");
}

static void mistakes_are_named(void **state UNUSED)
{
	static const struct {
		const char *args[3];
		const char *message;
	} cases[] = {
		{ { "--dsim", "x" },
		  "unknown option '--dsim'; did you mean '--dsym'?" },
		{ { "--dsim=x" },
		  "unknown option '--dsim'; did you mean '--dsym'?" },
		{ { "-dims", "--hepl" },
		  "unknown option '--hepl'; did you mean '--help'?" },
		{ { "--versoin" },
		  "unknown option '--versoin'; did you mean '--version'?" },
		{ { "-strict" },
		  "unknown option '-strict'; did you mean '--strict'?" },
		{ { "--arhc", "arm64" },
		  "unknown option '--arhc'; did you mean '-arch'?" },
		{ { "--zzzzzzzz" }, "unknown option '--zzzzzzzz'" },
		{ { "-z" }, "unknown option '-z'" },
		{ { "-iz" }, "unknown option '-z'" },
		{ { "--=x" }, "unknown option '--'" },
		// Abbreviations break scripts when an option is added.
		{ { "--str" },
		  "unknown option '--str'; did you mean '--strict'?" },
		{ { "-o" }, "option '-o' needs a value, <file>" },
		{ { "--top" }, "option '--top' needs a value, <count>" },
		{ { "-arch" }, "option '-arch' needs a value, <arch>" },
		{ { "--strict=1" }, "option '--strict' takes no value" },
		{ { "-l", "12g" },
		  "option '-l': expected a hexadecimal number, found '12g'" },
		{ { "-l", "0x10000000000000000" },
		  "option '-l': expected a hexadecimal number, found "
		  "'0x10000000000000000'" },
		{ { "--top=-1" },
		  "option '--top': expected a number from 1 to 9, found '-1'" },
		{ { "--top=10" },
		  "option '--top': expected a number from 1 to 9, found '10'" },
		{ { "--top=" },
		  "option '--top': expected a number from 1 to 9, found ''" },
		{ { "--format=jsn" },
		  "option '--format': expected text, json or csv, found 'jsn'; "
		  "did you mean 'json'?" },
		{ { "--to", "xml" },
		  "option '--to': expected text, json or csv, found 'xml'" },
		{ { "--format=" },
		  "option '--format': expected text, json or csv, found ''" },
		{ { "--format=text|json" },
		  "option '--format': expected text, json or csv, found "
		  "'text|json'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(parsed_release) struct parsed p;

		parse(cases[i].args, &p);
		assert_non_null(p.err);
		assert_string_equal(error_message(p.err), cases[i].message);
		assert_int_equal(error_code(p.err), ERROR_USAGE);
	}
}

static void a_question_is_heard_up_to_the_dashes(void **state UNUSED)
{
	static const char *const typed[] = { "x", "-o", "--help", "--",
		                             "--version" };

	char *const *args = (char *const *)typed;

	assert_true(options_ask("--help", 5, args));
	assert_false(options_ask("--help", 2, args));
	assert_false(options_ask("--version", 5, args));
}

static void usage_breaks_lines_between_items(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };

	usage_synopsis("apmtool x", options, "<a> [<b>...]", 60, &text);
	assert_string_equal(
	        str_cstr(&text),
	        "usage: apmtool x [-i] [--strict] [-fullPath] [-arch <arch>]\n"
	        "                 [--output <file>] [--dsym <path>]...\n"
	        "                 [-l <address>] [--top <count>]\n"
	        "                 [--format text|json|csv] <a> [<b>...]\n");
	str_clear(&text);
	usage_synopsis("apmtool y", NULL, NULL, 60, &text);
	assert_string_equal(str_cstr(&text), "usage: apmtool y\n");
}

static void options_are_described_in_two_columns(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };

	usage_options(options, 60, &text);
	assert_string_equal(
	        str_cstr(&text),
	        "  -i                      show inlined calls\n"
	        "      --strict            be strict\n"
	        "  -fullPath               print whole paths\n"
	        "  -arch <arch>            the architecture\n"
	        "  -o, --output <file>     write to <file>, which is replaced\n"
	        "                          only when all went well\n"
	        "  -d, --dsym <path>       search here\n"
	        "  -l <address>            load address\n"
	        "  -n, --top <count>       how many (1 to 9)\n"
	        "      --format text|json|csv\n"
	        "                          what to print\n"
	        "      --limit <name>=<value>\n"
	        "                          change one of the limits that\n"
	        "                          'apmtool doctor' lists\n"
	        "  -h, --help              print this help\n");
}

static void paragraphs_are_wrapped(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };

	usage_paragraphs("one two three\nfour\n\nunbreakablyLongWord x", 10,
	                 &text);
	assert_string_equal(str_cstr(&text),
	                    "one two\nthree four\n\nunbreakablyLongWord\nx\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_option_may_have_another_spelling),
		cmocka_unit_test(no_arguments_leave_the_defaults),
		cmocka_unit_test(every_kind_of_option_reaches_its_field),
		cmocka_unit_test(a_value_is_attached_or_follows),
		cmocka_unit_test(a_value_may_be_empty_or_look_like_an_option),
		cmocka_unit_test(a_list_keeps_its_order),
		cmocka_unit_test(the_last_of_two_values_counts),
		cmocka_unit_test(all_tables_have_the_common_options),
		cmocka_unit_test(operands_may_be_before_options),
		cmocka_unit_test(single_dash_names_are_tried_before_letters),
		cmocka_unit_test(single_dash_names_take_two_dashes_and_a_value),
		cmocka_unit_test(a_name_is_one_of_a_table),
		cmocka_unit_test(names_are_listed_from_the_default_on),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(a_question_is_heard_up_to_the_dashes),
		cmocka_unit_test(usage_breaks_lines_between_items),
		cmocka_unit_test(options_are_described_in_two_columns),
		cmocka_unit_test(paragraphs_are_wrapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
