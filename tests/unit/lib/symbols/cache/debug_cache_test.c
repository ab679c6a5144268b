// SPDX-License-Identifier: MIT
#include "lib/base/limit.h"
#include "lib/symbols/cache/debug_cache.h"

#include "lib/base/mem.h"
#include "lib/symbols/cache/cache_entry.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/** Of a file that is too large to be read whole at once. */
#define LARGE_BYTES ((uint64_t)1 << 20)
#define WHOLE_NAME  "41020304-0506-0708-090A-0B0C0D0E0F10.gsym"
#define MARK_NAME   "41020304-0506-0708-090A-0B0C0D0E0F10.unreadable.gsym"

static const struct uuid uuid = { { 0x41, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
	                            13, 14, 15, 16 } };
static const struct file_stamp stamp = {
	.size = 100, .inode = 7, .modified_ns = 5, .changed_ns = 6
};
static const char contents[] = "the slice that was read";

struct fixture {
	char path[64];
	struct cache_directory *directory;
	struct debug_cache *cache;
	struct arena arena;
	struct gsym_answer answer;
};

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof(*f));

	snprintf(f->path, sizeof(f->path), "/tmp/apmtool-cache-XXXXXX");
	assert_non_null(mkdtemp(f->path));
	f->directory = cache_directory_new(f->path, 1 << 30);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	SCOPED(cache_files_release) struct cache_files files;

	debug_cache_close(f->cache);
	cache_directory_list(f->directory, &files);
	for (size_t i = 0; i < files.count; i++)
		assert_null(cache_directory_remove(f->directory,
		                                   files.files[i].name));
	assert_int_equal(rmdir(f->path), 0);
	cache_directory_free(f->directory);
	arena_release(&f->arena);
	free(f);
	return 0;
}

static struct bytes slice(void)
{
	return bytes_from_text(text_from(contents));
}

static void reopen_as(struct fixture *f, struct bytes of,
                      const struct file_stamp *stamped, uint64_t debug_bytes)
{
	debug_cache_close(f->cache);
	f->cache = debug_cache_open(f->directory, &uuid, of, 32, stamped,
	                            DEBUG_READER_NATIVE, debug_bytes);
}

static void reopen(struct fixture *f)
{
	reopen_as(f, slice(), &stamp, LARGE_BYTES);
}

/** An image with one function, at 0x1000 to 0x1100. */
static struct str image_of(const char *name)
{
	struct debug_file file = { "", "" };
	struct debug_function function = { .range = { 0x1000, 0x1100 },
		                           .name = name };
	const struct debug_info info = { .files = &file,
		                         .file_count = 1,
		                         .functions = &function,
		                         .function_count = 1 };
	struct str image = { 0 };

	assert_null(gsym_write(&info, &uuid, &image));
	return image;
}

static void add_whole(struct fixture *f, const char *name)
{
	struct str image = image_of(name);

	debug_cache_add(f->cache, &image);
	str_release(&image);
}

/** The function found at an address; `?` not known, `-` none. */
static const char *find(struct fixture *f, uint64_t address)
{
	enum debug_cache_found found =
	        debug_cache_find(f->cache, address, &f->arena, &f->answer);

	if (debug_cache_is_damaged(f->cache) || found == DEBUG_CACHE_UNKNOWN)
		return "?";
	return found == DEBUG_CACHE_NOTHING ? "-" : f->answer.calls[0].name;
}

static bool has_file(const struct fixture *f, const char *name)
{
	SCOPED(str_release) struct str path = { 0 };

	cache_directory_add_path(f->directory, name, &path);
	return !access(str_cstr(&path), F_OK);
}

/** What another process may do to an entry, or to its time, meanwhile. */
enum meddling { CUT, CLEARED, TOUCHED, REPLACED, MEDDLINGS };

static void meddle(const char *path, enum meddling how)
{
	static const char zeros[64];
	const struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 2 } };
	int fd = open(path, O_WRONLY);

	assert_true(fd > 0);
	if (how == CUT)
		// Within its only page: no access to it fails.
		assert_int_equal(ftruncate(fd, 8), 0);
	else if (how == CLEARED)
		assert_int_equal(pwrite(fd, zeros, sizeof(zeros), 8), 64);
	else if (how == TOUCHED)
		assert_int_equal(futimens(fd, times), 0);
	else
		assert_int_equal(unlink(path), 0);
	close(fd);
}

