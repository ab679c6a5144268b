// SPDX-License-Identifier: MIT
#include "lib/symbols/gsym/gsym.h"

#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/*
 * A program of three functions:
 *
 * 0x1000 -[Pump start]  pump.m, with valve_open() inlined at 0x1010..0x1020
 *        and 0x1030..0x1038, and seal() inlined into that at 0x1014..0x1018
 * 0x1040 pump_stop      no lines
 * 0x1080 _ZN4Pump4tickEv  begins with compiler-generated rows
 */
#define PUMP_START 0x1000u
#define PUMP_STOP  0x1040u
#define PUMP_TICK  0x1080u

static struct debug_file files[] = {
	{ "", "" },
	{ "/src/pump", "pump.m" },
	{ "/src/pump", "valve.h" },
	{ "/src/pump", "seal.h" },
	{ "", "<compiler-generated>" },
	{ "/src/pump", "pump.m" }, // again, as another unit has it
};

static struct debug_range seal_ranges[] = { { 0x1014, 0x1018 } };
static struct debug_range valve_ranges[] = { { 0x1010, 0x1020 },
	                                     { 0x1030, 0x1038 } };
static struct debug_inline seals[] = { {
	.name = "seal",
	.ranges = seal_ranges,
	.range_count = 1,
	.call_file = 2,
	.call_line = 21,
} };
static struct debug_inline valves[] = { {
	.name = "valve_open",
	.ranges = valve_ranges,
	.range_count = 2,
	.call_file = 1,
	.call_line = 12,
	.children = seals,
	.child_count = 1,
} };
static struct debug_line start_lines[] = {
	{ 0x1000, 1, 10 },  { 0x1008, 1, 11 }, { 0x1010, 2, 20 },
	{ 0x1014, 3, 300 }, { 0x1018, 2, 22 }, { 0x101c, 2, 0 },
	{ 0x1020, 4, 0 },   { 0x1024, 1, 0 },  { 0x1028, 1, 14 },
	{ 0x1030, 2, 0 },   { 0x1038, 5, 15 },
};
static struct debug_line tick_lines[] = {
	{ 0x1080, 4, 0 },
	{ 0x1090, 1, 90000 },
	{ 0x1098, 1, 3 },
};
static struct debug_function functions[] = {
	{
	        .range = { PUMP_START, 0x1040 },
	        .name = "-[Pump start]",
	        .lines = start_lines,
	        .line_count = ARRAY_SIZE(start_lines),
	        .inlines = valves,
	        .inline_count = 1,
	},
	{ .range = { PUMP_STOP, 0x1060 }, .name = "pump_stop" },
	{
	        .range = { PUMP_TICK, 0x10a0 },
	        .name = "_ZN4Pump4tickEv",
	        .lines = tick_lines,
	        .line_count = ARRAY_SIZE(tick_lines),
	},
};
static const struct debug_info program = {
	.files = files,
	.file_count = ARRAY_SIZE(files),
	.functions = functions,
	.function_count = ARRAY_SIZE(functions),
};
static const struct uuid program_uuid = { { 0x41, 2, 3, 4, 5, 6, 7, 8, 9, 10,
	                                    11, 12, 13, 14, 15, 16 } };

static struct bytes image_bytes(const struct str *image)
{
	return bytes_from_text(str_text(image));
}

/** Write and open; ends the test if either fails. */
static void make(const struct debug_info *info, struct str *image,
                 struct gsym *gsym)
{
	assert_null(gsym_write(info, &program_uuid, image));
	assert_null(gsym_open(image_bytes(image), gsym));
}

/** The chain as `name file:line @start`, innermost first; "" if none. */
static void describe_next(struct gsym_walk *walk, uint64_t address,
                          struct str *out)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym_answer answer;

	if (!gsym_walk_lookup(walk, address, &arena, &answer))
		return;
	for (size_t i = 0; i < answer.count; i++) {
		const struct gsym_call *call = &answer.calls[i];

		str_addf(out, "%s%s %s%s%s:%u%s @%llx", i ? " < " : "",
		         call->name, call->directory,
		         call->directory[0] ? "/" : "", call->file, call->line,
		         call->line_borrowed ? "~" : "",
		         (unsigned long long)call->start);
	}
}

static void describe(const struct gsym *gsym, uint64_t address, struct str *out)
{
	struct gsym_walk walk = { .gsym = gsym };

	describe_next(&walk, address, out);
}

