// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/abbrev_table.h"

#include "lib/base/str.h"
#include "lib/object/dwarf/abbrev.h"
#include "lib/object/dwarf/entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define AT_NAME 0x03
#define AT_LOW  0x11
#define AT_HIGH 0x12

static const struct unit plain_unit = { .version = 4,
	                                .address_size = 8,
	                                .offset_size = 4 };

/** The table of these bytes; with its work, what it says of them. */
static struct error *get(struct abbrev_cache *cache, const void *bytes,
                         size_t size, uint64_t left, struct abbrev_table **ret)
{
	struct dwarf_work work = { left };

	*ret = NULL;
	return abbrev_table_get(cache, (struct bytes){ bytes, size },
	                        &plain_unit, &work, ret);
}

static void check_refused(const void *bytes, size_t size, uint64_t left,
                          enum error_code code, const char *message)
{
	struct abbrev_cache cache = { 0 };
	struct abbrev_table *table;
	struct error *err = get(&cache, bytes, size, left, &table);

	assert_non_null(err);
	assert_int_equal(error_code(err), code);
	assert_string_equal(error_message(err), message);
	assert_null(table);
	error_free(err);
	abbrev_cache_release(&cache);
}

static void codes_may_have_any_order(void **state)
{
	static const uint8_t codes[] = {
		1, 0x2e, 0, 0, 0, // the first two in order
		2, 0x1d, 1, 0, 0, //
		9, 0x11, 1, 0, 0, // from here on not
		3, 0x2e, 1, 0, 0, //
		9, 0x34, 0, 0, 0, // again: the first one counts
		0,
	};
	struct abbrev_cache cache = { 0 };
	struct abbrev_table *table;

	(void)state;
	assert_null(get(&cache, codes, sizeof(codes), 1000, &table));
	assert_int_equal(table->count, 4);
	assert_int_equal(table->ordered, 2);
	assert_int_equal(abbrev_find(table, 1)->kind, ABBREV_FUNCTION);
	assert_int_equal(abbrev_find(table, 2)->kind, ABBREV_CALL);
	assert_int_equal(abbrev_find(table, 9)->tag, 0x11);
	assert_true(abbrev_find(table, 3)->has_children);
	assert_null(abbrev_find(table, 4));
	assert_null(abbrev_find(table, 0));
	abbrev_table_put(table);
	abbrev_table_put(NULL);
	abbrev_cache_release(&cache);
}

/** Where a function says its bounds are, by the form of the upper one. */
static void bounds_that_do_not_vary_are_noted(void **state)
{
	static const struct {
		uint8_t form;
		uint8_t size; ///< 0: not noted
	} cases[] = {
		{ FORM_ADDR, 8 },  { FORM_DATA1, 1 }, { FORM_DATA2, 2 },
		{ FORM_DATA4, 4 }, { FORM_DATA8, 8 }, { FORM_UDATA, 0 },
		{ FORM_SDATA, 0 }, { FORM_FLAG, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const uint8_t bytes[] = { 1,         0x2e,    0,
			                  AT_NAME,   0x0e,    AT_LOW,
			                  FORM_ADDR, AT_HIGH, cases[i].form,
			                  0,         0,       0 };
		struct abbrev_cache cache = { 0 };
		struct abbrev_table *table;
		const struct abbrev *abbrev;

		assert_null(get(&cache, bytes, sizeof(bytes), 1000, &table));
		abbrev = abbrev_find(table, 1);
		assert_true(abbrev->has_code);
		assert_int_equal(abbrev->high_form,
		                 cases[i].size ? cases[i].form : 0);
		if (cases[i].size) {
			assert_int_equal(abbrev->high_size, cases[i].size);
			assert_int_equal(abbrev->low_at, 4);
			assert_int_equal(abbrev->high_at, 12);
			assert_int_equal(abbrev->bounds_end, 12 + 8);
		}
		abbrev_cache_release(&cache);
	}
}

/** 33 attributes of 16 bytes before the address: its place is no byte. */
static void bounds_far_into_an_entry_are_not_noted(void **state)
{
	SCOPED(str_release) struct str bytes = { 0 };
	struct abbrev_cache cache = { 0 };
	struct abbrev_table *table;

	(void)state;
	str_add_bytes(&bytes, "\1\x2e\0", 3);
	for (size_t i = 0; i < 33; i++)
		str_add_bytes(&bytes, "\x02\x1e", 2);
	str_add_bytes(&bytes, "\x11\1\x12\6\0\0", 6);
	assert_null(get(&cache, bytes.data, bytes.size, 1000, &table));
	assert_int_equal(abbrev_find(table, 1)->high_form, 0);
	assert_int_equal(abbrev_find(table, 1)->fixed, 33 * 16 + 12);
	abbrev_cache_release(&cache);
}

static void damage_is_not_what_is_unknown(void **state)
{
	static const uint8_t good[] = { 1,      0x2e, 1, AT_NAME, 0x21, 5,
		                        AT_LOW, 1,    0, 0,       0 };
	static const uint8_t unknown[] = { 1,      0x2e, 1, AT_NAME, 0x7f,
		                           AT_LOW, 0x7e, 0, 0,       0 };
	static const char damaged[] =
	        "unit at 0x0: abbreviations at 0x0 are damaged";

	(void)state;
	for (size_t cut = 1; cut < sizeof(good) - 1; cut++)
		check_refused(good, cut, 1000, ERROR_FORMAT, damaged);
	check_refused("\x80", 1, 1000, ERROR_FORMAT, damaged);
	check_refused(unknown, sizeof(unknown), 1000, ERROR_UNSUPPORTED,
	              "unit at 0x0: expected a DW_FORM of DWARF 2 to 5, "
	              "found 0x7f");
	check_refused(good, sizeof(good), 5, ERROR_LIMIT,
	              "unit at 0x0: too complex for a file of this size");
}

/** Units that share it need not pay for it again. */
static void a_refused_table_is_read_once(void **state)
{
	static const uint8_t unknown[] = { 1, 0x2e, 0, AT_NAME, 0x7f, 0, 0, 0 };
	struct abbrev_cache cache = { 0 };
	struct dwarf_work work = { .left = 1000 };
	struct abbrev_table *table;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct error *err = abbrev_table_get(
		        &cache, (struct bytes){ unknown, sizeof(unknown) },
		        &plain_unit, &work, &table);

		assert_non_null(err);
		assert_int_equal(error_code(err), ERROR_UNSUPPORTED);
		error_free(err);
	}
	assert_int_equal(cache.count, 1);
	abbrev_cache_release(&cache);
}