static void an_entry_that_is_written_to_in_use_is_not_used(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < MEDDLINGS; i++) {
		SCOPED(str_release) struct str path = { 0 };
		bool is_intact = i >= TOUCHED;

		reopen(f);
		add_whole(f, "kept");
		reopen(f);
		assert_string_equal(find(f, 0x1004), "kept");
		cache_directory_add_path(f->directory, WHOLE_NAME, &path);
		meddle(str_cstr(&path), (enum meddling)i);
		assert_int_equal(debug_cache_is_damaged(f->cache), !is_intact);
		assert_string_equal(find(f, 0x1004), is_intact ? "kept" : "?");
		debug_cache_close(f->cache);
		f->cache = NULL;
		unlink(str_cstr(&path));
	}
}

/** Its checksums are made anew where it is written again, for a copy. */
static void an_entry_that_was_cut_is_not_copied(void **state)
{
	SCOPED(str_release) struct str path = { 0 };
	struct fixture *f = *state;
	struct file_stamp other = stamp;

	other.changed_ns++;
	reopen(f);
	add_whole(f, "old");
	reopen_as(f, slice(), &other, LARGE_BYTES);
	debug_cache_expect(f->cache, 1);
	assert_string_equal(find(f, 0x1004), "old");
	cache_directory_add_path(f->directory, WHOLE_NAME, &path);
	meddle(str_cstr(&path), CLEARED);
	reopen_as(f, slice(), &other, LARGE_BYTES);
	debug_cache_expect(f->cache, 1);
	assert_string_equal(find(f, 0x1004), "?");
}

/** A unit is not read again and again by a run that keeps asking. */
static void without_a_directory_a_run_reads_whole_what_it_asks_often(
        void **state)
{
	struct fixture *f = *state;

	f->cache = debug_cache_open(NULL, &uuid, slice(), 32, &stamp,
	                            DEBUG_READER_NATIVE, LARGE_BYTES);
	assert_false(debug_cache_wants_whole(f->cache, 1000000));
	debug_cache_count(f->cache, 3);
	assert_string_equal(find(f, 0x1000), "?");
	assert_false(debug_cache_wants_whole(f->cache, 1));
	assert_true(debug_cache_wants_whole(f->cache, 125));
	assert_false(debug_cache_wants_whole(f->cache, 12));
	assert_false(debug_cache_wants_whole(f->cache, 0));
	add_whole(f, "main");
	assert_false(debug_cache_wants_whole(f->cache, 125));
	assert_string_equal(find(f, 0x1020), "main");
	assert_string_equal(find(f, 0x3000), "-");
	debug_cache_close(f->cache);
	f->cache = NULL;
	assert_false(has_file(f, WHOLE_NAME));
}

static void a_run_that_asks_little_keeps_nothing(void **state)
{
	struct fixture *f = *state;

	reopen(f);
	debug_cache_count(f->cache, 3);
	reopen(f);
	assert_string_equal(find(f, 0x1000), "?");
	assert_false(has_file(f, WHOLE_NAME));
	assert_false(has_file(f, MARK_NAME));
}

static void a_whole_file_knows_all_addresses(void **state)
{
	struct fixture *f = *state;

	reopen(f);
	add_whole(f, "whole");
	assert_string_equal(find(f, 0x1000), "whole");
	reopen(f);
	assert_true(debug_cache_is_whole(f->cache));
	assert_string_equal(find(f, 0x10ff), "whole");
	assert_string_equal(find(f, 0x1100), "-");
}

static void a_file_that_cannot_be_read_whole_is_marked(void **state)
{
	struct fixture *f = *state;
	struct file_stamp other = stamp;

	reopen(f);
	assert_true(debug_cache_wants_whole(f->cache, 200));
	debug_cache_no_whole(f->cache);
	reopen(f);
	assert_true(has_file(f, MARK_NAME));
	assert_false(debug_cache_wants_whole(f->cache, 200));
	// Of another file, nobody knows.
	other.inode++;
	reopen_as(f, slice(), &other, LARGE_BYTES);
	assert_true(debug_cache_wants_whole(f->cache, 200));
	add_whole(f, "whole");
	reopen_as(f, slice(), &other, LARGE_BYTES);
	assert_false(has_file(f, MARK_NAME));
	assert_string_equal(find(f, 0x1000), "whole");
}

