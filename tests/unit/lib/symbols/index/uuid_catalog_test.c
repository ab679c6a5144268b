// SPDX-License-Identifier: MIT
#include "lib/symbols/index/uuid_catalog.h"

#include "lib/base/arena.h"
#include "lib/base/mem.h"
#include "lib/base/timestamp.h"
#include "lib/symbols/gsym/guard.h"
#include "lib/symbols/source/macho.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
	char path[64];
	struct cache_directory *directory;
	struct arena arena;
	struct catalog_item *items;
	size_t count;
};

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof(*f));

	snprintf(f->path, sizeof(f->path), "/tmp/apmtool-catalog-XXXXXX");
	assert_non_null(mkdtemp(f->path));
	f->directory = cache_directory_new(f->path, 1 << 30);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	assert_null(cache_directory_remove(f->directory, UUID_CATALOG_NAME));
	assert_null(cache_directory_remove(f->directory, "CACHEDIR.TAG"));
	assert_int_equal(rmdir(f->path), 0);
	cache_directory_free(f->directory);
	arena_release(&f->arena);
	free(f);
	return 0;
}

static struct uuid uuid_of(size_t number)
{
	struct uuid uuid = { { 1 } };
	uint64_t mixed = (uint64_t)(number + 1) * UINT64_C(0x9e3779b97f4a7c15);

	memcpy(uuid.bytes, &mixed, sizeof(mixed));
	return uuid;
}

/** Two slices to a file, the second of which is a dSYM. */
static void fill(struct fixture *f, size_t count)
{
	f->count = count;
	f->items = arena_array(&f->arena, count, sizeof(*f->items));
	for (size_t i = 0; i < count; i++)
		f->items[i] = (struct catalog_item){
			.uuid = uuid_of(i),
			.path = arena_printf(&f->arena, "/dsyms/%zu", i / 2),
			.version = i / 2 % 3 ? "1.0 (7)" : NULL,
			.stamp = { .size = i / 2, .modified_ns = -1 },
			.at = macho_locator(
			        &(struct macho_slice){ .cpu_type = 12,
			                               .cpu_subtype = 9,
			                               .offset = i,
			                               .size = i + 1 },
			        i % 2 ? MACHO_DSYM : MACHO_EXECUTE),
		};
}

static struct uuid_catalog *write_and_open(struct fixture *f)
{
	static const char *const roots[] = { "/dsyms", "/other" };
	struct uuid_catalog *catalog = NULL;

	catalog_sort(f->items, f->count);
	assert_null(uuid_catalog_write(
	        f->directory, &(struct catalog_contents){ .items = f->items,
	                                                  .count = f->count,
	                                                  .roots = roots,
	                                                  .root_count = 2 }));
	assert_null(uuid_catalog_open(f->directory, &catalog));
	assert_non_null(catalog);
	return catalog;
}

static void items_come_back_as_they_were(void **state)
{
	struct fixture *f = *state;
	struct uuid_catalog *catalog;
	struct catalog_item item;

	fill(f, 20);
	f->items[6].uuid = f->items[7].uuid;
	catalog = write_and_open(f);
	assert_int_equal(uuid_catalog_count(catalog), 20);
	assert_int_equal(uuid_catalog_root_count(catalog), 2);
	assert_string_equal(uuid_catalog_root(catalog, 1), "/other");
	for (size_t i = 0; i < 20; i++) {
		const struct catalog_item *wanted = &f->items[i];

		assert_true(uuid_catalog_item(catalog, i, &item));
		assert_true(uuid_equal(&item.uuid, &wanted->uuid));
		assert_string_equal(item.path, wanted->path);
		assert_int_equal(item.version == NULL, wanted->version == NULL);
		assert_int_equal(item.kind, wanted->kind);
		assert_memory_equal(&item.at, &wanted->at, sizeof(item.at));
		assert_int_equal(item.stamp.modified_ns, -1);
	}
	uuid_catalog_close(catalog);
}

static void damage_is_told_from_absence(void **state)
{
	struct fixture *f = *state;
	struct uuid_catalog *catalog = NULL;
	struct str contents = { 0 };
	struct error *err;

	assert_null(uuid_catalog_open(f->directory, &catalog));
	assert_null(catalog);
	str_add(&contents, "no index");
	assert_null(cache_directory_put(f->directory, UUID_CATALOG_NAME,
	                                &contents));
	str_release(&contents);
	err = uuid_catalog_open(f->directory, &catalog);
	assert_non_null(err);
	assert_non_null(strstr(error_message(err),
	                       "uuids: UUID index: the header's checksum is "
	                       "wrong: run 'apmtool index' with"));
	error_free(err);
	assert_null(catalog);
}

