// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/missing_symbols.h"

#include "lib/analysis/symbolicate/nearest_symbols.h"
#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SAMPLES APMTOOL_SOURCE_DIR "/samples"
#define DEMO    "4C4C44BD-5555-3144-A18B-1D7A14ACC538"
#define OTHER   "0123ABCD-0000-0000-0000-000000000001"

struct fixture {
	struct arena arena;
	struct missing_symbols images;
	struct symbol_store *store;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->store =
	        symbol_store_new(&(struct symbol_store_options){ .jobs = 1 });
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	symbol_store_free(f->store);
	missing_symbols_release(&f->images);
	arena_release(&f->arena);
	free(f);
	return 0;
}

/** A report of the app Demo 2.1 (413), without images. */
static struct report *add_report(struct fixture *f)
{
	struct report *report = report_new(&f->arena);

	report->path = "/var/Demo.app/Demo";
	report->process.name = "Demo";
	report->identifier = "com.example.demo";
	report->version = "2.1";
	report->build = "413";
	report->os_version = "iPhone OS 16.0 (20A362)";
	report->os_build = "20A362";
	return report;
}

static struct report_image *add_image(struct fixture *f, struct report *report,
                                      const char *name, const char *path,
                                      const char *uuid)
{
	struct report_image *image = report_add_image(report, &f->arena);

	image->name = name;
	image->path = path;
	image->arch = "arm64";
	if (uuid)
		assert_true(uuid_parse(text_from(uuid), &image->uuid));
	return image;
}

/** Take in @p image of @p report with some frames and this outcome. */
static void take(struct fixture *f, const struct report *report,
                 const struct report_image *image, struct symbol_image found)
{
	struct symbolicate_image what = {
		.report = report,
		.image = image,
		.result = &found,
		.frame_count = 5,
		.lineless_count = 2,
		.is_app = report_image_is_app(report, image),
	};

	missing_symbols_add(
	        &f->images,
	        &(struct symbolicate_result){ .images = &what, .count = 1 },
	        MISSING_ALL);
}

static void assert_described(const struct missing_image *image,
                             const char *expected)
{
	SCOPED(str_release) struct str text = { 0 };

	missing_image_describe(image, &text);
	assert_string_equal(str_cstr(&text), expected);
}

static void an_image_counts_once_for_each_uuid(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 300; i++) {
		struct report *report = add_report(f);
		struct report_image *image = add_image(f, report, "Demo",
		                                       "/var/Demo.app/Demo",
		                                       i % 3 ? DEMO : OTHER);

		take(f, report, image, (struct symbol_image){ 0 });
	}
	assert_int_equal(f->images.count, 2);
	assert_int_equal(f->images.images[0].report_count, 100);
	assert_int_equal(f->images.images[1].report_count, 200);
	assert_int_equal(f->images.images[1].frame_count, 1000);
}

static void what_a_report_says_is_repeated_in_short(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);
	char *version = arena_alloc(&f->arena, 1000);

	// A character of three bytes lies across the cut.
	memset(version, '9', 999);
	memcpy(version + 251, "\xe2\x82\xac", 3);
	report->os_version = version;
	for (int i = 0; i < 2; i++)
		take(f, report,
		     add_image(f, report, "libA", "/usr/lib/libA", OTHER),
		     (struct symbol_image){ 0 });
	assert_int_equal(strlen(f->images.images[0].os_version),
	                 251 + strlen("…"));
	assert_string_equal(f->images.images[0].os_version + 247, "9999…");
}

static void images_without_a_uuid_are_distinguished_by_name(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);

	for (int i = 0; i < 200; i++) {
		char *name = arena_printf(&f->arena, "Lib%d", i % 100);
		struct report_image *image =
		        add_image(f, report, name, "/var/Demo.app/x", NULL);

		take(f, report, image, (struct symbol_image){ 0 });
	}
	assert_int_equal(f->images.count, 100);
	assert_described(&f->images.images[0], "the report gives no UUID");
}

