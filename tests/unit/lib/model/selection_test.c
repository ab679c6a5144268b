// SPDX-License-Identifier: MIT
#include "lib/model/selection.h"

#include "lib/model/launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct report demo(void)
{
	return (struct report){
		.identifier = "com.example.demo",
		.process.name = "Demo",
		.version = "2.1",
		.build = "210",
		.os_version = "iPhone OS 17.2 (21C62)",
		.hardware_model = "iPhone14,2",
		.date_time = "2026-01-31 09:08:07.1234 +0800",
	};
}

static bool takes(const char *where, const char *since, const char *until,
                  const struct report *report)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct selection selection = { 0 };

	if (where)
		assert_null(selection_add(&selection, where, &arena));
	if (since)
		assert_null(selection_set_since(&selection, since));
	if (until)
		assert_null(selection_set_until(&selection, until));
	assert_true(selection_is_active(&selection));
	return selection_takes(&selection, report);
}

static void a_term_of_each_key_holds(void **state UNUSED)
{
	static const struct {
		const char *where;
		bool takes;
	} cases[] = {
		{ "app=Demo", true },
		{ "app=demo", true },
		{ "app=com.example.demo", true },
		{ "app=com.example.*", true },
		{ "app=*.dem", false },
		{ "app=Dem", false },
		{ "app=Other,app=Demo", true },
		{ "app=Demo,version=2.1,os=17.2,device=iPhone14,2,kind=crash",
		  true },
		{ "app=Demo,version=2.2", false },
		{ "version=210", true },
		{ "version=2.1 (210)", true },
		{ "version=2", false },
		{ "version=2.*", true },
		{ "version=*", true },
		{ "os=17", true },
		{ "os=1", false },
		{ "os=17.2", true },
		{ "os=17.2.1", false },
		{ "os=21C62", true },
		{ "os=iOS", true },
		{ "os=ios 17", true },
		{ "os=iPhone OS 17.2", true },
		{ "os=macOS 17.2", false },
		{ "os=iPhone OS 17.2 (21C62)", true },
		{ "device=iphone14,2", true },
		{ "device=iPhone14,*", true },
		{ "device=iPhone 13 Pro", true },
		{ "device=iPhone14,3,device=iPhone14,2", true },
		{ "kind=hang", false },
		{ "kind=hang,kind=crash", true },
		{ "at_launch=no", false },
	};
	struct report report = demo();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (takes(cases[i].where, NULL, NULL, &report) !=
		    cases[i].takes)
			fail_msg("%s", cases[i].where);
}

static void what_is_not_said_is_not_taken(void **state UNUSED)
{
	static const char *const terms[] = { "app=*", "version=*", "os=*",
		                             "device=*", "at_launch=no" };
	const struct report report = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		assert_false(takes(terms[i], NULL, NULL, &report));
	assert_false(takes(NULL, "1970-01-01", NULL, &report));
	assert_true(takes("kind=crash", NULL, NULL, &report));
}

static void a_kind_is_that_of_the_report(void **state UNUSED)
{
	struct report report = demo();

	report.sample_kind = SAMPLE_KIND_CPU;
	assert_true(takes("kind=cpu", NULL, NULL, &report));
	report.sample_kind = SAMPLE_KIND_NONE;
	report.kind = "kernel panic log";
	assert_true(takes("kind=panic", NULL, NULL, &report));
	report.kind = "stackshot";
	assert_true(takes("kind=other", NULL, NULL, &report));
}

static void a_date_means_all_of_it(void **state UNUSED)
{
	static const struct {
		const char *since;
		const char *until;
		bool takes;
	} cases[] = {
		{ "2026-01-31", NULL, true },
		{ NULL, "2026-01-31", true },
		{ "2026-02-01", NULL, false },
		{ NULL, "2026-01-30", false },
		{ "2026-01-31T01:08:07Z", "2026-01-31T01:08:07Z", true },
		{ "2026-01-31 01:08:07", "2026-01-31 01:08:07", true },
		{ "2026-01-31 01:08", "2026-01-31 01:08", true },
		{ "2026-01-31T01:08:08", NULL, false },
		{ NULL, "2026-01-31T01:08:07.123Z", true },
		{ NULL, "2026-01-31T01:08:07.122Z", false },
		{ NULL, "2026-01-31T09:08:06+0800", false },
	};
	struct report report = demo();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (takes(NULL, cases[i].since, cases[i].until, &report) !=
		    cases[i].takes)
			fail_msg("%zu", i);
}

