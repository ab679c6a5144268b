// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/compare.h"
#include "lib/object/dwarf/macho_debug.h"

#include "lib/base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/** What one reader has: a function with two rows, and a call in a call. */
struct sample {
	struct debug_file files[3];
	struct debug_line lines[2];
	struct debug_range range;
	struct debug_inline inner;
	struct debug_inline outer;
	struct debug_function functions[2];
	struct debug_info info;
};

static void sample_init(struct sample *s)
{
	*s = (struct sample){
		.files = { { "", "" }, { "/b", "main.c" }, { "/b", "a.h" } },
		.lines = { { 0x1000, 1, 10 }, { 0x1010, 1, 11 } },
		.range = { 0x1004, 0x1008 },
		.inner = { .name = "inner",
		           .ranges = &s->range,
		           .range_count = 1,
		           .call_file = 2,
		           .call_line = 7 },
		.outer = { .name = "outer",
		           .ranges = &s->range,
		           .range_count = 1,
		           .children = &s->inner,
		           .child_count = 1,
		           .call_file = 1,
		           .call_line = 10 },
		.functions = { { .range = { 0x1000, 0x1020 },
		                 .name = "main",
		                 .lines = s->lines,
		                 .line_count = 2,
		                 .inlines = &s->outer,
		                 .inline_count = 1 },
		               { .range = { 0x1020, 0x1030 },
		                 .name = "last" } },
		.info = { .files = s->files,
		          .file_count = 3,
		          .functions = s->functions,
		          .function_count = 2 },
	};
}

static void one_name(struct sample *s)
{
	s->functions[0].name = "mean";
}

static void one_end(struct sample *s)
{
	s->functions[0].range.high = 0x1018;
}

static void one_line(struct sample *s)
{
	s->lines[1].line = 12;
}

static void one_file(struct sample *s)
{
	s->lines[0].file = 2;
}

static void fewer_rows(struct sample *s)
{
	s->functions[0].line_count = 1;
}

static void one_inner_name(struct sample *s)
{
	s->inner.name = "other";
}

static void one_call_line(struct sample *s)
{
	s->inner.call_line = 8;
}

static void one_range(struct sample *s)
{
	s->range.high = 0x1009;
}

static void fewer_calls(struct sample *s)
{
	s->outer.child_count = 0;
}

static void fewer_functions(struct sample *s)
{
	s->info.function_count = 1;
}

static void one_bad_unit(struct sample *s)
{
	s->info.bad_unit_count = 1;
	s->info.bad_unit_reason = "unit at 0x0: it is odd";
}

static void each_difference_is_found_and_named(void **state)
{
	static const struct {
		void (*change)(struct sample *s);
		const char *first;
	} cases[] = {
		{ one_name,
		  "0x1000: a function: native 'main', libdwarf 'mean'" },
		{ one_end, "0x1000: 'main' ends at 0x1020 (native) or 0x1018 "
		           "(libdwarf)" },
		{ one_line, "0x1000: row 1 at 0x1010 and 0x1010: native "
		            "/b/main.c:11, libdwarf /b/main.c:12" },
		{ one_file, "0x1000: row 0 at 0x1000 and 0x1000: native "
		            "/b/main.c:10, libdwarf /b/a.h:10" },
		{ fewer_rows, "0x1000: native has 2 rows, libdwarf 1" },
		{ one_inner_name, "0x1000: an inlined call: native 'inner', "
		                  "libdwarf 'other'" },
		{ one_call_line, "0x1000: the call of 'inner': native "
		                 "/b/a.h:7, libdwarf /b/a.h:8" },
		{ one_range, "0x1000: range 0 of the inlined call 'outer' is "
		             "not the same" },
		{ fewer_calls, "0x1000: native has 1 inlined calls, libdwarf "
		               "0" },
		{ fewer_functions, "0x1020: only native has 'last'" },
		{ one_bad_unit, "native cannot read 0 units, libdwarf 1: unit "
		                "at 0x0: it is odd" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct debug_differences found;
		struct sample native;
		struct sample other;

		sample_init(&native);
		sample_init(&other);
		debug_info_compare(&native.info, &other.info, &found);
		assert_int_equal(found.function_count, 2);
		assert_int_equal(found.count, 0);
		assert_string_equal(found.first, "");
		cases[i].change(&other);
		debug_info_compare(&native.info, &other.info, &found);
		assert_int_equal(found.count, 1);
		assert_string_equal(found.first, cases[i].first);
	}
}

/** Files are compared by what they are, not by their numbers. */
static void files_may_have_other_numbers(void **state)
{
	struct debug_differences found;
	struct sample native;
	struct sample other;

	(void)state;
	sample_init(&native);
	sample_init(&other);
	other.files[1] = native.files[2];
	other.files[2] = native.files[1];
	other.lines[0].file = other.lines[1].file = 2;
	other.outer.call_file = 2;
	other.inner.call_file = 1;
	debug_info_compare(&native.info, &other.info, &found);
	assert_int_equal(found.count, 0);
}

/** A name of a megabyte is cut where a character ends. */
static void long_differences_are_cut(void **state)
{
	char name[600];
	struct debug_differences found;
	struct sample native;
	struct sample other;

	(void)state;
	for (size_t i = 0; i + 2 < sizeof(name); i += 2)
		memcpy(&name[i], "\xc3\xa4", 2);
	name[sizeof(name) - 2] = '\0';
	sample_init(&native);
	sample_init(&other);
	other.functions[0].name = name;
	debug_info_compare(&native.info, &other.info, &found);
	assert_in_range(strlen(found.first), DEBUG_DIFFERENCE_BYTES - 3,
	                DEBUG_DIFFERENCE_BYTES - 1);
}

static void assert_readers_agree(const char *path)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct macho_slices slices = { 0 };

	assert_null(file_map(path, &file));
	assert_null(macho_slices(file.bytes, &slices));
	for (size_t i = 0; i < slices.count; i++) {
		const struct macho_slice *slice = &slices.slices[i];
		struct debug_differences found;
		struct debug_object object;
		struct macho macho = { 0 };

		assert_null(macho_parse(
		        bytes_part(file.bytes, slice->offset, slice->size),
		        &macho));
		object = macho_debug_object(&macho);
		assert_null(debug_info_cross_check(&object, DEBUG_CHECK_ALL,
		                                   &found));
		assert_string_equal(found.first, "");
		assert_int_equal(found.count, 0);
		assert_in_range(found.function_count, 5, 100);
		// Of few units, none is compared ahead.
		assert_null(debug_info_cross_check(&object, DEBUG_CHECK_FIRST,
		                                   &found));
		assert_int_equal(found.function_count, 0);
		macho_release(&macho);
	}
}

static void both_readers_say_the_same_of_the_samples(void **state)
{
	(void)state;
	assert_readers_agree(
	        APMTOOL_SOURCE_DIR
	        "/samples/Demo.dSYM/Contents/Resources/DWARF/Demo");
	assert_readers_agree(APMTOOL_SOURCE_DIR
	                     "/samples/DemoKit.framework.dSYM/Contents/"
	                     "Resources/DWARF/DemoKit");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_difference_is_found_and_named),
		cmocka_unit_test(files_may_have_other_numbers),
		cmocka_unit_test(long_differences_are_cut),
		cmocka_unit_test(both_readers_say_the_same_of_the_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
