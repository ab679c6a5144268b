// SPDX-License-Identifier: MIT
#include "lib/symbols/index/uuid_index.h"

#include "lib/base/arena.h"
#include "lib/base/out.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/index/unread_packed.h"
#include "tests/unit/lib/object/macho/macho_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

#define DSYM_COUNT 300

struct fixture {
	struct test_directory directory;
	struct uuid_index *index;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	test_directory_enter(&f->directory);
	f->index = uuid_index_new();
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	test_directory_leave(&f->directory);
	uuid_index_free(f->index);
	free(f);
	return 0;
}

/**
 * Append an image to @p file whose UUID ends in @p number (0: no UUID).
 *
 * @param padding  Bytes of load commands before the UUID.
 */
static size_t add_image(struct str *file, uint32_t cpu_type, uint32_t file_type,
                        uint32_t number, uint32_t padding)
{
	struct macho_builder b;
	char uuid[17];
	struct bytes image;

	snprintf(uuid, sizeof(uuid), "UUID:%011u", number);
	macho_begin(&b, CURSOR_LITTLE, true, cpu_type,
	            cpu_type == CPU_X86_64 ? 3 : 0, file_type);
	if (padding) {
		macho_command(&b, 0x32, padding);
		str_add_repeat(&b.image, '\0', padding - 8);
	}
	if (number)
		macho_add_uuid(&b, uuid);
	image = macho_finish(&b);
	str_add_bytes(file, image.data, image.size);
	macho_builder_release(&b);
	return image.size;
}

static void write_image(const char *path, uint32_t file_type, uint32_t number)
{
	SCOPED(str_release) struct str file = { 0 };

	add_image(&file, CPU_ARM64, file_type, number, 0);
	test_file_write(path, file.data, file.size);
}

static struct uuid uuid_of(unsigned number)
{
	struct uuid uuid;
	char text[17];

	snprintf(text, sizeof(text), "UUID:%011u", number);
	memcpy(uuid.bytes, text, 16);
	return uuid;
}

static void add(struct fixture *f, const char *path)
{
	struct error *err = uuid_index_add(f->index, path);

	if (err)
		fail_msg("%s", error_message(err));
}

static void assert_add_fails(struct fixture *f, const char *path,
                             enum error_code code, const char *message)
{
	SCOPED(error_drop)
	struct error *err = uuid_index_add(f->index, path);

	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_int_equal(error_code(err), code);
}

static void assert_problem(struct fixture *f, size_t at, const char *path,
                           const char *reason)
{
	const struct uuid_problem *problems;
	size_t count;

	problems = uuid_index_problems(f->index, &count);
	assert_true(at < count);
	assert_string_equal(problems[at].path, path);
	assert_string_equal(problems[at].reason, reason);
}

static size_t problem_count(struct fixture *f)
{
	size_t count;

	uuid_index_problems(f->index, &count);
	return count;
}

static size_t entry_count(struct fixture *f)
{
	size_t count;

	uuid_index_all(f->index, &count);
	return count;
}

static void dsyms_come_first_in_the_order_added_and_then_by_path(void **state)
{
	struct fixture *f = *state;
	struct uuid wanted = uuid_of(7);
	const struct uuid_entry *found;
	size_t count;

	write_image("z/App.dSYM/Contents/Resources/DWARF/App", MACHO_DSYM, 7);
	write_image("b/App.dSYM/Contents/Resources/DWARF/App", MACHO_DSYM, 7);
	write_image("a/App", MACHO_EXECUTE, 7);
	write_image("a/Other", MACHO_EXECUTE, 8);
	add(f, "z");
	found = uuid_index_find(f->index, &wanted, &count);
	assert_int_equal(count, 1);
	add(f, ".");
	// Found again through another path: another file, as far as we know.
	assert_int_equal(entry_count(f), 5);
	found = uuid_index_find(f->index, &wanted, &count);
	assert_int_equal(count, 4);
	assert_string_equal(found[0].path,
	                    "z/App.dSYM/Contents/Resources/DWARF/App");
	assert_string_equal(found[1].path,
	                    "./b/App.dSYM/Contents/Resources/DWARF/App");
	assert_string_equal(found[2].path,
	                    "./z/App.dSYM/Contents/Resources/DWARF/App");
	assert_string_equal(found[3].path, "./a/App");
	assert_string_equal(uuid_entry_type(&found[3]), "executable");
	wanted = uuid_of(9);
	assert_null(uuid_index_find(f->index, &wanted, &count));
	assert_int_equal(count, 0);
}

