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

/**
 * Is what is at 0x1000 found here, as it is with all the
 * work that the file may take? Then it is released.
 */
static bool is_made_here(struct dwarf_builder *d, size_t expected_bad)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str whole = { 0 };
	SCOPED(str_release) struct str image = { 0 };
	const uint64_t address = 0x1000;
	struct debug_faults faults = { 0 };
	struct open_source open;
	struct macho macho;
	bool made;

	assert_null(macho_parse(dwarf_finish(d), &macho));
	assert_null(open_macho(&macho, &open));
	assert_null(debug_image_make(&open, DEBUG_READER_NATIVE, &address, 1,
	                             &arena, &whole, &faults));
	assert_int_equal(faults.count, expected_bad);
	made = debug_image_make_here(&open, &address, 1, &image);
	assert_int_equal(made, image.size != 0);
	open_source_close(&open);
	macho_release(&macho);
	dwarf_builder_release(d);
	return made;
}

static void an_image_made_here_is_that_of_a_child(void **state UNUSED)
{
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
	assert_true(debug_image_make_here(&open, addresses, 2, &here));
	assert_null(debug_worker_run(&macho, DEBUG_READER_NATIVE, addresses, 2,
	                             &there, &faults));
	assert_int_equal(faults.count, 0);
	assert_int_equal(here.size, there.size);
	assert_memory_equal(here.data, there.data, here.size);
	open_source_close(&open);
	macho_release(&macho);
}

static void a_fault_is_left_to_a_child(void **state UNUSED)
{
	struct dwarf_builder sound = { 0 };
	struct dwarf_builder damaged = { 0 };
	size_t second;

	add_unit(&sound);
	assert_true(is_made_here(&sound, 0));

	add_unit(&damaged);
	second = damaged.info.size;
	add_unit(&damaged);
	patch_u32(&damaged.info, second + 6, 0x7777, CURSOR_LITTLE);
	assert_false(is_made_here(&damaged, 1));
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
		assert_int_equal(is_made_here(&d, is_unknown), !is_unknown);
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
		assert_int_equal(is_made_here(&d, 0), true);
	}
}

/** Behind the new end are zeros, and a line program of zeros is a sound one. */
static void a_file_that_becomes_shorter_is_left_to_a_child(void **state UNUSED)
{
	enum { NEGATE_STATEMENT = 6 };
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(str_release) struct str image = { 0 };
	char path[] = "/tmp/apmtool-image.XXXXXX";
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const uint64_t address = 0x1000;
	struct dwarf_builder d = { 0 };
	struct open_source open;
	struct macho macho;
	struct bytes bytes;
	size_t end;
	int fd = mkstemp(path);

	add_unit(&d);
	dwarf_lines_begin(&d);
	end = DWARF_START + d.info.size + sizeof(dwarf_abbreviations) +
	      d.aranges.size + d.line.size;
	str_add_repeat(&d.line, NEGATE_STATEMENT, 2 * page - end % page);
	end += 2 * page - end % page;
	dwarf_lines_at(&d, 0x1000);
	dwarf_row(&d, 0, 1, 9);
	dwarf_sequence_end(&d, 0x40);
	// Pairs of zeros are operations that do nothing.
	dwarf_put(&d.line, NEGATE_STATEMENT, 1);
	dwarf_lines_end(&d);

	bytes = dwarf_finish(&d);
	assert_int_equal(write(fd, bytes.data, bytes.size),
	                 (ssize_t)bytes.size);
	close(fd);
	assert_null(file_map(path, &file));
	assert_null(macho_parse(file.bytes, &macho));
	assert_null(open_macho(&macho, &open));
	assert_true(debug_image_make_here(&open, &address, 1, &image));
	str_release(&image);
	assert_int_equal(truncate(path, (off_t)end), 0);
	assert_false(debug_image_make_here(&open, &address, 1, &image));
	assert_int_equal(image.size, 0);
	open_source_close(&open);
	macho_release(&macho);
	dwarf_builder_release(&d);
	unlink(path);
}

/** Each unit pays for the line header that they share. */
static void much_work_is_left_to_a_child(void **state UNUSED)
{
	static const struct {
		unsigned units;
		bool is_made;
	} rows[] = { { 2, true }, { 40, false } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct dwarf_builder d = { 0 };

		dwarf_lines_begin(&d);
		str_add_repeat(&d.line, '\0', 4 << 20);
		patch_u32(&d.line, 6, (uint32_t)d.line.size - 10,
		          CURSOR_LITTLE);
		dwarf_lines_end(&d);
		for (unsigned k = 0; k < rows[i].units; k++)
			add_unit(&d);
		assert_int_equal(is_made_here(&d, 0), rows[i].is_made);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_image_made_here_is_that_of_a_child),
		cmocka_unit_test(a_fault_is_left_to_a_child),
		cmocka_unit_test(a_name_in_a_unit_that_is_refused_is_missed),
		cmocka_unit_test(
		        a_unit_that_is_refused_is_elsewhere_by_its_set),
		cmocka_unit_test(
		        a_file_that_becomes_shorter_is_left_to_a_child),
		cmocka_unit_test(much_work_is_left_to_a_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
