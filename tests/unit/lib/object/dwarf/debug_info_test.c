// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/debug_info.h"

#include "lib/object/dwarf/abbrev.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/lib/object/dwarf/dwarf_expect.h"

/** One unit: main at 0x1000, with a call inlined, and other at 0x1040. */
static void add_plain_unit(struct dwarf_builder *d)
{
	dwarf_unit_begin(d, 4);
	dwarf_root(d, 0x1000, 0x80);
	size_t twice = dwarf_abstract(d, "twice", "_Z5twicei");
	dwarf_function(d, "main", 0x1000, 0x40);
	dwarf_call(d, CALL, twice, 0x1010, 0x10, 12);
	dwarf_end(d);
	dwarf_empty_function(d, "other", 0x1040, 0x40);
	dwarf_unit_end(d);
}

static void add_plain_lines(struct dwarf_builder *d)
{
	dwarf_lines_begin(d);
	dwarf_lines_at(d, 0x1000);
	dwarf_row(d, 0, 1, 9);
	dwarf_row(d, 0x10, 2, -7);
	dwarf_row(d, 0x10, 1, 10);
	dwarf_row(d, 0x20, 1, 8);
	dwarf_sequence_end(d, 0x30);
	dwarf_lines_end(d);
}

static void a_function_has_its_lines_and_inlined_calls(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	add_plain_lines(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	EXPECT_AT(&d,
	          "main [1000 1040)\n"
	          "  1000 /build/main.c:10\n"
	          "  1010 /build/include/point.h:3\n"
	          "  1020 /build/main.c:13\n"
	          "    _Z5twicei [1010 1020) from /build/main.c:12\n",
	          0x1014);
}

static void rows_end_with_their_sequence(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	add_plain_lines(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	EXPECT_AT(&d,
	          "other [1040 1080)\n"
	          "  1040 /build/main.c:21\n"
	          "  1070 :0\n",
	          0x1040, 0x107f);
}

/** Each time, what follows has only the places that are left. */
static void where_addresses_descend_a_sequence_begins(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	dwarf_lines_begin(&d);
	for (int8_t i = 0; i < 9; i++) {
		// 0x1008, 0x1010, 0x1008 again, and so on.
		dwarf_lines_at(&d, i % 2 ? 0x1010 : 0x1008);
		dwarf_row(&d, 0, 1, 1);
	}
	dwarf_lines_at(&d, 0x1000);
	dwarf_row(&d, 0, 1, 20);
	dwarf_sequence_end(&d, 0x40);
	dwarf_lines_end(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	EXPECT_AT(&d,
	          "main [1000 1040)\n"
	          "  1000 /build/main.c:30\n"
	          "  1008 /build/main.c:2\n"
	          "  1010 /build/main.c:30\n"
	          "    _Z5twicei [1010 1020) from /build/main.c:12\n",
	          0x1014);
}

/** Some rows say nothing of what is asked, before others that do not ascend. */
static void rows_that_are_left_out_are_not_missed(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	dwarf_lines_begin(&d);
	dwarf_lines_at(&d, 0x1000);
	for (int8_t i = 0; i < 3; i++)
		dwarf_row(&d, 0x10, 1, 1); // 0x1010 to 0x1030
	dwarf_lines_at(&d, 0x1060);
	dwarf_row(&d, 0, 1, 10);
	dwarf_row(&d, 0, 2, 1); // at the same address
	dwarf_lines_at(&d, 0x1020);
	dwarf_row(&d, 0, 1, 10);
	dwarf_lines_at(&d, 0x1038);
	dwarf_row(&d, 0, 1, 10);
	dwarf_lines_at(&d, 0x1008);
	dwarf_row(&d, 0, 1, 10);
	dwarf_sequence_end(&d, 0x78);
	dwarf_lines_end(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	EXPECT_AT(&d,
	          "other [1040 1080)\n"
	          "  1040 /build/main.c:4\n"
	          "  1060 /build/main.c:45\n",
	          0x1040);
}

/** Opcodes of all kinds, with operands short and long. */
static void add_mixed_lines(struct dwarf_builder *d)
{
	static const uint8_t opcodes[] = {
		20 + 28,    20 + 28, 5,       7,       20 + 28, 6, 10,      20,
		0,          2,       4,       3,       20 + 28, 8, 1,       3,
		0x7b,       20 + 28, 4,       2,       20 + 28, 1, 0x80,    7,
		3,          0x90,    0x01,    20 + 28, 2,       3, 20 + 28, 9,
		4,          0,       20 + 28, 12,      9,       8, 20 + 28, 3,
		0x80 | 0x4, 0x7f,    20 + 28, 5,       0x80,    1, 4,       1,
		11,         255,     20 + 28, 20 + 28, 7,       1,
	};

	dwarf_lines_begin(d);
	for (unsigned i = 0; i < 2; i++) {
		dwarf_lines_at(d, i ? 0x1078 : 0x1000);
		dwarf_row(d, 0, 1, 60);
		str_add_bytes(&d->line, opcodes, sizeof(opcodes));
		dwarf_sequence_end(d, 4);
	}
	dwarf_lines_end(d);
}

/** What one address is answered with is part of what all functions have. */
static void rows_before_what_is_wanted_lead_to_it(void **state)
{
	SCOPED(str_release) struct str all = { 0 };
	struct dwarf_builder d = { 0 };
	struct macho macho;
	struct error *err;
	size_t named = 0;

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x200);
	for (uint64_t low = 0x1000; low < 0x1200; low += 0x10) {
		dwarf_empty_function(&d, "part", low, 0x10);
	}
	dwarf_unit_end(&d);
	add_mixed_lines(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x200);
	err = macho_parse(dwarf_finish(&d), &macho);
	assert_null(err);
	collect(&macho, DEBUG_READER_NATIVE, NULL, 0, &all);
	for (uint64_t low = 0x1000; low < 0x1200; low += 0x10) {
		SCOPED(str_release) struct str one = { 0 };

		collect(&macho, DEBUG_READER_NATIVE, &low, 1, &one);
		assert_non_null(strstr(str_cstr(&all), str_cstr(&one)));
		named += strstr(str_cstr(&one), "/build/") != NULL;
	}
	assert_true(named > 8);
	macho_release(&macho);
	dwarf_builder_release(&d);
}

static void of_equal_sequences_the_first_counts(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	dwarf_lines_begin(&d);
	for (int8_t i = 1; i < 4; i++) {
		dwarf_lines_at(&d, 0x1000);
		dwarf_row(&d, 0, 1, i);
		dwarf_sequence_end(&d, 0x40);
	}
	dwarf_lines_end(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	EXPECT_AT(&d,
	          "main [1000 1040)\n"
	          "  1000 /build/main.c:2\n"
	          "    _Z5twicei [1010 1020) from /build/main.c:12\n",
	          0x1014);
}

/** Before another one that it is inside of it counts, behind it it does not. */
static void a_sequence_inside_another_has_its_own_places(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	dwarf_lines_begin(&d);
	dwarf_lines_at(&d, 0x1050);
	dwarf_row(&d, 0, 1, 19);
	dwarf_sequence_end(&d, 0x10);
	dwarf_lines_at(&d, 0x1000);
	dwarf_row(&d, 0, 1, 9);
	dwarf_row(&d, 0x3f, 1, 0);
	dwarf_row(&d, 0x31, 1, 2);
	dwarf_sequence_end(&d, 8);
	dwarf_lines_at(&d, 0x1008);
	dwarf_row(&d, 0, 1, 29);
	dwarf_sequence_end(&d, 0x10);
	dwarf_lines_end(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	EXPECT_AT(&d,
	          "main [1000 1040)\n"
	          "  1000 /build/main.c:10\n"
	          "    _Z5twicei [1010 1020) from /build/main.c:12\n"
	          "other [1040 1080)\n"
	          "  1040 /build/main.c:10\n"
	          "  1050 /build/main.c:20\n"
	          "  1060 /build/main.c:10\n"
	          "  1070 /build/main.c:12\n"
	          "  1078 :0\n",
	          0x1014, 0x1044);
}

static void a_sequence_has_what_those_before_it_leave(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	dwarf_lines_begin(&d);
	dwarf_lines_at(&d, 0x1030);
	dwarf_row(&d, 0, 1, 19);
	dwarf_sequence_end(&d, 8);
	dwarf_lines_at(&d, 0x1020);
	dwarf_row(&d, 0, 1, 9);
	dwarf_sequence_end(&d, 0x3f);
	dwarf_lines_at(&d, 0x1008);
	dwarf_row(&d, 0, 1, 29);
	dwarf_sequence_end(&d, 4);
	dwarf_lines_end(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	EXPECT_AT(&d,
	          "main [1000 1040)\n"
	          "  1008 /build/main.c:30\n"
	          "  100c :0\n"
	          "  1020 /build/main.c:10\n"
	          "  1030 /build/main.c:20\n"
	          "  1038 /build/main.c:10\n"
	          "    _Z5twicei [1010 1020) from /build/main.c:12\n",
	          0x1014);
}

/** What is below a nested function is not the outer one's, what follows is. */
static void a_call_in_a_block_behind_a_nested_function_is_found(void **state)
{
	struct dwarf_builder d = { 0 };
	size_t twice;

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x80);
	twice = dwarf_abstract(&d, "twice", "_Z5twicei");
	dwarf_function(&d, "main", 0x1000, 0x40);
	dwarf_function(&d, "nested", 0x1040, 0x40);
	dwarf_call(&d, CALL, twice, 0x1050, 0x10, 7);
	dwarf_end(&d);
	dwarf_entry(&d, STRUCTURE); // as good as a block
	dwarf_call(&d, CALL, twice, 0x1010, 0x10, 12);
	dwarf_end(&d);
	dwarf_end(&d);
	dwarf_unit_end(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	EXPECT_AT(&d,
	          "main [1000 1040)\n"
	          "    _Z5twicei [1010 1020) from /build/main.c:12\n"
	          "nested [1040 1080)\n"
	          "    _Z5twicei [1050 1060) from /build/main.c:7\n",
	          0x1014, 0x1054);
}

static void what_no_function_covers_gives_nothing(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	EXPECT_AT(&d, "", 0xfff, 0x1080, UINT64_MAX);
}

static void units_are_found_by_their_own_ranges_too(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x2000, 0x10);
	dwarf_empty_function(&d, "second", 0x2000, 0x10);
	dwarf_unit_end(&d);
	dwarf_aranges(&d, d.unit, 0x2000, 0x10);
	EXPECT_AT(&d, "other [1040 1080)\nsecond [2000 2010)\n", 0x1041,
	          0x2001);
}

/** A linker that did not relocate the sets makes all of them name unit 0. */
static void a_function_is_found_where_its_unit_is_named_wrongly(void **state)
{
	static const struct {
		uint64_t unit;
		const char *expected;
	} cases[] = {
		{ 0, "second [2000 2010)\n" },
		{ 0x12345, "second [2000 2010)\n"
		           "1 bad: unit at 0x12345: the header is damaged\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dwarf_builder d = { 0 };

		add_plain_unit(&d);
		dwarf_aranges(&d, 0, 0x1000, 0x80);
		dwarf_unit_begin(&d, 4);
		dwarf_root(&d, 0x2000, 0x10);
		dwarf_empty_function(&d, "second", 0x2000, 0x10);
		dwarf_unit_end(&d);
		dwarf_aranges(&d, cases[i].unit, 0x2000, 0x10);
		EXPECT_OURS_AT(&d, cases[i].expected, 0x2001);
	}
}

/** Padding and outlined code have no function: no other unit has one, either.
 */
static void a_gap_in_a_unit_opens_no_other(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x80);
	dwarf_empty_function(&d, "first", 0x1000, 0x20);
	dwarf_empty_function(&d, "last", 0x1060, 0x20);
	dwarf_unit_end(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	add_plain_unit(&d);
	patch_u32(&d.info, d.unit + 6, 0x7777, CURSOR_LITTLE);
	EXPECT_OURS_AT(&d, "first [1000 1020)\nlast [1060 1080)\n", 0x1004,
	               0x1030, 0x1060);
}

/** It may have what is missing only where no set says what it has. */
static void a_unit_that_is_only_asked_is_bad_if_it_has_no_set(void **state)
{
	(void)state;
	for (int has_set = 0; has_set < 2; has_set++) {
		SCOPED(str_release) struct str text = { 0 };
		struct dwarf_builder d = { 0 };

		add_plain_unit(&d);
		dwarf_aranges(&d, 0, 0x1000, 0x80);
		add_plain_unit(&d);
		patch_u32(&d.info, d.unit + 6, 0x7777, CURSOR_LITTLE);
		str_add(&text, "main [1000 1040)\n"
		               "    _Z5twicei [1010 1020) from "
		               "/build/main.c:12\n");
		if (has_set)
			dwarf_aranges(&d, d.unit, 0x2000, 0x10);
		else
			str_addf(&text,
			         "1 bad: unit at 0x%zx: abbreviations at "
			         "0x7777 are damaged\n",
			         d.unit);
		EXPECT_OURS_AT(&d, str_cstr(&text), 0x1000, 0x3000);
	}
}

static void without_addresses_all_functions_are_given(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	expect(&d, NULL, 0,
	       "main [1000 1040)\n"
	       "    _Z5twicei [1010 1020) from /build/main.c:12\n"
	       "other [1040 1080)\n");
}

static void a_name_is_followed_into_another_unit(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x3000, 0x10);
	size_t far_away = dwarf_abstract(&d, "far", "_Z3farv");
	dwarf_unit_end(&d);
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	dwarf_function(&d, "main", 0x1000, 0x40);
	dwarf_call(&d, CALL_ELSEWHERE, far_away, 0x1010, 8, 5);
	dwarf_call(&d, CALL_ELSEWHERE, far_away, 0x1020, 8, 6);
	dwarf_call(&d, CALL_ELSEWHERE, 0xfffff, 0x1030, 8, 7);
	dwarf_end(&d);
	dwarf_unit_end(&d);
	EXPECT_AT(&d,
	          "main [1000 1040)\n"
	          "    _Z3farv [1010 1018) from /build/main.c:5\n"
	          "    _Z3farv [1020 1028) from /build/main.c:6\n"
	          "     [1030 1038) from /build/main.c:7\n",
	          0x1000);
}

/** The unit is on the way from one that .debug_aranges knows, or before all. */
static void a_name_is_followed_by_way_of_the_address_ranges(void **state)
{
	for (unsigned known = 0; known < 3; known++) {
		struct dwarf_builder d = { 0 };
		size_t places[3];

		(void)state;
		for (unsigned i = 0; i < 3; i++) {
			dwarf_unit_begin(&d, 4);
			places[i] = d.unit;
			dwarf_root(&d, 0x3000 + i * 0x10, 0x10);
			if (i == 1)
				places[i] =
				        dwarf_abstract(&d, "far", "_Z3farv");
			dwarf_unit_end(&d);
		}
		dwarf_unit_begin(&d, 4);
		dwarf_root(&d, 0x1000, 0x40);
		dwarf_function(&d, "main", 0x1000, 0x40);
		dwarf_call(&d, CALL_ELSEWHERE, places[1], 0x1010, 8, 5);
		dwarf_end(&d);
		dwarf_unit_end(&d);
		dwarf_aranges(&d, d.unit, 0x1000, 0x40);
		if (known)
			dwarf_aranges(&d, known == 1 ? places[0] : places[2],
			              0x3000, 0x10);
		EXPECT_AT(&d,
		          "main [1000 1040)\n"
		          "    _Z3farv [1010 1018) from /build/main.c:5\n",
		          0x1000);
	}
}

/** Where it is plain that a function is not asked for, it is passed by. */
static void functions_of_any_order_are_found_by_their_bounds(void **state)
{
	static const uint64_t places[] = { 0x1040, 0x1000, 0x1080, 0x1020 };
	struct dwarf_builder d = { 0 };
	size_t named;

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x100);
	named = dwarf_abstract(&d, "body", "body");
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		dwarf_entry(&d, NAMED_BY);
		dwarf_put(&d.info, named - d.unit, 4);
		dwarf_low_high(&d, places[i], i ? 0x10 : 0);
	}
	dwarf_entry(&d, NAMED_BY);
	dwarf_put(&d.info, named - d.unit, 4);
	dwarf_low_high(&d, 0x1040, 0x20);
	dwarf_unit_end(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x100);
	EXPECT_AT(&d, "body [1000 1010)\nbody [1040 1060)\n", 0x100f, 0x1010,
	          0x105f, 0x1060, 0x107f);
}

/** A 0 of two bytes ends the first one's entries; libdwarf refuses it. */
static void an_end_may_be_written_in_more_than_one_byte(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	dwarf_function(&d, "first", 0x1000, 0x10);
	dwarf_entry(&d, STRUCTURE);
	dwarf_put(&d.info, 0x80, 2);
	dwarf_end(&d);
	dwarf_empty_function(&d, "second", 0x1010, 0x10);
	dwarf_unit_end(&d);
	expect_by(&d, false, (const uint64_t[]){ 0x1014 }, 1,
	          "second [1010 1020)\n");
}

static void each_piece_of_a_split_function_has_its_own_calls(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x1000);
	size_t callee = dwarf_abstract(&d, "callee", "callee");
	dwarf_entry(&d, FUNCTION_RANGES);
	dwarf_put_string(&d.info, "split");
	dwarf_put(&d.info, dwarf_two_ranges(&d, 0x1800, 0x1820, 0x1000, 0x1040),
	          4);
	dwarf_entry(&d, CALL_RANGES);
	dwarf_put(&d.info, callee - d.unit, 4);
	dwarf_put(&d.info, dwarf_two_ranges(&d, 0x1008, 0x1010, 0x1810, 0x1830),
	          4);
	dwarf_put(&d.info, 1, 1);
	dwarf_put(&d.info, 9, 1);
	dwarf_call(&d, CALL, callee, 0x100c, 8, 10);
	dwarf_end(&d);
	dwarf_end(&d);
	dwarf_unit_end(&d);
	expect(&d, NULL, 0,
	       "split [1000 1040)\n"
	       "    callee [1008 1010) from /build/main.c:9\n"
	       "      callee [100c 1010) from /build/main.c:10\n"
	       "split [1800 1820)\n"
	       "    callee [1810 1820) from /build/main.c:9\n");
}

static void of_overlapping_functions_the_narrower_wins(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_lines(&d);
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x60);
	dwarf_empty_function(&d, "wide", 0x1000, 0x60);
	dwarf_empty_function(&d, "narrow", 0x1014, 0x10);
	dwarf_empty_function(&d, "twin", 0x1014, 0x10);
	dwarf_unit_end(&d);
	expect(&d, NULL, 0,
	       "wide [1000 1014)\n"
	       "  1000 /build/main.c:10\n"
	       "  1010 /build/include/point.h:3\n"
	       "narrow [1014 1024)\n"
	       "  1014 /build/include/point.h:3\n"
	       "  1020 /build/main.c:13\n"
	       "wide [1024 1060)\n"
	       "  1024 /build/main.c:13\n"
	       "  1040 /build/main.c:21\n");
}

/** One that ascends, as the next one does, is sound: others are not. */
static void of_overlapping_functions_one_in_order_wins(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x60);
	dwarf_empty_function(&d, "first", 0x1000, 0x20);
	dwarf_empty_function(&d, "second", 0x1020, 0x20);
	dwarf_empty_function(&d, "third", 0x1040, 0x20);
	dwarf_empty_function(&d, "wrong", 0x1018, 0x30);
	dwarf_empty_function(&d, "narrow", 0x1044, 4);
	dwarf_unit_end(&d);
	expect(&d, NULL, 0,
	       "first [1000 1020)\n"
	       "second [1020 1040)\n"
	       "third [1040 1044)\n"
	       "narrow [1044 1048)\n"
	       "third [1048 1060)\n");
}