static void of_one_uuid_the_dsym_comes_first(void **state)
{
	struct fixture *f = *state;
	struct uuid_catalog *catalog;
	struct catalog_item item;
	struct uuid wanted;
	size_t first;

	fill(f, 20);
	wanted = f->items[6].uuid = f->items[7].uuid;
	catalog = write_and_open(f);
	assert_int_equal(uuid_catalog_find(catalog, &wanted, &first), 2);
	assert_true(uuid_catalog_item(catalog, first, &item));
	assert_true(catalog_item_is_dsym(&item));
	wanted = uuid_of(1000);
	assert_int_equal(uuid_catalog_find(catalog, &wanted, &first), 0);
	uuid_catalog_close(catalog);
}

static void a_hundred_thousand_are_searched_quickly(void **state)
{
	struct fixture *f = *state;
	struct uuid_catalog *catalog;
	int64_t start;
	size_t first;

	fill(f, 100000);
	catalog = write_and_open(f);
	start = timestamp_now_ms();
	for (size_t i = 0; i < f->count; i++) {
		struct uuid wanted = uuid_of(i);

		assert_int_equal(uuid_catalog_find(catalog, &wanted, &first),
		                 1);
	}
	// A few microseconds each; with sanitizers, on a busy machine, more.
	assert_in_range(timestamp_now_ms() - start, 0, 10000);
	uuid_catalog_close(catalog);
}

/** What another process does while the catalog is looked for. */
static struct {
	const char *hidden; ///< the catalog, by another name; NULL: nothing
	const char *path;
	bool comes_late; ///< after the next call of access(); else before it
	bool goes;       ///< and is gone after it
} other;

/** In place of libc's, as the code that is tested is linked in here. */
int access(const char *path, int mode)
{
	int ret, errnum;

	if (other.hidden && !other.comes_late)
		assert_int_equal(rename(other.hidden, other.path), 0);
	ret = faccessat(AT_FDCWD, path, mode, 0);
	errnum = errno;
	if (other.hidden && other.comes_late)
		assert_int_equal(rename(other.hidden, other.path), 0);
	if (other.hidden && other.goes)
		assert_int_equal(rename(other.path, other.hidden), 0);
	other.hidden = NULL;
	errno = errnum;
	return ret;
}

static void the_first_one_may_be_written_between_two_looks(void **state)
{
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(str_release) struct str hidden = { 0 };
	struct fixture *f = *state;

	fill(f, 10);
	uuid_catalog_close(write_and_open(f));
	cache_directory_add_path(f->directory, UUID_CATALOG_NAME, &path);
	str_addf(&hidden, "%s.hidden", str_cstr(&path));
	for (unsigned i = 0; i < 4; i++) {
		struct uuid_catalog *catalog = NULL;

		rename(str_cstr(&path), str_cstr(&hidden));
		other.hidden = str_cstr(&hidden);
		other.path = str_cstr(&path);
		other.comes_late = i & 1;
		other.goes = i & 2;
		assert_null(uuid_catalog_open(f->directory, &catalog));
		assert_null(other.hidden);
		assert_int_equal(catalog != NULL, !i);
		uuid_catalog_close(catalog);
	}
	rename(str_cstr(&hidden), str_cstr(&path));
}

static void damage_is_seen_before_it_is_used(void **state)
{
	struct fixture *f = *state;
	SCOPED(mem_drop) uint8_t *copy = NULL;
	struct uuid wanted = uuid_of(5);
	struct file_data file;
	size_t size;

	fill(f, 40);
	uuid_catalog_close(write_and_open(f));
	assert_true(
	        cache_directory_map(f->directory, UUID_CATALOG_NAME, &file));
	size = file.bytes.size;
	copy = mem_alloc(size);
	memcpy(copy, file.bytes.data, size);
	file_release(&file);
	for (size_t i = 0; i < size; i++) {
		SCOPED(error_drop) struct error *err = NULL;
		struct uuid_catalog *catalog = NULL;
		struct catalog_item item;
		size_t first = 0;

		copy[i] ^= (uint8_t)(1u << i % 8);
		err = uuid_catalog_read((struct bytes){ copy, size }, &catalog);
		if (!err) {
			assert_int_equal(
			        uuid_catalog_find(catalog, &wanted, &first), 0);
			assert_false(uuid_catalog_item(catalog, first, &item));
			assert_false(uuid_catalog_is_sound(catalog));
			uuid_catalog_close(catalog);
		}
		copy[i] ^= (uint8_t)(1u << i % 8);
	}
}

/** Of the header and the tables, as apmtool-cache(5) has them. */
enum {
	HEADER_BYTES = 64,
	HEADER_VERSION = 8,
	HEADER_ITEMS = 16,
	HEADER_FILES = 24,
	HEADER_ROOTS = 32,
	HEADER_BODY = 40,
	HEADER_SUMS_SUM = 48,
	HEADER_SUM = 56,
	BLOCK_BYTES = 4096,
	ITEM_BYTES = 56,
	ITEM_KIND = 48,
	ITEM_FILE = 52,
	FILE_BYTES = 48,
};

static uint64_t number_at(const struct str *file, size_t at)
{
	struct cursor c =
	        cursor_at(bytes_from_text(str_text(file)), at, CURSOR_LITTLE);

	return cursor_u64(&c);
}