static void assert_lookup(const struct gsym *gsym, uint64_t address,
                          const char *expected)
{
	SCOPED(str_release) struct str found = { 0 };

	describe(gsym, address, &found);
	assert_string_equal(str_cstr(&found), expected);
}

static void lookup_gives_chains_lines_and_starts(void **state)
{
	static const struct {
		uint64_t address;
		const char *expected;
	} cases[] = {
		{ 0xfff, "" },
		{ 0x1000, "-[Pump start] /src/pump/pump.m:10 @1000" },
		{ 0x1007, "-[Pump start] /src/pump/pump.m:10 @1000" },
		{ 0x1008, "-[Pump start] /src/pump/pump.m:11 @1000" },
		{ 0x1010, "valve_open /src/pump/valve.h:20 @1010 < "
		          "-[Pump start] /src/pump/pump.m:12 @1000" },
		{ 0x1017, "seal /src/pump/seal.h:300 @1014 < "
		          "valve_open /src/pump/valve.h:21 @1010 < "
		          "-[Pump start] /src/pump/pump.m:12 @1000" },
		{ 0x1018, "valve_open /src/pump/valve.h:22 @1010 < "
		          "-[Pump start] /src/pump/pump.m:12 @1000" },
		{ 0x1028, "-[Pump start] /src/pump/pump.m:14 @1000" },
		{ 0x103f, "-[Pump start] /src/pump/pump.m:15 @1000" },
		{ 0x1040, "pump_stop :0 @1040" },
		{ 0x105f, "pump_stop :0 @1040" },
		{ 0x1060, "" },
		{ 0x107f, "" },
		{ 0x1090, "_ZN4Pump4tickEv /src/pump/pump.m:90000 @1080" },
		{ 0x109f, "_ZN4Pump4tickEv /src/pump/pump.m:3 @1080" },
		{ 0x10a0, "" },
		{ 0, "" },
		{ UINT64_MAX, "" },
	};
	SCOPED(str_release) struct str image = { 0 };
	struct gsym gsym;

	(void)state;
	make(&program, &image, &gsym);
	assert_true(uuid_equal(&gsym.uuid, &program_uuid));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_lookup(&gsym, cases[i].address, cases[i].expected);
}

static void a_walk_gives_what_single_lookups_give(void **state)
{
	SCOPED(str_release) struct str image = { 0 };
	struct gsym gsym;
	struct gsym_walk up = { .gsym = &gsym };
	struct gsym_walk across = { .gsym = &gsym };

	(void)state;
	make(&program, &image, &gsym);
	for (uint64_t i = 0; i < 0xc0; i++) {
		uint64_t places[] = { 0xff0 + i, 0xff0 + i * 77 % 0xc0 };

		for (size_t j = 0; j < ARRAY_SIZE(places); j++) {
			SCOPED(str_release) struct str alone = { 0 };
			SCOPED(str_release) struct str next = { 0 };

			describe(&gsym, places[j], &alone);
			describe_next(j ? &across : &up, places[j], &next);
			assert_string_equal(str_cstr(&next), str_cstr(&alone));
		}
	}
}

/** A thousand lookups in a table of 100,000 rows read it once. */
static void ascending_lookups_read_a_line_table_once(void **state)
{
	enum { ROWS = 100000 };
	SCOPED(mem_drop)
	struct debug_line *lines = mem_zalloc(ROWS, sizeof(*lines));
	struct debug_function function = { .range = { 0, ROWS },
		                           .name = "f",
		                           .lines = lines,
		                           .line_count = ROWS };
	const struct debug_info info = { .files = files,
		                         .file_count = ARRAY_SIZE(files),
		                         .functions = &function,
		                         .function_count = 1 };
	SCOPED(str_release) struct str image = { 0 };
	struct gsym gsym;
	struct gsym_walk walk = { .gsym = &gsym };

	(void)state;
	for (uint32_t i = 0; i < ROWS; i++)
		lines[i] = (struct debug_line){ i, 1, i + 1 };
	make(&info, &image, &gsym);
	for (uint64_t i = 0; i < ROWS; i += 100) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct gsym_answer answer;

		assert_true(gsym_walk_lookup(&walk, i, &arena, &answer));
		assert_int_equal(answer.calls[0].line, i + 1);
	}
	assert_true(walk.work <= image.size);
}

