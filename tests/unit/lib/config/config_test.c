#include "lib/config/config.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/config/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

static struct config load(const struct config_places *places)
{
	struct config config;
	struct error *err = config_load(places, &config);

	if (err)
		fail_msg("%s", error_message(err));
	return config;
}

static void assert_refused(const char *text, const char *message)
{
	const struct config_input input = {
		.path = "c.yaml",
		.origin = CONFIG_USER,
	};
	SCOPED(config_release) struct config config = { 0 };
	SCOPED(error_drop)
	struct error *err = config_read_text(&input, text_from(text), &config);

	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_int_equal(error_code(err), ERROR_CONFIG);
}

static void assert_directory(const struct config *config, size_t index,
                             const char *path, const char *source)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	assert_true(index < config->dsym_count);
	assert_string_equal(config->dsym[index].path, path);
	assert_string_equal(
	        config_source_text(&config->dsym[index].source, &arena),
	        source);
}

static void without_files_all_is_default(void **state)
{
	const struct test_directory *home = *state;
	SCOPED(config_release)
	struct config config =
	        load(&(struct config_places){ .home = home->path });

	assert_int_equal(config.dsym_count, 0);
	assert_int_equal(config.rule_count, 0);
	assert_int_equal(config.file_count, 0);
	assert_int_equal(config.jobs, 0);
	assert_int_equal(config.style, 0);
	assert_int_equal(config.jobs_source.origin, CONFIG_DEFAULT);
	assert_null(config.warning);
}

static void the_stronger_source_wins_and_lists_are_joined(void **state)
{
	const struct test_directory *home = *state;
	SCOPED(config_release) struct config config;
	SCOPED(str_release) struct str expected = { 0 };
	SCOPED(str_release) struct str source = { 0 };

	test_file_write_text(
	        ".config/apmtool/config.yaml",
	        "jobs: 2\nstyle: raw\ndsym: [~/mine, users, /abs]\n"
	        "in-app:\n  - {image: A*, app: false}\n");
	test_file_write_text(".apmtool.yaml",
	                     "dsym:\n  - build\njobs: 3\n"
	                     "in-app:\n  - image: A\n    app: true\n");
	config = load(&(struct config_places){ .home = home->path,
	                                       .dsym_path = "e1::e2" });
	assert_int_equal(config.jobs, 3);
	assert_int_equal(config.jobs_source.origin, CONFIG_PROJECT);
	assert_int_equal(config.jobs_source.line, 3);
	assert_int_equal(config.style, 3);
	assert_int_equal(config.style_source.origin, CONFIG_USER);
	assert_int_equal(config.dsym_count, 6);
	assert_directory(&config, 0, "e1", "APMTOOL_DSYM_PATH");
	assert_directory(&config, 1, "e2", "APMTOOL_DSYM_PATH");
	assert_directory(&config, 2, "build", ".apmtool.yaml:2");
	str_addf(&source, "%s/.config/apmtool/config.yaml:3", home->path);
	str_addf(&expected, "%s/mine", home->path);
	assert_directory(&config, 3, str_cstr(&expected), str_cstr(&source));
	str_clear(&expected);
	str_addf(&expected, "%s/.config/apmtool/users", home->path);
	assert_directory(&config, 4, str_cstr(&expected), str_cstr(&source));
	assert_directory(&config, 5, "/abs", str_cstr(&source));
	assert_int_equal(config.rule_count, 2);
	assert_string_equal(config.rules[0].image.text, "A");
	assert_true(config.rules[0].is_app);
	assert_int_equal(config.rules[0].source.line, 5);
	assert_string_equal(config.rules[1].image.text, "A*");
	assert_false(config.rules[1].is_app);
	assert_int_equal(config.file_count, 2);
}

static void the_nearest_parent_has_the_project_file(void **state)
{
	const struct test_directory *home = *state;
	SCOPED(config_release) struct config config;

	test_file_write_text(".apmtool.yaml", "dsym: [far]\n");
	test_file_write_text("a/.apmtool.yaml", "dsym: [near, ./x, ../y]\n");
	test_file_write_text("a/b/c/file", "");
	assert_int_equal(chdir("a/b/c"), 0);
	config = load(&(struct config_places){ .home = home->path });
	assert_int_equal(config.dsym_count, 3);
	assert_directory(&config, 0, "../../near", "../../.apmtool.yaml:1");
	assert_directory(&config, 1, "../.././x", "../../.apmtool.yaml:1");
	assert_directory(&config, 2, "../../../y", "../../.apmtool.yaml:1");
}

