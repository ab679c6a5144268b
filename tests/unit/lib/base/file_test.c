// SPDX-License-Identifier: MIT
#include "lib/base/file.h"
#include "lib/base/mapping.h"
#include "lib/base/str.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

static void assert_fails(struct error *err, enum error_code code,
                         const char *message)
{
	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_int_equal(error_code(err), code);
	error_free(err);
}

/** Of several pages, a byte each. */
static void make_pages(const char *path, size_t pages)
{
	long page_bytes = sysconf(_SC_PAGESIZE);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	for (size_t i = 0; i < pages * (size_t)page_bytes; i++)
		putc('x', file);
	assert_int_equal(fclose(file), 0);
}

static void a_mapped_file_may_become_shorter(void **state UNUSED)
{
	SCOPED(file_release) struct file_data mapped = { 0 };
	SCOPED(file_release) struct file_data other = { 0 };
	long page_bytes = sysconf(_SC_PAGESIZE);
	const volatile uint8_t *bytes;

	make_pages("long", 3);
	make_pages("other", 1);
	assert_null(file_map("long", &mapped));
	assert_null(file_map("other", &other));
	bytes = mapped.bytes.data;
	assert_int_equal(bytes[page_bytes], 'x');
	assert_int_equal(truncate("long", page_bytes), 0);
	assert_null(file_reading_error(NULL, mapped.bytes));
	assert_int_equal(bytes[2 * page_bytes + 5], 0);
	assert_int_equal(bytes[page_bytes - 1], 'x');
	assert_fails(file_reading_error(NULL, mapped.bytes), ERROR_OS,
	             "the file changed while it was read");
	// It is the reason of what else went wrong.
	assert_fails(file_reading_error(
	                     error_new(ERROR_FORMAT, "zeros"),
	                     bytes_part(mapped.bytes, (size_t)page_bytes, 1)),
	             ERROR_OS, "the file changed while it was read");
	assert_fails(file_reading_error(error_new(ERROR_FORMAT, "zeros"),
	                                other.bytes),
	             ERROR_FORMAT, "zeros");
}

static void a_file_is_handed_on_unless_it_changed(void **state UNUSED)
{
	SCOPED(file_release) struct file_data mapped = { 0 };
	SCOPED(file_release) struct file_data again = { 0 };
	int fd;

	make_pages("first", 1);
	make_pages("second", 1);
	assert_null(file_map("first", &mapped));
	assert_null(file_open_again("first", &mapped.stamp, &fd));
	assert_null(file_map_open(fd, &again));
	close(fd);
	assert_int_equal(again.bytes.size, mapped.bytes.size);
	assert_int_equal(again.bytes.data[0], 'x');
	// Of the same size, and from the same moment, but another file.
	assert_int_equal(rename("second", "first"), 0);
	assert_fails(file_open_again("first", &mapped.stamp, &fd), ERROR_OS,
	             "the file changed while it was read");
	assert_int_equal(unlink("first"), 0);
	assert_fails(file_open_again("first", &mapped.stamp, &fd), ERROR_OS,
	             "cannot open 'first': no such file or directory");
	fd = open(".", O_RDONLY);
	assert_fails(file_map_open(fd, &again), ERROR_OS,
	             "it is not a regular file");
	close(fd);
}

static void bytes_become_a_file_without_a_name(void **state UNUSED)
{
	static const struct bytes contents = { (const uint8_t *)"in memory",
		                               9 };
	struct file_data mapped = { 0 };
	int fd;

	assert_null(file_of_bytes(contents, &fd));
	assert_null(file_map_open(fd, &mapped));
	close(fd);
	assert_int_equal(mapped.bytes.size, contents.size);
	assert_memory_equal(mapped.bytes.data, contents.data, contents.size);
	file_release(&mapped);
	assert_null(file_of_bytes((struct bytes){ 0 }, &fd));
	assert_null(file_map_open(fd, &mapped));
	close(fd);
	assert_int_equal(mapped.bytes.size, 0);
}

/** Also more often than there are places for mappings. */
static void what_follows_on_a_mapping_begins_unchanged(void **state UNUSED)
{
	long page_bytes = sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < MAPPINGS_MAX + 9; i++) {
		SCOPED(file_release) struct file_data mapped = { 0 };
		const volatile uint8_t *bytes;

		make_pages("again", 2);
		assert_null(file_map("again", &mapped));
		assert_null(file_reading_error(NULL, mapped.bytes));
		bytes = mapped.bytes.data;
		assert_int_equal(truncate("again", 1), 0);
		assert_int_equal(bytes[page_bytes], 0);
		assert_fails(file_reading_error(NULL, mapped.bytes), ERROR_OS,
		             "the file changed while it was read");
	}
}

