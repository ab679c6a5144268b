// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "tests/unit/lib/object/dwarf/dwarf_builder.h"

static struct bytes bytes_of(const struct str *s)
{
	return (struct bytes){ (const uint8_t *)s->data, s->size };
}

/** A unit of version 5 with room for what its type has in its header. */
static void put_unit_5(struct str *out, uint8_t type, uint8_t address_size)
{
	dwarf_put(out, 24, 4);
	dwarf_put(out, 5, 2);
	dwarf_put(out, type, 1);
	dwarf_put(out, address_size, 1);
	dwarf_put(out, 0x77, 4);
	dwarf_put(out, 0, 8);
	dwarf_put(out, 0, 8);
}

/** A plain unit of an old version, with @p more bytes of entries. */
static void put_unit(struct str *out, uint16_t version, unsigned more)
{
	dwarf_put(out, 7 + more, 4);
	dwarf_put(out, version, 2);
	dwarf_put(out, 0x55, 4);
	dwarf_put(out, 8, 1);
	str_add_repeat(out, '\0', more);
}

static void headers_of_version_5_have_types(void **state)
{
	static const uint8_t header_sizes[] = { 0, 12, 24, 12, 20, 0 };

	(void)state;
	for (uint8_t type = 0; type < ARRAY_SIZE(header_sizes); type++) {
		SCOPED(str_release) struct str info = { 0 };
		struct unit unit;

		put_unit_5(&info, type, 8);
		assert_int_equal(unit_read(bytes_of(&info), 0, &unit),
		                 header_sizes[type] != 0);
		assert_int_equal(unit.size, 28);
		assert_int_equal(unit.header_size, header_sizes[type]);
		assert_int_equal(unit.abbrev_offset, 0x77);
	}
}

static void other_headers_are_refused(void **state)
{
	(void)state;
	for (uint16_t version = 0; version < 8; version++) {
		SCOPED(str_release) struct str info = { 0 };
		struct unit unit;

		put_unit(&info, version, 1);
		assert_int_equal(unit_read(bytes_of(&info), 0, &unit),
		                 version >= 2 && version <= 4);
		assert_int_equal(unit.size, 12);
	}
	for (uint8_t size = 0; size < 10; size++) {
		SCOPED(str_release) struct str info = { 0 };
		struct unit unit;

		put_unit_5(&info, 1, size);
		assert_int_equal(unit_read(bytes_of(&info), 0, &unit),
		                 size == 4 || size == 8);
	}
}

static void lengths_are_of_32_or_64_bits(void **state)
{
	SCOPED(str_release) struct str info = { 0 };
	struct unit unit;

	(void)state;
	dwarf_put(&info, UINT32_MAX, 4);
	dwarf_put(&info, 11, 8);
	dwarf_put(&info, 4, 2);
	dwarf_put(&info, 0x66, 8);
	dwarf_put(&info, 8, 1);
	assert_true(unit_read(bytes_of(&info), 0, &unit));
	assert_int_equal(unit.offset_size, 8);
	assert_int_equal(unit.size, info.size);
	assert_int_equal(unit.abbrev_offset, 0x66);
	assert_true(unit.empty);
	for (size_t cut = 0; cut < info.size; cut++) {
		struct bytes in = { (const uint8_t *)info.data, cut };

		assert_false(unit_read(in, 0, &unit));
		assert_int_equal(unit.size, 0);
	}
	str_clear(&info);
	dwarf_put(&info, 0xfffffff0, 4); // reserved
	str_add_repeat(&info, '\0', 32);
	assert_false(unit_read(bytes_of(&info), 0, &unit));
	assert_int_equal(unit.size, 0);
	assert_false(unit_read(bytes_of(&info), 99, &unit));
}