/** Each is in order in its unit: then the narrower one wins. */
static void of_functions_in_order_the_narrower_wins(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		dwarf_unit_begin(&d, 4);
		dwarf_root(&d, 0x1000, 0x80);
		dwarf_empty_function(&d, i ? "narrow" : "wide",
		                     i ? 0x1010 : 0x1000, i ? 0x10 : 0x80);
		dwarf_unit_end(&d);
	}
	expect(&d, NULL, 0,
	       "wide [1000 1010)\n"
	       "narrow [1010 1020)\n"
	       "wide [1020 1080)\n");
}

/** It is not given, wanted or not: it does not say what is in order either. */
static void a_function_that_lies_too_deep_is_in_no_order(void **state)
{
	struct dwarf_builder d = { 0 };
	size_t named;

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x60);
	named = dwarf_abstract(&d, "deep", "deep");
	for (unsigned i = 0; i < 256; i++)
		dwarf_entry(&d, STRUCTURE);
	dwarf_entry(&d, NAMED_BY);
	dwarf_put(&d.info, named - d.unit, 4);
	dwarf_low_high(&d, 0x1010, 0x20);
	for (unsigned i = 0; i < 256; i++)
		dwarf_end(&d);
	dwarf_empty_function(&d, "first", 0x1000, 0x20);
	dwarf_empty_function(&d, "second", 0x1020, 0x10);
	dwarf_empty_function(&d, "narrow", 0x1000, 8);
	dwarf_unit_end(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x60);
	EXPECT_AT(&d, "first [1000 1020)\n", 0x1004);
}

