#include "lib/symbols/uuid_catalog.h"

#include "lib/base/arena.h"
#include "lib/base/mem.h"
#include "lib/base/timestamp.h"
#include "lib/object/macho/macho.h"

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
	f->directory = cache_directory_new(f->path, CACHE_LIMIT_BYTES);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	cache_directory_remove(f->directory, UUID_CATALOG_NAME);
	cache_directory_remove(f->directory, "CACHEDIR.TAG");
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
			.offset = i,
			.size = i + 1,
			.file_type = i % 2 ? MACHO_DSYM : MACHO_EXECUTE,
			.cpu_type = 12,
			.cpu_subtype = 9,
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
		assert_int_equal(item.offset, wanted->offset);
		assert_int_equal(item.size, wanted->size);
		assert_int_equal(item.file_type, wanted->file_type);
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
	assert_int_equal(item.file_type, MACHO_DSYM);
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(items_come_back_as_they_were),
		TEST(damage_is_told_from_absence),
		TEST(of_one_uuid_the_dsym_comes_first),
		TEST(a_hundred_thousand_are_searched_quickly),
		TEST(damage_is_seen_before_it_is_used),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
