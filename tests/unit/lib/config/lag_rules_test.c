// SPDX-License-Identifier: MIT
#include "lib/config/lag_rules.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct lag_rules parse(const char *yaml)
{
	struct lag_rules rules;
	struct error *err =
	        lag_rules_parse(text_from(yaml), "rules.yml", &rules);

	if (err)
		fail_msg("%s", error_message(err));
	return rules;
}

static void assert_refused(const char *yaml, const char *message)
{
	// What is there stays as it is.
	struct lag_rules rules = { .count = 42 };
	SCOPED(error_drop)
	struct error *err =
	        lag_rules_parse(text_from(yaml), "rules.yml", &rules);

	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_int_equal(error_code(err), ERROR_CONFIG);
	assert_int_equal(rules.count, 42);
}

/** Line of the rule that decides; 0: none does. */
static unsigned line_for(const struct lag_rules *rules, const char *image,
                         const char *path, const char *symbol)
{
	const struct lag_rule *undecided;
	size_t budget = lag_rules_budget();
	const struct lag_rule *rule = lag_rules_find(
	        rules, &(struct lag_rule_subject){ image, path, symbol, NULL },
	        &budget, &undecided);

	assert_null(undecided);
	return rule ? rule->source.line : 0;
}

static void a_file_without_rules_decides_nothing(void **state UNUSED)
{
	static const char *const files[] = { "", "rules:\n", "rules: []\n",
		                             "# nothing\n" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		SCOPED(lag_rules_release)
		struct lag_rules rules = parse(files[i]);

		assert_int_equal(rules.count, 0);
		assert_int_equal(line_for(&rules, "Demo", "/Demo", "main"), 0);
	}
}

static void rules_know_their_action_and_their_line(void **state UNUSED)
{
	SCOPED(lag_rules_release)
	struct lag_rules rules = parse("rules:\n"
	                               "  - image: A\n"
	                               "    action: business\n"
	                               "  - path: /B\n"
	                               "    action: system\n"
	                               "  - symbol: C\n"
	                               "    action: ignore\n"
	                               "  - {symbol: D, action: cut-below}\n");

	assert_int_equal(rules.count, 4);
	assert_int_equal(rules.rules[0].action, LAG_RULE_BUSINESS);
	assert_string_equal(rules.rules[0].image.text, "A");
	assert_int_equal(rules.rules[1].action, LAG_RULE_SYSTEM);
	assert_string_equal(rules.rules[1].path.text, "/B");
	assert_int_equal(rules.rules[2].action, LAG_RULE_IGNORE);
	assert_string_equal(rules.rules[2].symbol.text, "C");
	assert_int_equal(rules.rules[3].action, LAG_RULE_CUT_BELOW);
	assert_int_equal(rules.rules[3].source.line, 8);
	assert_string_equal(rules.rules[3].source.name, "rules.yml");
}

static void the_first_rule_that_matches_decides(void **state UNUSED)
{
	SCOPED(lag_rules_release)
	struct lag_rules rules = parse("rules:\n"
	                               "- {image: Demo*, action: business}\n"
	                               "- {image: DemoKit, action: system}\n"
	                               "- {image: '*', action: ignore}\n");

	assert_int_equal(line_for(&rules, "DemoKit", NULL, NULL), 2);
	assert_int_equal(line_for(&rules, "MyDemo", NULL, NULL), 4);
}

static void all_patterns_of_a_rule_must_match(void **state UNUSED)
{
	SCOPED(lag_rules_release)
	struct lag_rules rules = parse("rules:\n"
	                               "- image: Demo\n"
	                               "  path: /var/*\n"
	                               "  symbol: regex:^-\\[\n"
	                               "  action: business\n");

	assert_int_equal(line_for(&rules, "Demo", "/var/Demo", "-[A b]"), 2);
	assert_int_equal(line_for(&rules, "Demo", "/var/Demo", "main"), 0);
	assert_int_equal(line_for(&rules, "Demo", "/usr/Demo", "-[A b]"), 0);
	assert_int_equal(line_for(&rules, "Kit", "/var/Demo", "-[A b]"), 0);
}

static void what_is_not_known_matches_no_pattern(void **state UNUSED)
{
	SCOPED(lag_rules_release)
	struct lag_rules rules =
	        parse("rules:\n"
	              "- {path: '*', action: ignore}\n"
	              "- {image: '*', action: ignore}\n"
	              "- {symbol: 'regex:', action: ignore}\n");

	assert_int_equal(line_for(&rules, NULL, NULL, "main"), 4);
	assert_int_equal(line_for(&rules, "Demo", NULL, "main"), 3);
	assert_int_equal(line_for(&rules, NULL, NULL, NULL), 0);
}