static void samples_are_selected_by_what_they_say(void **state UNUSED)
{
	static const struct {
		const char *where;
		bool takes;
	} cases[] = {
		{ "app=Demo", true },       { "app=Demo 2.1 (210)", true },
		{ "version=2.1", true },    { "version=210", true },
		{ "version=2.2", false },   { "os=17", true },
		{ "device=iPad7,5", true }, { "kind=disk", true },
		{ "kind=crash", false },    { "at_launch=no", false },
	};
	const struct selection_sample sample = {
		.app = "Demo 2.1 (210)",
		.os = "17.2",
		.device = "iPad7,5",
		.date = "1769821687",
		.kind = SAMPLE_KIND_DISK,
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct selection selection = { 0 };

		assert_null(selection_add(&selection, cases[i].where, &arena));
		assert_null(selection_set_since(&selection, "2026-01-31"));
		if (selection_takes_sample(&selection, &sample) !=
		    cases[i].takes)
			fail_msg("%s", cases[i].where);
	}
}

static void what_is_no_term_is_refused(void **state UNUSED)
{
	static const struct {
		const char *where;
		const char *message;
	} cases[] = {
		{ "", "expected app=, version=, os=, device=, kind= or "
		      "at_launch=, found ''" },
		{ "app", "found 'app'" },
		{ "app=Demo,,os=17", "" },
		{ "colour=red", "found 'colour=red'" },
		{ "app=", "expected a value after 'app=', found ''" },
		{ "kind=oops", "expected crash, hang, cpu, disk, launch, "
		               "jetsam, memory, panic or other after 'kind=', "
		               "found 'oops'" },
		{ "at_launch=1", "expected yes or no after 'at_launch=', found "
		                 "'1'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct selection selection = { 0 };
		SCOPED(error_drop)
		struct error *err =
		        selection_add(&selection, cases[i].where, &arena);

		// A comma without a key is part of a value.
		if (!*cases[i].message) {
			assert_null(err);
			continue;
		}
		assert_non_null(err);
		assert_int_equal(error_code(err), ERROR_USAGE);
		if (!strstr(error_message(err), cases[i].message))
			fail_msg("%s", error_message(err));
	}
}

static void what_is_no_date_is_refused(void **state UNUSED)
{
	static const char *const dates[] = { "", "yesterday", "2026-13-01",
		                             "2026-01", "17:00" };

	for (size_t i = 0; i < ARRAY_SIZE(dates); i++) {
		struct selection selection = { 0 };
		SCOPED(error_drop)
		struct error *err = selection_set_since(&selection, dates[i]);

		assert_non_null(err);
		assert_false(selection.has_since);
	}
}

static void a_launch_is_five_seconds(void **state UNUSED)
{
	static const struct {
		const char *launched;
		const char *role;
		enum at_launch at_launch;
	} cases[] = {
		{ "2026-01-31 09:08:02.1234 +0800", "Foreground",
		  AT_LAUNCH_YES },
		{ "2026-01-31 09:08:02.123 +0800", NULL, AT_LAUNCH_YES },
		{ "2026-01-31 09:08:02.122 +0800", NULL, AT_LAUNCH_NO },
		{ "2026-01-31 09:08:06 +0800", "Background", AT_LAUNCH_NO },
		{ "2026-01-31 09:08:06 +0800", "Non UI", AT_LAUNCH_NO },
		{ "2026-01-31 09:08:08 +0800", NULL, AT_LAUNCH_UNKNOWN },
		{ "soon", NULL, AT_LAUNCH_UNKNOWN },
		{ NULL, NULL, AT_LAUNCH_UNKNOWN },
	};
	struct report report = demo();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		report.launch_time = cases[i].launched;
		report.role = cases[i].role;
		if (report_at_launch(&report) != cases[i].at_launch)
			fail_msg("%zu", i);
		assert_int_equal(takes("at_launch=yes", NULL, NULL, &report),
		                 cases[i].at_launch == AT_LAUNCH_YES);
		assert_int_equal(takes("at_launch=no", NULL, NULL, &report),
		                 cases[i].at_launch == AT_LAUNCH_NO);
	}
	report.launch_time = cases[0].launched;
	report.role = NULL;
	report.kind = "hang report";
	assert_int_equal(report_at_launch(&report), AT_LAUNCH_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_term_of_each_key_holds),
		cmocka_unit_test(what_is_not_said_is_not_taken),
		cmocka_unit_test(a_kind_is_that_of_the_report),
		cmocka_unit_test(a_date_means_all_of_it),
		cmocka_unit_test(samples_are_selected_by_what_they_say),
		cmocka_unit_test(what_is_no_term_is_refused),
		cmocka_unit_test(what_is_no_date_is_refused),
		cmocka_unit_test(a_launch_is_five_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
