// SPDX-License-Identifier: MIT
#include "lib/symbols/index/uuid_entry.h"

#include "lib/base/file.h"
#include "lib/base/out.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/gsym/gsym.h"

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
		{ UUID_ENTRY_GSYM, "gsym" },
		{ 0, "other" },
		{ 4, "other" }, // a core file
		{ 99, "other" },
		{ UINT32_MAX, "other" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct uuid_entry entry = { .file_type = cases[i].type };

		assert_string_equal(uuid_entry_type(&entry), cases[i].name);
	}
}

static void addresses_of_64_bits(void **state)
{
	struct uuid_entry entry = { .cpu_type = 12, .file_type = 2 };

	(void)state;
	assert_false(uuid_entry_is_64(&entry));
	entry.cpu_type |= 0x01000000;
	assert_true(uuid_entry_is_64(&entry));
	entry.cpu_type = 0;
	entry.file_type = UUID_ENTRY_GSYM;
	assert_true(uuid_entry_is_64(&entry));
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
	struct macho macho;
	struct file_data file;

	(void)state;
	assert_null(file_map(PLAIN, &file));
	assert_null(macho_parse(file.bytes, &macho));
	entry.size = file.bytes.size;
	assert_int_not_equal(macho.text_size, 0);
	check_text(&entry, "", macho.text_address, macho.text_size);
	macho_release(&macho);
	file_release(&file);
	entry.offset = 1;
	entry.size--;
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
	struct uuid_entry entry = { .path = "one.gsym",
		                    .file_type = UUID_ENTRY_GSYM };
	SCOPED(str_release) struct str image = { 0 };
	struct test_directory directory;

	(void)state;
	test_directory_enter(&directory);
	assert_null(gsym_write(&info, &uuid, &image));
	test_file_write("one.gsym", image.data, image.size);
	check_text(&entry, "", 0x800, 0x900);
	test_file_write("one.gsym", image.data, 10);
	check_text(&entry,
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