static void globs_match_whole_and_regexes_anywhere(void **state UNUSED)
{
	SCOPED(lag_rules_release)
	struct lag_rules rules =
	        parse("rules:\n"
	              "- {symbol: '-[Demo *]', action: ignore}\n"
	              "- {symbol: regex:wait|read$, action: ignore}\n");

	assert_int_equal(line_for(&rules, NULL, NULL, "-[Demo load:]"), 2);
	assert_int_equal(line_for(&rules, NULL, NULL, "+-[Demo load:]"), 0);
	assert_int_equal(line_for(&rules, NULL, NULL, "_semwait_"), 3);
	assert_int_equal(line_for(&rules, NULL, NULL, "pread"), 3);
	assert_int_equal(line_for(&rules, NULL, NULL, "reader"), 0);
}

static void paths_are_seen_without_private(void **state UNUSED)
{
	SCOPED(lag_rules_release)
	struct lag_rules rules =
	        parse("rules: [{path: /var/*, action: business}]\n");

	assert_int_equal(line_for(&rules, NULL, "/private/var/a", NULL), 1);
	assert_int_equal(line_for(&rules, NULL, "/var/a", NULL), 1);
}

static void a_rule_too_costly_ends_the_search(void **state UNUSED)
{
	SCOPED(lag_rules_release)
	struct lag_rules rules =
	        parse("rules:\n"
	              "- {image: A, action: system}\n"
	              "- {symbol: 'regex:^(a+)+$', action: business}\n"
	              "- {symbol: '*', action: ignore}\n");
	struct lag_rule_subject subject = {
		.image = "B",
		.symbol = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
	};
	const struct lag_rule *undecided;
	size_t budget = lag_rules_budget();

	assert_null(lag_rules_find(&rules, &subject, &budget, &undecided));
	assert_ptr_equal(undecided, &rules.rules[1]);
	// Rules above it have decided by then.
	subject.image = "A";
	assert_ptr_equal(lag_rules_find(&rules, &subject, &budget, &undecided),
	                 &rules.rules[0]);
	assert_null(undecided);
}

static void rules_that_take_too_long_are_asked_no_more(void **state UNUSED)
{
	SCOPED(lag_rules_release)
	struct lag_rules rules =
	        parse("rules:\n"
	              "- {symbol: 'regex:^(a+)+$', action: business}\n"
	              "- {symbol: load_items, action: ignore}\n");
	const struct lag_rule_subject costly = {
		.symbol = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
	};
	const struct lag_rule_subject cheap = { .symbol = "load_items" };
	const struct lag_rule *undecided;
	size_t budget = 3;

	// What is done at once costs nothing.
	assert_ptr_equal(lag_rules_find(&rules, &cheap, &budget, &undecided),
	                 &rules.rules[1]);
	assert_int_equal(budget, 3);
	lag_rules_find(&rules, &costly, &budget, &undecided);
	assert_ptr_equal(undecided, &rules.rules[0]);
	assert_int_equal(budget, 0);
	assert_null(lag_rules_find(&rules, &cheap, &budget, &undecided));
	assert_null(undecided);
}