/** The next function begins a byte too early. */
static void a_function_is_in_order_if_the_next_one_is_behind_it(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x60);
	dwarf_empty_function(&d, "first", 0x1000, 0x20);
	dwarf_empty_function(&d, "second", 0x101f, 0x21);
	dwarf_empty_function(&d, "narrow", 0x1008, 8);
	dwarf_unit_end(&d);
	EXPECT_AT(&d,
	          "first [1000 1008)\n"
	          "narrow [1008 1010)\n"
	          "first [1010 1020)\n",
	          0x100c);
}

/** Behind a function that is in order, and the next one, nothing is read. */
static void a_unit_is_read_as_far_as_it_is_wanted(void **state)
{
	static const struct {
		uint64_t address;
		const char *expected;
	} cases[] = {
		{ 0x1000, "body [1000 1020)\n" },
		{ 0x1020, "body [1020 1040)\n" },
		{ 0x1060, "body [1060 1080)\n"
		          "1 bad: unit at 0x0: no abbreviation for the entry "
		          "at 0x79\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dwarf_builder d = { 0 };
		size_t named;

		dwarf_unit_begin(&d, 4);
		dwarf_root(&d, 0x1000, 0x80);
		named = dwarf_abstract(&d, "body", "body");
		for (uint64_t low = 0x1000; low < 0x1080; low += 0x20) {
			dwarf_entry(&d, NAMED_BY);
			dwarf_put(&d.info, named - d.unit, 4);
			dwarf_low_high(&d, low, 0x20);
		}
		dwarf_put(&d.info, 0x7f7f7f7f7f7f7f7f, 8);
		dwarf_unit_end(&d);
		dwarf_aranges(&d, 0, 0x1000, 0x80);
		expect_by(&d, false, &cases[i].address, 1, cases[i].expected);
	}
}

#define RANDOM_FUNCTIONS 6

/** Functions of all kinds that mostly ascend: "a", "b" and so on. */
static void add_random_functions(struct dwarf_builder *d, uint64_t *numbers)
{
	static const char *const names[RANDOM_FUNCTIONS] = { "a", "b", "c",
		                                             "d", "e", "f" };
	size_t named[RANDOM_FUNCTIONS];
	uint64_t low = 0x1000;
	unsigned open = 0;

	for (size_t i = 0; i < RANDOM_FUNCTIONS; i++)
		named[i] = dwarf_abstract(d, names[i], names[i]);
	for (size_t i = 0; i < RANDOM_FUNCTIONS; i++) {
		uint64_t random = *numbers = *numbers * 6364136223846793005u +
		                             1;
		uint32_t size = random >> 56 & 15;

		if (random >> 40 & 1)
			low = 0x1000 + (random >> 43 & 31);
		if (!(random >> 48 & 31))
			low = 0; // dropped
		switch (random >> 61) {
		case 0:
			dwarf_entry(d, FUNCTION_RANGES);
			dwarf_put_string(&d->info, names[i]);
			dwarf_put(&d->info,
			          dwarf_two_ranges(d, low, low + size, low + 32,
			                           low + 36),
			          4);
			dwarf_end(d);
			break;
		case 1:
			dwarf_function(d, names[i], low, size);
			open++; // what follows is inside
			break;
		case 2:
			dwarf_empty_function(d, names[i], low, size);
			break;
		default:
			dwarf_entry(d, NAMED_BY);
			dwarf_put(&d->info, named[i] - d->unit, 4);
			dwarf_low_high(d, low, size);
		}
		low = low ? low + size : 0x1000;
	}
	while (open--)
		dwarf_end(d);
}

/** The function that has an address, by its name; NULL if there is none. */
static const char *owner_of(const struct debug_info *info, uint64_t address)
{
	for (size_t i = 0; i < info->function_count; i++) {
		const struct debug_function *f = &info->functions[i];

		if (f->range.low <= address && address < f->range.high)
			return f->name;
	}
	return NULL;
}

/** However functions overlap, one address is answered as all of them are. */
static void one_address_is_answered_as_all_are(void **state)
{
	static const enum debug_reader readers[] = { DEBUG_READER_NATIVE,
		                                     DEBUG_READER_LIBDWARF };
	uint64_t numbers = 1;
	size_t found = 0;

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		enum debug_reader reader = readers[i % 8 > 5];
		struct dwarf_builder d = { 0 };
		struct debug_info all;
		struct macho macho;

		for (unsigned j = 0; j <= i % 2; j++) {
			dwarf_unit_begin(&d, 4);
			dwarf_root(&d, 0x1000, 0x80);
			add_random_functions(&d, &numbers);
			dwarf_unit_end(&d);
			dwarf_aranges(&d, (uint32_t)d.unit, 0x1000, 0x80);
		}
		assert_null(macho_parse(dwarf_finish(&d), &macho));
		assert_null(
		        collect_macho(&macho, reader, NULL, 0, &arena, &all));
		for (uint64_t at = 0x1000; at < 0x1030; at++) {
			const char *name = owner_of(&all, at);
			struct debug_info one;

			assert_null(collect_macho(&macho, reader, &at, 1,
			                          &arena, &one));
			if (name)
				assert_string_equal(owner_of(&one, at), name);
			else
				assert_null(owner_of(&one, at));
			found += name != NULL;
		}
		macho_release(&macho);
		dwarf_builder_release(&d);
	}
	assert_true(found > 10000);
}