static void a_file_is_read_and_mapped_alike(void **state UNUSED)
{
	struct file_data read = { 0 }, mapped = { 0 };

	test_file_write_text("a", "some bytes");
	assert_null(file_read("a", 100, &read));
	assert_null(file_map("a", &mapped));
	assert_int_equal(read.bytes.size, 10);
	assert_int_equal(mapped.bytes.size, 10);
	assert_memory_equal(read.bytes.data, "some bytes", 10);
	assert_memory_equal(mapped.bytes.data, "some bytes", 10);
	assert_true(mapped.mapped && !read.mapped);
	file_release(&read);
	file_release(&mapped);
	file_release(&mapped);
}

/** Memory that is no mapped file would be full of zeros. */
static void what_is_forgotten_is_read_again(void **state UNUSED)
{
	SCOPED(file_release) struct file_data read = { 0 };
	SCOPED(file_release) struct file_data mapped = { 0 };
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	make_pages("pages", 3);
	assert_null(file_read("pages", 3 * page_bytes, &read));
	assert_null(file_map("pages", &mapped));
	file_forget(mapped.bytes);
	file_forget(read.bytes);
	file_forget((struct bytes){ 0 });
	assert_int_equal(read.bytes.data[page_bytes], 'x');
	assert_memory_equal(read.bytes.data, mapped.bytes.data, 3 * page_bytes);
}

#if defined(MADV_POPULATE_READ) && !defined(APMTOOL_SANITIZE)
/** Page faults of reading a byte of each page: a sanitizer has its own. */
static long faults_of(struct bytes bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct rusage before, after;
	volatile unsigned sum = 0;

	getrusage(RUSAGE_SELF, &before);
	for (size_t i = 0; i < bytes.size; i += page_bytes)
		sum += bytes.data[i];
	getrusage(RUSAGE_SELF, &after);
	return after.ru_minflt - before.ru_minflt;
}
#endif

static void what_is_expected_is_in_memory(void **state UNUSED)
{
	SCOPED(file_release) struct file_data read = { 0 };
	SCOPED(file_release) struct file_data mapped = { 0 };
	size_t size = 512 * (size_t)sysconf(_SC_PAGESIZE);

	make_pages("pages", 512);
	assert_null(file_read("pages", size, &read));
	assert_null(file_map("pages", &mapped));
	file_expect(read.bytes);
	file_expect((struct bytes){ 0 });
	// From within a page, and up to within one.
	file_expect(bytes_part(mapped.bytes, 100, size - 200));
	assert_memory_equal(read.bytes.data, mapped.bytes.data, size);
	assert_null(file_reading_error(NULL, mapped.bytes));
	file_release(&mapped);
#if defined(MADV_POPULATE_READ) && !defined(APMTOOL_SANITIZE)
	assert_null(file_map("pages", &mapped));
	// An older system does not know how.
	if (!madvise((void *)mapped.bytes.data, size, MADV_POPULATE_READ)) {
		file_release(&mapped);
		assert_null(file_map("pages", &mapped));
		file_expect(mapped.bytes);
		assert_in_range(faults_of(mapped.bytes), 0, 8);
	}
#endif
}

static void a_file_that_is_shorter_than_expected_is_no_harm(void **state UNUSED)
{
	SCOPED(file_release) struct file_data mapped = { 0 };
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	SCOPED(error_drop) struct error *err = NULL;

	make_pages("pages", 3);
	assert_null(file_map("pages", &mapped));
	assert_int_equal(truncate("pages", (off_t)page_bytes), 0);
	file_expect(mapped.bytes);
	// Nothing was read yet.
	assert_null(file_reading_error(NULL, mapped.bytes));
	assert_int_equal(mapped.bytes.data[2 * page_bytes], 0);
	err = file_reading_error(NULL, mapped.bytes);
	assert_non_null(err);
}

static void an_empty_file_has_no_bytes(void **state UNUSED)
{
	struct file_data data = { .mapped = true };

	test_file_write_text("empty", "");
	assert_null(file_map("empty", &data));
	assert_int_equal(data.bytes.size, 0);
	file_release(&data);
	assert_null(file_read("empty", 0, &data));
	assert_int_equal(data.bytes.size, 0);
	file_release(&data);
}

static void the_limit_counts_every_byte(void **state UNUSED)
{
	struct file_data data = { 0 };

	test_file_write_text("a", "12345");
	assert_null(file_read("a", 5, &data));
	file_release(&data);
	assert_fails(file_read("a", 4, &data), ERROR_LIMIT,
	             "'a' is larger than 4 bytes");
	// A device has no size to ask for: read until the limit.
	assert_fails(file_read("/dev/zero", 1 << 20, &data), ERROR_LIMIT,
	             "'/dev/zero' is larger than 1 MB");
}

