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

enum { S_ZEROFILL = 1 };

/** A small dSYM: __TEXT without contents, __DWARF with one section. */
static struct bytes build_dsym(struct macho_builder *b, enum cursor_order order,
                               bool is_64)
{
	macho_begin(b, order, is_64, is_64 ? CPU_ARM64 : CPU_ARM, is_64 ? 0 : 9,
	            MACHO_DSYM);
	macho_add_uuid(b, UUID_BYTES);
	macho_add_segment(b, "__TEXT", 0x4000, 0x4000, 0, 0, 1);
	macho_add_section(b, "__TEXT", "__text", 0x5000, 0x100, 0, 0);
	macho_add_segment(b, "__DWARF", 0x8000, 0x1000, 0x800, 0x20, 2);
	macho_add_section(b, "__DWARF", "__debug_str_offs", 0x8000, 4, 0x800,
	                  0);
	macho_add_section(b, "__DWARF", "__debug_info", 0x8004, 8, 0x804, 0);
	macho_put(b, 0x800, "abcdDEBUGINF", 12);
	macho_pad(b, 0x820);
	return macho_finish(b);
}

static void assert_parse_error(struct bytes slice, enum error_code code,
                               const char *message)
{
	struct macho macho = { 0 };
	SCOPED(error_drop) struct error *err = macho_parse(slice, &macho);

	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_int_equal(error_code(err), code);
	assert_null(macho.slice.data);
}

static struct macho parse(struct bytes slice)
{
	struct macho macho;
	struct error *err = macho_parse(slice, &macho);

	if (err)
		fail_msg("%s", error_message(err));
	return macho;
}