static void dropped_code_is_left_out(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	dwarf_empty_function(&d, "dropped", 0, 0x2000);
	dwarf_empty_function(&d, "marked", UINT64_MAX, 0x10);
	dwarf_empty_function(&d, "kept", 0x1000, 0x40);
	dwarf_unit_end(&d);
	expect(&d, NULL, 0, "kept [1000 1040)\n");
}

/** It has what is wanted, in order, but is of another kind. */
static void dropped_code_does_not_end_a_search(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	dwarf_empty_function(&d, "dropped", 0, 0x1020);
	dwarf_empty_function(&d, "behind", 0x1020, 0x10);
	dwarf_empty_function(&d, "kept", 0x1000, 0x20);
	dwarf_unit_end(&d);
	EXPECT_AT(&d, "kept [1000 1020)\n", 0x1004);
}

static void a_call_in_a_block_is_not_in_the_call_before_it(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	size_t twice = dwarf_abstract(&d, "twice", "_Z5twicei");
	size_t ranges = dwarf_two_ranges(&d, 0x1010, 0x1014, 0x1018, 0x101c);
	dwarf_function(&d, "main", 0x1000, 0x40);
	dwarf_entry(&d, CALL_RANGES);
	dwarf_put(&d.info, twice - d.unit, 4);
	dwarf_put(&d.info, ranges, 4);
	dwarf_put(&d.info, 1, 1);
	dwarf_put(&d.info, 12, 1);
	dwarf_end(&d);
	dwarf_entry(&d, STRUCTURE);
	dwarf_call(&d, CALL, twice, 0x1020, 0x8, 13);
	dwarf_end(&d);
	dwarf_end(&d);
	dwarf_unit_end(&d);
	EXPECT_AT(
	        &d,
	        "main [1000 1040)\n"
	        "    _Z5twicei [1010 1014) [1018 101c) from /build/main.c:12\n"
	        "    _Z5twicei [1020 1028) from /build/main.c:13\n",
	        0x1000);
}

