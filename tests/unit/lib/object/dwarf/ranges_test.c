// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/ranges.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lib/base/str.h"
#include "tests/unit/lib/object/dwarf/dwarf_builder.h"

#define PLENTY 10000

/** Bytes of `.debug_addr`: addresses 0x100, 0x200 and a cut third one. */
static const uint8_t addresses[] = { 0, 1, 0, 0, 0, 0, 0, 0, 0, 2,
	                             0, 0, 0, 0, 0, 0, 0, 3, 0 };

static const struct range_unit old_unit = {
	.version = 4,
	.address_size = 8,
	.offset_size = 4,
	.base = 0x1000,
};

static const struct range_unit new_unit = {
	.version = 5,
	.address_size = 8,
	.offset_size = 4,
	.base = 0x1000,
	.rnglists_base = 4,
};

static void put_pair(struct str *out, uint64_t low, uint64_t high)
{
	dwarf_put(out, low, 8);
	dwarf_put(out, high, 8);
}

static struct dwarf_sections sections_of(const struct str *list)
{
	struct bytes in = { (const uint8_t *)list->data, list->size };

	return (struct dwarf_sections){
		.ranges = in,
		.rnglists = in,
		.addr = { addresses, sizeof(addresses) },
	};
}

/** Read a list with so much work; the ranges as text. */
static bool read(const struct range_unit *unit, const struct str *list,
                 uint64_t left, struct str *text)
{
	struct dwarf_sections sections = sections_of(list);
	struct dwarf_work work = { left };
	struct range_list found = { 0 };
	bool good = range_list_read(&sections, unit, 0, &work, &found);

	str_clear(text);
	str_add(text, "");
	for (size_t i = 0; i < found.count; i++)
		str_addf(text, "[%" PRIx64 " %" PRIx64 ")", found.ranges[i].low,
		         found.ranges[i].high);
	range_list_release(&found);
	return good;
}

static void pairs_are_relative_to_a_base(void **state)
{
	SCOPED(str_release) struct str list = { 0 };
	SCOPED(str_release) struct str text = { 0 };

	(void)state;
	put_pair(&list, 0x10, 0x20);
	put_pair(&list, 0x30, 0x30);         // empty
	put_pair(&list, 0x50, 0x40);         // of no size
	put_pair(&list, UINT64_MAX, 0x8000); // another base
	put_pair(&list, 1, 2);
	put_pair(&list, UINT64_MAX, UINT64_MAX); // dropped code
	put_pair(&list, 3, 4);
	put_pair(&list, 0, 0);
	put_pair(&list, 5, 6); // behind the end
	assert_true(read(&old_unit, &list, PLENTY, &text));
	assert_string_equal(str_cstr(&text), "[1010 1020)[8001 8002)");
}

static void pairs_without_an_end_are_damage(void **state)
{
	SCOPED(str_release) struct str list = { 0 };
	SCOPED(str_release) struct str text = { 0 };

	(void)state;
	put_pair(&list, 0x10, 0x20);
	dwarf_put(&list, 0x30, 8);
	assert_false(read(&old_unit, &list, PLENTY, &text));
	assert_string_equal(str_cstr(&text), "[1010 1020)");
	assert_false(read(&old_unit, &list, 15, &text));
	assert_string_equal(str_cstr(&text), "");
}

static void addresses_of_32_bits_wrap(void **state)
{
	SCOPED(str_release) struct str list = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	struct range_unit unit = old_unit;

	(void)state;
	unit.address_size = 4;
	unit.base = 0xfffffff0;
	dwarf_put(&list, 0x20, 4);
	dwarf_put(&list, 0x30, 4);
	dwarf_put(&list, 0x08, 4); // wraps within
	dwarf_put(&list, 0x18, 4);
	dwarf_put(&list, 0x0f, 4); // all ones
	dwarf_put(&list, 0x30, 4);
	dwarf_put(&list, 0, 8);
	assert_true(read(&unit, &list, PLENTY, &text));
	assert_string_equal(str_cstr(&text), "[10 20)");
}

/** One entry of .debug_rnglists, and what it gives. */
struct entry_case {
	uint8_t kind;
	const char *operands;
	size_t size;
	const char *ranges; ///< NULL: the list is damaged
};

#define LOW  "\0\1\0\0\0\0\0\0"
#define HIGH "\0\2\0\0\0\0\0\0"
#define ONES "\xff\xff\xff\xff\xff\xff\xff\xff"

