// SPDX-License-Identifier: MIT
#include "lib/symbols/index/volume.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

static bool may_hold(const struct test_directory *directory, const char *name)
{
	SCOPED(str_release) struct str path = { 0 };

	str_addf(&path, "%s/%s", directory->path, name);
	return volume_may_hold(str_cstr(&path));
}

static void an_empty_directory_may_be_a_mount_point(void **state UNUSED)
{
	struct test_directory directory;

	test_directory_enter(&directory);
	assert_true(may_hold(&directory, "symbols/build"));
	assert_int_equal(mkdir("symbols", 0777), 0);
	assert_true(may_hold(&directory, "symbols/build"));
	assert_true(may_hold(&directory, "symbols/a/build"));
	assert_false(may_hold(&directory, "others/build"));
	assert_int_equal(mkdir("symbols/a", 0777), 0);
	assert_false(may_hold(&directory, "symbols/build"));
	assert_true(may_hold(&directory, "symbols/a/build"));
	test_directory_leave(&directory);
}

static void volumes_have_their_places(void **state UNUSED)
{
	if (access("/mnt", X_OK | R_OK) || access("/media", X_OK | R_OK))
		skip();
	assert_true(volume_may_hold("/mnt/apmtool absent/dsyms"));
	assert_true(volume_may_hold("/media/apmtool absent/disk/dsyms"));
	assert_false(volume_may_hold("/apmtool absent/dsyms"));
	assert_false(volume_may_hold("/usr/apmtool absent"));
}

static void directories_of_volumes_are_known_by_name(void **state UNUSED)
{
	static const struct {
		const char *path;
		bool is_one;
	} cases[] = {
		{ "/Volumes", true },          { "/Volumes/Disk", false },
		{ "/Volumesx", false },        { "/mnt", true },
		{ "/mnt/disk", false },        { "/media", true },
		{ "/media/kim", true },        { "/media/kim/disk", false },
		{ "/mediax", false },          { "/run/media", true },
		{ "/run/media/kim", true },    { "/run", false },
		{ "/run/media/kim/x", false }, { "/", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(volume_is_mounted_in(cases[i].path),
		                 cases[i].is_one);
}

static void without_a_parent_there_is_nothing(void **state UNUSED)
{
	assert_false(volume_may_hold("apmtool absent"));
	assert_false(volume_may_hold("/apmtool absent"));
	assert_false(volume_may_hold(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_directory_may_be_a_mount_point),
		cmocka_unit_test(volumes_have_their_places),
		cmocka_unit_test(directories_of_volumes_are_known_by_name),
		cmocka_unit_test(without_a_parent_there_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