static void a_name_is_cut_after_64_kib(void **state)
{
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str expected = { 0 };
	struct dwarf_builder d = { 0 };

	(void)state;
	str_add_repeat(&name, 'n', (64 << 10) + 1);
	str_add_repeat(&expected, 'n', 64 << 10);
	str_add(&expected, " [1000 1040)\n");
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	dwarf_empty_function(&d, str_cstr(&name), 0x1000, 0x40);
	dwarf_unit_end(&d);
	EXPECT_AT(&d, str_cstr(&expected), 0x1000);
}

/** Each unit pays for the line header that they share. */
static void units_that_share_a_long_line_header_are_too_complex(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct dwarf_builder d = { 0 };
	struct debug_info info;
	struct macho macho;

	(void)state;
	dwarf_lines_begin(&d);
	str_add_repeat(&d.line, '\0', 60000);
	patch_u32(&d.line, 6, (uint32_t)d.line.size - 10, CURSOR_LITTLE);
	dwarf_lines_end(&d);
	for (unsigned i = 0; i < 200; i++)
		add_plain_unit(&d);
	assert_null(macho_parse(dwarf_finish(&d), &macho));
	assert_null(collect_macho(&macho, DEBUG_READER_NATIVE, NULL, 0, &arena,
	                          &info));
	assert_in_range(info.bad_unit_count, 1, 150);
	assert_non_null(strstr(info.bad_unit_reason, "cannot be read"));
	macho_release(&macho);
	dwarf_builder_release(&d);
}

/**
 * libdwarf reads the table anew for each unit: what it takes is counted before.
 */
