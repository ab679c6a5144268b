// SPDX-License-Identifier: MIT
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
	assert_int_equal(config.jobs.value, 0);
	assert_int_equal(config.style, 0);
	assert_int_equal(config.jobs.source.origin, CONFIG_DEFAULT);
	assert_int_equal(config.warning_count, 0);
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
	                     "dsym:\n  - build\njobs: 1\n"
	                     "in-app:\n  - image: A\n    app: true\n");
	config = load(&(struct config_places){ .home = home->path,
	                                       .dsym_path = "e1::e2" });
	assert_int_equal(config.jobs.value, 1);
	assert_int_equal(config.jobs.source.origin, CONFIG_PROJECT);
	assert_int_equal(config.jobs.source.line, 3);
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
static void a_strangers_file_is_passed_over(void **state UNUSED)
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

		assert_int_equal(config.file_count, 0);
		assert_string_equal(config.warnings[0],
		                    ".apmtool.yaml: ignored, because it "
		                    "belongs to another user");
	}
	// All of the tree is theirs.
	assert_int_equal(chown(".", 12345, 12345), 0);
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
		assert_string_equal(config.warnings[0],
		                    "../.apmtool.yaml: ignored, because it "
		                    "belongs to another user");
	}
}

static void assert_not_loaded(const char *message)
{
	SCOPED(config_release) struct config config = { 0 };
	SCOPED(error_drop)
	struct error *err = config_load(&(struct config_places){ 0 }, &config);

	assert_non_null(err);
	assert_string_equal(error_message(err), message);
}

/** A checkout must not print what the link leads to. */
static void a_projects_file_is_no_link(void **state UNUSED)
{
	static const char message[] =
	        "'.apmtool.yaml' is a symbolic link: a project's config file "
	        "must be a file; APMTOOL_CONFIG=FILE reads any other";

	test_file_write_text("secret", "password\n");
	assert_int_equal(symlink("secret", ".apmtool.yaml"), 0);
	assert_not_loaded(message);
	assert_int_equal(unlink("secret"), 0);
	assert_not_loaded(message);
	assert_int_equal(unlink(".apmtool.yaml"), 0);
	assert_int_equal(mkfifo(".apmtool.yaml", 0600), 0);
	assert_not_loaded("'.apmtool.yaml' is not a regular file");
	assert_int_equal(unlink(".apmtool.yaml"), 0);
	assert_int_equal(mkdir(".apmtool.yaml", 0700), 0);
	assert_not_loaded("'.apmtool.yaml' is not a regular file");
}

/** Many keep their own files elsewhere. */
static void the_users_file_may_be_a_link(void **state)
{
	const struct test_directory *home = *state;
	SCOPED(config_release) struct config config;

	test_file_write_text("dotfiles/apmtool.yaml", "style: raw\n");
	test_file_write_text("dotfiles/.git/HEAD", "");
	test_file_write_text(".config/apmtool/other", "");
	assert_int_equal(symlink("../../dotfiles/apmtool.yaml",
	                         ".config/apmtool/config.yaml"),
	                 0);
	config = load(&(struct config_places){ .home = home->path });
	assert_int_equal(config.style_source.origin, CONFIG_USER);
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

		assert_int_equal(config.jobs.value, 5);
	}
	{
		// Relative: ignored, as the XDG specification says.
		SCOPED(config_release)
		struct config config = load(&(struct config_places){
		        .home = home->path, .xdg_config_home = "xdg" });

		assert_int_equal(config.jobs.value, 6);
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
	assert_int_equal(config.jobs.value, 0);
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
	assert_int_equal(error_code(err), ERROR_OS);
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
	assert_int_equal(error_code(err), ERROR_CONFIG);
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
		  "c.yaml:2:5: cannot expand '~': the home directory is not "
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

/** A file that was not named may hold anything: logs are public. */
static void nothing_of_a_projects_file_is_quoted(void **state UNUSED)
{
	static const char *const texts[] = {
		"SECRET\n",
		"SECRET: 1\n",
		"dsim: SECRET\n",
		"jobs: SECRET\n",
		"jobs: 1\njobs: 2\n",
		"SECRET: 1\nSECRET: 2\n",
		"style: SECRET\n",
		"cache: SECRET\n",
		"cache-size: SECRET\n",
		"dsym: SECRET\n",
		"dsym: [[SECRET]]\n",
		"dsym: [~/SECRET]\n",
		"limits: SECRET\n",
		"limits: {SECRET: 1}\n",
		"limits: {threads: SECRET}\n",
		"in-app: [SECRET]\n",
		"in-app: [{SECRET: 1}]\n",
		"in-app: [{image: ^SECRET, app: true}]\n",
		"in-app: [{image: 'regex:(SECRET', app: true}]\n",
		"in-app: [{image: a, app: SECRET}]\n",
		"&SECRET a: b\n",
		"!SECRET a\n",
		"a: *SECRET\n",
		"%SECRET\n",
		"a: 'SECRET\n",
		"{SECRET: SECRET: SECRET}\n",
		"-----BEGIN SECRET-----\nSECRET\n",
	};
	const struct config_input project = { .path = ".apmtool.yaml",
		                              .origin = CONFIG_PROJECT };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(config_release) struct config config = { 0 };
		SCOPED(error_drop)
		struct error *err = config_read_text(
		        &project, text_from(texts[i]), &config);

		if (!err)
			fail_msg("'%s' is right", texts[i]);
		if (!text_starts(text_from(error_message(err)),
		                 ".apmtool.yaml:") ||
		    strstr(error_message(err), "SECRET"))
			fail_msg("%s", error_message(err));
	}
}

