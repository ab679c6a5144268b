// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/in_app.h"

#include "lib/base/str.h"
#include "lib/config/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void read_rules(const char *yaml, struct config *config)
{
	const struct config_input input = {
		.path = "rules.yaml",
		.origin = CONFIG_PROJECT,
	};
	struct error *err;

	*config = (struct config){ 0 };
	err = config_read_text(&input, text_from(yaml), config);
	if (err)
		fail_msg("%s", error_message(err));
}

/** A report of an iOS app with one more image. */
static struct report_image *add_image(struct report *report,
                                      struct arena *arena)
{
	report->path = "/private/var/containers/Bundle/Application/1/A.app/A";
	report->process.name = "A";
	return report_add_image(report, arena);
}

static void the_first_rule_that_matches_decides(void **state UNUSED)
{
	static const char rules[] =
	        "in-app:\n"
	        "  - {image: Vendor, app: false}\n"
	        "  - {image: Vendor*, path: '*/A.app/*', app: true}\n"
	        "  - {path: /usr/local/*, app: true}\n"
	        "  - {path: '/var/jb/*', app: true}\n"
	        "  - {bundle: 'regex:^com\\.example\\.', app: true}\n"
	        "  - {image: hook.dylib, app: false}\n";
	static const struct {
		const char *name;
		const char *path;
		const char *bundle_id;
		bool is_app;
	} cases[] = {
		{ "Vendor", "/var/containers/A.app/Vendor", NULL, false },
		{ "VendorKit", "/x/A.app/VendorKit", NULL, true },
		// All patterns of a rule must match.
		{ "VendorKit", "/x/B.app/VendorKit", NULL, false },
		{ "VendorKit", NULL, NULL, false },
		{ "liba", "/usr/local/lib/liba", NULL, true },
		{ "liba", "/private/var/jb/liba", NULL, true },
		{ "Kit", "/System/Kit", "com.example.kit", true },
		{ "Kit", "/System/Kit", "org.com.example.kit", false },
		// No rule: the rule of Apple's systems.
		{ "A", "/var/containers/Bundle/Application/1/A.app/A", NULL,
		  true },
		{ "hook.dylib",
		  "/var/containers/Bundle/Application/1/A.app/hook.dylib", NULL,
		  false },
	};
	SCOPED(config_release) struct config config;

	read_rules(rules, &config);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = report_new(&arena);
		struct report_image *image = add_image(report, &arena);

		image->name = cases[i].name;
		image->path = cases[i].path;
		image->bundle_id = cases[i].bundle_id;
		in_app_apply(&config, report, &arena);
		if (report_image_is_app(report, image) != cases[i].is_app)
			fail_msg("%s, %s", cases[i].name, cases[i].path);
		assert_int_equal(report->note_count, 0);
	}
}

static void without_rules_nothing_is_decided(void **state UNUSED)
{
	SCOPED(config_release) struct config config;
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = report_new(&arena);
	struct report_image *image = add_image(report, &arena);

	read_rules("jobs: 1\n", &config);
	in_app_apply(&config, report, &arena);
	assert_int_equal(image->app_rule, APP_RULE_NONE);
}

static void a_costly_rule_is_named_and_decides_nothing(void **state UNUSED)
{
	SCOPED(config_release) struct config config;
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	struct report *report = report_new(&arena);

	str_add_repeat(&name, 'a', 3000);
	for (size_t i = 0; i < 20000; i++)
		add_image(report, &arena)->name = str_cstr(&name);
	read_rules("in-app:\n"
	           "- {image: 'regex:^.{0,300}.{0,300}.{0,300}[bc]', app: "
	           "true}\n"
	           "- {image: '*', app: true}\n",
	           &config);
	in_app_apply(&config, report, &arena);
	assert_int_equal(report->images[0].app_rule, APP_RULE_NONE);
	assert_int_equal(report->images[19999].app_rule, APP_RULE_NONE);
	assert_int_equal(report->note_count, 1);
	assert_string_equal(report->notes[0].place, "in-app rule rules.yaml:2");
	assert_string_equal(report->notes[0].text,
	                    "exceeds the matching limits for some images, "
	                    "which are treated as if no rule matched "
	                    "(--limit pattern-steps=COUNT raises it)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_rule_that_matches_decides),
		cmocka_unit_test(without_rules_nothing_is_decided),
		cmocka_unit_test(a_costly_rule_is_named_and_decides_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