static void units_that_share_a_long_table_are_too_complex_for_libdwarf(
        void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct dwarf_builder d = { 0 };
	struct debug_info info;
	struct macho macho;

	(void)state;
	for (unsigned i = 0; i < 20000; i++)
		str_add_bytes(&d.abbrev, "\x7f\x13\0\0", 5);
	for (unsigned i = 0; i < 400; i++)
		add_plain_unit(&d);
	assert_null(macho_parse(dwarf_finish(&d), &macho));
	assert_null(collect_macho(&macho, DEBUG_READER_LIBDWARF, NULL, 0,
	                          &arena, &info));
	assert_in_range(info.bad_unit_count, 390, 399);
	assert_non_null(strstr(info.bad_unit_reason,
	                       "too complex for a file of this size"));
	assert_null(collect_macho(&macho, DEBUG_READER_NATIVE, NULL, 0, &arena,
	                          &info));
	assert_int_equal(info.bad_unit_count, 0);
	macho_release(&macho);
	dwarf_builder_release(&d);
}

static void a_function_inside_a_type_is_found(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	dwarf_entry(&d, STRUCTURE);
	dwarf_function(&d, "method", 0x1000, 0x20);
	dwarf_empty_function(&d, "local", 0x1020, 0x20);
	dwarf_end(&d);
	dwarf_end(&d);
	dwarf_unit_end(&d);
	EXPECT_AT(&d, "method [1000 1020)\nlocal [1020 1040)\n", 0x1000,
	          0x1020);
}

/** A function within @p depth types is found, or not. */
static void expect_within(unsigned depth, const char *expected)
{
	struct dwarf_builder d = { 0 };

	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	for (unsigned i = 0; i < depth; i++)
		dwarf_entry(&d, STRUCTURE);
	dwarf_function(&d, "method", 0x1000, 0x20);
	for (unsigned i = 0; i <= depth; i++)
		dwarf_end(&d);
	dwarf_unit_end(&d);
	expect(&d, NULL, 0, expected);
}

static void entries_lie_256_deep_at_most(void **state)
{
	(void)state;
	expect_within(255, "method [1000 1020)\n");
	expect_within(256, "");
}

/** A function that is named through @p hops entries. */
static void expect_hops(unsigned hops, const char *expected)
{
	struct dwarf_builder d = { 0 };
	size_t origin;

	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	origin = dwarf_abstract(&d, "plain", "_Z5plainv");
	for (unsigned i = hops; i--;) {
		size_t next = dwarf_entry(&d, NAMED_BY);

		dwarf_put(&d.info, origin - d.unit, 4);
		// Those between have no code.
		dwarf_low_high(&d, 0x1000, i ? 0 : 0x40);
		origin = next;
	}
	dwarf_unit_end(&d);
	expect(&d, NULL, 0, expected);
}

static void a_name_is_followed_sixteen_times(void **state)
{
	(void)state;
	expect_hops(16, "_Z5plainv [1000 1040)\n");
	expect_hops(17, " [1000 1040)\n");
}

static void calls_are_inlined_64_deep_at_most(void **state)
{
	(void)state;
	for (unsigned depth = 63; depth <= 66; depth++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct dwarf_builder d = { 0 };
		struct debug_info info;
		struct macho macho;
		const struct debug_inline *calls;
		size_t origin, ranges;
		unsigned found = 0;

		dwarf_unit_begin(&d, 4);
		dwarf_root(&d, 0x1000, 0x40);
		origin = dwarf_abstract(&d, "again", "_Z5againv");
		ranges = dwarf_two_ranges(&d, 0x1000, 0x1010, 0x1020, 0x1030);
		dwarf_function(&d, "main", 0x1000, 0x40);
		for (unsigned i = 0; i < depth; i++) {
			dwarf_entry(&d, CALL_RANGES);
			dwarf_put(&d.info, origin - d.unit, 4);
			dwarf_put(&d.info, ranges, 4);
			dwarf_put(&d.info, 1, 1);
			dwarf_put(&d.info, 7, 1);
		}
		for (unsigned i = 0; i <= depth; i++)
			dwarf_end(&d);
		dwarf_unit_end(&d);
		assert_null(macho_parse(dwarf_finish(&d), &macho));
		assert_null(collect_macho(&macho, DEBUG_READER_NATIVE, NULL, 0,
		                          &arena, &info));
		calls = info.functions[0].inlines;
		for (size_t count = info.functions[0].inline_count; count;
		     found++) {
			count = calls[0].child_count;
			calls = calls[0].children;
		}
		assert_int_equal(found, depth < 64 ? depth : 64);
		macho_release(&macho);
		dwarf_builder_release(&d);
	}
}

static void a_cycle_of_names_ends(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	size_t self = dwarf_entry(&d, NAMED_BY);
	dwarf_put(&d.info, self - d.unit, 4);
	dwarf_low_high(&d, 0x1000, 0x40);
	dwarf_unit_end(&d);
	EXPECT_AT(&d, " [1000 1040)\n", 0x1000);
}

static void an_entry_that_is_its_own_sibling_does_not_hang(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_unit_begin(&d, 4);
	dwarf_root(&d, 0x1000, 0x40);
	dwarf_entry(&d, STRUCTURE);
	size_t self = dwarf_entry(&d, SELF_SIBLING);
	dwarf_put(&d.info, self - d.unit, 4);
	dwarf_end(&d);
	dwarf_end(&d);
	dwarf_empty_function(&d, "behind", 0x1000, 0x40);
	dwarf_unit_end(&d);
	EXPECT_AT(&d, "behind [1000 1040)\n", 0x1000);
}

static void an_abbreviation_has_so_many_attributes_at_most(void **state)
{
	(void)state;
	for (size_t count = 512; count <= 513; count++) {
		SCOPED(str_release) struct str table = { 0 };
		struct dwarf_work work = { .left = 10000 };
		struct abbrev_section section = { 0 };

		str_add_bytes(&table, "\1\x11\0", 3);
		str_add_repeat(&table, '\3', 2 * count);
		str_add_bytes(&table, "\0\0\0", 3);
		section.original = bytes_from_text(str_text(&table));
		assert_int_equal(abbrev_scan(&section, 0, &work), count == 512);
		abbrev_release(&section);
	}
}

