#include "lib/symbols/debug_image.h"

#include "lib/base/file.h"
#include "lib/symbols/debug_worker.h"
#include "tests/unit/lib/object/dwarf/dwarf_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SAMPLE APMTOOL_SOURCE_DIR "/samples/Demo.dSYM/Contents/Resources/DWARF/"

/** A unit with a function at 0x1000, which .debug_aranges leads to. */
static void add_unit(struct dwarf_builder *d)
{
	size_t start = d->info.size;

	dwarf_unit_begin(d, 4);
	dwarf_root(d, 0x1000, 0x40);
	dwarf_function(d, "main", 0x1000, 0x40);
	dwarf_end(d);
	dwarf_unit_end(d);
	dwarf_aranges(d, start, 0x1000, 0x40);
}

/**
 * Is what is at 0x1000 found here, as it is with libdwarf's help and all the
 * work that the file may take? Then it is released.
 */
static bool is_made_here(struct dwarf_builder *d, size_t expected_bad)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str whole = { 0 };
	SCOPED(str_release) struct str image = { 0 };
	const uint64_t address = 0x1000;
	size_t bad_units = 0;
	struct macho macho;
	bool made;

	assert_null(macho_parse(dwarf_finish(d), &macho));
	assert_null(debug_image_make(&macho, DEBUG_READER_NATIVE, &address, 1,
	                             &arena, &whole, &bad_units));
	assert_int_equal(bad_units, expected_bad);
	made = debug_image_make_here(&macho, &address, 1, &image);
	assert_int_equal(made, image.size != 0);
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
	size_t bad_units = 0;
	struct macho macho;

	assert_null(file_map(SAMPLE "Demo", &file));
	assert_null(macho_slices(file.bytes, &slices));
	assert_null(macho_parse(bytes_part(file.bytes, slices.slices[0].offset,
	                                   slices.slices[0].size),
	                        &macho));
	addresses[0] = macho.text_address + 0x920;
	addresses[1] = macho.text_address + 0xa0c;
	assert_true(debug_image_make_here(&macho, addresses, 2, &here));
	assert_null(debug_worker_run(&macho, DEBUG_READER_NATIVE, addresses, 2,
	                             &there, &bad_units));
	assert_int_equal(bad_units, 0);
	assert_int_equal(here.size, there.size);
	assert_memory_equal(here.data, there.data, here.size);
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
		cmocka_unit_test(much_work_is_left_to_a_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