static void what_cannot_be_read_is_named(void **state UNUSED)
{
	struct file_data data = { 0 };
	size_t size;
	char byte;

	assert_int_equal(mkdir("folder", 0700), 0);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_fails(file_read("none", 9, &data), ERROR_OS,
	             "cannot open 'none': no such file or directory");
	assert_fails(file_read("folder", 9, &data), ERROR_OS,
	             "cannot read 'folder': is a directory");
	assert_fails(file_map("folder", &data), ERROR_OS,
	             "'folder' is not a regular file");
	// Neither may wait for somebody to write into the FIFO.
	assert_fails(file_map("fifo", &data), ERROR_OS,
	             "'fifo' is not a regular file");
	assert_fails(file_peek("fifo", 0, &byte, 1, &size), ERROR_OS,
	             "'fifo' is not a regular file");
	assert_fails(file_peek("none", 0, &byte, 1, &size), ERROR_OS,
	             "cannot open 'none': no such file or directory");
}

static void a_fifo_is_waited_for_while_somebody_may_write(void **state UNUSED)
{
	struct file_data data = { 0 };
	pid_t writer;

	assert_int_equal(mkfifo("fifo", 0600), 0);
	writer = fork();
	if (!writer) {
		// Slow, but there.
		int fd = open("fifo", O_WRONLY);

		usleep(50000);
		_exit(write(fd, "12345", 5) != 5);
	}
	assert_null(file_read("fifo", 9, &data));
	assert_int_equal(data.bytes.size, 5);
	assert_int_equal(waitpid(writer, NULL, 0), writer);
	file_release(&data);
	assert_fails(file_read("fifo", 9, &data), ERROR_OS,
	             "cannot open 'fifo': no process writes to this FIFO");
}

/** A writer that waits for a reader would be let go, and lose its data. */
static void a_fifo_is_opened_by_its_reader_only(void **state UNUSED)
{
	struct file_stamp stamp = { .size = 5 };
	struct file_data data = { 0 };
	pid_t writer;
	size_t size;
	char byte;
	int fd;

	assert_int_equal(mkfifo("fifo", 0600), 0);
	writer = fork();
	if (!writer) {
		fd = open("fifo", O_WRONLY);
		_exit(write(fd, "12345", 5) != 5);
	}
	usleep(50000);
	assert_fails(file_peek("fifo", 0, &byte, 1, &size), ERROR_OS,
	             "'fifo' is not a regular file");
	assert_fails(file_map("fifo", &data), ERROR_OS,
	             "'fifo' is not a regular file");
	assert_fails(file_open_again("fifo", &stamp, &fd), ERROR_OS,
	             "'fifo' is not a regular file");
	usleep(50000);
	assert_int_equal(waitpid(writer, NULL, WNOHANG), 0);
	assert_null(file_read("fifo", 9, &data));
	assert_int_equal(data.bytes.size, 5);
	assert_int_equal(waitpid(writer, NULL, 0), writer);
	file_release(&data);
}

static void a_peek_gives_what_there_is(void **state UNUSED)
{
	char buffer[4];
	size_t size = 99;

	test_file_write_text("a", "abcdef");
	assert_null(file_peek("a", 1, buffer, 4, &size));
	assert_int_equal(size, 4);
	assert_memory_equal(buffer, "bcde", 4);
	assert_null(file_peek("a", 4, buffer, 4, &size));
	assert_int_equal(size, 2);
	assert_null(file_peek("a", 1000, buffer, 4, &size));
	assert_int_equal(size, 0);
	assert_fails(file_peek("a", UINT64_MAX, buffer, 4, &size), ERROR_OS,
	             "cannot read 'a': invalid argument");
}

static void directories_are_distinguished_from_files(void **state UNUSED)
{
	test_file_write_text("a", "");
	assert_true(file_is_directory("."));
	assert_false(file_is_directory("a"));
	assert_false(file_is_directory("none"));
}

#define DIRECTORY_TEST(f)                                        \
	cmocka_unit_test_setup_teardown(f, test_directory_setup, \
	                                test_directory_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DIRECTORY_TEST(a_mapped_file_may_become_shorter),
		DIRECTORY_TEST(a_file_is_handed_on_unless_it_changed),
		DIRECTORY_TEST(bytes_become_a_file_without_a_name),
		DIRECTORY_TEST(what_follows_on_a_mapping_begins_unchanged),
		DIRECTORY_TEST(a_file_is_read_and_mapped_alike),
		DIRECTORY_TEST(what_is_forgotten_is_read_again),
		DIRECTORY_TEST(what_is_expected_is_in_memory),
		DIRECTORY_TEST(a_file_that_is_shorter_than_expected_is_no_harm),
		DIRECTORY_TEST(an_empty_file_has_no_bytes),
		DIRECTORY_TEST(the_limit_counts_every_byte),
		DIRECTORY_TEST(what_cannot_be_read_is_named),
		DIRECTORY_TEST(a_fifo_is_waited_for_while_somebody_may_write),
		DIRECTORY_TEST(a_fifo_is_opened_by_its_reader_only),
		DIRECTORY_TEST(a_peek_gives_what_there_is),
		DIRECTORY_TEST(directories_are_distinguished_from_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