static void all_entries_are_in_the_order_they_were_found(void **state)
{
	struct fixture *f = *state;
	const struct uuid_entry *all;
	struct uuid wanted = uuid_of(1);
	size_t count;

	write_image("second", MACHO_DYLIB, 1);
	write_image("first", MACHO_DYLIB, 2);
	add(f, "second");
	add(f, "first");
	add(f, "second");
	uuid_index_find(f->index, &wanted, &count);
	all = uuid_index_all(f->index, &count);
	assert_int_equal(count, 2);
	assert_string_equal(all[0].path, "second");
	assert_string_equal(all[1].path, "first");
}

static void every_slice_of_a_fat_file_is_an_entry(void **state)
{
	struct fixture *f = *state;
	SCOPED(str_release) struct str slice = { 0 };
	SCOPED(str_release) struct str file = { 0 };
	const struct uuid_entry *all;
	size_t size = add_image(&slice, CPU_X86_64, MACHO_DSYM, 1, 0);
	size_t count;

	add_image(&slice, CPU_ARM64, MACHO_DSYM, 2, 0);
	fat_begin(&file, false, 2);
	fat_add_slice(&file, false, CPU_X86_64, 3, 0x100, size);
	fat_add_slice(&file, false, CPU_ARM64, 0, 0x8000, size);
	fat_put(&file, 0x100, (struct bytes){ (uint8_t *)slice.data, size });
	fat_put(&file, 0x8000,
	        (struct bytes){ (uint8_t *)slice.data + size, size });
	test_file_write("App", file.data, file.size);
	add(f, "App");
	all = uuid_index_all(f->index, &count);
	assert_int_equal(count, 2);
	assert_int_equal(uuid_entry_facts(&all[0]).cpu_type, CPU_X86_64);
	assert_int_equal(all[0].at.offset, 0x100);
	assert_int_equal(uuid_entry_facts(&all[1]).cpu_type, CPU_ARM64);
	assert_int_equal(all[1].at.offset, 0x8000);
	assert_int_equal(uuid_entry_facts(&all[1]).size_bytes, size);
	assert_int_equal(problem_count(f), 0);
}

static void long_load_commands_are_read_to_the_uuid(void **state)
{
	struct fixture *f = *state;
	SCOPED(str_release) struct str file = { 0 };
	struct uuid wanted = uuid_of(5);
	size_t count;

	add_image(&file, CPU_ARM64, MACHO_EXECUTE, 5, 300000);
	test_file_write("App", file.data, file.size);
	add(f, "App");
	assert_non_null(uuid_index_find(f->index, &wanted, &count));

	str_clear(&file);
	add_image(&file, CPU_ARM64, MACHO_EXECUTE, 6, 2000000);
	test_file_write("Huge", file.data, file.size);
	add(f, "Huge");
	assert_problem(f, 0, "Huge",
	               "load commands: 2000056 bytes are more than 1 MB");
}