static uint64_t jobs_of(const struct config *config)
{
	return config->jobs.value;
}

static uint64_t cache_of(const struct config *config)
{
	return config->cache != NULL;
}

static uint64_t cache_size_of(const struct config *config)
{
	return config->cache_bytes.value;
}

static uint64_t threads_of(const struct config *config)
{
	return config->limits[LIMIT_THREADS].value;
}

/** Read what a user and a project say. */
static uint64_t effect_of(const char *field, const char *user,
                          const char *project,
                          uint64_t (*value)(const struct config *config),
                          size_t warnings)
{
	static const enum config_origin origins[] = { CONFIG_PROJECT,
		                                      CONFIG_USER };
	const char *const values[] = { project, user };
	SCOPED(config_release) struct config config = { .cache = "/cache" };

	for (size_t i = 0; i < ARRAY_SIZE(origins); i++) {
		const struct config_input input = { .path = "f.yaml",
			                            .origin = origins[i] };
		SCOPED(str_release) struct str text = { 0 };

		if (!values[i])
			continue;
		str_addf(&text, "%s: %s\n", field, values[i]);
		assert_null(config_read_text(&input, str_text(&text), &config));
	}
	config_check_resources(&config);
	assert_int_equal(config.warning_count, warnings);
	return value(&config);
}

/** All settings: a new one has to say what a project may do, and is tried. */
static void a_project_only_lowers_resources(void **state UNUSED)
{
	static const struct {
		const char *field;
		const char *low, *high; ///< high: more than by default
		uint64_t min, max;      ///< what they mean
		uint64_t usual;         ///< the default
		uint64_t (*value)(const struct config *config);
	} resources[] = {
		{ "jobs", "1", "256", 1, 256, 0, jobs_of },
		{ "cache", "false", "true", 0, 1, 1, cache_of },
		{ "cache-size", "5 MB", "4 GB", 5 << 20, (uint64_t)4 << 30, 0,
		  cache_size_of },
		{ "limits", "{threads: 5}", "{threads: 20000}", 5, 20000, 0,
		  threads_of },
	};
	size_t lowered = 0;

	for (size_t i = 0; config_fields[i].name; i++) {
		assert_int_not_equal(config_fields[i].power, 0);
		lowered += config_fields[i].power == CONFIG_LOWERS;
	}
	assert_int_equal(lowered, ARRAY_SIZE(resources));
	for (size_t i = 0; i < ARRAY_SIZE(resources); i++) {
		const char *field = resources[i].field;
		const char *low = resources[i].low, *high = resources[i].high;
		uint64_t (*value)(const struct config *) = resources[i].value;

		print_message("%s\n", field);
		assert_int_equal(effect_of(field, low, high, value, 1),
		                 resources[i].min);
		assert_int_equal(effect_of(field, high, low, value, 0),
		                 resources[i].min);
		assert_int_equal(effect_of(field, NULL, low, value, 0),
		                 resources[i].min);
		assert_int_equal(effect_of(field, high, NULL, value, 0),
		                 resources[i].max);
		assert_int_equal(effect_of(field, high, high, value, 0),
		                 resources[i].max);
		// The cache is on by default: a project asks for nothing more.
		assert_int_equal(effect_of(field, NULL, high, value,
		                           strcmp(field, "cache") != 0),
		                 resources[i].usual);
	}
}

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
	config_check_resources(&config);
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
	config_check_resources(&config);
	assert_int_equal(config.warning_count, 1);
	assert_string_equal(config.warnings[0],
	                    "p.yaml:2: limit 'report' is ignored: a project "
	                    "can only lower it; --limit and the user's config "
	                    "file raise it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(without_files_all_is_default),
		IN_PLACE(the_stronger_source_wins_and_lists_are_joined),
		IN_PLACE(the_nearest_parent_has_the_project_file),
		IN_PLACE(the_search_ends_at_repository_and_home),
		IN_PLACE(a_strangers_file_is_passed_over),
		IN_PLACE(a_projects_file_is_no_link),
		IN_PLACE(the_users_file_may_be_a_link),
		IN_PLACE(the_environment_names_the_user_directory),
		IN_PLACE(a_named_file_stands_for_all),
		IN_PLACE(what_is_no_file_is_refused),
		cmocka_unit_test(faults_are_reported_with_their_place),
		cmocka_unit_test(lists_have_an_end),
		cmocka_unit_test(every_origin_has_a_name),
		cmocka_unit_test(nothing_is_expanded_but_the_home_directory),
		cmocka_unit_test(nothing_of_a_projects_file_is_quoted),
		cmocka_unit_test(a_project_only_lowers_resources),
		cmocka_unit_test(of_two_files_the_lower_limit_counts),
		cmocka_unit_test(limits_that_are_wrong_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
