// SPDX-License-Identifier: MIT
#include "lib/object/macho/macho.h"

#include "lib/base/limit.h"
#include "tests/unit/lib/object/macho/macho_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define UUID_BYTES "0123456789ABCDEF"

static struct bytes build_image(struct macho_builder *b, bool is_64)
{
	macho_begin(b, CURSOR_BIG, is_64, is_64 ? CPU_ARM64 : CPU_ARM,
	            is_64 ? 0 : 9, MACHO_DSYM);
	macho_add_uuid(b, UUID_BYTES);
	return macho_finish(b);
}

static void slices_of_fat_files_are_listed(void **state)
{
	(void)state;
	for (int is_64 = 0; is_64 < 2; is_64++) {
		SCOPED(str_release) struct str file = { 0 };
		struct macho_builder b;
		struct bytes image = build_image(&b, true);
		struct macho_slices slices;
		struct macho macho = { 0 };

		fat_begin(&file, is_64, 2);
		fat_add_slice(&file, is_64, CPU_X86_64, 3, 0x100, image.size);
		fat_add_slice(&file, is_64, CPU_ARM64, 0x80000002, 0x1000,
		              image.size);
		fat_put(&file, 0x100, image);
		fat_put(&file, 0x1000, image);
		assert_true(macho_sniff(bytes_from_text(str_text(&file))));
		assert_null(macho_slices(bytes_from_text(str_text(&file)),
		                         &slices));
		assert_true(slices.fat);
		assert_int_equal(slices.count, 2);
		assert_int_equal(slices.skipped, 0);
		assert_int_equal(slices.slices[0].cpu_type, CPU_X86_64);
		assert_int_equal(slices.slices[1].cpu_subtype, 0x80000002);
		assert_int_equal(slices.slices[1].offset, 0x1000);
		assert_int_equal(slices.slices[1].size, image.size);
		assert_null(
		        macho_parse(bytes_part(bytes_from_text(str_text(&file)),
		                               0x1000, image.size),
		                    &macho));
		assert_memory_equal(macho.uuid.bytes, UUID_BYTES, 16);
		macho_release(&macho);
		macho_builder_release(&b);
	}
}

static void a_thin_file_is_one_slice(void **state)
{
	struct macho_builder b;
	struct bytes image = build_image(&b, false);
	struct macho_slices slices;

	(void)state;
	assert_null(macho_slices(image, &slices));
	assert_false(slices.fat);
	assert_int_equal(slices.count, 1);
	assert_int_equal(slices.slices[0].cpu_type, CPU_ARM);
	assert_int_equal(slices.slices[0].cpu_subtype, 9);
	assert_int_equal(slices.slices[0].offset, 0);
	assert_int_equal(slices.slices[0].size, image.size);
	macho_builder_release(&b);
}

static void slices_outside_the_file_or_over_its_head_are_skipped(void **state)
{
	SCOPED(str_release) struct str file = { 0 };
	struct macho_slices slices;

	(void)state;
	fat_begin(&file, true, 5);
	fat_add_slice(&file, true, CPU_ARM64, 0, 0, 0x200); // itself
	fat_add_slice(&file, true, CPU_ARM64, 0, 0x200, 0x10);
	fat_add_slice(&file, true, CPU_ARM64, 0, 0x100, UINT64_MAX);
	fat_add_slice(&file, true, CPU_ARM64, 0, UINT64_MAX, 0x100);
	fat_add_slice(&file, true, CPU_ARM64, 0, 0x100, 0x100);
	fat_put(&file, 0x200, (struct bytes){ 0 });
	assert_null(macho_slices(bytes_from_text(str_text(&file)), &slices));
	assert_int_equal(slices.count, 1);
	assert_int_equal(slices.skipped, 4);
	assert_int_equal(slices.slices[0].offset, 0x100);
}