static void damaged_files_become_problems(void **state)
{
	struct fixture *f = *state;
	SCOPED(str_release) struct str file = { 0 };
	size_t size = add_image(&file, CPU_ARM64, MACHO_DSYM, 3, 5000);
	uint32_t fat_size = (uint32_t)size;
	uint8_t head[0x10];

	test_file_write("folder/1-cut", file.data, 4900);
	patch_u32(&file, 0x24, 2, CURSOR_LITTLE);
	test_file_write("folder/2-broken", file.data, size);
	str_clear(&file);
	fat_begin(&file, false, 3);
	fat_add_slice(&file, false, CPU_ARM64, 0, 0x100, fat_size);
	fat_add_slice(&file, false, CPU_X86_64, 3, 0x100 + fat_size, 0x10);
	fat_add_slice(&file, false, CPU_ARM, 9, 0xffffff, 0x10);
	fat_put(&file, 0x100, (struct bytes){ 0 });
	add_image(&file, CPU_ARM64, MACHO_DSYM, 4, 5000);
	// The beginning of the same image once more, as a slice of its own.
	memcpy(head, file.data + 0x100, sizeof(head));
	fat_put(&file, 0x100 + fat_size,
	        (struct bytes){ .data = head, .size = sizeof(head) });
	test_file_write("folder/3-fat", file.data, file.size);
	test_file_write("folder/4-fat", "\xca\xfe\xba\xbf\xff\xff\xff\xff", 8);
	write_image("folder/5-good", MACHO_DSYM, 9);
	add(f, "folder");
	assert_int_equal(entry_count(f), 2);
	assert_int_equal(problem_count(f), 5);
	assert_problem(f, 0, "folder/1-cut",
	               "load commands: offset 0x20: expected 5024 bytes, "
	               "found 4868");
	assert_problem(f, 1, "folder/2-broken",
	               "load command 0: offset 0x20: size 2 is less than 8");
	assert_problem(f, 2, "folder/3-fat",
	               "slice x86_64: Mach-O header: offset 0x10: expected 4 "
	               "more bytes, found 0");
	assert_problem(f, 3, "folder/3-fat",
	               "slice armv7 lies outside the file: it is truncated");
	assert_problem(f, 4, "folder/4-fat",
	               "fat header: offset 0x4: 4294967295 slices cannot fit "
	               "in 8 bytes");
}

static void other_files_of_a_directory_are_passed_over(void **state)
{
	struct fixture *f = *state;

	test_file_write("App.dSYM/Contents/Info.plist", "<?xml", 5);
	test_file_write("App.dSYM/Contents/Resources/junk", "PNG", 3);
	test_file_write("App.dSYM/Contents/Resources/empty", "", 0);
	test_file_write("App.dSYM/Contents/Resources/DWARF/._App", "\0", 1);
	test_file_write("App.dSYM/Main.class", "\xca\xfe\xba\xbe\0\0\0\x41", 8);
	write_image("App.dSYM/Contents/Resources/DWARF/App", MACHO_DSYM, 1);
	add(f, "App.dSYM");
	assert_int_equal(entry_count(f), 1);
	assert_int_equal(problem_count(f), 0);
}

static void what_is_named_as_dsyms_and_packed_is_known(void **state)
{
	static const char xz[] = "\3757zXZ";
	static const char zstd[] = "\050\265\057\375";
	const struct unread_packed *packed;
	SCOPED(str_release) struct str text = { 0 };
	struct fixture *f = *state;

	test_file_write("b/a.txt.xz", xz, sizeof(xz));
	test_file_write("b/App.dSYM.txt", "text", 4);
	test_file_write("b/App.app/a.dSYM.xz", xz, sizeof(xz));
	add(f, "b");
	packed = uuid_index_packed(f->index);
	assert_int_equal(packed->paths.count, 0);
	unread_packed_describe(packed, &text);
	assert_int_equal(text.size, 0);
	test_file_write("b/App.xcarchive.tar.zst", zstd, sizeof(zstd));
	add(f, "b");
	unread_packed_describe(packed, &text);
	assert_string_equal(str_cstr(&text),
	                    "not searched: 'b/App.xcarchive.tar.zst', which is "
	                    "zstd data: unpack it first");
	test_file_write("b/dSYMs/1.tar.xz", xz, sizeof(xz));
	add(f, "b");
	str_clear(&text);
	unread_packed_describe(packed, &text);
	assert_string_equal(str_cstr(&text),
	                    "not searched: 'b/App.xcarchive.tar.zst', which is "
	                    "zstd data, and 1 more packed file: unpack them "
	                    "first");
	assert_int_equal(problem_count(f), 0);
}