static void entries_of_each_kind(void **state)
{
	static const struct entry_case cases[] = {
		{ 0, "", 0, "" },
		{ 1, "\1", 1, "[201 202)" },
		{ 1, "\2", 1, NULL },
		{ 1, "\x7f", 1, NULL },
		{ 2, "\0\1", 2, "[100 200)[1001 1002)" },
		{ 2, "\1\0", 2, "[1001 1002)" },
		{ 2, "\0\2", 2, NULL },
		{ 3, "\1\x10", 2, "[200 210)[1001 1002)" },
		{ 3, "\2\x10", 2, NULL },
		{ 4, "\x10\x20", 2, "[1010 1020)[1001 1002)" },
		{ 5, LOW, 8, "[101 102)" },
		{ 5, ONES, 8, "" },
		{ 5, LOW, 4, NULL },
		{ 6, LOW HIGH, 16, "[100 200)[1001 1002)" },
		{ 6, ONES HIGH, 16, "[1001 1002)" },
		{ 6, LOW, 8, NULL },
		{ 7, LOW "\x10", 9, "[100 110)[1001 1002)" },
		{ 7, LOW, 8, NULL },
		{ 8, "", 0, NULL },
		{ 0xff, "", 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str list = { 0 };
		SCOPED(str_release) struct str text = { 0 };
		bool good = cases[i].ranges != NULL;

		dwarf_put(&list, cases[i].kind, 1);
		str_add_bytes(&list, cases[i].operands, cases[i].size);
		if (good)
			str_add_bytes(&list, "\4\1\2\0", 4);
		assert_int_equal(read(&new_unit, &list, PLENTY, &text), good);
		assert_string_equal(str_cstr(&text),
		                    good ? cases[i].ranges : "");
		assert_false(read(&new_unit, &list, 3, &text));
		assert_string_equal(str_cstr(&text), "");
	}
}

static void lists_are_found_by_their_number(void **state)
{
	static const uint8_t table[] = { 9, 9, 9, 9, 8, 0, 0, 0, 0x10, 0, 0 };
	struct dwarf_sections sections = {
		.rnglists = { table, sizeof(table) },
	};
	struct range_unit unit = new_unit;
	uint64_t offset = 0;

	(void)state;
	assert_true(range_list_offset(&sections, &unit, 0, &offset));
	assert_int_equal(offset, 4 + 8);
	assert_false(range_list_offset(&sections, &unit, 1, &offset));
	assert_false(range_list_offset(&sections, &unit, 3, &offset));
	unit.rnglists_base = 0;
	assert_false(range_list_offset(&sections, &unit, 0, &offset));
	unit.rnglists_base = sizeof(table) + 1;
	assert_false(range_list_offset(&sections, &unit, 0, &offset));
	assert_int_equal(offset, 4 + 8);
}

static void addresses_are_found_by_their_number(void **state)
{
	struct dwarf_sections sections = {
		.addr = { addresses, sizeof(addresses) },
	};
	struct range_unit unit = new_unit;
	uint64_t address = 0;

	(void)state;
	assert_true(range_indexed_address(&sections, &unit, 1, &address));
	assert_int_equal(address, 0x200);
	assert_false(range_indexed_address(&sections, &unit, 2, &address));
	assert_false(range_indexed_address(&sections, &unit, 3, &address));
	assert_false(
	        range_indexed_address(&sections, &unit, UINT64_MAX, &address));
	unit.addr_base = sizeof(addresses) + 1;
	assert_false(range_indexed_address(&sections, &unit, 0, &address));
	unit.addr_base = UINT64_MAX;
	assert_false(range_indexed_address(&sections, &unit, 0, &address));
	assert_int_equal(address, 0x200);
}

static void ranges_that_touch_become_one(void **state)
{
	struct range_list list = { 0 };

	(void)state;
	range_list_normalize(&list, 0);
	range_list_add(&list, 9, 99); // is before what is sorted
	range_list_add(&list, 5, 6);
	range_list_normalize(&list, 1);
	assert_int_equal(list.count, 2);
	range_list_add(&list, 1, 4);
	range_list_add(&list, 2, 3);
	range_list_add(&list, 4, 5);
	range_list_add(&list, 8, 9);
	range_list_normalize(&list, 1);
	assert_int_equal(list.count, 3);
	assert_int_equal(list.ranges[0].low, 9);
	assert_int_equal(list.ranges[1].low, 1);
	assert_int_equal(list.ranges[1].high, 6);
	assert_int_equal(list.ranges[2].low, 8);
	range_list_release(&list);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_relative_to_a_base),
		cmocka_unit_test(pairs_without_an_end_are_damage),
		cmocka_unit_test(addresses_of_32_bits_wrap),
		cmocka_unit_test(entries_of_each_kind),
		cmocka_unit_test(lists_are_found_by_their_number),
		cmocka_unit_test(addresses_are_found_by_their_number),
		cmocka_unit_test(ranges_that_touch_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