static void the_worst_outcome_counts(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);
	struct report_image *image =
	        add_image(f, report, "Demo", "/var/Demo.app/Demo", DEMO);
	struct symbol_image good = { .status = SYMBOL_FILE_FOUND,
		                     .path = "D.dSYM/D",
		                     .has_debug_info = true };
	struct symbol_image bad = good;

	bad.status = SYMBOL_FILE_MALFORMED;
	bad.reason = SYMBOL_BAD_UNITS;
	take(f, report, image, good);
	assert_int_equal(f->images.images[0].status, MISSING_FOUND);
	assert_described(&f->images.images[0], "D.dSYM/D");
	take(f, report, image, bad);
	take(f, report, image, good);
	assert_int_equal(f->images.images[0].status, MISSING_MALFORMED);
	assert_described(&f->images.images[0], "'D.dSYM/D': " SYMBOL_BAD_UNITS);
}

static void of_equal_outcomes_the_first_counts(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);
	struct report_image *image =
	        add_image(f, report, "Demo", "/var/Demo.app/Demo", DEMO);
	struct symbol_image first = { .status = SYMBOL_FILE_MALFORMED,
		                      .path = "first",
		                      .reason = "cannot be read" };
	struct symbol_image second = { .status = SYMBOL_FILE_MALFORMED,
		                       .path = "second",
		                       .reason = "is empty" };

	take(f, report, image, first);
	take(f, report, image, second);
	assert_int_equal(f->images.count, 1);
	assert_described(&f->images.images[0], "'first': cannot be read");
}

static void the_program_has_the_version_of_the_report(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);
	const struct missing_image *image;

	take(f, report,
	     add_image(f, report, "Demo", "/var/Demo.app/Demo", DEMO),
	     (struct symbol_image){ 0 });
	take(f, report, add_image(f, report, "Kit", "/var/Demo.app/Kit", OTHER),
	     (struct symbol_image){ 0 });
	image = &f->images.images[0];
	assert_string_equal(image->bundle_id, "com.example.demo");
	assert_string_equal(image->version, "2.1");
	assert_string_equal(image->build, "413");
	image = &f->images.images[1];
	assert_true(image->is_app);
	assert_null(image->build);
	assert_string_equal(image->app_build, "413");
}

static void images_of_the_app_that_have_no_symbols_come_first(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);
	struct symbol_image found = { .status = SYMBOL_FILE_FOUND,
		                      .path = "x",
		                      .has_debug_info = true };
	const struct table *table;
	size_t total, lacking;

	take(f, report, add_image(f, report, "System", "/usr/lib/System", NULL),
	     (struct symbol_image){ 0 });
	take(f, report,
	     add_image(f, report, "Demo", "/var/Demo.app/Demo", DEMO), found);
	take(f, report, add_image(f, report, "Kit", "/var/Demo.app/Kit", OTHER),
	     (struct symbol_image){ 0 });
	table = missing_symbols_table(&f->images, false);
	assert_string_equal(table->summary, "1 of 2 app images has no symbols");
	assert_string_equal(f->images.images[0].name, "Kit");
	assert_string_equal(f->images.images[1].name, "Demo");
	assert_string_equal(f->images.images[2].name, "System");
	missing_symbols_count_app(&f->images, &total, &lacking);
	assert_int_equal(total, 2);
	assert_int_equal(lacking, 1);
	assert_string_equal(
	        table_cell(table, 0, table_column(table, "level"))->text,
	        "error");
	assert_false(
	        table_cell(table, 2, table_column(table, "level"))->present);
	// To who reads it, that of the system is worth a word only.
	table = missing_symbols_table(&f->images, true);
	assert_int_equal(table->row_count, 2);
	assert_string_equal(table->summary,
	                    "1 of 2 app images has no symbols; 1 image of the "
	                    "system is not listed (--all lists it)");
	// But who asks of the system alone gets its rows.
	memmove(f->images.images, &f->images.images[2],
	        sizeof(*f->images.images));
	f->images.count = 1;
	table = missing_symbols_table(&f->images, true);
	assert_int_equal(table->row_count, 1);
}

static void summaries_read_well(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);
	struct symbol_image found = { .status = SYMBOL_FILE_FOUND,
		                      .path = "x",
		                      .has_debug_info = true };
	const char *names[] = { "a", "b", "c" };

	assert_string_equal(missing_symbols_table(&f->images, false)->summary,
	                    "no image of the app has frames");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		take(f, report,
		     add_image(f, report, names[i], "/var/Demo.app/x", NULL),
		     found);
	assert_string_equal(missing_symbols_table(&f->images, false)->summary,
	                    "all 3 app images have their dSYM");
	f->images.images[1].status = MISSING_ABSENT;
	f->images.images[2].status = MISSING_WRONG_UUID;
	f->images.images[2].path = "y";
	assert_string_equal(missing_symbols_table(&f->images, false)->summary,
	                    "2 of 3 app images have no symbols");
	f->images.count = 1;
	assert_string_equal(missing_symbols_table(&f->images, false)->summary,
	                    "the only app image has no dSYM");
}

