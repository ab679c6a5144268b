// SPDX-License-Identifier: MIT
#include "lib/symbols/debug_image.h"

#include "lib/base/file.h"
#include "tests/unit/lib/object/dwarf/dwarf_builder.h"
#include "tests/unit/lib/symbols/macho_debug.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLE APMTOOL_SOURCE_DIR "/samples/Demo.dSYM/Contents/Resources/DWARF/"

/** A unit with a function at 0x1000, which .debug_aranges leads to. */
static void add_unit(struct dwarf_builder *d)
{
	size_t start = d->info.size;

	dwarf_unit_begin(d, 4);
	dwarf_root(d, 0x1000, 0x40);
	dwarf_empty_function(d, "main", 0x1000, 0x40);
	dwarf_unit_end(d);
	dwarf_aranges(d, start, 0x1000, 0x40);
}

/** Make the image that knows 0x1000; so many units could not be read. */
static void expect_bad_units(struct dwarf_builder *d, size_t count)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str image = { 0 };
	const uint64_t address = 0x1000;
	struct debug_faults faults = { 0 };
	struct open_source open;
	struct macho macho;

	assert_null(macho_parse(dwarf_finish(d), &macho));
	assert_null(open_macho(&macho, &open));
	assert_null(debug_image_make(&open, DEBUG_READER_NATIVE, &address, 1,
	                             &arena, &image, &faults));
	assert_int_equal(faults.count, count);
	assert_int_equal(faults.reason[0] != '\0', count != 0);
	assert_true(image.size);
	open_source_close(&open);
	macho_release(&macho);
	dwarf_builder_release(d);
}

static void the_image_of_a_child_is_the_same(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(str_release) struct str here = { 0 };
	SCOPED(str_release) struct str there = { 0 };
	struct macho_slices slices;
	uint64_t addresses[2];
	struct debug_faults faults = { 0 };
	struct open_source open;
	struct macho macho;

	assert_null(file_map(SAMPLE "Demo", &file));
	assert_null(macho_slices(file.bytes, &slices));
	assert_null(macho_parse(bytes_part(file.bytes, slices.slices[0].offset,
	                                   slices.slices[0].size),
	                        &macho));
	assert_null(open_macho(&macho, &open));
	addresses[0] = macho.text_address + 0x920;
	addresses[1] = macho.text_address + 0xa0c;
	assert_null(debug_image_make(&open, DEBUG_READER_NATIVE, addresses, 2,
	                             &arena, &here, &faults));
	assert_null(debug_worker_run(&macho, DEBUG_READER_NATIVE, addresses, 2,
	                             &there, &faults));
	assert_int_equal(faults.count, 0);
	assert_int_equal(here.size, there.size);
	assert_memory_equal(here.data, there.data, here.size);
	open_source_close(&open);
	macho_release(&macho);
}

static void a_damaged_unit_is_counted(void **state UNUSED)
{
	struct dwarf_builder sound = { 0 };
	struct dwarf_builder damaged = { 0 };
	size_t second;

	add_unit(&sound);
	expect_bad_units(&sound, 0);

	add_unit(&damaged);
	second = damaged.info.size;
	add_unit(&damaged);
	patch_u32(&damaged.info, second + 6, 0x7777, CURSOR_LITTLE);
	expect_bad_units(&damaged, 1);
}

/**
 * Units get a table with a form that our reader does not know; the one at
 * @p good has the usual one.
 */
static void use_unknown_form(struct dwarf_builder *d, size_t good)
{
	static const uint8_t unknown[] = { 77,   0x34, 0, 0x03, 0x99,
		                           0x01, 0,    0, 0 };
	// All but the end of the usual one.
	str_add_bytes(&d->abbrev, dwarf_abbreviations,
	              sizeof(dwarf_abbreviations) - 1);
	str_add_bytes(&d->abbrev, unknown, sizeof(unknown));
	patch_u32(&d->info, good + 6, (uint32_t)d->abbrev.size, CURSOR_LITTLE);
}

static void a_name_in_a_unit_that_is_refused_is_missed(void **state UNUSED)
{
	for (unsigned is_unknown = 0; is_unknown < 2; is_unknown++) {
		struct dwarf_builder d = { 0 };
		size_t real;

		dwarf_unit_begin(&d, 4);
		dwarf_root(&d, 0x3000, 0x10);
		real = dwarf_abstract(&d, "real", "_Z4realv");
		dwarf_unit_end(&d);
		dwarf_unit_begin(&d, 4);
		dwarf_root(&d, 0x1000, 0x40);
		dwarf_function(&d, "main", 0x1000, 0x40);
		dwarf_call(&d, CALL_ELSEWHERE, real, 0x1000, 8, 5);
		dwarf_end(&d);
		dwarf_unit_end(&d);
		dwarf_aranges(&d, d.unit, 0x1000, 0x40);
		if (is_unknown)
			use_unknown_form(&d, d.unit);
		expect_bad_units(&d, is_unknown);
	}
}

static void a_unit_that_is_refused_is_elsewhere_by_its_set(void **state UNUSED)
{
	for (unsigned is_unknown = 0; is_unknown < 2; is_unknown++) {
		struct dwarf_builder d = { 0 };
		size_t other;

		add_unit(&d);
		// Its set does not lead to the address.
		str_clear(&d.aranges);
		dwarf_aranges(&d, 0, 0x1030, 0x10);
		dwarf_unit_begin(&d, 4);
		other = d.unit;
		dwarf_root(&d, 0x2000, 0x10);
		dwarf_unit_end(&d);
		dwarf_aranges(&d, other, 0x2000, 0x10);
		if (is_unknown)
			use_unknown_form(&d, other);
		expect_bad_units(&d, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_image_of_a_child_is_the_same),
		cmocka_unit_test(a_damaged_unit_is_counted),
		cmocka_unit_test(a_name_in_a_unit_that_is_refused_is_missed),
		cmocka_unit_test(
		        a_unit_that_is_refused_is_elsewhere_by_its_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
