// SPDX-License-Identifier: MIT
#include "parsers/text/frame_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/** A line and what it must give; NULL and 0 stand for "absent". */
struct frame_case {
	const char *line;
	uint64_t index;
	const char *image;
	uint64_t address; ///< 0: the column is missing
	uint64_t base;    ///< 0 and offset 0: not unsymbolicated
	uint64_t offset;
	const char *symbol;
	int64_t symbol_offset; ///< -1: absent
	const char *file;
	int64_t line_number; ///< -1: absent
	bool inlined;
};

static void assert_text(const char *line, struct text text,
                        const char *expected)
{
	if (!text_is(text, expected ? expected : ""))
		fail_msg("%s: expected \"%s\", found \"%.*s\"", line,
		         expected ? expected : "", TEXT_ARGS(text));
}

static void check_case(const struct frame_case *expected)
{
	struct frame_line found;

	if (!frame_line_parse(text_from(expected->line), &found))
		fail_msg("not a frame: %s", expected->line);
	assert_int_equal(found.index, expected->index);
	assert_text(expected->line, found.image, expected->image);
	assert_int_equal(found.has_address, expected->address != 0);
	assert_int_equal(found.address, expected->address);
	assert_int_equal(found.has_base, expected->base || expected->offset);
	assert_int_equal(found.base, expected->base);
	assert_int_equal(found.offset, expected->offset);
	assert_text(expected->line, found.symbol, expected->symbol);
	assert_int_equal(found.has_symbol_offset, expected->symbol_offset >= 0);
	if (found.has_symbol_offset)
		assert_int_equal(found.symbol_offset, expected->symbol_offset);
	assert_text(expected->line, found.file, expected->file);
	assert_int_equal(found.has_line, expected->line_number >= 0);
	if (found.has_line)
		assert_int_equal(found.line, expected->line_number);
	assert_int_equal(found.inlined, expected->inlined);
}

static void check_cases(const struct frame_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_case(&cases[i]);
}