static void a_bad_unit_is_counted_and_the_others_are_kept(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	patch_u32(&d.info, 6, 0x7777, CURSOR_LITTLE);
	add_plain_unit(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	dwarf_aranges(&d, d.unit, 0x1000, 0x80);
	dwarf_aranges(&d, 0x12345, 0x1000, 0x80);
	EXPECT_OURS_AT(
	        &d,
	        "other [1040 1080)\n"
	        "2 bad: unit at 0x0: abbreviations at 0x7777 are damaged\n",
	        0x1040);
}

/**
 * A unit of DWARF 5 with functions at 0x1000 and 0x1100, by way of
 * .debug_addr, which says @p first and @p second.
 */
static void add_indexed_unit(struct dwarf_builder *d, uint64_t first,
                             uint64_t second)
{
	static const uint8_t list[] = {
		1, 0, 4, 0x00, 0x20, 3, 1, 0x10, 0,
	};

	dwarf_put(&d->addr, 0, 8); // the header, which is skipped
	dwarf_put(&d->addr, first, 8);
	dwarf_put(&d->addr, second, 8);
	dwarf_put(&d->rnglists, 0, 8); // the header
	dwarf_put(&d->rnglists, 0, 4);
	dwarf_put(&d->rnglists, 4, 4); // list 0, from here
	str_add_bytes(&d->rnglists, list, sizeof(list));

	dwarf_unit_begin(d, 5);
	dwarf_entry(d, ROOT_5);
	dwarf_put(&d->info, 8, 4);
	dwarf_put(&d->info, 12, 4);
	dwarf_put(&d->info, 0, 1);
	dwarf_put(&d->info, 0, 1);
	for (unsigned i = 0; i < 2; i++) {
		dwarf_entry(d, FUNCTION_5);
		dwarf_put_string(&d->info, i ? "second" : "first");
		dwarf_put(&d->info, i, 1);
		dwarf_put(&d->info, 0x10, 4);
	}
	dwarf_unit_end(d);
}

static void dwarf_5_indexes_are_followed(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_indexed_unit(&d, 0x1000, 0x1100);
	EXPECT_AT(&d, "first [1000 1010)\nsecond [1100 1110)\n", 0x100f, 0x1100,
	          0x1110);
}

#define GAP                                                \
	"1 bad: unit at 0x0: its functions are not where " \
	".debug_aranges has them\n"

/** Valid numbers, but elsewhere: only .debug_aranges shows it. */
static void a_function_that_was_moved_by_damage_is_missed(void **state)
{
	static const struct {
		uint64_t second; ///< where .debug_addr has it
		uint64_t wanted; ///< 0: everything
		const char *expected;
	} cases[] = {
		{ 0x1100, 0x1108, "second [1100 1110)\n" },
		{ 0x5100, 0x1108, GAP },
		{ 0x1108, 0x1104, GAP },
		{ 0, 0x1108, GAP },
		{ UINT64_MAX, 0x1108, GAP },
		{ 0x5100, 0x1008, "first [1000 1010)\n" },
		{ 0x5100, 0x1110, "" },
		{ 0x5100, 0x10ff, "" },
		{ 0x1100, 0, "first [1000 1010)\nsecond [1100 1110)\n" },
		{ 0x5100, 0, "first [1000 1010)\nsecond [5100 5110)\n" GAP },
		{ 0x1104, 0, "first [1000 1010)\nsecond [1104 1114)\n" GAP },
		{ 0x10fc, 0, "first [1000 1010)\nsecond [10fc 110c)\n" GAP },
		{ 0, 0, "first [1000 1010)\n" GAP },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dwarf_builder d = { 0 };

		add_indexed_unit(&d, 0x1000, cases[i].second);
		dwarf_aranges(&d, 0, 0x1000, 0x10);
		dwarf_aranges(&d, 0, 0x1100, 0x10);
		dwarf_aranges(&d, 0, 0, 0x10); // dropped code
		expect_by(&d, false, &cases[i].wanted, cases[i].wanted != 0,
		          cases[i].expected);
	}
}

/** A unit counts once, however many sets of .debug_aranges are its own. */
static void a_unit_with_gaps_in_two_sets_is_one_bad_unit(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_indexed_unit(&d, 0x5000, 0x5100);
	dwarf_aranges(&d, 0, 0x1000, 0x10);
	dwarf_aranges(&d, 0, 0x1100, 0x10);
	EXPECT_OURS_AT(&d, GAP, 0x1008, 0x1108);
}

/** An assembler has no functions; what its unit is given says nothing. */
static void a_unit_without_indexes_may_have_places_without_functions(
        void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	dwarf_put(&d.addr, 0, 8);
	add_plain_unit(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x100);
	EXPECT_AT(&d, "other [1040 1080)\n", 0x1040, 0x1090);
}

static void a_file_without_debug_information_is_refused(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct macho macho = { .order = CURSOR_LITTLE };
	const struct debug_object object = macho_debug_object(&macho);
	struct debug_info info;

	(void)state;
	assert_false(debug_info_present(&object));
	struct error *err = collect_macho(&macho, DEBUG_READER_NATIVE, NULL, 0,
	                                  &arena, &info);
	assert_non_null(err);
	assert_string_equal(error_message(err), "no debug information");
	assert_int_equal(error_code(err), ERROR_NOT_FOUND);
	error_free(err);
}

static void every_truncation_of_a_file_ends_well(void **state)
{
	struct dwarf_builder d = { 0 };

	(void)state;
	add_plain_unit(&d);
	add_plain_lines(&d);
	dwarf_aranges(&d, 0, 0x1000, 0x80);
	struct bytes image = dwarf_finish(&d);
	for (size_t size = 0; size < image.size; size++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const uint64_t address = 0x1014;
		struct macho macho;
		struct debug_info info;
		struct error *err =
		        macho_parse(bytes_part(image, 0, size), &macho);

		if (!err) {
			err = collect_macho(&macho, DEBUG_READER_NATIVE,
			                    &address, 1, &arena, &info);
			macho_release(&macho);
		}
		error_free(err);
	}
	dwarf_builder_release(&d);
}

/** Collect by a reader, whatever there is; no function is without code. */
static void collect_damaged(struct bytes image, enum debug_reader reader)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct debug_info info = { 0 };
	struct macho macho;
	struct error *err = macho_parse(image, &macho);

	assert_null(err);
	err = collect_macho(&macho, reader, NULL, 0, &arena, &info);
	for (size_t i = 0; !err && i < info.function_count; i++) {
		const struct debug_range *range = &info.functions[i].range;

		assert_true(range->low < range->high);
	}
	error_free(err);
	macho_release(&macho);
}