static void faults_are_reported_with_their_place(void **state UNUSED)
{
	static const struct {
		const char *yaml;
		const char *message;
	} cases[] = {
		{ "rule: []\n", "rules.yml:1:1: unknown field 'rule' (did you "
		                "mean 'rules'?)" },
		{ "- image: A\n",
		  "rules.yml:1:1: expected a map, found a list" },
		{ "rules: {image: A}\n",
		  "rules.yml:1:8: rules: expected a list, found a map" },
		{ "rules: [A]\n", "rules.yml:1:9: expected a map, found 'A'" },
		{ "rules:\n  - image: A\n    acton: system\n",
		  "rules.yml:3:5: unknown field 'acton' (did you mean "
		  "'action'?)" },
		{ "rules:\n  - bundle: a.b\n    action: system\n",
		  "rules.yml:2:5: unknown field 'bundle'" },
		{ "rules:\n  - action: system\n",
		  "rules.yml:2:5: expected image, path or symbol" },
		{ "rules:\n  -\n",
		  "rules.yml:2:4: expected image, path or symbol" },
		{ "rules:\n  - symbol: main\n",
		  "rules.yml:2:5: expected action: business, system, ignore or "
		  "cut-below" },
		{ "rules:\n  - symbol: main\n    action: app\n",
		  "rules.yml:3:13: action: expected business, system, ignore "
		  "or cut-below, found 'app'" },
		{ "rules:\n  - symbol: [main]\n    action: system\n",
		  "rules.yml:2:13: symbol: expected text, found a list" },
		{ "rules:\n  - symbol: ''\n    action: system\n",
		  "rules.yml:2:13: symbol: expected text, found ''" },
		{ "rules:\n  - image: A\n    symbol: 'regex:a('\n"
		  "    action: system\n",
		  "rules.yml:3:13: symbol: pattern, offset 2: missing closing "
		  "parenthesis" },
		{ "rules:\n  - symbol: ^-\\[Foo\n    action: system\n",
		  "rules.yml:2:13: symbol: a glob cannot start with '^' or "
		  "contain '\\'; a regular expression starts with 'regex:'" },
		{ "rules:\n  - image: Demo\\d\n    action: system\n",
		  "rules.yml:2:12: image: a glob cannot start with '^' or "
		  "contain '\\'; a regular expression starts with 'regex:'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_refused(cases[i].yaml, cases[i].message);
}

static void a_file_has_a_thousand_rules_at_most(void **state UNUSED)
{
	SCOPED(str_release) struct str file = { 0 };

	str_add(&file, "rules:\n");
	for (size_t i = 0; i < LAG_RULES_MAX; i++)
		str_add(&file, "- {image: A, action: system}\n");
	{
		SCOPED(lag_rules_release)
		struct lag_rules rules = parse(str_cstr(&file));

		assert_int_equal(rules.count, LAG_RULES_MAX);
	}
	str_add(&file, "- {image: A, action: system}\n");
	assert_refused(str_cstr(&file),
	               "rules.yml:1002:3: rules: more than 1000 items");
}

// Rules for crashes have actions of their own, and one more pattern.
static void rules_of_crashes_are_read_one_file_after_the_other(
        void **state UNUSED)
{
	static const char first[] = "rules:\n"
	                            "  - pattern: ^-\\[Log\n"
	                            "    action: irrelevant\n";
	static const char second[] = "rules:\n"
	                             "  - symbol: '*Log*'\n"
	                             "    action: in-app\n"
	                             "  - symbol: raise\n"
	                             "    action: throw\n";
	const struct lag_rule_subject subject = { .symbol = "-[Log write]" };
	const struct lag_rule *undecided;
	SCOPED(lag_rules_release) struct lag_rules rules = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct lag_matches matches;
	size_t budget = lag_rules_budget();
	const struct lag_rule *rule;

	assert_null(lag_rules_add(text_from(first), "a.yml",
	                          &lag_rules_of_crashes, &rules));
	assert_null(lag_rules_add(text_from(second), "b.yml",
	                          &lag_rules_of_crashes, &rules));
	assert_int_equal(rules.count, 3);
	rule = lag_rules_find(&rules, &subject, &budget, &undecided);
	assert_int_equal(rule->action, LAG_RULE_IGNORE);
	assert_true(
	        lag_rules_match(&rules, &subject, &budget, &arena, &matches));
	assert_int_equal(matches.count, 2);
	rule = lag_matches_find(&matches, LAG_RULES_OF(LAG_RULE_BUSINESS),
	                        &undecided);
	assert_string_equal(rule->source.name, "b.yml");
	assert_int_equal(rule->source.line, 2);
	assert_null(lag_matches_find(&matches, LAG_RULES_OF(LAG_RULE_THROW),
	                             &undecided));
}

static void a_rule_too_costly_hides_those_of_its_kind_only(void **state UNUSED)
{
	static const char yaml[] = "rules:\n"
	                           "  - pattern: ^(a+)+$\n"
	                           "    action: in-app\n"
	                           "  - {symbol: 'a*', action: system}\n"
	                           "  - {symbol: 'a*', action: throw}\n";
	const struct lag_rule_subject subject = {
		.symbol = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
	};
	const struct lag_rule *undecided;
	SCOPED(lag_rules_release) struct lag_rules rules = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct lag_matches matches;
	size_t budget = lag_rules_budget();

	assert_null(lag_rules_add(text_from(yaml), "a.yml",
	                          &lag_rules_of_crashes, &rules));
	assert_true(
	        lag_rules_match(&rules, &subject, &budget, &arena, &matches));
	assert_null(lag_matches_find(&matches,
	                             LAG_RULES_OF(LAG_RULE_BUSINESS) |
	                                     LAG_RULES_OF(LAG_RULE_SYSTEM),
	                             &undecided));
	assert_ptr_equal(undecided, &rules.rules[0]);
	assert_ptr_equal(lag_matches_find(&matches,
	                                  LAG_RULES_OF(LAG_RULE_THROW),
	                                  &undecided),
	                 &rules.rules[2]);
	// What all of them may cost ends nothing but this call.
	budget = 3;
	assert_false(
	        lag_rules_match(&rules, &subject, &budget, &arena, &matches));
	assert_int_equal(budget, 0);
	assert_int_equal(matches.count, 0);
}

static void the_built_in_table_is_complete_and_compiles(void **state UNUSED)
{
	SCOPED(lag_rules_release) struct lag_rules rules = { 0 };

	assert_null(lag_rules_add_meanings(&rules));
	assert_true(rules.count > 100);
	for (size_t i = 0; i < rules.count; i++) {
		const struct config_pattern *symbol = &rules.rules[i].symbol;
		struct regex *regex = NULL;

		assert_null(regex_compile(text_from(symbol->text), &regex));
		regex_free(regex);
	}
}

static void rules_of_crashes_may_ask_for_the_source_file(void **state UNUSED)
{
	static const char yaml[] = "rules:\n"
	                           "  - pattern: ^check\n"
	                           "    file: regex:(^|/)Checks\\.kt$\n"
	                           "    skip: true\n";
	static const struct {
		const char *file;
		bool matches;
	} files[] = { { "Checks.kt", true },
		      { "/src/Checks.kt", true },
		      { "/src/OtherChecks.kt", false },
		      { NULL, false } };
	SCOPED(lag_rules_release) struct lag_rules rules = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	size_t budget = lag_rules_budget();

	assert_null(lag_rules_add(text_from(yaml), "a.yml",
	                          &lag_rules_of_crashes, &rules));
	assert_true(rules.has_files);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct lag_rule_subject subject = { .symbol = "check",
			                            .file = files[i].file };

		struct lag_matches matches;

		assert_true(lag_rules_match(&rules, &subject, &budget, &arena,
		                            &matches));
		assert_int_equal(matches.count, files[i].matches);
	}
}

static void a_bad_file_adds_no_rule(void **state UNUSED)
{
	static const struct {
		const char *yaml;
		const char *message;
	} cases[] = {
		{ "rules:\n  - patern: a\n    action: throw\n",
		  "r.yml:2:5: unknown field 'patern' (did you mean "
		  "'pattern'?)" },
		{ "rules:\n  - pattern: (\n    action: throw\n",
		  "r.yml:2:14: pattern, offset 1: missing closing "
		  "parenthesis" },
		{ "rules:\n  - {action: throw}\n",
		  "r.yml:2:5: expected image, path, symbol, pattern or file" },
		{ "rules:\n  - {pattern: a, symbol: b, action: throw}\n",
		  "r.yml:2:15: 'symbol' and 'pattern' are both about the "
		  "function's name" },
		{ "rules:\n  - {pattern: a, action: ignore}\n", NULL },
		{ "rules:\n  - {pattern: a}\n",
		  "r.yml:2:5: expected action: in-app, system, irrelevant, "
		  "prefix, throw, handler or thread-base" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(lag_rules_release) struct lag_rules rules = { 0 };
		SCOPED(error_drop)
		struct error *err =
		        lag_rules_add(text_from(cases[i].yaml), "r.yml",
		                      &lag_rules_of_crashes, &rules);

		assert_non_null(err);
		if (cases[i].message)
			assert_string_equal(error_message(err),
			                    cases[i].message);
		assert_int_equal(rules.count, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        rules_of_crashes_are_read_one_file_after_the_other),
		cmocka_unit_test(rules_of_crashes_may_ask_for_the_source_file),
		cmocka_unit_test(
		        a_rule_too_costly_hides_those_of_its_kind_only),
		cmocka_unit_test(the_built_in_table_is_complete_and_compiles),
		cmocka_unit_test(a_bad_file_adds_no_rule),
		cmocka_unit_test(a_file_without_rules_decides_nothing),
		cmocka_unit_test(rules_know_their_action_and_their_line),
		cmocka_unit_test(the_first_rule_that_matches_decides),
		cmocka_unit_test(all_patterns_of_a_rule_must_match),
		cmocka_unit_test(what_is_not_known_matches_no_pattern),
		cmocka_unit_test(globs_match_whole_and_regexes_anywhere),
		cmocka_unit_test(paths_are_seen_without_private),
		cmocka_unit_test(a_rule_too_costly_ends_the_search),
		cmocka_unit_test(rules_that_take_too_long_are_asked_no_more),
		cmocka_unit_test(faults_are_reported_with_their_place),
		cmocka_unit_test(a_file_has_a_thousand_rules_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