static void unsymbolicated_frames_give_base_and_offset(void **state UNUSED)
{
	static const struct frame_case cases[] = {
		{ "4   Demo                          \t0x0000000100f0c92c "
		  "0x100f00000 + 51500",
		  4, "Demo", 0x100f0c92c, 0x100f00000, 51500, NULL, -1, NULL,
		  -1, false },
		{ "9   libsub.dylib                  \t0x0000000100947768 "
		  "0x100928000 + 0x1f768",
		  9, "libsub.dylib", 0x100947768, 0x100928000, 0x1f768, NULL,
		  -1, NULL, -1, false },
		// Resource reports of iOS 8 have both.
		{ "1   libfoo.dylib  \t0x193c9cc84 0x193c9c000 + 0xc84 "
		  "\t// mach_msg + 0x44",
		  1, "libfoo.dylib", 0x193c9cc84, 0x193c9c000, 0xc84,
		  "mach_msg", 0x44, NULL, -1, false },
		// The image's name in the place of its base.
		{ "1   Demo                          \t0x0000000100f0c92c "
		  "Demo + 51500",
		  1, "Demo", 0x100f0c92c, 0x100f00000, 51500, NULL, -1, NULL,
		  -1, false },
		// The address column is missing, not the base.
		{ "1   Demo                          \t0x100f00000 + 51500", 1,
		  "Demo", 0x100f0c92c, 0x100f00000, 51500, NULL, -1, NULL, -1,
		  false },
		{ "2   Demo 0x100f0c92c <redacted> + 12", 2, "Demo",
		  0x100f0c92c, 0, 0, NULL, -1, NULL, -1, false },
		{ "2   Demo 0x100f0c92c", 2, "Demo", 0x100f0c92c, 0, 0, NULL,
		  -1, NULL, -1, false },
		{ "2   Demo 0x100f0c92c ???", 2, "Demo", 0x100f0c92c, 0, 0,
		  NULL, -1, NULL, -1, false },
		{ "0   Demo 0x100f0c92c 0x0000000100f0c92c (in Demo)", 0,
		  "Demo", 0x100f0c92c, 0, 0, NULL, -1, NULL, -1, false },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

static void a_null_frame_has_a_base_of_zero(void **state UNUSED)
{
	static const char *const lines[] = {
		"7   ???  \t0x0000000000000000 0x0 + 0",
		"7   ???  \t000000000000000000 0 + 0",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct frame_line found;

		assert_true(frame_line_parse(text_from(lines[i]), &found));
		assert_true(found.has_address && found.has_base);
		assert_true(text_is(found.image, "???"));
		assert_int_equal(found.address, 0);
		assert_int_equal(found.base, 0);
		assert_int_equal(found.symbol.size, 0);
	}
}

static void a_number_inside_a_name_is_its_offset(void **state UNUSED)
{
	static const struct {
		const char *line;
		const char *symbol;
		const char *end;
		uint64_t offset; ///< 0: the name stays as it is
	} cases[] = {
		{ "2   libswiftCore.dylib 0x1ae3bb090 _assertionFailure+ "
		  "225424 "
		  "(_:_:file:line:flags:) + 472",
		  "_assertionFailure", "(_:_:file:line:flags:)", 225424 },
		{ "5   Foundation 0x1ab9e9e60 -[NSRunLoop+ 48736 (NSRunLoop) "
		  "runMode:beforeDate:] + 472",
		  "-[NSRunLoop", "(NSRunLoop) runMode:beforeDate:]", 48736 },
		{ "5   Demo 0x1ab9e9e60 std::__terminate(void (*)+ 78048 ()) + "
		  "472",
		  "std::__terminate(void (*)", "())", 78048 },
		{ "5   Demo 0x1ab9e9e60 operator+(a + 5 (b)) + 472",
		  "operator+(a + 5 (b))", "", 0 },
		{ "5   Demo 0x1ab9e9e60 operator+ (b) + 472", "operator+ (b)",
		  "", 0 },
		{ "5   Demo 0x1ab9e9e60 f+ 99999999999999999999 (b) + 472",
		  "f+ 99999999999999999999 (b)", "", 0 },
		{ "5   Demo 0x1ab9e9e60 f+ 12 + 472", "f+ 12", "", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct frame_line found;

		assert_true(frame_line_parse(text_from(cases[i].line), &found));
		assert_text(cases[i].line, found.symbol, cases[i].symbol);
		assert_text(cases[i].line, found.symbol_end, cases[i].end);
		assert_int_equal(found.symbol_offset, 472);
		assert_int_equal(found.has_base, cases[i].offset != 0);
		assert_int_equal(found.offset, cases[i].offset);
	}
}

static void symbols_are_read_from_the_right(void **state UNUSED)
{
	static const struct frame_case cases[] = {
		{ "5   UIKitCore                     \t       0x192fb1330 "
		  "-[UIViewController loadViewIfRequired] + 84",
		  5, "UIKitCore", 0x192fb1330, 0, 0,
		  "-[UIViewController loadViewIfRequired]", 84, NULL, -1,
		  false },
		{ "0   Demo 0x1000 closure #1 (Int) -> () in a + b(_:) + 0x54",
		  0, "Demo", 0x1000, 0, 0,
		  "closure #1 (Int) -> () in a + b(_:)", 0x54, NULL, -1,
		  false },
		{ "0   Demo 0x1000 operator+(int) (sum.cpp:7)", 0, "Demo",
		  0x1000, 0, 0, "operator+(int)", -1, "sum.cpp", 7, false },
		{ "0   Demo 0x1000 f(int) + 8 (a b.cpp:9) [inlined]", 0, "Demo",
		  0x1000, 0, 0, "f(int)", 8, "a b.cpp", 9, true },
		{ "0   Demo 0x1000 f() [inlined]", 0, "Demo", 0x1000, 0, 0,
		  "f()", -1, NULL, -1, true },
		{ "0   Demo 0x1000 main (in Demo) (main.m:16)", 0, "Demo",
		  0x1000, 0, 0, "main", -1, "main.m", 16, false },
		{ "0   Demo 0x1000 main (in Demo) + 12", 0, "Demo", 0x1000, 0,
		  0, "main", 12, NULL, -1, false },
		// As leaks writes it.
		{ "0   Demo 0x1000 main + 32  q 3.c:6", 0, "Demo", 0x1000, 0, 0,
		  "main", 32, "q 3.c", 6, false },
		{ "0   Demo 0x1000 main  q3.c:6", 0, "Demo", 0x1000, 0, 0,
		  "main  q3.c:6", -1, NULL, -1, false },
		{ "0   Demo 0x1000 main + 32  q3.c:x", 0, "Demo", 0x1000, 0, 0,
		  "main + 32  q3.c:x", -1, NULL, -1, false },
		{ "0   Demo 0x1000 x (<compiler-generated>:0)", 0, "Demo",
		  0x1000, 0, 0, "x", -1, "<compiler-generated>", 0, false },
		{ "0   Demo 0x1000 x + 8 (/<compiler-generated>:0)", 0, "Demo",
		  0x1000, 0, 0, "x", 8, "<compiler-generated>", 0, false },
		// No line, from Xcode 15 on.
		{ "0   Demo 0x1000 x(_:) + 16 (:-1)", 0, "Demo", 0x1000, 0, 0,
		  "x(_:)", 16, NULL, -1, false },
		{ "0   Demo 0x1000 x(_:) + 16 (:0)", 0, "Demo", 0x1000, 0, 0,
		  "x(_:)", 16, NULL, -1, false },
		{ "0   Demo 0x1000 x (in Demo) + 16 (View.swift:-1)", 0, "Demo",
		  0x1000, 0, 0, "x", 16, "View.swift", -1, false },
		// A directory is no file.
		{ "0   Demo 0x1000 x(_:) + 16 (/:-1)", 0, "Demo", 0x1000, 0, 0,
		  "x(_:)", 16, NULL, -1, false },
		{ "0   Demo 0x1000 x(_:) + 16 (/src/:12)", 0, "Demo", 0x1000, 0,
		  0, "x(_:)", 16, NULL, -1, false },
		// These are of the name.
		{ "0   Demo 0x1000 x(:-2)", 0, "Demo", 0x1000, 0, 0, "x(:-2)",
		  -1, NULL, -1, false },
		{ "0   Demo 0x1000 x (:12)", 0, "Demo", 0x1000, 0, 0, "x (:12)",
		  -1, NULL, -1, false },
		// A `(line)` that is too large for one is part of the name.
		{ "0   Demo 0x1000 x (a.c:99999999999)", 0, "Demo", 0x1000, 0,
		  0, "x (a.c:99999999999)", -1, NULL, -1, false },
		{ "0   Demo 0x1000 f() + 0", 0, "Demo", 0x1000, 0, 0, "f()", 0,
		  NULL, -1, false },
		{ "0   Demo 0x1000 a +b", 0, "Demo", 0x1000, 0, 0, "a +b", -1,
		  NULL, -1, false },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

static void a_symbol_may_be_beside_base_and_offset(void **state UNUSED)
{
	static const struct frame_case cases[] = {
		{ "8   Demo 0x100f0c92c 0x100f00000 + 51500 (closure #1 in "
		  "load() + 228)",
		  8, "Demo", 0x100f0c92c, 0x100f00000, 51500,
		  "closure #1 in load()", 228, NULL, -1, false },
		{ "8   Demo 0x100f0c92c 0x100f00000 + 51500 ()", 8, "Demo",
		  0x100f0c92c, 0x100f00000, 51500, NULL, -1, NULL, -1, false },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

static void image_names_hold_nearly_anything(void **state UNUSED)
{
	static const struct frame_case cases[] = {
		{ "6   Demo App (Beta) [x]           \t0x0000000100f0d004 main",
		  6, "Demo App (Beta) [x]", 0x100f0d004, 0, 0, "main", -1, NULL,
		  -1, false },
		{ "6   \xe5\xbe\xae\xe4\xbf\xa1  0x100f0d004 main", 6,
		  "\xe5\xbe\xae\xe4\xbf\xa1", 0x100f0d004, 0, 0, "main", -1,
		  NULL, -1, false },
		{ "5     + libsub.dylib 0x1000 main", 5, "libsub.dylib", 0x1000,
		  0, 0, "main", -1, NULL, -1, false },
		{ "5     - libsub.dylib 0x1000 main", 5, "libsub.dylib", 0x1000,
		  0, 0, "main", -1, NULL, -1, false },
		{ "5   app0x12 0x1000 main", 5, "app0x12", 0x1000, 0, 0, "main",
		  -1, NULL, -1, false },
		{ "5   0x1000 main", 5, NULL, 0x1000, 0, 0, "main", -1, NULL,
		  -1, false },
		// So long that it touches the address.
		{ "3   com.example.a.very.very.very.long0x0000000100f0c92c "
		  "main + 4",
		  3, "com.example.a.very.very.very.long", 0x100f0c92c, 0, 0,
		  "main", 4, NULL, -1, false },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

static void the_address_column_may_be_missing(void **state UNUSED)
{
	static const struct frame_case cases[] = {
		{ "0   CoreFoundation   __exceptionPreprocess + 124", 0,
		  "CoreFoundation", 0, 0, 0, "__exceptionPreprocess", 124, NULL,
		  -1, false },
		{ "1   My App\t-[Foo bar:] + 3", 1, "My App", 0, 0, 0,
		  "-[Foo bar:]", 3, NULL, -1, false },
		{ "2   Demo main + 3", 2, "Demo", 0, 0, 0, "main", 3, NULL, -1,
		  false },
		{ "2   Demo   block_0x1234567890 + 3", 2, "Demo", 0, 0, 0,
		  "block_0x1234567890", 3, NULL, -1, false },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

static void comments_are_no_part_of_a_name(void **state UNUSED)
{
	static const struct frame_case cases[] = {
		{ "2   Demo 0x100f0c92c main + 12 // ours", 2, "Demo",
		  0x100f0c92c, 0, 0, "main", 12, NULL, -1, false },
		{ "2   Demo 0x100f0c92c a() + 12 (b.c:7) <-- see (1)", 2,
		  "Demo", 0x100f0c92c, 0, 0, "a()", 12, "b.c", 7, false },
		{ "2   Demo 0x100f0c92c a() (b.c:7) ← hier", 2, "Demo",
		  0x100f0c92c, 0, 0, "a()", -1, "b.c", 7, false },
		{ "2   Demo 0x100f0c92c 0x100f00000 + 51500 // our code", 2,
		  "Demo", 0x100f0c92c, 0x100f00000, 51500, NULL, -1, NULL, -1,
		  false },
		// Nothing shows that this is none of the name.
		{ "2   Demo 0x100f0c92c lambda // x", 2, "Demo", 0x100f0c92c, 0,
		  0, "lambda // x", -1, NULL, -1, false },
	};

	check_cases(cases, ARRAY_SIZE(cases));
}

static void other_lines_are_not_frames(void **state UNUSED)
{
	static const char *const lines[] = {
		"",
		"Thread 0:",
		"12",
		"12 ",
		"12 Demo",
		"x0: 0x0000",
		"99999999999999999999999 Demo 0x1000 main",
		"1Demo 0x1000 main",
		"1   0x10000000000000000 main",
	};
	struct frame_line found;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (frame_line_parse(text_from(lines[i]), &found))
			fail_msg("taken for a frame: %s", lines[i]);
}

static void index_columns_and_the_rest_make_up_the_line(void **state UNUSED)
{
	static const char *const lines[] = {
		"4   Demo   \t0x0000000100f0c92c 0x100f00000 + 51500",
		"12  + Demo App  \t       0x100f0c92c main + 1  ",
		"1000 Demo 0x1000 a (b.c:1) [inlined]",
		"0   CoreFoundation   __exceptionPreprocess + 124",
		"1   Demo   \t0x100f00000 + 51500",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct frame_line found;
		char line[128];

		assert_true(frame_line_parse(text_from(lines[i]), &found));
		snprintf(line, sizeof(line), "%-*d%.*s%.*s",
		         (int)found.index_width, (int)found.index,
		         TEXT_ARGS(found.columns), TEXT_ARGS(found.what));
		assert_string_equal(line, lines[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unsymbolicated_frames_give_base_and_offset),
		cmocka_unit_test(a_null_frame_has_a_base_of_zero),
		cmocka_unit_test(a_number_inside_a_name_is_its_offset),
		cmocka_unit_test(symbols_are_read_from_the_right),
		cmocka_unit_test(a_symbol_may_be_beside_base_and_offset),
		cmocka_unit_test(image_names_hold_nearly_anything),
		cmocka_unit_test(the_address_column_may_be_missing),
		cmocka_unit_test(comments_are_no_part_of_a_name),
		cmocka_unit_test(other_lines_are_not_frames),
		cmocka_unit_test(index_columns_and_the_rest_make_up_the_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