static void the_search_ends_at_repository_and_home(void **state)
{
	const struct test_directory *home = *state;
	SCOPED(str_release) struct str user = { 0 };

	test_file_write_text(".apmtool.yaml", "dsym: [far]\n");
	test_file_write_text("repository/.git/HEAD", "");
	test_file_write_text("repository/a/file", "");
	test_file_write_text("user/a/file", "");
	assert_int_equal(chdir("repository/a"), 0);
	{
		SCOPED(config_release)
		struct config config = load(&(struct config_places){ 0 });

		assert_int_equal(config.file_count, 0);
	}
	assert_int_equal(chdir("../../user/a"), 0);
	str_addf(&user, "%s/user", home->path);
	{
		SCOPED(config_release)
		struct config config = load(
		        &(struct config_places){ .home = str_cstr(&user) });

		assert_int_equal(config.file_count, 0);
	}
}

// Only root can make such a file.
static void a_strangers_file_in_a_parent_is_passed_over(void **state UNUSED)
{
	test_file_write_text(".apmtool.yaml", "dsym: [strange]\n");
	test_file_write_text("a/file", "");
	if (chown(".apmtool.yaml", 12345, 12345)) {
		print_message("skipped: not root\n");
		skip();
	}
	{
		SCOPED(config_release)
		struct config config = load(&(struct config_places){ 0 });

		assert_int_equal(config.file_count, 1);
	}
	assert_int_equal(chdir("a"), 0);
	{
		SCOPED(config_release)
		struct config config = load(&(struct config_places){ 0 });

		assert_int_equal(config.file_count, 0);
		assert_string_equal(config.warning,
		                    "../.apmtool.yaml: ignored, because it "
		                    "belongs to another user");
	}
}

static void the_environment_names_the_user_directory(void **state)
{
	const struct test_directory *home = *state;
	SCOPED(str_release) struct str xdg = { 0 };

	test_file_write_text("xdg/apmtool/config.yaml", "jobs: 5\n");
	test_file_write_text(".config/apmtool/config.yaml", "jobs: 6\n");
	str_addf(&xdg, "%s/xdg", home->path);
	{
		SCOPED(config_release)
		struct config config = load(&(struct config_places){
		        .home = home->path,
		        .xdg_config_home = str_cstr(&xdg) });

		assert_int_equal(config.jobs, 5);
	}
	{
		// Relative: ignored, as the XDG specification says.
		SCOPED(config_release)
		struct config config = load(&(struct config_places){
		        .home = home->path, .xdg_config_home = "xdg" });

		assert_int_equal(config.jobs, 6);
	}
}

static void a_named_file_stands_for_all(void **state)
{
	const struct test_directory *home = *state;
	struct config_places places = { .home = home->path,
		                        .named = "other/x.yaml",
		                        .dsym_path = "e" };
	SCOPED(config_release) struct config config;
	struct error *err;

	test_file_write_text(".apmtool.yaml", "jobs: 1\n");
	test_file_write_text("other/x.yaml", "style: partial\ndsym: [y]\n");
	config = load(&places);
	assert_int_equal(config.jobs, 0);
	assert_int_equal(config.style, 1);
	assert_directory(&config, 0, "e", "APMTOOL_DSYM_PATH");
	assert_directory(&config, 1, "other/y", "other/x.yaml:2");
	config_release(&config);
	places.named = "none";
	config = load(&places);
	assert_int_equal(config.file_count, 0);
	assert_int_equal(config.dsym_count, 1);
	config_release(&config);
	places.named = "absent.yaml";
	err = config_load(&places, &config);
	assert_string_equal(error_message(err),
	                    "APMTOOL_CONFIG: cannot open 'absent.yaml': no "
	                    "such file or directory");
	error_free(err);
}