static void a_lookup_gives_the_extent_of_the_function(void **state)
{
	SCOPED(str_release) struct str image = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym_answer answer;
	struct gsym gsym;

	(void)state;
	make(&program, &image, &gsym);
	assert_true(gsym_lookup(&gsym, 0x1015, &arena, &answer));
	assert_int_equal(answer.count, 3);
	assert_int_equal(answer.function_start, 0x1000);
	assert_int_equal(answer.function_size, 0x40);
}

static void line_zero_borrows_from_the_same_function(void **state)
{
	static const struct {
		uint64_t address;
		const char *expected;
	} cases[] = {
		// From the row before, within the same inlined range.
		{ 0x101c, "valve_open /src/pump/valve.h:22~ @1010 < "
		          "-[Pump start] /src/pump/pump.m:12 @1000" },
		// Rows of valve_open() lie between: they are passed over.
		{ 0x1024, "-[Pump start] /src/pump/pump.m:11~ @1000" },
		// The row before is of another file.
		{ 0x1020, "-[Pump start] <compiler-generated>:0 @1000" },
		// The inlined range has no row with a line of its own.
		{ 0x1030, "valve_open /src/pump/valve.h:0 @1030 < "
		          "-[Pump start] /src/pump/pump.m:12 @1000" },
		// Nothing earlier in the function.
		{ 0x1080, "_ZN4Pump4tickEv <compiler-generated>:0 @1080" },
	};
	SCOPED(str_release) struct str image = { 0 };
	struct gsym gsym;

	(void)state;
	make(&program, &image, &gsym);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_lookup(&gsym, cases[i].address, cases[i].expected);
}

