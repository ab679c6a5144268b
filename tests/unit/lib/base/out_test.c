// SPDX-License-Identifier: MIT
#include "lib/base/file.h"
#include "lib/base/file_walk.h"
#include "lib/base/out.h"
#include "lib/base/str.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

static struct error *count_file(const struct file_found *found UNUSED,
                                void *context)
{
	(*(size_t *)context)++;
	return NULL;
}

/** A temporary file left behind would count as well. */
static void assert_files_here(size_t expected)
{
	size_t count = 0;

	assert_null(file_walk(".", count_file, &count, NULL));
	assert_int_equal(count, expected);
}

static void assert_contents(const char *path, const char *expected)
{
	struct file_data data;

	assert_null(file_read(path, 1 << 20, &data));
	assert_int_equal(data.bytes.size, strlen(expected));
	assert_memory_equal(data.bytes.data, expected, data.bytes.size);
	file_release(&data);
}

static void a_file_appears_when_it_is_whole(void **state UNUSED)
{
	struct out *out;

	assert_null(out_open("new", &out));
	out_addf(out, "%d ", 1);
	out_add_bytes(out, "2\0", 1);
	out_add_visible(out, " \x1b");
	out_flush(out);
	assert_int_not_equal(access("new", F_OK), 0);
	assert_null(out_close(out));
	assert_contents("new", "1 2 \\x1b");
	assert_files_here(1);
}

static void an_abandoned_output_leaves_the_old_file(void **state UNUSED)
{
	struct out *out;

	test_file_write_text("a", "old");
	assert_null(out_open("a", &out));
	out_add(out, "new");
	out_abandon(out);
	out_abandon(NULL);
	assert_contents("a", "old");
	assert_files_here(1);
}

static void a_file_is_replaced_and_keeps_its_mode(void **state UNUSED)
{
	struct stat info;

	test_file_write_text("a", "old");
	assert_int_equal(chmod("a", 0640), 0);
	test_file_write_text("a", "new");
	assert_contents("a", "new");
	assert_int_equal(stat("a", &info), 0);
	assert_int_equal(info.st_mode & 0777, 0640);
}

static void a_new_file_has_the_usual_mode(void **state UNUSED)
{
	mode_t mask = umask(027);
	struct stat info;

	test_file_write_text("a", "");
	umask(mask);
	assert_int_equal(stat("a", &info), 0);
	assert_int_equal(info.st_mode & 0777, 0640);
}