static void units_are_found_by_what_they_contain(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str info = { 0 };
	struct unit_list list;
	struct unit unit;
	size_t bad;

	(void)state;
	put_unit(&info, 4, 1);           // 0 to 12
	put_unit(&info, 9, 1);           // 12 to 24, of no known version
	put_unit(&info, 4, 5);           // 24 to 40
	dwarf_put(&info, UINT32_MAX, 3); // no length
	unit_list_read(bytes_of(&info), &arena, &list, &bad);
	assert_int_equal(list.count, 2);
	assert_int_equal(bad, 2);
	assert_ptr_equal(unit_list_find(&list, 0), &list.units[0]);
	assert_ptr_equal(unit_list_find(&list, 11), &list.units[0]);
	assert_null(unit_list_find(&list, 12));
	assert_ptr_equal(unit_list_find(&list, 39), &list.units[1]);
	assert_null(unit_list_find(&list, 40));
	assert_null(unit_list_find(&(struct unit_list){ 0 }, 0));

	assert_true(unit_find_after(bytes_of(&info), 0, 30, &unit));
	assert_int_equal(unit.offset, 24);
	assert_false(unit_find_after(bytes_of(&info), 0, 13, &unit));
	assert_false(unit_find_after(bytes_of(&info), 24, 12, &unit));
	assert_false(unit_find_after(bytes_of(&info), 0, 41, &unit));
}

static void few_units_are_stepped_over(void **state)
{
	SCOPED(str_release) struct str info = { 0 };
	struct unit unit;

	(void)state;
	for (unsigned i = 0; i < 65; i++)
		put_unit(&info, 4, 1);
	assert_true(unit_find_after(bytes_of(&info), 0, 63 * 12, &unit));
	assert_false(unit_find_after(bytes_of(&info), 0, 64 * 12, &unit));
}

/** A set of .debug_aranges: what is in its header, and one range. */
static void put_set(struct str *out, unsigned offset_size, uint16_t version,
                    uint64_t unit, uint8_t address_size, uint8_t segment_size,
                    uint64_t low, uint64_t size)
{
	size_t header = 2 + offset_size + 2;
	size_t start = offset_size == 8 ? 12 : 4;
	size_t pair = address_size ? 2U * address_size : 1;
	size_t pad = (pair - (start + header) % pair) % pair;

	if (offset_size == 8)
		dwarf_put(out, UINT32_MAX, 4);
	dwarf_put(out, header + pad + 4 * (size_t)address_size, offset_size);
	dwarf_put(out, version, 2);
	dwarf_put(out, unit, offset_size);
	dwarf_put(out, address_size, 1);
	dwarf_put(out, segment_size, 1);
	str_add_repeat(out, '\0', pad);
	dwarf_put(out, low, address_size);
	dwarf_put(out, size, address_size);
	dwarf_put(out, 0, address_size);
	dwarf_put(out, 0, address_size);
}

static void sets_that_are_not_understood_are_passed_over(void **state)
{
	static const uint64_t wanted[] = { 0x100, 0x208, 0x300 };
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str sets = { 0 };
	struct unit_hits hits;
	size_t count;

	(void)state;
	put_set(&sets, 4, 2, 70, 8, 0, 0x200, 0x10);
	put_set(&sets, 4, 3, 10, 8, 0, 0x100, 0x10);
	put_set(&sets, 4, 2, 20, 8, 4, 0x100, 0x10);
	put_set(&sets, 4, 2, 30, 2, 0, 0x100, 0x10);
	put_set(&sets, 8, 2, 50, 8, 0, 0x300, 0x10);
	put_set(&sets, 4, 2, 40, 4, 0, 0x100, 0x10);
	put_set(&sets, 4, 2, 70, 8, 0, 0x300, 0x10);
	put_set(&sets, 4, 2, 60, 8, 0, 0x900, 0x10); // not wanted
	dwarf_put(&sets, 99, 4);                     // too long
	put_set(&sets, 4, 2, 80, 8, 0, 0x100, 0x10); // is not reached
	unit_hits_read(bytes_of(&sets), wanted, ARRAY_SIZE(wanted), &arena,
	               &hits);
	assert_int_equal(hits.count, 3);
	assert_int_equal(hits.offsets[0], 40);
	assert_int_equal(hits.offsets[1], 50);
	assert_int_equal(hits.offsets[2], 70);
	for (int i = 0; i < 2; i++) {
		const uint64_t *starts = unit_hits_starts(&hits, &count);

		assert_int_equal(count, 7);
		assert_int_equal(starts[0], 10);
		assert_int_equal(starts[6], 70);
	}
}