static void a_mark_is_never_taken_for_an_entry(void **state)
{
	struct fixture *f = *state;
	SCOPED(str_release) struct str from = { 0 };
	SCOPED(str_release) struct str to = { 0 };

	reopen(f);
	debug_cache_no_whole(f->cache);
	reopen(f);
	cache_directory_add_path(f->directory, MARK_NAME, &from);
	cache_directory_add_path(f->directory, WHOLE_NAME, &to);
	assert_int_equal(rename(str_cstr(&from), str_cstr(&to)), 0);
	reopen(f);
	assert_false(debug_cache_is_whole(f->cache));
	assert_string_equal(find(f, 0x1000), "?");
}

static void entries_are_of_one_file(void **state)
{
	struct fixture *f = *state;
	struct file_stamp other = stamp;
	struct bytes changed =
	        bytes_from_text(text_from("the slice that was wrote"));

	other.changed_ns++;
	changed.size = slice().size;
	reopen(f);
	add_whole(f, "whole");
	// A copy, by what is in it; from then on, by its stamp.
	reopen_as(f, slice(), &other, LARGE_BYTES);
	assert_string_equal(find(f, 0x1000), "?");
	assert_true(debug_cache_has_whole(f->cache));
	assert_string_equal(find(f, 0x1000), "whole");
	reopen_as(f, changed, &other, LARGE_BYTES);
	assert_string_equal(find(f, 0x1000), "whole");
	other.inode++;
	reopen_as(f, changed, &other, LARGE_BYTES);
	assert_false(debug_cache_has_whole(f->cache));
	assert_string_equal(find(f, 0x1000), "?");
	debug_cache_close(f->cache);
	f->cache = debug_cache_open(f->directory, &uuid, slice(), 32, &stamp,
	                            DEBUG_READER_LIBDWARF, LARGE_BYTES);
	assert_false(debug_cache_has_whole(f->cache));
	assert_string_equal(find(f, 0x1000), "?");
}

/** To sum up a copy takes as long as to read a few hundred addresses. */
static void a_copy_is_compared_where_that_is_worth_it(void **state)
{
	struct fixture *f = *state;
	struct file_stamp other = stamp;
	size_t size = (size_t)20 << 20;
	SCOPED(mem_drop) uint8_t *large = mem_zalloc(size, 1);
	struct bytes bytes = { large, size };

	other.changed_ns++;
	reopen_as(f, bytes, &stamp, size);
	add_whole(f, "whole");
	reopen_as(f, bytes, &other, size);
	debug_cache_expect(f->cache, 100);
	assert_string_equal(find(f, 0x1000), "?");
	debug_cache_count(f->cache, 100);
	debug_cache_expect(f->cache, 200);
	assert_string_equal(find(f, 0x1000), "whole");
}

/** What was left out with other limits is not missing from then on. */
static void entries_are_of_the_limits_in_effect(void **state)
{
	static const enum limit_id ids[] = { LIMIT_SECTIONS, LIMIT_SYMBOLS };
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		reopen(f);
		add_whole(f, "all");
		limit_set(ids[i], limit_rows[ids[i]].min);
		reopen(f);
		assert_string_equal(find(f, 0x1000), "?");
		add_whole(f, "few");
		limit_set(ids[i], limit_rows[ids[i]].usual);
		reopen(f);
		assert_string_equal(find(f, 0x1000), "?");
	}
}

static void a_file_is_read_whole_once_most_of_it_was_asked(void **state)
{
	struct fixture *f = *state;

	reopen_as(f, slice(), &stamp, 1000);
	assert_true(debug_cache_wants_whole(f->cache, 1));
	assert_false(debug_cache_wants_whole(f->cache, 0));
	reopen(f);
	assert_false(debug_cache_wants_whole(f->cache, 100));
	debug_cache_count(f->cache, 100);
	assert_true(debug_cache_wants_whole(f->cache, 100));
	// What another run asked is not counted.
	reopen(f);
	assert_false(debug_cache_wants_whole(f->cache, 100));
}