static void of_slices_that_overlap_the_first_one_is_read(void **state)
{
	SCOPED(str_release) struct str file = { 0 };
	struct macho_slices slices;

	(void)state;
	fat_begin(&file, true, 4);
	fat_add_slice(&file, true, CPU_ARM64, 0, 0x100, 0x100);
	fat_add_slice(&file, true, CPU_ARM64, 1, 0x100, 0x100);
	fat_add_slice(&file, true, CPU_ARM64, 2, 0x1ff, 0x10);
	fat_add_slice(&file, true, CPU_ARM64, 3, 0x200, 0x10);
	fat_put(&file, 0x210, (struct bytes){ 0 });
	assert_null(macho_slices(bytes_from_text(str_text(&file)), &slices));
	assert_int_equal(slices.count, 2);
	assert_int_equal(slices.skipped, 2);
	assert_int_equal(slices.slices[0].cpu_subtype, 0);
	assert_int_equal(slices.slices[1].cpu_subtype, 3);
}

static void assert_slices_error(struct str *file, enum error_code code,
                                const char *message)
{
	struct macho_slices slices = { .count = 77 };
	SCOPED(error_drop)
	struct error *err =
	        macho_slices(bytes_from_text(str_text(file)), &slices);

	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_int_equal(error_code(err), code);
	assert_int_equal(slices.count, 77);
	str_release(file);
}

static void impossible_fat_headers_are_refused_at_once(void **state)
{
	struct str file = { 0 };

	(void)state;
	fat_begin(&file, false, 0xffffffff);
	fat_add_slice(&file, false, CPU_ARM64, 0, 0x100, 0x10);
	assert_slices_error(&file, ERROR_FORMAT,
	                    "fat header: offset 0x4: 4294967295 slices cannot "
	                    "fit in 28 bytes");
	fat_begin(&file, true, 0xffffffff);
	assert_slices_error(&file, ERROR_FORMAT,
	                    "fat header: offset 0x4: 4294967295 slices cannot "
	                    "fit in 8 bytes");
	fat_begin(&file, false, 1);
	fat_add_slice(&file, false, CPU_ARM64, 0, 0x100, 0x10);
	assert_slices_error(&file, ERROR_FORMAT,
	                    "fat header: none of 1 slices lies inside the "
	                    "file");
	put_uint(&file, 0xcafebabe, 4, CURSOR_BIG);
	assert_slices_error(&file, ERROR_FORMAT,
	                    "fat header: offset 0x4: expected 4 more bytes, "
	                    "found 0");
}

static void java_classes_are_not_fat_files(void **state)
{
	static const struct {
		uint32_t version;
		bool is_fat;
	} cases[] = {
		{ 1, true },
		{ 42, true },
		{ 45, false },                 // JDK 1.1
		{ 3 << 16 | 45, false },       // JDK 1.0.2
		{ 65, false },                 // Java 21
		{ 0xffffu << 16 | 65, false }, // Java 21, preview
		{ 0xffffffff, true },          // a lie, and not Java's
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str file = { 0 };

		fat_begin(&file, false, cases[i].version);
		assert_int_equal(macho_sniff(bytes_from_text(str_text(&file))),
		                 cases[i].is_fat);
	}
}

static void more_slices_than_the_maximum_are_counted(void **state)
{
	SCOPED(str_release) struct str file = { 0 };
	struct macho_slices slices;

	(void)state;
	fat_begin(&file, true, LIMIT_DEFAULT_SLICES + 1);
	for (int i = 0; i <= LIMIT_DEFAULT_SLICES; i++)
		fat_add_slice(&file, true, CPU_ARM64, 0,
		              0x1000 + 0x10 * (uint64_t)i, 0x10);
	fat_put(&file, 0x1800, (struct bytes){ 0 });
	assert_null(macho_slices(bytes_from_text(str_text(&file)), &slices));
	assert_int_equal(slices.count, LIMIT_DEFAULT_SLICES);
	assert_int_equal(slices.skipped, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_of_fat_files_are_listed),
		cmocka_unit_test(a_thin_file_is_one_slice),
		cmocka_unit_test(
		        slices_outside_the_file_or_over_its_head_are_skipped),
		cmocka_unit_test(of_slices_that_overlap_the_first_one_is_read),
		cmocka_unit_test(impossible_fat_headers_are_refused_at_once),
		cmocka_unit_test(java_classes_are_not_fat_files),
		cmocka_unit_test(more_slices_than_the_maximum_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
