// SPDX-License-Identifier: MIT
#include "lib/symbols/index/bundle_info.h"

#include "lib/base/out.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

static void write_info(const char *path, const char *id, const char *version,
                       const char *build)
{
	SCOPED(str_release) struct str text = { 0 };

	str_addf(&text,
	         "<plist><dict>"
	         "<key>CFBundleIdentifier</key><string>%s</string>"
	         "<key>CFBundleShortVersionString</key><string>%s</string>"
	         "<key>CFBundleVersion</key><string>%s</string>"
	         "</dict></plist>",
	         id, version, build);
	test_file_write_text(path, str_cstr(&text));
}

static void assert_same(const char *found, const char *expected)
{
	if (!expected)
		assert_null(found);
	else if (!found)
		fail_msg("expected '%s', found nothing", expected);
	else
		assert_string_equal(found, expected);
}

static void assert_info(struct test_directory *f, const char *path,
                        struct bundle_info expected)
{
	struct bundle_info info;

	bundle_info_read(path, &f->arena, &info);
	assert_same(info.bundle_id, expected.bundle_id);
	assert_same(info.version, expected.version);
	assert_same(info.build, expected.build);
	assert_same(info.app_version, expected.app_version);
	assert_same(info.app_build, expected.app_build);
	assert_same(info.os_build, expected.os_build);
}

static void a_dsym_says_whose_and_of_which_build_it_is(void **state)
{
	write_info("D.app.dSYM/Contents/Info.plist",
	           "com.apple.xcode.dsym.com.example.demo", "2.1", "413");
	assert_info(*state, "D.app.dSYM/Contents/Resources/DWARF/Demo",
	            (struct bundle_info){ .bundle_id = "com.example.demo",
	                                  .version = "2.1",
	                                  .build = "413" });
}

static void what_dsymutil_writes_without_a_bundle_says_nothing(void **state)
{
	write_info("Demo.dSYM/Contents/Info.plist", "com.apple.xcode.dsym.Demo",
	           "1.0", "1");
	assert_info(*state, "Demo.dSYM/Contents/Resources/DWARF/Demo",
	            (struct bundle_info){ 0 });
}

static void a_binary_is_described_by_the_bundle_around_it(void **state)
{
	static const struct {
		const char *info;
		const char *binary;
	} cases[] = {
		{ "Flat.app/Info.plist", "Flat.app/Flat" },
		{ "Mac.app/Contents/Info.plist", "Mac.app/Contents/MacOS/Mac" },
		{ "K.framework/Versions/A/Resources/Info.plist",
		  "K.framework/Versions/A/K" },
		{ "Info.plist", "Here" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		write_info(cases[i].info, "com.example.x", "3", "30");
		assert_info(*state, cases[i].binary,
		            (struct bundle_info){ .bundle_id = "com.example.x",
		                                  .version = "3",
		                                  .build = "30" });
	}
}

static void an_archive_says_the_build_of_the_app(void **state)
{
	test_file_write_text(
	        "D.xcarchive/Info.plist",
	        "<plist><dict><key>ApplicationProperties</key><dict>"
	        "<key>CFBundleShortVersionString</key><string>2.1</string>"
	        "<key>CFBundleVersion</key><string>413</string>"
	        "</dict></dict></plist>");
	assert_info(*state,
	            "D.xcarchive/dSYMs/Kit.framework.dSYM/Contents/Resources/"
	            "DWARF/Kit",
	            (struct bundle_info){ .app_version = "2.1",
	                                  .app_build = "413" });
}

static void a_device_support_directory_says_the_build_of_the_system(
        void **state)
{
	static const char *const without[] = {
		"16.0 20A362/Symbols/usr/lib/x",
		"Symbols/usr/lib/x",
		")/Symbols/x",
	};

	assert_info(*state, "iPhone14,2 16.0 (20A362)/Symbols/usr/lib/x.dylib",
	            (struct bundle_info){ .os_build = "20A362" });
	assert_info(*state, "a/15.2 (19C57) arm64e/x/17.0 (21A1)/Symbols/x",
	            (struct bundle_info){ .os_build = "21A1" });
	for (size_t i = 0; i < ARRAY_SIZE(without); i++)
		assert_info(*state, without[i], (struct bundle_info){ 0 });
}

static void lists_that_cannot_be_read_say_nothing(void **state)
{
	static const char *const bad[] = {
		"",
		"bplist00",
		"<plist><dict><key>CFBundleVersion</key><true/></dict></plist>",
		"<plist><array/></plist>",
		"<plist><dict>",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		test_file_write_text("D.dSYM/Contents/Info.plist", bad[i]);
		assert_info(*state, "D.dSYM/Contents/Resources/DWARF/D",
		            (struct bundle_info){ 0 });
	}
	assert_int_equal(mkfifo("Info.plist", 0666), 0);
	assert_info(*state, "Waits", (struct bundle_info){ 0 });
}

static void the_uuid_before_the_store_is_read(void **state UNUSED)
{
	static const char uuid_text[] = "4C4C44BD-5555-3144-A18B-1D7A14ACC538";
	const char *dsym = "D.dSYM/Contents/Resources/DWARF/D";
	struct uuid uuid, original;
	char text[UUID_TEXT_SIZE];

	assert_true(uuid_parse(text_from(uuid_text), &uuid));
	assert_false(bundle_original_uuid(dsym, &uuid, &original, NULL));
	test_file_write_text(
	        "D.dSYM/Contents/Resources/"
	        "4C4C44BD-5555-3144-A18B-1D7A14ACC538.plist",
	        "<plist><dict><key>DBGOriginalUUID</key>"
	        "<string>0123abcd-0000-0000-0000-000000000001</string>"
	        "</dict></plist>");
	assert_true(bundle_original_uuid(dsym, &uuid, &original, NULL));
	assert_string_equal(uuid_format(&original, text),
	                    "0123ABCD-0000-0000-0000-000000000001");
	assert_false(bundle_original_uuid("D", &uuid, &original, NULL));
}

#define TEST(name)                                                  \
	cmocka_unit_test_setup_teardown(name, test_directory_setup, \
	                                test_directory_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_dsym_says_whose_and_of_which_build_it_is),
		TEST(what_dsymutil_writes_without_a_bundle_says_nothing),
		TEST(a_binary_is_described_by_the_bundle_around_it),
		TEST(an_archive_says_the_build_of_the_app),
		TEST(a_device_support_directory_says_the_build_of_the_system),
		TEST(lists_that_cannot_be_read_say_nothing),
		TEST(the_uuid_before_the_store_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