/** Write a file of the cache. */
static void put(struct fixture *f, const char *name, struct bytes bytes)
{
	SCOPED(str_release) struct str copy = { 0 };

	str_add_bytes(&copy, bytes.data, bytes.size);
	assert_null(cache_directory_put(f->directory, name, &copy));
}

static void no_bit_of_an_entry_can_change_an_answer(void **state)
{
	struct fixture *f = *state;
	struct file_data file;
	SCOPED(mem_drop) uint8_t *copy = NULL;
	size_t size;

	reopen(f);
	add_whole(f, "whole");
	debug_cache_close(f->cache);
	f->cache = NULL;
	assert_true(cache_directory_map(f->directory, WHOLE_NAME, &file));
	size = file.bytes.size;
	copy = mem_alloc(size);
	memcpy(copy, file.bytes.data, size);
	file_release(&file);
	for (size_t i = 0; i < size; i += 3) {
		copy[i] ^= (uint8_t)(1u << i % 8);
		put(f, WHOLE_NAME, (struct bytes){ copy, size });
		reopen(f);
		assert_string_equal(find(f, 0x1010), "?");
		copy[i] ^= (uint8_t)(1u << i % 8);
	}
	for (size_t i = 0; i < size; i += 7) {
		put(f, WHOLE_NAME, (struct bytes){ copy, i });
		reopen(f);
		assert_string_equal(find(f, 0x1010), "?");
	}
	put(f, WHOLE_NAME, (struct bytes){ copy, size });
	reopen(f);
	assert_string_equal(find(f, 0x1010), "whole");
}

/** An entry of many blocks, which outgrows its memory while it is written. */
static void images_of_many_blocks_come_back(void **state)
{
	struct fixture *f = *state;

	for (size_t size = 4000; size < 80000; size += 1931) {
		SCOPED(mem_drop) char *name = mem_alloc(size);

		memset(name, 'n', size - 1);
		name[size - 1] = '\0';
		reopen(f);
		assert_null(cache_directory_remove(f->directory, WHOLE_NAME));
		reopen(f);
		add_whole(f, name);
		reopen(f);
		assert_string_equal(find(f, 0x1010), name);
	}
}

#define REST "0000000-0000-0000-0000-000000000000.gsym"

static void what_was_used_the_longest_ago_goes_first(void **state)
{
	struct fixture *f = *state;
	SCOPED(str_release) struct str kilobyte = { 0 };
	struct cache_pruned pruned;

	// What has the seal's mark is an entry.
	str_add_repeat(&kilobyte, 'x', 1024 - 256);
	str_add(&kilobyte, "apmtseal");
	str_add_repeat(&kilobyte, 'x', 1024 - kilobyte.size);
	for (char name[] = "A" REST; name[0] <= 'C'; name[0]++) {
		assert_null(cache_directory_put(f->directory, name, &kilobyte));
		usleep(20000);
	}
	cache_directory_touch(f->directory, "A" REST);
	assert_null(cache_directory_prune(f->directory, 2500, &pruned));
	assert_int_equal(pruned.count, 3);
	assert_int_equal(pruned.removed, 1);
	assert_int_equal(pruned.removed_bytes, 1024);
	assert_int_equal(pruned.stuck, 0);
	assert_true(has_file(f, "A" REST));
	assert_false(has_file(f, "B" REST));
	assert_true(has_file(f, "C" REST));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(an_entry_that_is_written_to_in_use_is_not_used),
		TEST(an_entry_that_was_cut_is_not_copied),
		TEST(without_a_directory_a_run_reads_whole_what_it_asks_often),
		TEST(a_run_that_asks_little_keeps_nothing),
		TEST(a_whole_file_knows_all_addresses),
		TEST(a_file_that_cannot_be_read_whole_is_marked),
		TEST(a_mark_is_never_taken_for_an_entry),
		TEST(entries_are_of_one_file),
		TEST(a_copy_is_compared_where_that_is_worth_it),
		TEST(entries_are_of_the_limits_in_effect),
		TEST(a_file_is_read_whole_once_most_of_it_was_asked),
		TEST(no_bit_of_an_entry_can_change_an_answer),
		TEST(images_of_many_blocks_come_back),
		TEST(what_was_used_the_longest_ago_goes_first),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