/** A section of tables of one byte each. */
static struct error *get_at(struct abbrev_cache *cache, uint64_t offset,
                            uint8_t address_size, struct abbrev_table **ret)
{
	static const uint8_t zeros[200];
	struct unit unit = plain_unit;
	struct dwarf_work work = { 1000 };

	unit.abbrev_offset = offset;
	unit.address_size = address_size;
	return abbrev_table_get(cache, (struct bytes){ zeros, sizeof(zeros) },
	                        &unit, &work, ret);
}

static void unused_tables_make_room(void **state)
{
	struct abbrev_table *tables[ABBREV_TABLES_MAX];
	struct abbrev_cache cache = { 0 };
	struct abbrev_table *more;
	struct error *err;

	(void)state;
	for (size_t i = 0; i < ABBREV_TABLES_MAX; i++)
		assert_null(get_at(&cache, i, 8, &tables[i]));
	err = get_at(&cache, 100, 8, &more);
	assert_non_null(err);
	assert_string_equal(error_message(err), "too many units are open");
	error_free(err);
	// Known tables are given all the same; other sizes are other tables.
	assert_null(get_at(&cache, 7, 8, &more));
	assert_ptr_equal(more, tables[7]);
	abbrev_table_put(more);
	err = get_at(&cache, 7, 4, &more);
	assert_non_null(err);
	error_free(err);
	abbrev_table_put(tables[20]);
	abbrev_table_put(tables[10]);
	abbrev_table_put(tables[30]);
	// The one that was used least lately goes.
	assert_null(get_at(&cache, 100, 8, &more));
	assert_int_equal(cache.count, ABBREV_TABLES_MAX);
	assert_ptr_equal(cache.tables[10], more);
	abbrev_cache_release(&cache);
}

/** What libdwarf may see of a table: no siblings. */
static bool scans(const void *bytes, size_t size, uint64_t left)
{
	struct abbrev_section section = { .original = { bytes, size } };
	struct dwarf_work work = { left };
	bool valid = abbrev_scan(&section, 0, &work);

	assert_int_equal(abbrev_scan(&section, 0, &work), valid);
	abbrev_release(&section);
	return valid;
}

static void tables_are_checked_for_libdwarf_too(void **state)
{
	static const uint8_t good[] = { 1, 0x2e,   1, 1, 0x13, AT_NAME, 0x21,
		                        5, AT_LOW, 1, 0, 0,    0 };
	static const uint8_t padded[] = { 1, 0x2e, 1, 0x81, 0, 0x13, 0, 0, 0 };

	(void)state;
	assert_true(scans(good, sizeof(good), 1000));
	assert_true(scans(good, sizeof(good) - 1, 1000));
	for (size_t cut = 1; cut < sizeof(good) - 1; cut++)
		assert_false(scans(good, cut, 1000));
	assert_false(scans(padded, sizeof(padded), 1000));
	assert_false(scans(good, sizeof(good), 5));
	assert_true(scans("", 0, 0));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes_may_have_any_order),
		cmocka_unit_test(bounds_that_do_not_vary_are_noted),
		cmocka_unit_test(bounds_far_into_an_entry_are_not_noted),
		cmocka_unit_test(damage_is_not_what_is_unknown),
		cmocka_unit_test(a_refused_table_is_read_once),
		cmocka_unit_test(unused_tables_make_room),
		cmocka_unit_test(tables_are_checked_for_libdwarf_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