static void set(struct str *file, size_t at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		file->data[at + i] = (char)(value >> 8 * i);
}

/** The catalog's bytes, two items to a file. */
static void read_written(struct fixture *f, struct str *out)
{
	struct file_data file;

	fill(f, 4);
	uuid_catalog_close(write_and_open(f));
	assert_true(
	        cache_directory_map(f->directory, UUID_CATALOG_NAME, &file));
	str_clear(out);
	str_add_text(out, bytes_text(file.bytes));
	file_release(&file);
}

/** Make all checksums right again. */
static void seal_again(struct str *file)
{
	struct bytes all;
	struct bytes sums;
	uint64_t body = number_at(file, HEADER_BODY);

	if (body <= file->size - HEADER_BYTES) {
		SCOPED(str_release) struct str made = { 0 };

		all = bytes_from_text(str_text(file));
		guard_add_sums(bytes_part(all, HEADER_BYTES, body), BLOCK_BYTES,
		               &made);
		file->size = HEADER_BYTES + (size_t)body;
		str_add_text(file, str_text(&made));
		sums = bytes_from_text(str_text(&made));
		set(file, HEADER_SUMS_SUM, guard_sum(sums), 8);
	}
	all = bytes_from_text(str_text(file));
	set(file, HEADER_SUM, guard_sum(bytes_part(all, 0, HEADER_SUM)), 8);
}

static void headers_that_make_no_sense(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
		const char *message;
	} cases[] = {
		{ 0, 1, "UUID index: it is not an index" },
		{ HEADER_VERSION, 99, "UUID index: it is of another version" },
		{ HEADER_ITEMS, UINT64_MAX, "UUID index: it is too short" },
		{ HEADER_FILES, UINT64_MAX, "UUID index: it is too short" },
		{ HEADER_ROOTS, UINT64_MAX, "UUID index: it is too short" },
		{ HEADER_BODY, 1, "UUID index: it is too short" },
		{ HEADER_BODY, UINT64_MAX,
		  "UUID index: its size or its checksums are wrong" },
	};
	SCOPED(str_release) struct str file = { 0 };
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct uuid_catalog *catalog = NULL;
		struct error *err;

		read_written(f, &file);
		set(&file, cases[i].at, cases[i].value, 8);
		seal_again(&file);
		err = uuid_catalog_read(bytes_from_text(str_text(&file)),
		                        &catalog);
		assert_string_equal(err ? error_message(err) : "",
		                    cases[i].message);
		error_free(err);
	}
}

/** Whether item 0 and root 0 can be read, of what was sealed again. */
static void check_readable(struct str *file, bool item_wanted, bool root_wanted)
{
	struct uuid_catalog *catalog = NULL;
	struct catalog_item item;

	seal_again(file);
	assert_null(
	        uuid_catalog_read(bytes_from_text(str_text(file)), &catalog));
	assert_int_equal(uuid_catalog_item(catalog, 0, &item), item_wanted);
	assert_int_equal(uuid_catalog_root(catalog, 0) != NULL, root_wanted);
	uuid_catalog_close(catalog);
}

static void tables_that_make_no_sense(void **state)
{
	const size_t files = HEADER_BYTES + 4 * ITEM_BYTES;
	const size_t roots = files + 2 * FILE_BYTES;
	SCOPED(str_release) struct str file = { 0 };
	struct fixture *f = *state;

	read_written(f, &file);
	check_readable(&file, true, true);
	// A file that is not in the table.
	set(&file, HEADER_BYTES + ITEM_FILE, 2, 4);
	check_readable(&file, false, true);
	// A kind that there is not.
	read_written(f, &file);
	set(&file, HEADER_BYTES + ITEM_KIND, SYMBOL_KIND_COUNT, 4);
	check_readable(&file, false, true);
	for (size_t i = 0; i < 2; i++) {
		read_written(f, &file);
		// A path, or a version, behind everything: nothing counts.
		set(&file, files + 8 * i, UINT32_MAX, 4);
		set(&file, files + FILE_BYTES + 8 * i, UINT32_MAX, 4);
		check_readable(&file, false, false);
	}
	// Strings that end before they say, or after.
	for (int more = -1; more <= 1; more += 2) {
		read_written(f, &file);
		set(&file, roots + 4,
		    (number_at(&file, roots) >> 32) + (uint64_t)(int64_t)more,
		    4);
		check_readable(&file, true, false);
	}
	read_written(f, &file);
	set(&file, roots + 4, UINT32_MAX, 4);
	check_readable(&file, true, false);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(items_come_back_as_they_were),
		TEST(damage_is_told_from_absence),
		TEST(of_one_uuid_the_dsym_comes_first),
		TEST(a_hundred_thousand_are_searched_quickly),
		TEST(the_first_one_may_be_written_between_two_looks),
		TEST(damage_is_seen_before_it_is_used),
		TEST(headers_that_make_no_sense),
		TEST(tables_that_make_no_sense),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