static void what_a_dsym_has_in_place_of_symbols_is_a_problem(void **state)
{
	struct fixture *f = *state;

	test_file_write("App.dSYM/Contents/Resources/DWARF/empty", "", 0);
	test_file_write("App.dSYM/Contents/Resources/DWARF/junk", "PNG", 3);
	add(f, "App.dSYM");
	assert_int_equal(entry_count(f), 0);
	assert_int_equal(problem_count(f), 2);
	assert_problem(f, 0, "App.dSYM/Contents/Resources/DWARF/empty",
	               "it is empty");
	assert_problem(f, 1, "App.dSYM/Contents/Resources/DWARF/junk",
	               "it is not a Mach-O file");
}

static void a_file_that_may_not_be_read_is_named_once(void **state)
{
	struct fixture *f = *state;
	bool is_root = !geteuid();

	write_image("denied", MACHO_DSYM, 1);
	assert_int_equal(chmod("denied", 0), 0);
	assert_int_equal(chmod(".", 0755), 0);
	if (is_root)
		assert_int_equal(seteuid(65534), 0);
	add(f, ".");
	if (is_root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(problem_count(f), 1);
	assert_problem(f, 0, "./denied", "cannot open: permission denied");
}

static void a_named_file_must_be_one_of_ours(void **state)
{
	struct fixture *f = *state;

	test_file_write("notes.txt", "hello", 5);
	test_file_write("empty", "", 0);
	mkdir("folder", 0777);
	assert_add_fails(f, "notes.txt", ERROR_UNSUPPORTED,
	                 "'notes.txt' is neither a dSYM nor a Mach-O file");
	assert_add_fails(f, "empty", ERROR_UNSUPPORTED,
	                 "'empty' is neither a dSYM nor a Mach-O file");
	assert_add_fails(f, "absent", ERROR_OS,
	                 "cannot open 'absent': no such file or directory");
	add(f, "folder");
	assert_int_equal(entry_count(f), 0);
}

static void slices_without_a_uuid_match_nothing(void **state)
{
	struct fixture *f = *state;
	struct uuid zero = { 0 };
	size_t count;

	write_image("App", MACHO_EXECUTE, 0);
	add(f, "App");
	assert_int_equal(entry_count(f), 1);
	assert_null(uuid_index_find(f->index, &zero, &count));
	assert_int_equal(count, 0);
}

static void many_dsyms_need_few_descriptors(void **state)
{
	struct fixture *f = *state;
	struct rlimit old, few;
	struct arena arena = { 0 };
	size_t count;

	for (unsigned i = 1; i <= DSYM_COUNT; i++)
		write_image(arena_printf(&arena,
		                         "all/%u.dSYM/Contents/Resources/"
		                         "DWARF/%u",
		                         i, i),
		            MACHO_DSYM, i);
	arena_release(&arena);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = (struct rlimit){ .rlim_cur = 32, .rlim_max = old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	add(f, "all");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(entry_count(f), DSYM_COUNT);
	assert_int_equal(problem_count(f), 0);
	for (unsigned i = 1; i <= DSYM_COUNT; i++) {
		struct uuid uuid = uuid_of(i);

		assert_non_null(uuid_index_find(f->index, &uuid, &count));
		assert_int_equal(count, 1);
	}
}

static void files_are_found_by_name_as_well(void **state)
{
	struct fixture *f = *state;
	const struct uuid_entry *found;
	size_t count;

	write_image("b/Demo", MACHO_EXECUTE, 1);
	write_image("a/Demo", MACHO_EXECUTE, 2);
	write_image("c/Demo", MACHO_DSYM, 3);
	write_image("a/Demo2", MACHO_DSYM, 4);
	add(f, ".");
	found = uuid_index_find_name(f->index, "Demo", &count);
	assert_int_equal(count, 3);
	assert_string_equal(found[0].path, "./c/Demo");
	assert_string_equal(found[1].path, "./a/Demo");
	assert_string_equal(found[2].path, "./b/Demo");
	assert_string_equal(found[2].name, "Demo");
	assert_null(uuid_index_find_name(f->index, "Dem", &count));
	assert_int_equal(count, 0);
	// What is added later is found, too.
	write_image("d/Dem", MACHO_DSYM, 5);
	add(f, "d");
	assert_non_null(uuid_index_find_name(f->index, "Dem", &count));
}

static void symbols_of_the_system_come_last(void **state)
{
	struct fixture *f = *state;
	const struct uuid_entry *found;
	struct uuid uuid = uuid_of(7);
	size_t count;

	write_image("system/a.dylib", MACHO_DSYM, 7);
	write_image("app/b.dylib", MACHO_DYLIB, 7);
	assert_null(uuid_index_add_system(f->index, "system"));
	add(f, "app");
	found = uuid_index_find(f->index, &uuid, &count);
	assert_int_equal(count, 2);
	assert_string_equal(found[0].path, "app/b.dylib");
	assert_false(found[0].is_system);
	assert_true(found[1].is_system);
	assert_true(uuid_entry_is_dsym(&found[1]));
	assert_true(uuid_entry_has_arch(&found[1], "arm64"));
	assert_true(uuid_entry_has_arch(&found[1], NULL));
	assert_false(uuid_entry_has_arch(&found[1], "x86_64"));
}

static void directories_that_are_left_out_are_reported(void **state)
{
	struct fixture *f = *state;
	char path[200] = ".";
	char reason[300];

	for (size_t i = 0; i < 70; i++) {
		memcpy(path + 1 + 2 * i, "/d", 3);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	assert_null(uuid_index_add(f->index, "."));
	assert_int_equal(problem_count(f), 1);
	path[1 + 2 * 64] = '\0';
	snprintf(reason, sizeof(reason),
	         "'%s' is left out: more than 64 directories deep", path);
	assert_problem(f, 0, ".", reason);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		        a_file_that_may_not_be_read_is_named_once, setup,
		        teardown),
		cmocka_unit_test_setup_teardown(
		        directories_that_are_left_out_are_reported, setup,
		        teardown),
		cmocka_unit_test_setup_teardown(
		        dsyms_come_first_in_the_order_added_and_then_by_path,
		        setup, teardown),
		cmocka_unit_test_setup_teardown(
		        all_entries_are_in_the_order_they_were_found, setup,
		        teardown),
		cmocka_unit_test_setup_teardown(
		        every_slice_of_a_fat_file_is_an_entry, setup, teardown),
		cmocka_unit_test_setup_teardown(
		        long_load_commands_are_read_to_the_uuid, setup,
		        teardown),
		cmocka_unit_test_setup_teardown(damaged_files_become_problems,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(
		        what_is_named_as_dsyms_and_packed_is_known, setup,
		        teardown),
		cmocka_unit_test_setup_teardown(
		        other_files_of_a_directory_are_passed_over, setup,
		        teardown),
		cmocka_unit_test_setup_teardown(
		        what_a_dsym_has_in_place_of_symbols_is_a_problem, setup,
		        teardown),
		cmocka_unit_test_setup_teardown(
		        a_named_file_must_be_one_of_ours, setup, teardown),
		cmocka_unit_test_setup_teardown(
		        slices_without_a_uuid_match_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(files_are_found_by_name_as_well,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(symbols_of_the_system_come_last,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(many_dsyms_need_few_descriptors,
		                                setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