static void each_cut_of_a_set_is_read_without_harm(void **state)
{
	static const uint64_t wanted[] = { 0x100 };
	SCOPED(str_release) struct str sets = { 0 };

	(void)state;
	put_set(&sets, 8, 2, 0, 8, 0, 0x100, 0x10);
	for (size_t cut = 0; cut <= sets.size; cut++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct unit_hits hits;

		unit_hits_read(
		        (struct bytes){ (const uint8_t *)sets.data, cut },
		        wanted, 1, &arena, &hits);
		assert_int_equal(hits.count, cut == sets.size);
	}
	// A header that ends within the set's own length.
	for (uint64_t length = 0; length < 12; length++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str set = { 0 };
		struct unit_hits hits;

		dwarf_put(&set, length, 4);
		str_add_repeat(&set, '\2', 40);
		unit_hits_read(bytes_of(&set), wanted, 1, &arena, &hits);
		assert_int_equal(hits.count, 0);
	}
}

/** Of all lengths, also those that are shorter than the header. */
static void a_set_has_the_pairs_that_its_length_holds(void **state)
{
	(void)state;
	for (uint32_t length = 0; length < 48; length++) {
		SCOPED(str_release) struct str whole = { 0 };
		size_t size = 4 + 44;
		uint8_t *copy = mem_alloc(size);
		struct cursor c = cursor_at((struct bytes){ copy, size }, 0,
		                            CURSOR_LITTLE);
		struct unit_set set = { 0 };
		uint64_t low, range;
		unsigned pairs = 0;

		dwarf_put(&whole, length, 4);
		dwarf_put(&whole, 2, 2);
		dwarf_put(&whole, 0x77, 4);
		dwarf_put(&whole, 8, 1);
		dwarf_put(&whole, 0, 1);
		str_add_repeat(&whole, '\1', size - whole.size);
		memcpy(copy, whole.data, size);
		assert_int_equal(unit_set_next(&c, &set), length <= 44);
		if (length <= 44)
			assert_int_equal(c.pos, 4 + length);
		while (length <= 44 && unit_set_range(&set, &low, &range))
			pairs++;
		assert_int_equal(pairs, length > 44 || length < 12
		                                ? 0
		                                : (length - 12) / 16);
		if (length >= 12 && length <= 44)
			assert_int_equal(set.unit, 0x77);
		free(copy);
	}
}

static void a_run_of_zeros_is_one_fault(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str info = { 0 };
	struct unit_list list;
	size_t bad;

	(void)state;
	put_unit(&info, 4, 1);
	str_add_repeat(&info, '\0', 400);
	unit_list_read(bytes_of(&info), &arena, &list, &bad);
	assert_int_equal(list.count, 1);
	assert_int_equal(bad, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_of_version_5_have_types),
		cmocka_unit_test(other_headers_are_refused),
		cmocka_unit_test(lengths_are_of_32_or_64_bits),
		cmocka_unit_test(units_are_found_by_what_they_contain),
		cmocka_unit_test(a_set_has_the_pairs_that_its_length_holds),
		cmocka_unit_test(a_run_of_zeros_is_one_fault),
		cmocka_unit_test(few_units_are_stepped_over),
		cmocka_unit_test(sets_that_are_not_understood_are_passed_over),
		cmocka_unit_test(each_cut_of_a_set_is_read_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