static void an_image_is_read_in_both_orders_and_sizes(void **state)
{
	static const struct {
		enum cursor_order order;
		bool is_64;
	} cases[] = {
		{ CURSOR_LITTLE, true },
		{ CURSOR_LITTLE, false },
		{ CURSOR_BIG, true },
		{ CURSOR_BIG, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct macho_builder b;
		struct bytes image =
		        build_dsym(&b, cases[i].order, cases[i].is_64);
		struct macho macho = parse(image);
		const struct macho_section *section;

		assert_true(macho_sniff(image));
		assert_int_equal(macho.is_64, cases[i].is_64);
		assert_int_equal(macho.order, cases[i].order);
		assert_int_equal(macho.file_type, MACHO_DSYM);
		assert_memory_equal(macho.uuid.bytes, UUID_BYTES, 16);
		assert_true(macho.has_text);
		assert_int_equal(macho.text_address, 0x4000);
		assert_int_equal(macho.text_size, 0x4000);
		assert_int_equal(macho.section_count, 3);
		assert_int_equal(macho.skipped_parts, 0);
		section = macho_section(&macho, "__DWARF", "__debug_info");
		assert_non_null(section);
		assert_int_equal(section->address, 0x8004);
		assert_int_equal(section->contents.size, 8);
		assert_memory_equal(section->contents.data, "DEBUGINF", 8);
		macho_release(&macho);
		macho_builder_release(&b);
	}
}

static void section_names_of_sixteen_characters_are_whole(void **state)
{
	struct macho_builder b;
	struct macho macho = parse(build_dsym(&b, CURSOR_LITTLE, true));

	(void)state;
	// DWARF's name is longer; the format truncates it.
	assert_non_null(
	        macho_section(&macho, "__DWARF", "__debug_str_offsets"));
	assert_null(macho_section(&macho, "__DWARF", "__debug_str"));
	assert_null(macho_section(&macho, "__TEXT", "__debug_str_offs"));
	macho_release(&macho);
	macho_builder_release(&b);
}

static void sections_without_contents_have_none(void **state)
{
	struct macho_builder b;
	struct macho macho;

	(void)state;
	macho_begin(&b, CURSOR_LITTLE, true, CPU_ARM64, 0, MACHO_EXECUTE);
	macho_add_segment(&b, "__TEXT", 0x4000, 0x1000, 0, 0x400, 1);
	macho_add_section(&b, "__TEXT", "__text", 0x4100, 0x10, 0, 0);
	macho_add_segment(&b, "__DATA", 0x8000, 0x1000, 0x200, 0x200, 1);
	macho_add_section(&b, "__DATA", "__bss", 0x8000, 0x10, 0x200,
	                  S_ZEROFILL);
	// Linkers write any offset where a segment has no contents.
	macho_add_segment(&b, "__LINKEDIT", 0x9000, 0, 0xffffff, 0, 0);
	macho_pad(&b, 0x400);
	macho = parse(macho_finish(&b));
	assert_int_equal(macho.section_count, 2);
	assert_int_equal(macho.sections[0].contents.size, 0);
	assert_true(macho.sections[0].has_code);
	assert_int_equal(macho.sections[1].contents.size, 0);
	assert_false(macho.sections[1].has_code);
	assert_int_equal(macho.skipped_parts, 0);
	macho_release(&macho);
	macho_builder_release(&b);
}

static void parts_outside_the_file_are_left_out_and_counted(void **state)
{
	struct macho_builder b;
	struct macho macho;

	(void)state;
	macho_begin(&b, CURSOR_LITTLE, true, CPU_ARM64, 0, MACHO_DSYM);
	macho_add_segment(&b, "__TEXT", 0x4000, 0x1000, 0, 0, 1);
	macho_add_section(&b, "__TEXT", "__text", UINT64_MAX, 2, 0, 0);
	macho_add_segment(&b, "__CUT", 0x6000, 0x1000, 0x300, 0x200, 1);
	macho_add_section(&b, "__CUT", "__cut", 0x6000, 4, 0x300, 0);
	macho_add_segment(&b, "__DWARF", 0x8000, 0x1000, 0x300, 0x20, 2);
	macho_add_section(&b, "__DWARF", "__debug_abbrev", 0x8000, 0x21, 0x300,
	                  0);
	macho_add_section(&b, "__DWARF", "__debug_info", 0x8000, 4, 0x300, 0);
	macho_add_symtab(&b, 0x300, 0x1000, 0x3fc, 8);
	macho_add_function_starts(&b, 0xffffffff, 0xffffffff);
	macho_pad(&b, 0x400);
	macho = parse(macho_finish(&b));
	assert_int_equal(macho.section_count, 4);
	assert_int_equal(macho.sections[0].size, 0);
	assert_int_equal(macho.sections[1].contents.size, 0);
	assert_int_equal(macho.sections[2].contents.size, 0);
	assert_int_equal(macho.sections[3].contents.size, 4);
	assert_int_equal(macho.symbol_count, 0);
	assert_int_equal(macho.strings.size, 0);
	assert_int_equal(macho.function_starts.size, 0);
	// __text wraps, __CUT and __debug_abbrev are too long, three tables.
	assert_int_equal(macho.skipped_parts, 6);
	macho_release(&macho);
	macho_builder_release(&b);
}

static void a_section_outside_its_segment_has_no_contents(void **state)
{
	// The segment has the bytes from 0x300 up to 0x320.
	static const struct {
		uint32_t offset;
		uint64_t size;
		uint64_t found; ///< bytes
		size_t skipped;
	} cases[] = {
		{ 0x2ff, 4, 0, 1 },    { 0x300, 0x20, 0x20, 0 },
		{ 0x31c, 4, 4, 0 },    { 0x31d, 4, 0, 1 },
		{ 0x320, 0, 0, 0 },    { 0x321, 0, 0, 1 },
		{ 0x300, 0x21, 0, 1 }, { 0x340, 4, 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct macho_builder b;
		struct macho macho;

		macho_begin(&b, CURSOR_LITTLE, true, CPU_ARM64, 0, MACHO_DSYM);
		macho_add_segment(&b, "__DWARF", 0x8000, 0x1000, 0x300, 0x20,
		                  1);
		macho_add_section(&b, "__DWARF", "__debug_info", 0x8000,
		                  cases[i].size, cases[i].offset, 0);
		macho_pad(&b, 0x400);
		macho = parse(macho_finish(&b));
		assert_int_equal(macho.sections[0].contents.size,
		                 cases[i].found);
		assert_int_equal(macho.skipped_parts, cases[i].skipped);
		macho_release(&macho);
		macho_builder_release(&b);
	}
}

static void offsets_above_4_gib_are_made_whole_again(void **state)
{
	struct macho_builder b;
	struct macho macho;
	struct bytes image;

	(void)state;
	macho_begin(&b, CURSOR_LITTLE, true, CPU_ARM64, 0, MACHO_DSYM);
	macho_add_segment(&b, "__DWARF", 0x200000000, 0x20, 0xfffffff0, 0x40,
	                  2);
	macho_add_section(&b, "__DWARF", "__debug_line", 0x200000000, 8,
	                  0xfffffff0, 0);
	macho_add_section(&b, "__DWARF", "__debug_info", 0x200000018, 8, 0x8,
	                  0);
	image = macho_finish(&b);
	// A sparse file of that size is not needed: nothing reads contents.
	image.size = 0x200000000;
	macho = parse(image);
	assert_int_equal(macho.sections[0].contents.data - image.data,
	                 0xfffffff0);
	assert_int_equal(macho.sections[1].contents.data - image.data,
	                 0x100000008);
	assert_int_equal(macho.sections[1].contents.size, 8);
	assert_int_equal(macho.skipped_parts, 0);
	macho_release(&macho);
	macho_builder_release(&b);
}

static void symbols_strings_and_function_starts_are_found(void **state)
{
	struct macho_builder b;
	struct macho macho;

	(void)state;
	macho_begin(&b, CURSOR_LITTLE, false, CPU_ARM, 9, MACHO_DYLIB);
	macho_add_symtab(&b, 0x200, 2, 0x218, 8);
	macho_add_function_starts(&b, 0x220, 4);
	macho_command(&b, 0x21, 20); // LC_ENCRYPTION_INFO
	macho_u32(&b, 0x1000);
	macho_u32(&b, 0x1000);
	macho_u32(&b, 1);
	macho_pad(&b, 0x224);
	macho = parse(macho_finish(&b));
	assert_int_equal(macho.symbol_count, 2);
	assert_int_equal(macho.symbols.size, 24);
	assert_int_equal(macho.strings.size, 8);
	assert_int_equal(macho.function_starts.size, 4);
	assert_true(macho.encrypted);
	assert_false(macho.has_text);
	macho_release(&macho);
	macho_builder_release(&b);
}

static void more_symbols_than_the_limit_are_refused(void **state)
{
	(void)state;
	for (uint32_t over = 0; over < 2; over++) {
		struct macho_builder b;
		struct macho macho;
		struct bytes image;

		macho_begin(&b, CURSOR_LITTLE, true, CPU_ARM64, 0, MACHO_DSYM);
		macho_add_symtab(&b, 0x200, LIMIT_DEFAULT_SYMBOLS + over, 0, 0);
		image = macho_finish(&b);
		image.size = 0x200000000; // contents are not read
		if (over) {
			assert_parse_error(
			        image, ERROR_LIMIT,
			        "load command 0: more than 50000000 symbols "
			        "(--limit symbols=COUNT raises it)");
		} else {
			macho = parse(image);
			assert_int_equal(macho.symbol_count,
			                 LIMIT_DEFAULT_SYMBOLS);
			macho_release(&macho);
		}
		macho_builder_release(&b);
	}
}

static void a_broken_command_list_is_an_error_with_its_offset(void **state)
{
	static const struct {
		size_t offset;
		uint32_t value;
		const char *message;
	} cases[] = {
		{ 0, 0x464c457f, "not a Mach-O file" },
		{ 16, 5,
		  "load command 3: type and size: offset 0x1b8: "
		  "expected 4 more bytes, found 0" },
		{ 16, 0xffffffff,
		  "load commands: 4294967295 are more than 65536" },
		{ 20, 0x10000,
		  "load commands: offset 0x20: expected 65536 bytes, "
		  "found 2048" },
		{ 0x24, 0,
		  "load command 0: offset 0x20: size 0 is less than 8" },
		{ 0x24, 25,
		  "load command 0: offset 0x20: size 25 is not a multiple of "
		  "4" },
		{ 0x24, 8,
		  "load command 0: UUID: offset 0x28: expected 16 more bytes, "
		  "found 0" },
		{ 0x24, 0xfffffffc,
		  "load command 0: offset 0x20: size 4294967292 runs past the "
		  "end of the load commands" },
		{ 0x3c, 16,
		  "load command 1: segment: offset 0x40: expected 16 more "
		  "bytes, found 8" },
		{ 0x38 + 64, 0xffffffff,
		  "load command 1: offset 0x80: 4294967295 sections cannot fit "
		  "in 80 bytes" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct macho_builder b;
		struct bytes image = build_dsym(&b, CURSOR_LITTLE, true);
		enum error_code code = ERROR_FORMAT;

		patch_u32(&b.image, cases[i].offset, cases[i].value,
		          CURSOR_LITTLE);
		if (i == 0)
			code = ERROR_UNSUPPORTED;
		if (i == 2)
			code = ERROR_LIMIT;
		assert_parse_error(image, code, cases[i].message);
		macho_builder_release(&b);
	}
}

static void an_image_truncated_at_any_byte_is_read_or_refused(void **state)
{
	struct macho_builder b;
	struct bytes image = build_dsym(&b, CURSOR_LITTLE, true);
	size_t commands_end = b.commands_end;

	(void)state;
	for (size_t size = 0; size < image.size; size++) {
		// A copy of that size, so that ASan sees a byte too many.
		SCOPED(str_release) struct str cut = { 0 };
		struct macho macho = { 0 };
		SCOPED(error_drop) struct error *err = NULL;

		str_add_bytes(&cut, image.data, size);
		err = macho_parse(bytes_from_text(str_text(&cut)), &macho);
		assert_int_equal(!err, size >= commands_end);
		assert_int_equal(macho.skipped_parts,
		                 size >= commands_end ? 1 : 0);
		macho_release(&macho);
	}
	macho_builder_release(&b);
}

static void more_sections_than_the_limit_are_refused(void **state)
{
	(void)state;
	for (uint32_t over = 0; over < 2; over++) {
		struct macho_builder b;
		struct macho macho;
		struct bytes image;

		macho_begin(&b, CURSOR_LITTLE, true, CPU_ARM64, 0, MACHO_DSYM);
		for (uint32_t segment = 0; segment < 2; segment++) {
			uint32_t count = 2048 + (segment ? over : 0);

			macho_add_segment(&b, "__DWARF", 0, 0, 0, 0, count);
			for (uint32_t i = 0; i < count; i++)
				macho_add_section(&b, "__DWARF", "__x", 0, 0, 0,
				                  0);
		}
		image = macho_finish(&b);
		if (over) {
			assert_parse_error(
			        image, ERROR_LIMIT,
			        "load command 1: more than 4096 sections "
			        "(--limit sections=COUNT raises it)");
		} else {
			macho = parse(image);
			assert_int_equal(macho.section_count,
			                 LIMIT_DEFAULT_SECTIONS);
			macho_release(&macho);
		}
		macho_builder_release(&b);
	}
}

static void of_two_uuids_the_first_counts(void **state)
{
	struct macho_builder b;
	struct macho macho;
	struct bytes image;
	struct uuid uuid;
	uint32_t file_type, cpu_type, cpu_subtype;
	uint64_t needed;

	(void)state;
	macho_begin(&b, CURSOR_LITTLE, true, CPU_ARM64, 0, MACHO_DSYM);
	macho_add_uuid(&b, "first, a UUID is");
	macho_add_uuid(&b, "and another then");
	image = macho_finish(&b);
	macho = parse(image);
	assert_memory_equal(macho.uuid.bytes, "first, a UUID is", 16);
	macho_release(&macho);
	assert_true(macho_peek_uuid(image, &uuid, &file_type, &cpu_type,
	                            &cpu_subtype, &needed));
	assert_memory_equal(uuid.bytes, "first, a UUID is", 16);
	macho_builder_release(&b);
}

static void load_commands_have_a_limit(void **state)
{
	(void)state;
	for (int over = 0; over < 2; over++) {
		struct macho_builder b;
		struct bytes image;

		macho_begin(&b, CURSOR_LITTLE, true, CPU_ARM64, 0, MACHO_DSYM);
		for (int i = 0; i < 65536 + over; i++)
			macho_command(&b, 0x99, 8);
		image = macho_finish(&b);
		if (over) {
			assert_parse_error(image, ERROR_LIMIT,
			                   "load commands: 65537 are more than "
			                   "65536");
		} else {
			struct macho macho = parse(image);

			macho_release(&macho);
		}
		macho_builder_release(&b);
	}
}

static void the_uuid_is_peeked_from_a_truncated_head(void **state)
{
	struct macho_builder b;
	struct bytes image = build_dsym(&b, CURSOR_BIG, true);
	size_t commands_end = b.commands_end;

	(void)state;
	for (size_t size = 0; size <= commands_end; size++) {
		SCOPED(str_release) struct str cut = { 0 };
		uint32_t file_type = 0, cpu_type = 0, cpu_subtype = 0;
		uint64_t needed;
		struct uuid uuid;
		bool found;

		str_add_bytes(&cut, image.data, size);
		found = macho_peek_uuid(bytes_from_text(str_text(&cut)), &uuid,
		                        &file_type, &cpu_type, &cpu_subtype,
		                        &needed);
		// The UUID is the first command.
		assert_int_equal(found, size >= 0x20 + 24);
		assert_int_equal(uuid_is_zero(&uuid), !found);
		if (size < 0x20)
			assert_int_equal(needed, 0x20);
		else
			assert_int_equal(cpu_type, CPU_ARM64);
		if (size >= 0x20)
			assert_int_equal(needed, found ? 0 : commands_end);
	}
	macho_builder_release(&b);
}

static void peeking_distinguishes_damage_from_a_short_head(void **state)
{
	uint32_t file_type = 0, cpu_type = 0, cpu_subtype = 0;
	struct macho_builder b;
	struct bytes image = build_dsym(&b, CURSOR_LITTLE, true);
	uint64_t needed = 1;
	struct uuid uuid;

	(void)state;
	patch_u32(&b.image, 0x24, 2, CURSOR_LITTLE);
	assert_false(macho_peek_uuid(image, &uuid, &file_type, &cpu_type,
	                             &cpu_subtype, &needed));
	assert_int_equal(needed, 0);
	// An image may well have none: object files, odd linkers.
	patch_u32(&b.image, 0x20, 0x99, CURSOR_LITTLE);
	patch_u32(&b.image, 0x24, 24, CURSOR_LITTLE);
	assert_true(macho_peek_uuid(image, &uuid, &file_type, &cpu_type,
	                            &cpu_subtype, &needed));
	assert_true(uuid_is_zero(&uuid));
	macho_builder_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_image_is_read_in_both_orders_and_sizes),
		cmocka_unit_test(section_names_of_sixteen_characters_are_whole),
		cmocka_unit_test(sections_without_contents_have_none),
		cmocka_unit_test(
		        parts_outside_the_file_are_left_out_and_counted),
		cmocka_unit_test(a_section_outside_its_segment_has_no_contents),
		cmocka_unit_test(offsets_above_4_gib_are_made_whole_again),
		cmocka_unit_test(symbols_strings_and_function_starts_are_found),
		cmocka_unit_test(more_symbols_than_the_limit_are_refused),
		cmocka_unit_test(
		        a_broken_command_list_is_an_error_with_its_offset),
		cmocka_unit_test(
		        an_image_truncated_at_any_byte_is_read_or_refused),
		cmocka_unit_test(more_sections_than_the_limit_are_refused),
		cmocka_unit_test(of_two_uuids_the_first_counts),
		cmocka_unit_test(load_commands_have_a_limit),
		cmocka_unit_test(the_uuid_is_peeked_from_a_truncated_head),
		cmocka_unit_test(
		        peeking_distinguishes_damage_from_a_short_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