static void a_link_is_written_through(void **state UNUSED)
{
	struct stat info;

	assert_int_equal(mkdir("d", 0700), 0);
	test_file_write_text("d/target", "old");
	assert_int_equal(symlink("d/target", "link"), 0);
	test_file_write_text("link", "new");
	assert_int_equal(lstat("link", &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_contents("d/target", "new");
}

static void a_link_to_nothing_is_written_through(void **state UNUSED)
{
	SCOPED(error_drop) struct error *err = NULL;
	struct stat info;
	struct out *out;

	assert_int_equal(mkdir("d", 0700), 0);
	assert_int_equal(symlink("absent", "d/second"), 0);
	assert_int_equal(symlink("d/second", "first"), 0);
	test_file_write_text("first", "new");
	assert_int_equal(lstat("first", &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_equal(lstat("d/second", &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_contents("d/absent", "new");

	assert_int_equal(symlink("loop", "loop"), 0);
	err = out_open("loop", &out);
	assert_non_null(err);
	assert_string_equal(
	        error_message(err),
	        "cannot write 'loop': too many levels of symbolic links");
}

static void write_inside(int directory, const char *path)
{
	struct out *out;

	assert_null(out_open_in(directory, path, &out));
	out_add(out, "new");
	assert_null(out_close(out));
}

/** Whoever may write to a directory of outputs does not choose what else is. */
static void what_has_the_name_in_a_directory_is_replaced(void **state UNUSED)
{
	struct out *out;
	struct stat info;
	int directory;

	test_file_write_text("victim", "old");
	test_file_write_text("d/file", "old");
	assert_int_equal(chmod("d/file", 0640), 0);
	assert_int_equal(symlink("../victim", "d/link"), 0);
	assert_int_equal(mkfifo("d/fifo", 0600), 0);
	directory = open("d", O_RDONLY);
	assert_true(directory >= 0);
	write_inside(directory, "d/link");
	write_inside(directory, "d/fifo");
	write_inside(directory, "d/file");
	write_inside(directory, "d/other");
	// Its name may lead elsewhere by now.
	assert_int_equal(rename("d", "moved"), 0);
	assert_int_equal(mkdir("elsewhere", 0700), 0);
	assert_int_equal(symlink("elsewhere", "d"), 0);
	write_inside(directory, "d/late");
	assert_null(out_open_in(directory, "d/never", &out));
	out_abandon(out);
	close(directory);
	assert_contents("victim", "old");
	assert_contents("moved/link", "new");
	assert_contents("moved/fifo", "new");
	assert_contents("moved/file", "new");
	assert_contents("moved/late", "new");
	assert_int_equal(stat("moved/file", &info), 0);
	assert_int_equal(info.st_mode & 0777, 0640);
	assert_int_equal(rmdir("elsewhere"), 0);
	assert_files_here(6);
}

static void a_full_device_is_an_error_once(void **state UNUSED)
{
	struct error *err;
	struct out *out;

	if (access("/dev/full", W_OK))
		skip();
	assert_null(out_open("/dev/full", &out));
	for (int i = 0; i < 100000; i++)
		out_add(out, "more ");
	err = out_close(out);
	assert_non_null(err);
	assert_string_equal(
	        error_message(err),
	        "cannot write '/dev/full': no space left on device");
	error_free(err);
}

static void a_device_is_written_not_replaced(void **state UNUSED)
{
	struct stat info;

	test_file_write_text("/dev/null", "x");
	assert_int_equal(stat("/dev/null", &info), 0);
	assert_true(S_ISCHR(info.st_mode));
}

static void what_cannot_be_opened_is_named(void **state UNUSED)
{
	static const struct {
		const char *path;
		const char *message;
	} cases[] = {
		{ "none/a",
		  "cannot write 'none/a': no such file or directory" },
		{ ".", "cannot write '.': is a directory" },
		{ "", "cannot write '': no such file or directory" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct out *out;
		struct error *err = out_open(cases[i].path, &out);

		assert_non_null(err);
		assert_string_equal(error_message(err), cases[i].message);
		error_free(err);
	}
	assert_files_here(0);
}

static void much_output_comes_out_whole(void **state UNUSED)
{
	struct file_data data;
	struct out *out;

	assert_null(out_open("a", &out));
	for (int i = 0; i < 100000; i++)
		out_addf(out, "%07d\n", i);
	assert_null(out_close(out));
	assert_null(file_read("a", 1 << 20, &data));
	assert_int_equal(data.bytes.size, 800000);
	assert_memory_equal(data.bytes.data + 8 * 54321, "0054321\n", 8);
	file_release(&data);
}

/** Much at a time is written where it lies: not before what came before it. */
static void much_at_a_time_keeps_its_place(void **state UNUSED)
{
	SCOPED(str_release) struct str much = { 0 };
	struct file_data data;
	struct out *out;

	str_add_repeat(&much, 'x', 500000);
	assert_null(out_open("a", &out));
	out_add(out, "first");
	out_add_bytes(out, much.data, much.size);
	assert_int_equal(out_str(out)->size, 0);
	out_add(out, "last");
	assert_null(out_close(out));
	assert_null(file_read("a", 1 << 20, &data));
	assert_int_equal(data.bytes.size, 500009);
	assert_memory_equal(data.bytes.data, "firstx", 6);
	assert_memory_equal(data.bytes.data + 500004, "xlast", 5);
	file_release(&data);
	out = out_memory();
	out_add(out, "first");
	out_add_bytes(out, much.data, much.size);
	assert_int_equal(out_str(out)->size, 500005);
	out_abandon(out);
}

static void what_is_kept_in_memory_goes_where_it_is_moved(void **state UNUSED)
{
	struct out *kept = out_memory();
	struct file_data data;
	struct out *out;

	for (int i = 0; i < 100000; i++)
		str_add(out_str(kept), "0123456\n");
	out_flush(kept);
	assert_null(out_open("a", &out));
	out_add(out, "first\n");
	out_move(out, kept);
	out_move(out, kept);
	out_abandon(kept);
	assert_null(out_close(out));
	assert_null(file_read("a", 1 << 20, &data));
	assert_int_equal(data.bytes.size, 800006);
	assert_memory_equal(data.bytes.data + 799998, "0123456\n", 8);
	file_release(&data);
}

static void lines_appended_directly_are_written_on_the_way(void **state UNUSED)
{
	struct file_data data;
	struct out *out;

	assert_null(out_open("a", &out));
	for (int i = 0; i < 100000; i++) {
		struct str *line = out_str(out);

		// Never all of it in memory.
		assert_true(line->size < 100000);
		str_add_number(line, (uint64_t)i % 10);
	}
	assert_null(out_close(out));
	assert_null(file_read("a", 1 << 20, &data));
	assert_int_equal(data.bytes.size, 100000);
	file_release(&data);
}

static void no_line_is_a_workflow_command(void **state UNUSED)
{
	static const struct {
		enum out_content content;
		const char *text;
	} cases[] = {
		{ OUT_TEXT, "\n:\\x3aerror::##\\x5b" },
		{ OUT_COMMANDS, "\n::error::##\\x5b" },
		{ OUT_BINARY, "\n::error::##[" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct out *out;

		assert_null(out_open("a", &out));
		out_set_content(out, cases[i].content);
		// In pieces, some of which are written on the way.
		out_add(out, "\n:");
		out_flush(out);
		out_add(out, ":error::#");
		out_flush(out);
		out_add(out, "#[");
		assert_null(out_close(out));
		assert_contents("a", cases[i].text);
	}
}

static void much_of_it_is_escaped_as_well(void **state UNUSED)
{
	SCOPED(str_release) struct str in = { 0 };
	SCOPED(str_release) struct str expected = { 0 };
	struct out *out;

	for (int i = 0; i < 30000; i++) {
		str_add(&in, "::error\n");
		str_add(&expected, ":\\x3aerror\n");
	}
	assert_null(out_open("a", &out));
	out_add_bytes(out, in.data, in.size);
	assert_null(out_close(out));
	assert_contents("a", str_cstr(&expected));
}

#define DIRECTORY_TEST(f)                                        \
	cmocka_unit_test_setup_teardown(f, test_directory_setup, \
	                                test_directory_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DIRECTORY_TEST(a_file_appears_when_it_is_whole),
		DIRECTORY_TEST(an_abandoned_output_leaves_the_old_file),
		DIRECTORY_TEST(a_file_is_replaced_and_keeps_its_mode),
		DIRECTORY_TEST(a_new_file_has_the_usual_mode),
		DIRECTORY_TEST(a_link_is_written_through),
		DIRECTORY_TEST(what_has_the_name_in_a_directory_is_replaced),
		DIRECTORY_TEST(a_link_to_nothing_is_written_through),
		DIRECTORY_TEST(a_full_device_is_an_error_once),
		DIRECTORY_TEST(a_device_is_written_not_replaced),
		DIRECTORY_TEST(what_cannot_be_opened_is_named),
		DIRECTORY_TEST(much_output_comes_out_whole),
		DIRECTORY_TEST(much_at_a_time_keeps_its_place),
		DIRECTORY_TEST(what_is_kept_in_memory_goes_where_it_is_moved),
		DIRECTORY_TEST(lines_appended_directly_are_written_on_the_way),
		DIRECTORY_TEST(no_line_is_a_workflow_command),
		DIRECTORY_TEST(much_of_it_is_escaped_as_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