static void what_is_no_file_is_refused(void **state UNUSED)
{
	SCOPED(config_release) struct config config = { 0 };
	struct error *err;

	// Reading it would wait for a writer.
	assert_int_equal(mkfifo(".apmtool.yaml", 0600), 0);
	err = config_load(&(struct config_places){ 0 }, &config);
	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "'.apmtool.yaml' is not a regular file");
	error_free(err);
}

static void faults_are_reported_with_their_place(void **state UNUSED)
{
	static const struct {
		const char *yaml;
		const char *message;
	} cases[] = {
		{ "dsyms: [a]\n",
		  "c.yaml:1:1: unknown field 'dsyms' (did you mean 'dsym'?)" },
		{ "dsym: a\n", "c.yaml:1:7: dsym: expected a list, found 'a'" },
		{ "dsym: [a, ]\njobs: 0\n",
		  "c.yaml:2:7: jobs: expected a number from 1 to 256, found "
		  "'0'" },
		{ "dsym: ['']\n", "c.yaml:1:8: expected text, found ''" },
		{ "dsym: [{a: b}]\n",
		  "c.yaml:1:8: expected text, found a map" },
		{ "dsym:\n  - ~/x\n",
		  "c.yaml:2:5: cannot expand '~/x': the home directory is not "
		  "known" },
		{ "style: fall\n", "c.yaml:1:8: style: expected full, partial, "
		                   "side-by-side or raw, found 'fall'" },
		{ "- a\n", "c.yaml:1:1: expected a map, found a list" },
		{ "in-app: {image: x}\n",
		  "c.yaml:1:9: in-app: expected a list, found a map" },
		{ "in-app: [x]\n", "c.yaml:1:10: expected a map, found 'x'" },
		{ "in-app:\n  - imgae: x\n    app: true\n",
		  "c.yaml:2:5: unknown field 'imgae' (did you mean 'image'?)" },
		{ "in-app:\n  - app: true\n",
		  "c.yaml:2:5: expected image, path or bundle" },
		{ "in-app:\n  -\n",
		  "c.yaml:2:4: expected image, path or bundle" },
		{ "in-app:\n  - image: x\n",
		  "c.yaml:2:5: expected app: true or app: false" },
		{ "in-app:\n  - image: x\n    app: yes\n",
		  "c.yaml:3:10: app: expected true or false, found 'yes'" },
		{ "in-app:\n  - image: 'regex:a('\n    app: true\n",
		  "c.yaml:2:12: image: pattern, offset 2: missing closing "
		  "parenthesis" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_refused(cases[i].yaml, cases[i].message);
}

static void lists_have_an_end(void **state UNUSED)
{
	SCOPED(str_release) struct str file = { 0 };

	str_add(&file, "dsym:\n");
	for (size_t i = 0; i <= LIMIT_DEFAULT_CONFIG_LIST; i++)
		str_add(&file, "- x\n");
	assert_refused(str_cstr(&file), "c.yaml:258:3: dsym: more than 256 "
	                                "items (--limit config-list=COUNT "
	                                "raises it)");
}

static void nothing_is_expanded_but_the_home_directory(void **state UNUSED)
{
	const struct config_input input = {
		.path = "sub/c.yaml",
		.home = "/home/x",
		.origin = CONFIG_PROJECT,
	};
	SCOPED(config_release) struct config config = { 0 };

	assert_null(config_read_text(
	        &input,
	        text_from("dsym: ['~', ~/a, $HOME/a, '${HOME}', '~root/a', "
	                  "a*, '`id`']\n"),
	        &config));
	assert_directory(&config, 0, "/home/x", "sub/c.yaml:1");
	assert_directory(&config, 1, "/home/x/a", "sub/c.yaml:1");
	assert_directory(&config, 2, "sub/$HOME/a", "sub/c.yaml:1");
	assert_directory(&config, 3, "sub/${HOME}", "sub/c.yaml:1");
	assert_directory(&config, 4, "sub/~root/a", "sub/c.yaml:1");
	assert_directory(&config, 5, "sub/a*", "sub/c.yaml:1");
	assert_directory(&config, 6, "sub/`id`", "sub/c.yaml:1");
}

static void every_origin_has_a_name(void **state UNUSED)
{
	assert_string_equal(config_origin_name(CONFIG_DEFAULT), "default");
	assert_string_equal(config_origin_name(CONFIG_USER), "user");
	assert_string_equal(config_origin_name(CONFIG_PROJECT), "project");
	assert_string_equal(config_origin_name(CONFIG_NAMED), "named");
	assert_string_equal(config_origin_name(CONFIG_ENVIRONMENT),
	                    "environment");
}

#define IN_PLACE(test)                                              \
	cmocka_unit_test_setup_teardown(test, test_directory_setup, \
	                                test_directory_teardown)

static void of_two_files_the_lower_limit_counts(void **state UNUSED)
{
	const struct config_input user = { .path = "u.yaml",
		                           .origin = CONFIG_USER };
	const struct config_input project = { .path = "p.yaml",
		                              .origin = CONFIG_PROJECT };
	SCOPED(config_release) struct config config = { 0 };

	assert_null(config_read_text(
	        &project,
	        text_from("limits:\n  threads: 5,000\n  report: 90 MB\n  "
	                  "symbols: 6\n"),
	        &config));
	assert_null(config_read_text(
	        &user,
	        text_from("limits:\n  threads: 7\n  report: 100 MB\n  "
	                  "images: 3\n  symbols: 7\n"),
	        &config));
	assert_null(config_check_limits(&config));
	assert_null(limit_set_text(text_from("images=4")));
	config_apply_limits(&config);
	assert_int_equal(limit_get(LIMIT_THREADS), 7);
	assert_int_equal(limit_get(LIMIT_REPORT), 90 << 20);
	assert_int_equal(limit_get(LIMIT_SYMBOLS), 6);
	// The command line's.
	assert_int_equal(limit_get(LIMIT_IMAGES), 4);
	assert_int_equal(limit_get(LIMIT_FRAMES), LIMIT_DEFAULT_FRAMES);
	limit_set(LIMIT_THREADS, LIMIT_DEFAULT_THREADS);
	limit_set(LIMIT_REPORT, LIMIT_DEFAULT_REPORT);
	limit_set(LIMIT_IMAGES, LIMIT_DEFAULT_IMAGES);
	limit_set(LIMIT_SYMBOLS, LIMIT_DEFAULT_SYMBOLS);
}

static void limits_that_are_wrong_are_refused(void **state UNUSED)
{
	const struct config_input project = { .path = "p.yaml",
		                              .origin = CONFIG_PROJECT };
	SCOPED(config_release) struct config config = { 0 };
	struct error *err;

	assert_refused("limits:\n  thread: 5\n",
	               "c.yaml:2:3: unknown field 'thread' (did you mean "
	               "'threads'?)");
	assert_refused("limits:\n  threads: many\n",
	               "c.yaml:2:12: limit 'threads': expected a number from 1 "
	               "to 1000000, found 'many'");
	assert_refused("limits: [threads]\n",
	               "c.yaml:1:9: limits: expected a map, found a list");
	assert_null(config_read_text(
	        &project, text_from("limits:\n  report: 65 MB\n"), &config));
	err = config_check_limits(&config);
	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "p.yaml:2: limit 'report': a project can only "
	                    "lower it; --limit and the user's config file "
	                    "raise it");
	error_free(err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(without_files_all_is_default),
		IN_PLACE(the_stronger_source_wins_and_lists_are_joined),
		IN_PLACE(the_nearest_parent_has_the_project_file),
		IN_PLACE(the_search_ends_at_repository_and_home),
		IN_PLACE(a_strangers_file_in_a_parent_is_passed_over),
		IN_PLACE(the_environment_names_the_user_directory),
		IN_PLACE(a_named_file_stands_for_all),
		IN_PLACE(what_is_no_file_is_refused),
		cmocka_unit_test(faults_are_reported_with_their_place),
		cmocka_unit_test(lists_have_an_end),
		cmocka_unit_test(every_origin_has_a_name),
		cmocka_unit_test(nothing_is_expanded_but_the_home_directory),
		cmocka_unit_test(of_two_files_the_lower_limit_counts),
		cmocka_unit_test(limits_that_are_wrong_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