static void what_is_there_is_described(void **state UNUSED)
{
	static const struct {
		struct missing_image image;
		const char *text;
	} cases[] = {
		{ { .wanted_build = "413", .nearest_build = "412" },
		  "build 412 was found, the report needs 413: 'p'" },
		{ { .wanted_version = "2.1",
		    .wanted_build = "413",
		    .nearest_version = "2.1",
		    .nearest_build = "412" },
		  "build 412 was found, the report needs 413: 'p'" },
		{ { .wanted_version = "2.1",
		    .wanted_build = "1",
		    .nearest_version = "2.0",
		    .nearest_build = "1" },
		  "version 2.0 (1) was found, the report needs 2.1 (1): 'p'" },
		{ { .wanted_build = "413", .nearest_build = "413" },
		  "build 413 was found, but compiled separately: 'p'" },
		{ { .nearest_build = "413" },
		  "build 413 was found, with another UUID: 'p'" },
		{ { .wanted_build = "413" }, "another build was found: 'p'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct missing_image image = cases[i].image;

		image.status = MISSING_WRONG_UUID;
		image.path = "p";
		assert_described(&image, cases[i].text);
	}
}

static void only_paths_of_the_system_make_an_image_part_of_it(void **state)
{
	static const struct {
		const char *path;
		const char *text;
	} cases[] = {
		{ "/System/Library/Kit.framework/Kit",
		  "part of iPhone OS 16.0 (20A362)" },
		{ "/usr/lib/libz.dylib", "part of iPhone OS 16.0 (20A362)" },
		{ "/Library/Apple/Kit", "part of iPhone OS 16.0 (20A362)" },
		{ "/private/preboot/Cryptexes/OS/usr/lib/dyld",
		  "part of iPhone OS 16.0 (20A362)" },
		{ "/Users/jdoe/Library/Developer/Xcode/iOS DeviceSupport/16.0/"
		  "Symbols/usr/lib/dyld",
		  "part of iPhone OS 16.0 (20A362)" },
		{ "/Users/jdoe/Kit.framework/Kit", "not in the app" },
		{ "/usr/local/lib/libz.dylib", "not in the app" },
		{ "/private/var/containers/Bundle/Application/"
		  "7D1F0C5E-2B3A-4C4D-9E5F-60718293A4B5/Other.app/Kit",
		  "not in the app" },
		{ NULL,
		  "not known to be in the app: the report gives no path" },
	};
	struct fixture *f = *state;
	struct report *report = add_report(f);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char uuid[sizeof(OTHER)];

		snprintf(uuid, sizeof(uuid),
		         "0123ABCD-0000-0000-0000-00000000%04zu", i);
		take(f, report,
		     add_image(f, report, "Kit", cases[i].path, uuid),
		     (struct symbol_image){ .status = SYMBOL_FILE_MISSING });
		assert_described(&f->images.images[i], cases[i].text);
	}
}

static void builds_are_compared_by_their_numbers(void **state UNUSED)
{
	static const char *const ascending[] = {
		"9", "10", "412", "413", "413.1", "413.10", "1000",
	};

	for (size_t i = 1; i < ARRAY_SIZE(ascending); i++) {
		assert_true(build_compare(ascending[i - 1], ascending[i]) < 0);
		assert_true(build_compare(ascending[i], ascending[i - 1]) > 0);
	}
	assert_true(build_compare("20A9", "20A362") < 0);
	assert_true(build_compare("20A362", "20B1") < 0);
	assert_int_equal(build_compare("413", "413"), 0);
	assert_int_equal(build_compare("", "-"), 0);
	assert_true(build_compare("99999999999999999999999", "1") > 0);
}

