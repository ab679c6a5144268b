// SPDX-License-Identifier: MIT
#include "lib/symbols/index/uuid_entry.h"

#include "lib/base/file.h"
#include "lib/base/out.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/symbols/source/macho.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

#define PLAIN APMTOOL_SOURCE_DIR "/samples/Plain.dylib"

static struct symbol_locator slice_of(uint32_t cpu_type, uint32_t file_type)
{
	const struct macho_slice slice = { .cpu_type = cpu_type };

	return macho_locator(&slice, file_type);
}

static const struct uuid_entry gsym = { .path = "one.gsym",
	                                .kind = SYMBOL_KIND_GSYM };

static void types_have_names(void **state)
{
	static const struct {
		uint32_t type;
		const char *name;
	} cases[] = {
		{ MACHO_OBJECT, "object" },
		{ MACHO_EXECUTE, "executable" },
		{ MACHO_DYLIB, "dylib" },
		{ MACHO_DYLINKER, "dylinker" },
		{ MACHO_BUNDLE, "bundle" },
		{ MACHO_DSYM, "dsym" },
		{ MACHO_KEXT, "kext" },
		{ 0, "other" },
		{ 4, "other" }, // a core file
		{ 99, "other" },
		{ UINT32_MAX, "other" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct uuid_entry entry = { .at = slice_of(0, cases[i].type) };

		assert_string_equal(uuid_entry_type(&entry), cases[i].name);
	}
	assert_string_equal(uuid_entry_type(&gsym), "gsym");
}

static void addresses_of_64_bits(void **state)
{
	struct uuid_entry entry = { .at = slice_of(12, MACHO_EXECUTE) };

	(void)state;
	assert_false(uuid_entry_is_64(&entry));
	entry.at = slice_of(0x0100000c, MACHO_EXECUTE);
	assert_true(uuid_entry_is_64(&entry));
	assert_true(uuid_entry_is_64(&gsym));
}

/** Where an entry says its code is; the error's message, or "". */
static void check_text(const struct uuid_entry *entry, const char *message,
                       uint64_t wanted_address, uint64_t wanted_size)
{
	uint64_t address = 1, size = 2;
	struct error *err = uuid_entry_read_text(entry, &address, &size);

	assert_string_equal(err ? error_message(err) : "", message);
	assert_int_equal(address, err ? 1 : wanted_address);
	assert_int_equal(size, err ? 2 : wanted_size);
	error_free(err);
}

static void code_is_where_the_file_says(void **state)
{
	struct uuid_entry entry = { .path = PLAIN };
	struct macho_slice slice = { 0 };
	struct macho macho;
	struct file_data file;

	(void)state;
	assert_null(file_map(PLAIN, &file));
	assert_null(macho_parse(file.bytes, &macho));
	slice.size = file.bytes.size;
	entry.at = macho_locator(&slice, 0);
	assert_int_not_equal(macho.text_size, 0);
	check_text(&entry, "", macho.text_address, macho.text_size);
	macho_release(&macho);
	file_release(&file);
	slice.offset = 1;
	slice.size--;
	entry.at = macho_locator(&slice, 0);
	check_text(&entry, "not a Mach-O file", 0, 0);
	entry.path = "absent";
	check_text(&entry, "cannot open 'absent': no such file or directory", 0,
	           0);
}

static void a_gsym_spans_its_functions(void **state)
{
	static const struct uuid uuid = { { 1, 2, 3 } };
	struct debug_file none = { "", "" };
	struct debug_function function = { .range = { 0x1000, 0x1100 },
		                           .name = "one" };
	const struct debug_info info = { .files = &none,
		                         .file_count = 1,
		                         .functions = &function,
		                         .function_count = 1,
		                         .has_image_address = true,
		                         .image_address = 0x800 };
	SCOPED(str_release) struct str image = { 0 };
	struct test_directory directory;

	(void)state;
	test_directory_enter(&directory);
	assert_null(gsym_write(&info, &uuid, &image));
	test_file_write("one.gsym", image.data, image.size);
	check_text(&gsym, "", 0x800, 0x900);
	test_file_write("one.gsym", image.data, 10);
	check_text(&gsym,
	           "GSYM header: offset 0x8: expected 8 more bytes, "
	           "found 2",
	           0, 0);
	test_directory_leave(&directory);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_have_names),
		cmocka_unit_test(addresses_of_64_bits),
		cmocka_unit_test(code_is_where_the_file_says),
		cmocka_unit_test(a_gsym_spans_its_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