static void address_offsets_take_as_few_bytes_as_they_can(void **state)
{
	static const struct {
		uint64_t second_start;
		uint8_t size;
	} cases[] = {
		{ 0x10ff, 1 },     { 0x1100, 2 },      { 0x10fff, 2 },
		{ 0x11000, 4 },    { 0x100000fff, 4 }, { 0x100001000, 8 },
		{ UINT64_MAX, 8 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str image = { 0 };
		uint64_t start = cases[i].second_start;
		struct debug_function two[] = {
			{ .range = { 0x1000, 0x1001 }, .name = "one" },
			{ .range = { start - 1, start }, .name = "two" },
		};
		const struct debug_info info = { .functions = two,
			                         .function_count = 2 };
		struct gsym gsym;

		two[1].range.low = start == UINT64_MAX ? start - 1 : start;
		two[1].range.high = two[1].range.low + 1;
		make(&info, &image, &gsym);
		assert_int_equal(gsym.address_size, cases[i].size);
		assert_int_equal(gsym.address_count, 2);
		assert_int_equal(gsym.file_count, 1);
		SCOPED(str_release) struct str found = { 0 };
		describe(&gsym, two[1].range.low, &found);
		assert_true(text_starts(str_text(&found), "two :0 @"));
	}
}

static void strings_and_files_are_kept_once(void **state)
{
	SCOPED(str_release) struct str image = { 0 };
	struct gsym gsym;
	struct text strings;
	size_t first;

	(void)state;
	make(&program, &image, &gsym);
	strings = bytes_text(gsym.strings);
	first = text_find(strings, "/src/pump");
	assert_int_not_equal(first, TEXT_NOWHERE);
	assert_int_equal(text_find_last(strings, "/src/pump"), first);
	// "no file" and the four that differ.
	assert_int_equal(gsym.file_count, 5);
}

static void the_same_input_gives_the_same_bytes(void **state)
{
	SCOPED(str_release) struct str first = { 0 };
	SCOPED(str_release) struct str second = { 0 };
	struct gsym gsym;

	(void)state;
	make(&program, &first, &gsym);
	make(&program, &second, &gsym);
	assert_true(text_equal(str_text(&first), str_text(&second)));
}

static void what_a_record_cannot_hold_is_left_out(void **state)
{
	struct debug_function some[] = {
		{ .range = { 0x10, 0x20 }, .name = "" },
		{ .range = { 0x20, 0x20 }, .name = "empty" },
		{ .range = { 0x30, 0x100000030 }, .name = "huge" },
		{ .range = { 0x200000000, 0x200000010 }, .name = "kept" },
		{ .range = { 0x200000010, 0x200000020 }, .name = NULL },
	};
	const struct debug_info info = { .functions = some,
		                         .function_count = ARRAY_SIZE(some) };
	SCOPED(str_release) struct str image = { 0 };
	struct gsym gsym;

	(void)state;
	make(&info, &image, &gsym);
	assert_int_equal(gsym.address_count, 1);
	assert_lookup(&gsym, 0x200000000, "kept :0 @200000000");
}

static void no_functions_make_an_image_that_answers_nothing(void **state)
{
	const struct debug_info info = { 0 };
	SCOPED(str_release) struct str image = { 0 };
	struct gsym gsym;

	(void)state;
	make(&info, &image, &gsym);
	assert_lookup(&gsym, 0, "");
	assert_lookup(&gsym, 0x1000, "");
}

static void overlapping_functions_are_refused(void **state)
{
	struct debug_function two[] = {
		{ .range = { 0x10, 0x21 }, .name = "one" },
		{ .range = { 0x20, 0x30 }, .name = "two" },
	};
	const struct debug_info info = { .functions = two,
		                         .function_count = 2 };
	SCOPED(str_release) struct str image = { 0 };
	SCOPED(error_drop)
	struct error *err = gsym_write(&info, NULL, &image);

	(void)state;
	assert_non_null(err);
	assert_int_equal(error_code(err), ERROR_FORMAT);
	assert_string_equal(error_message(err), "functions overlap at 0x20");
}

/** A split function: its other piece has its inlined calls as well. */
static void inlined_ranges_are_sorted_and_cut_to_their_function(void **state)
{
	struct debug_range ranges[] = {
		{ 0x140, 0x150 }, { 0x90, 0x108 },  { 0x120, 0x130 },
		{ 0x128, 0x138 }, { 0x200, 0x210 }, { 0x145, 0x145 },
	};
	struct debug_range elsewhere[] = { { 0x200, 0x210 } };
	struct debug_range below[] = { { 0x104, 0x110 } };
	struct debug_inline leaf = { .name = "leaf",
		                     .ranges = below,
		                     .range_count = 1,
		                     .call_file = 1,
		                     .call_line = 7 };
	struct debug_inline calls[] = {
		{ .name = "cold",
		  .ranges = elsewhere,
		  .range_count = 1,
		  .children = &leaf,
		  .child_count = 1 },
		{ .name = "warm",
		  .ranges = ranges,
		  .range_count = ARRAY_SIZE(ranges),
		  .call_file = 1,
		  .call_line = 5,
		  .children = &leaf,
		  .child_count = 1 },
	};
	struct debug_line lines[] = { { 0x80, 1, 1 } };
	struct debug_function piece = { .range = { 0x100, 0x180 },
		                        .name = "piece",
		                        .lines = lines,
		                        .line_count = 1,
		                        .inlines = calls,
		                        .inline_count = 2 };
	const struct debug_info info = { .files = files,
		                         .file_count = ARRAY_SIZE(files),
		                         .functions = &piece,
		                         .function_count = 1 };
	static const struct {
		uint64_t address;
		const char *expected;
	} cases[] = {
		{ 0x100, "warm /src/pump/pump.m:1 @100 < "
		         "piece /src/pump/pump.m:5 @100" },
		{ 0x107, "leaf /src/pump/pump.m:1 @104 < "
		         "warm /src/pump/pump.m:7 @100 < "
		         "piece /src/pump/pump.m:5 @100" },
		{ 0x108, "piece /src/pump/pump.m:1 @100" },
		{ 0x137, "warm /src/pump/pump.m:1 @120 < "
		         "piece /src/pump/pump.m:5 @100" },
		{ 0x138, "piece /src/pump/pump.m:1 @100" },
		{ 0x14f, "warm /src/pump/pump.m:1 @140 < "
		         "piece /src/pump/pump.m:5 @100" },
		{ 0x150, "piece /src/pump/pump.m:1 @100" },
	};
	SCOPED(str_release) struct str image = { 0 };
	struct gsym gsym;

	(void)state;
	make(&info, &image, &gsym);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_lookup(&gsym, cases[i].address, cases[i].expected);
	assert_int_equal(
	        text_find(bytes_text(gsym.strings), "cold") == TEXT_NOWHERE, 0);
}

/** A chain of @p depth inlined calls; returns how many are read back. */
static size_t depth_read_back(size_t depth)
{
	SCOPED(str_release) struct str image = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(mem_drop)
	struct debug_inline *calls = mem_zalloc(depth, sizeof(*calls));
	struct debug_range range = { 0x100, 0x110 };
	struct debug_function function = { .range = range,
		                           .name = "root",
		                           .inlines = calls,
		                           .inline_count = 1 };
	const struct debug_info info = { .functions = &function,
		                         .function_count = 1 };
	struct gsym_answer answer;
	struct gsym gsym;

	for (size_t i = 0; i < depth; i++)
		calls[i] = (struct debug_inline){
			.name = "call",
			.ranges = &range,
			.range_count = 1,
			.children = i + 1 < depth ? &calls[i + 1] : NULL,
			.child_count = i + 1 < depth,
		};
	make(&info, &image, &gsym);
	assert_true(gsym_lookup(&gsym, 0x108, &arena, &answer));
	return answer.count - 1;
}

/** Without it, its line would be said to be one of its caller. */
static void an_inlined_call_without_a_name_stays(void **state UNUSED)
{
	struct debug_range range = { 0x110, 0x120 };
	struct debug_inline leaf = { .name = "leaf",
		                     .ranges = &range,
		                     .range_count = 1,
		                     .call_file = 1,
		                     .call_line = 7 };
	struct debug_inline call = { .name = "",
		                     .ranges = &range,
		                     .range_count = 1,
		                     .call_file = 1,
		                     .call_line = 5,
		                     .children = &leaf,
		                     .child_count = 1 };
	struct debug_line lines[] = { { 0x100, 1, 1 } };
	struct debug_function piece = { .range = { 0x100, 0x180 },
		                        .name = "piece",
		                        .lines = lines,
		                        .line_count = 1,
		                        .inlines = &call,
		                        .inline_count = 1 };
	const struct debug_info info = { .files = files,
		                         .file_count = ARRAY_SIZE(files),
		                         .functions = &piece,
		                         .function_count = 1 };
	SCOPED(str_release) struct str image = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym_answer found;
	struct gsym gsym;

	make(&info, &image, &gsym);
	assert_lookup(&gsym, 0x110,
	              "leaf /src/pump/pump.m:1 @110 < "
	              "??? /src/pump/pump.m:7 @110 < "
	              "piece /src/pump/pump.m:5 @100");
	assert_true(gsym_lookup(&gsym, 0x110, &arena, &found));
	for (size_t i = 0; i < found.count; i++)
		assert_int_equal(found.calls[i].is_unnamed, i == 1);
}

static void inlined_calls_beyond_the_depth_are_left_out(void **state)
{
	(void)state;
	assert_int_equal(depth_read_back(GSYM_INLINE_DEPTH - 1),
	                 GSYM_INLINE_DEPTH - 1);
	assert_int_equal(depth_read_back(GSYM_INLINE_DEPTH), GSYM_INLINE_DEPTH);
	assert_int_equal(depth_read_back(GSYM_INLINE_DEPTH + 1),
	                 GSYM_INLINE_DEPTH);
	assert_int_equal(depth_read_back(10000), GSYM_INLINE_DEPTH);
}

static void line_steps_of_every_size_come_back(void **state)
{
	enum { ROWS = 2000 };
	SCOPED(mem_drop)
	struct debug_line *lines = mem_zalloc(ROWS, sizeof(*lines));
	struct debug_function function = { .name = "f", .lines = lines };
	const struct debug_info info = { .files = files,
		                         .file_count = ARRAY_SIZE(files),
		                         .functions = &function,
		                         .function_count = 1 };
	SCOPED(str_release) struct str image = { 0 };
	uint64_t address = 0x4000;
	uint32_t seed = 1;
	struct gsym gsym;

	(void)state;
	function.range.low = address;
	for (size_t i = 0; i < ROWS; i++) {
		seed = seed * 1103515245 + 12345;
		// Small and large steps, up to the ends of the line's range.
		lines[i].address = address;
		lines[i].file = 1 + (seed >> 16) % 3;
		lines[i].line = i % 50 == 0   ? UINT32_MAX
		                : i % 50 == 1 ? 1
		                              : 1000 + (seed >> 18) % 20;
		address += i % 7 ? 1 + (seed >> 20) % 40 : 70000;
	}
	function.line_count = ROWS;
	function.range.high = address;
	make(&info, &image, &gsym);
	for (size_t i = 0; i < ROWS; i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct gsym_answer answer;

		assert_true(
		        gsym_lookup(&gsym, lines[i].address, &arena, &answer));
		assert_int_equal(answer.calls[0].line, lines[i].line);
		assert_string_equal(answer.calls[0].file,
		                    files[lines[i].file].name);
	}
}

/** In steps of any size, on and back, a walk finds what a look-up alone does.
 */
static void walks_of_any_order_find_the_same_functions(void **state)
{
	enum { COUNT = 300, BEGIN = 0x1000, STRIDE = 32 };
	static struct debug_function many[COUNT];
	const struct debug_info info = { .files = files,
		                         .file_count = ARRAY_SIZE(files),
		                         .functions = many,
		                         .function_count = COUNT };
	SCOPED(str_release) struct str image = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym gsym;
	size_t named = 0;

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		many[i] = (struct debug_function){
			.range = { BEGIN + i * STRIDE,
			           BEGIN + i * STRIDE + STRIDE - 8 },
			.name = "f",
		};
	make(&info, &image, &gsym);
	for (size_t step = 1; step < COUNT * STRIDE; step = step * 3 / 2 + 1) {
		struct gsym_walk walk = { .gsym = &gsym };

		for (uint64_t i = 0; i < 60; i++) {
			uint64_t at = BEGIN - STRIDE +
			              i * step % ((COUNT + 2) * STRIDE);
			struct gsym_answer alone = { 0 };
			struct gsym_answer next = { 0 };
			bool found = gsym_lookup(&gsym, at, &arena, &alone);

			assert_int_equal(
			        gsym_walk_lookup(&walk, at, &arena, &next),
			        found);
			assert_int_equal(next.function_start,
			                 alone.function_start);
			named += found;
		}
	}
	assert_true(named > 200);
}

static void a_line_table_beyond_the_limit_is_left_out(void **state)
{
	enum { ROWS = 500000 };
	SCOPED(mem_drop)
	struct debug_line *lines = mem_zalloc(ROWS, sizeof(*lines));
	struct debug_function function = { .range = { 0x1000, 0x80001000 },
		                           .name = "f",
		                           .lines = lines,
		                           .line_count = ROWS };
	const struct debug_info info = { .files = files,
		                         .file_count = ARRAY_SIZE(files),
		                         .functions = &function,
		                         .function_count = 1 };
	SCOPED(str_release) struct str image = { 0 };
	struct gsym gsym;

	(void)state;
	for (size_t i = 0; i < ROWS; i++)
		lines[i] = (struct debug_line){
			.address = 0x1000 + i * 4096,
			.file = 1 + i % 2,
			.line = i % 2 ? 1 : UINT32_MAX,
		};
	make(&info, &image, &gsym);
	assert_true(image.size < 4096);
	assert_lookup(&gsym, 0x1000, "f :0 @1000");
}

/** What LLVM writes on a big-endian machine: one function, one row. */
static const uint8_t big_endian[] = {
	0x47, 0x53, 0x59, 0x4d, 0, 1, 2, 4,       // magic, version, sizes
	0, 0, 0, 0, 0, 0, 0x10, 0,                // base address
	0, 0, 0, 1, 0, 0, 0, 76, 0, 0, 0, 10,     // addresses,
	                                          // strings
	0xaa, 0xbb, 0xcc, 0xdd, 0, 0, 0, 0, 0, 0, // build id
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0,             //
	0, 0, 0, 0,                               // address table and padding
	0, 0, 0, 88,                              // record offsets
	0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0,       // files
	0, 0, 0, 0, 0, 0, 0, 6,                   //
	0, 'm', 'a', 'i', 'n', 0, 'm', '.', 'c', 0, 0, 0, // strings
	0, 0, 0, 8, 0, 0, 0, 1,                           // size, name
	0, 0, 0, 9, 0, 0, 0, 1, 0xff,                     // a piece of a later
	                                                  // version
	0, 0, 0, 1, 0, 0, 0, 6, 0x7c, 7, 42, 2, 4,
	0,                      // lines
	0, 0, 0, 0, 0, 0, 0, 0, // end
};

static void big_endian_images_are_read(void **state)
{
	const struct bytes image = { big_endian, sizeof(big_endian) };
	struct gsym gsym;

	(void)state;
	assert_null(gsym_open(image, &gsym));
	assert_true(uuid_is_zero(&gsym.uuid));
	assert_lookup(&gsym, 0xfff, "");
	// The only row is at 0x1004.
	assert_lookup(&gsym, 0x1003, "main :0 @1000");
	assert_lookup(&gsym, 0x1004, "main m.c:42 @1000");
	assert_lookup(&gsym, 0x1008, "");
}

static void bad_headers_are_named(void **state)
{
	static const struct {
		size_t at;
		uint8_t value;
		enum error_code code;
		const char *message;
	} cases[] = {
		{ 0, 0, ERROR_FORMAT, "not a GSYM image: magic 0x4d595300" },
		{ 5, 2, ERROR_UNSUPPORTED, "GSYM version 2 is not supported" },
		{ 6, 3, ERROR_FORMAT,
		  "GSYM header: address size is 3 bytes, expected 1, 2, 4 or "
		  "8" },
		{ 7, 21, ERROR_FORMAT,
		  "GSYM header: UUID size is 21 bytes, expected at most 20" },
		{ 16, 0xff, ERROR_FORMAT,
		  "GSYM address table: offset 0x30: expected 8556380162 more "
		  "bytes, found 79" },
		{ 56, 1, ERROR_FORMAT,
		  "GSYM file table: offset 0x3c: expected 134217744 more "
		  "bytes, found 67" },
		{ 22, 1, ERROR_FORMAT,
		  "GSYM string table: begins at offset 0x14c, but the file "
		  "has 127 bytes" },
		{ 27, 52, ERROR_FORMAT,
		  "GSYM string table: offset 0x4c: expected 52 more bytes, "
		  "found 51" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint8_t copy[sizeof(big_endian)];
		struct gsym gsym;

		memcpy(copy, big_endian, sizeof(copy));
		copy[cases[i].at] = cases[i].value;
		SCOPED(error_drop)
		struct error *err =
		        gsym_open((struct bytes){ copy, sizeof(copy) }, &gsym);
		assert_non_null(err);
		assert_string_equal(error_message(err), cases[i].message);
		assert_int_equal(error_code(err), cases[i].code);
	}
}

static void a_truncated_image_is_not_whole(void **state)
{
	// Up to the name of the only function, and the end of the strings.
	const size_t whole = 96, strings_end = 86;

	(void)state;
	for (size_t size = strings_end; size <= sizeof(big_endian); size++) {
		struct gsym gsym;
		SCOPED(error_drop) struct error *err = NULL;

		assert_null(
		        gsym_open((struct bytes){ big_endian, size }, &gsym));
		err = gsym_check_whole(&gsym);
		if (size >= whole) {
			assert_null(err);
			continue;
		}
		assert_non_null(err);
		assert_string_equal(error_message(err),
		                    "truncated: 1 of its functions lies "
		                    "outside the file");
	}
}

static void damaged_records_give_no_name(void **state)
{
	static const struct {
		const char *what;
		size_t at;
		uint8_t value;
	} cases[] = {
		{ "record beyond the image", 54, 1 },
		{ "size 0", 91, 0 },
		{ "name beyond the strings", 95, 10 },
		{ "name empty", 95, 0 },
		{ "piece beyond the image", 102, 1 },
		{ "line table too short", 112, 5 },
		{ "steps from low to high swapped", 113, 0x10 },
		{ "line table without an end", 118, 2 },
		{ "file beyond the table", 59, 1 },
		{ "file name beyond the strings", 75, 10 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint8_t copy[sizeof(big_endian)];
		struct gsym gsym;

		memcpy(copy, big_endian, sizeof(copy));
		copy[cases[i].at] = cases[i].value;
		assert_null(
		        gsym_open((struct bytes){ copy, sizeof(copy) }, &gsym));
		assert_lookup(&gsym, 0x1004, "");
	}
}

/** A heap copy of exactly @p size bytes, so that a sanitizer sees overruns. */
static void try_copy(const struct str *image, size_t size, size_t at,
                     uint8_t mask)
{
	SCOPED(mem_drop) uint8_t *copy = mem_alloc(size);
	struct error *err;
	struct gsym gsym;

	if (size)
		memcpy(copy, image->data, size);
	if (at < size)
		copy[at] ^= mask;
	err = gsym_open((struct bytes){ copy, size }, &gsym);
	error_free(err);
	if (err)
		return;
	for (uint64_t a = PUMP_START - 4; a < 0x10a4; a += 4) {
		SCOPED(str_release) struct str found = { 0 };

		describe(&gsym, a, &found);
	}
}

static void truncated_and_flipped_images_are_survived(void **state)
{
	static const uint8_t masks[] = { 0x01, 0x80, 0x7f, 0xff };
	SCOPED(str_release) struct str image = { 0 };
	struct gsym gsym;

	(void)state;
	make(&program, &image, &gsym);
	for (size_t size = 0; size < image.size; size++)
		try_copy(&image, size, SIZE_MAX, 0);
	for (size_t at = 0; at < image.size; at++) {
		for (size_t i = 0; i < ARRAY_SIZE(masks); i++)
			try_copy(&image, image.size, at, masks[i]);
	}
}

static void a_file_of_others_counts_from_the_image(void **state UNUSED)
{
	static const uint8_t big[GSYM_HEAD_BYTES] = {
		'G', 'S', 'Y', 'M', 0, 1, 4, 16, [20] = 0, [28] = 0x41, 2, 3,
	};
	static const uint8_t text[] = "MYSG, and so on";
	SCOPED(str_release) struct str image = { 0 };
	SCOPED(str_release) struct str adrift = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	SCOPED(error_drop) struct error *unordered = NULL;
	struct debug_info linked = program;
	struct uuid uuid;
	struct gsym gsym;

	linked.has_image_address = true;
	linked.image_address = PUMP_START - 0x123;
	assert_null(gsym_write(&linked, &program_uuid, &image));
	assert_true(gsym_sniff(image_bytes(&image)));
	assert_null(gsym_peek_uuid(image_bytes(&image), &uuid));
	assert_true(uuid_equal(&uuid, &program_uuid));
	assert_null(gsym_open_foreign(image_bytes(&image), &gsym));
	assert_int_equal(gsym.base_address, PUMP_START - 0x123);
	assert_int_equal(gsym_span(&gsym), 0x10a0 - gsym.base_address);

	// What a search finds would depend on the one before.
	assert_true(gsym.address_count > 1);
	image.data[gsym.addresses_offset] = '\x7f';
	unordered = gsym_open_foreign(image_bytes(&image), &gsym);
	assert_non_null(unordered);
	assert_string_equal(error_message(unordered),
	                    "GSYM address table: function 1 is below the one "
	                    "before it");

	// Without an image, its base is the first function.
	assert_null(gsym_write(&program, &program_uuid, &adrift));
	err = gsym_open_foreign(image_bytes(&adrift), &gsym);
	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "GSYM header: base address is 0x1000, which is "
	                    "that of the first function, expected that of the "
	                    "image");

	assert_true(gsym_sniff((struct bytes){ big, sizeof(big) }));
	assert_null(gsym_peek_uuid((struct bytes){ big, sizeof(big) }, &uuid));
	assert_int_equal(uuid.bytes[0], 0x41);
	assert_int_equal(uuid.bytes[2], 3);
	assert_false(gsym_sniff((struct bytes){ text, sizeof(text) }));
	assert_false(gsym_sniff((struct bytes){ big, 4 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lookup_gives_chains_lines_and_starts),
		cmocka_unit_test(a_walk_gives_what_single_lookups_give),
		cmocka_unit_test(ascending_lookups_read_a_line_table_once),
		cmocka_unit_test(a_lookup_gives_the_extent_of_the_function),
		cmocka_unit_test(line_zero_borrows_from_the_same_function),
		cmocka_unit_test(address_offsets_take_as_few_bytes_as_they_can),
		cmocka_unit_test(strings_and_files_are_kept_once),
		cmocka_unit_test(the_same_input_gives_the_same_bytes),
		cmocka_unit_test(what_a_record_cannot_hold_is_left_out),
		cmocka_unit_test(
		        no_functions_make_an_image_that_answers_nothing),
		cmocka_unit_test(overlapping_functions_are_refused),
		cmocka_unit_test(
		        inlined_ranges_are_sorted_and_cut_to_their_function),
		cmocka_unit_test(an_inlined_call_without_a_name_stays),
		cmocka_unit_test(inlined_calls_beyond_the_depth_are_left_out),
		cmocka_unit_test(line_steps_of_every_size_come_back),
		cmocka_unit_test(walks_of_any_order_find_the_same_functions),
		cmocka_unit_test(a_line_table_beyond_the_limit_is_left_out),
		cmocka_unit_test(big_endian_images_are_read),
		cmocka_unit_test(bad_headers_are_named),
		cmocka_unit_test(a_truncated_image_is_not_whole),
		cmocka_unit_test(damaged_records_give_no_name),
		cmocka_unit_test(truncated_and_flipped_images_are_survived),
		cmocka_unit_test(a_file_of_others_counts_from_the_image),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