static void a_file_of_the_same_name_and_arch_is_a_candidate(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);
	struct report_image *armv7;
	char text[UUID_TEXT_SIZE];

	take(f, report,
	     add_image(f, report, "Demo", "/var/Demo.app/Demo", OTHER),
	     (struct symbol_image){ 0 });
	armv7 = add_image(f, report, "DemoKit", "/var/Demo.app/K",
	                  "0123ABCD-0000-0000-0000-000000000002");
	armv7->arch = "armv7";
	take(f, report, armv7, (struct symbol_image){ 0 });
	assert_null(symbol_store_add_path(f->store, SAMPLES));
	nearest_symbols_find(&f->images, symbol_store_index(f->store));
	assert_int_equal(f->images.images[0].status, MISSING_WRONG_UUID);
	assert_string_equal(
	        uuid_format(&f->images.images[0].nearest_uuid, text), DEMO);
	assert_int_equal(f->images.images[1].status, MISSING_ABSENT);
	assert_described(&f->images.images[1],
	                 "'" SAMPLES "/DemoKit.framework.dSYM/Contents/"
	                 "Resources/DWARF/DemoKit' is for arm64, the report "
	                 "needs armv7");
}

static void symbols_beside_the_report_are_mentioned(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);
	// The last two lead out of the directory, and to a directory.
	static const char *const names[] = { "Demo", "DemoKit",
		                             "jetsam/../Demo", "jetsam" };

	report->input = SAMPLES "/some.crash";
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		take(f, report,
		     add_image(f, report, names[i], "/var/Demo.app/x",
		               i == 1 ? OTHER : DEMO),
		     (struct symbol_image){ 0 });
	nearest_symbols_find(&f->images, symbol_store_index(f->store));
	assert_described(
	        &f->images.images[0],
	        "its symbols are in the report's directory: add --dsym "
	        "'" SAMPLES "/Demo.dSYM'");
	assert_described(&f->images.images[1],
	                 "'" SAMPLES "/DemoKit.framework.dSYM' in the report's "
	                 "directory is of another build");
	assert_described(&f->images.images[2], "no --dsym was given");
	assert_described(&f->images.images[3], "no --dsym was given");
}

static void system_symbols_are_no_candidates_for_the_app(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);

	take(f, report,
	     add_image(f, report, "Demo", "/var/Demo.app/Demo", OTHER),
	     (struct symbol_image){ 0 });
	take(f, report,
	     add_image(f, report, "Plain.dylib", "/usr/lib/Plain.dylib",
	               "0123ABCD-0000-0000-0000-000000000003"),
	     (struct symbol_image){ 0 });
	assert_null(symbol_store_add_system(f->store, SAMPLES));
	nearest_symbols_find(&f->images, symbol_store_index(f->store));
	assert_int_equal(f->images.images[0].status, MISSING_ABSENT);
	assert_int_equal(f->images.images[1].status, MISSING_WRONG_UUID);
	assert_described(&f->images.images[1],
	                 "another build was found: '" SAMPLES "/Plain.dylib'");
}

static void images_without_frames_are_looked_for_too(void **state)
{
	struct fixture *f = *state;
	struct report *report = add_report(f);

	add_image(f, report, "Demo", "/var/Demo.app/Demo", DEMO);
	add_image(f, report, "Gone", "/var/Demo.app/Gone", OTHER);
	assert_null(symbol_store_add_path(f->store, SAMPLES));
	missing_symbols_add_frameless(&f->images, &report, 1, f->store);
	missing_symbols_add_frameless(&f->images, &report, 1, f->store);
	assert_int_equal(f->images.count, 2);
	assert_int_equal(f->images.images[0].status, MISSING_FOUND);
	assert_int_equal(f->images.images[0].frame_count, 0);
	assert_int_equal(f->images.images[0].report_count, 2);
	assert_int_equal(f->images.images[1].status, MISSING_ABSENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_image_counts_once_for_each_uuid),
		TEST(what_a_report_says_is_repeated_in_short),
		TEST(images_without_a_uuid_are_distinguished_by_name),
		TEST(the_worst_outcome_counts),
		TEST(of_equal_outcomes_the_first_counts),
		TEST(the_program_has_the_version_of_the_report),
		TEST(images_of_the_app_that_have_no_symbols_come_first),
		TEST(summaries_read_well),
		TEST(what_is_there_is_described),
		TEST(only_paths_of_the_system_make_an_image_part_of_it),
		TEST(builds_are_compared_by_their_numbers),
		TEST(a_file_of_the_same_name_and_arch_is_a_candidate),
		TEST(symbols_beside_the_report_are_mentioned),
		TEST(system_symbols_are_no_candidates_for_the_app),
		TEST(images_without_frames_are_looked_for_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