/** All kinds of entries, and all sections that they refer to. */
static void add_everything(struct dwarf_builder *d)
{
	add_plain_unit(d);
	size_t ranges = dwarf_two_ranges(d, 0x1200, 0x1210, 0x1300, 0x1310);
	dwarf_unit_begin(d, 4);
	dwarf_root(d, 0x1200, 0x200);
	size_t callee = dwarf_abstract(d, "callee", "_Z6calleev");
	dwarf_entry(d, FUNCTION_RANGES);
	dwarf_put_string(&d->info, "split");
	dwarf_put(&d->info, ranges, 4);
	dwarf_entry(d, CALL_RANGES);
	dwarf_put(&d->info, callee - d->unit, 4);
	dwarf_put(&d->info, ranges, 4);
	dwarf_put(&d->info, 0x0501, 2);
	dwarf_call(d, CALL_ELSEWHERE, callee, 0x1300, 8, 7);
	dwarf_end(d);
	dwarf_end(d);
	dwarf_entry(d, STRUCTURE);
	dwarf_entry(d, NAMED_BY);
	dwarf_put(&d->info, callee - d->unit, 4);
	dwarf_low_high(d, 0x1320, 0x10);
	dwarf_end(d);
	dwarf_unit_end(d);
	add_plain_lines(d);
	dwarf_aranges(d, 0, 0x1000, 0x80);
	dwarf_aranges(d, d->unit, 0x1200, 0x200);
}

static void every_damaged_byte_ends_well(void **state)
{
	static const uint8_t values[] = { 0, 1, 0x2e, 0x7f, 0x80, 0xff };
	struct dwarf_builder d = { 0 };
	struct bytes image;

	(void)state;
	add_everything(&d);
	image = dwarf_finish(&d);
	for (size_t at = DWARF_START; at < image.size; at++) {
		uint8_t *byte = (uint8_t *)&d.image.image.data[at];
		uint8_t before = *byte;

		for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
			*byte = values[i];
			collect_damaged(image, DEBUG_READER_NATIVE);
			collect_damaged(image, DEBUG_READER_LIBDWARF);
		}
		*byte = before;
	}
	dwarf_builder_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_its_lines_and_inlined_calls),
		cmocka_unit_test(rows_end_with_their_sequence),
		cmocka_unit_test(where_addresses_descend_a_sequence_begins),
		cmocka_unit_test(rows_that_are_left_out_are_not_missed),
		cmocka_unit_test(rows_before_what_is_wanted_lead_to_it),
		cmocka_unit_test(of_equal_sequences_the_first_counts),
		cmocka_unit_test(a_sequence_inside_another_has_its_own_places),
		cmocka_unit_test(a_sequence_has_what_those_before_it_leave),
		cmocka_unit_test(
		        a_call_in_a_block_behind_a_nested_function_is_found),
		cmocka_unit_test(what_no_function_covers_gives_nothing),
		cmocka_unit_test(units_are_found_by_their_own_ranges_too),
		cmocka_unit_test(
		        a_function_is_found_where_its_unit_is_named_wrongly),
		cmocka_unit_test(a_gap_in_a_unit_opens_no_other),
		cmocka_unit_test(
		        a_unit_that_is_only_asked_is_bad_if_it_has_no_set),
		cmocka_unit_test(without_addresses_all_functions_are_given),
		cmocka_unit_test(a_name_is_followed_into_another_unit),
		cmocka_unit_test(
		        a_name_is_followed_by_way_of_the_address_ranges),
		cmocka_unit_test(
		        functions_of_any_order_are_found_by_their_bounds),
		cmocka_unit_test(an_end_may_be_written_in_more_than_one_byte),
		cmocka_unit_test(
		        each_piece_of_a_split_function_has_its_own_calls),
		cmocka_unit_test(of_overlapping_functions_the_narrower_wins),
		cmocka_unit_test(of_overlapping_functions_one_in_order_wins),
		cmocka_unit_test(of_functions_in_order_the_narrower_wins),
		cmocka_unit_test(a_function_that_lies_too_deep_is_in_no_order),
		cmocka_unit_test(
		        a_function_is_in_order_if_the_next_one_is_behind_it),
		cmocka_unit_test(a_unit_is_read_as_far_as_it_is_wanted),
		cmocka_unit_test(one_address_is_answered_as_all_are),
		cmocka_unit_test(dropped_code_is_left_out),
		cmocka_unit_test(dropped_code_does_not_end_a_search),
		cmocka_unit_test(
		        a_call_in_a_block_is_not_in_the_call_before_it),
		cmocka_unit_test(a_name_is_cut_after_64_kib),
		cmocka_unit_test(
		        units_that_share_a_long_line_header_are_too_complex),
		cmocka_unit_test(
		        units_that_share_a_long_table_are_too_complex_for_libdwarf),
		cmocka_unit_test(a_function_inside_a_type_is_found),
		cmocka_unit_test(entries_lie_256_deep_at_most),
		cmocka_unit_test(a_name_is_followed_sixteen_times),
		cmocka_unit_test(calls_are_inlined_64_deep_at_most),
		cmocka_unit_test(a_cycle_of_names_ends),
		cmocka_unit_test(
		        an_entry_that_is_its_own_sibling_does_not_hang),
		cmocka_unit_test(
		        an_abbreviation_has_so_many_attributes_at_most),
		cmocka_unit_test(a_bad_unit_is_counted_and_the_others_are_kept),
		cmocka_unit_test(dwarf_5_indexes_are_followed),
		cmocka_unit_test(a_function_that_was_moved_by_damage_is_missed),
		cmocka_unit_test(a_unit_with_gaps_in_two_sets_is_one_bad_unit),
		cmocka_unit_test(
		        a_unit_without_indexes_may_have_places_without_functions),
		cmocka_unit_test(a_file_without_debug_information_is_refused),
		cmocka_unit_test(every_truncation_of_a_file_ends_well),
		cmocka_unit_test(every_damaged_byte_ends_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
