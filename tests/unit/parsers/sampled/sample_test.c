// SPDX-License-Identifier: MIT
#include "tests/unit/parsers/sampled/tree_read.h"

#define HEAD                                                                \
	"Sampling process 12 for 3 seconds with 1 millisecond of run time " \
	"between samples\n"                                                 \
	"Sampling completed, processing symbols...\n"                       \
	"Analysis of sampling Demo (pid 12) every 1 millisecond\n"          \
	"Process:         Demo [12]\n"                                      \
	"Path:            /Applications/Demo.app/Contents/MacOS/Demo\n"     \
	"Load Address:    0x1000\n"                                         \
	"Code Type:       ARM64\n"                                          \
	"Parent Process:  zsh [7]\n"                                        \
	"\n"                                                                \
	"OS Version:      macOS 14.2 (23C64)\n"                             \
	"Report Version:  7\n"                                              \
	"----\n"                                                            \
	"\n"
#define IMAGES                                                            \
	"\n"                                                              \
	"Total number in stack (recursive counted multiple, when >=5):\n" \
	"        6       f  (in Demo) + 1  [0x1031]\n"                    \
	"\n"                                                              \
	"Sort by top of stack, same collapsed (when >= 5):\n"             \
	"        read  (in libx.dylib)        17\n"                       \
	"\n"                                                              \
	"Binary Images:\n"                                                \
	"            0x1000 -             0x1fff +Demo (0) "              \
	"<3457264D-8E59-379C-B9DE-F64DD04F1BB7> "                         \
	"/Applications/Demo.app/Contents/MacOS/Demo\n"                    \
	"            0x8000 -             0x8fff  com.example.x (1.0 - "  \
	"7) <4457264D-8E59-379C-B9DE-F64DD04F1BB7> /usr/lib/libx.dylib\n"
#define GRAPH                                                               \
	"Call graph:\n"                                                     \
	"    20 Thread_1   DispatchQueue_1: com.apple.main-thread  "        \
	"(serial)\n"                                                        \
	"    + 20 start  (in libx.dylib) + 1  [0x8001]\n"                   \
	"    +   17 ???  (in Demo)  load address 0x1000 + 0x10  [0x1010]\n" \
	"    +   ! 10 ???  (in Demo)  load address 0x1000 + 0x20  "         \
	"[0x1020,0x1024]\n"                                                 \
	"    +   ! : 10 read  (in libx.dylib) + 8  [0x8010]\n"              \
	"    +   ! 7 ???  (in <unknown binary>)  [0x500]\n"                 \
	"    +   3 f  (in Demo) + 1  [0x1031]\n"                            \
	"    20 Thread_2: worker\n"                                         \
	"      20 thread_start  (in libx.dylib) + 4  [0x8004]\n"

static void the_head_of_a_sample_is_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        tree_read(&sample_reader, HEAD GRAPH IMAGES, &arena);

	assert_string_equal(report->kind, "output of 'sample'");
	assert_string_equal(report->process.name, "Demo");
	assert_int_equal(report->process.pid, 12);
	assert_string_equal(report->parent.name, "zsh");
	assert_string_equal(report->path,
	                    "/Applications/Demo.app/Contents/MacOS/Demo");
	assert_string_equal(report->code_type, "ARM64");
	assert_int_equal(report->platform, 1);
	assert_int_equal(report->sample_interval_us, 1000);
	assert_int_equal(report->image_count, 2);
	assert_string_equal(report->images[1].bundle_id, "com.example.x");
	assert_int_equal(report->images[1].size, 0x1000);
	assert_false(report->truncated);
	assert_notes(report, NULL, 0);
}

static void each_thread_is_a_tree(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        tree_read(&sample_reader, HEAD GRAPH IMAGES, &arena);

	assert_trees(report, "Thread_1 DispatchQueue_1: com.apple.main-thread "
	                     "(serial)\n"
	                     "0 20 start libx.dylib+1 exact\n"
	                     "1 17 ? Demo+16 exact\n"
	                     "2 10 ? Demo+32 exact\n"
	                     "3 10 read libx.dylib+16 exact\n"
	                     "2 7 ? exact\n"
	                     "1 3 f Demo+49 exact\n"
	                     "Thread_2: worker\n"
	                     "0 20 thread_start libx.dylib+4 exact\n");
	assert_unchanged(report, HEAD GRAPH IMAGES);
}

static void named_lines_look_as_atos_writes_them(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        tree_read(&sample_reader, HEAD GRAPH IMAGES, &arena);
	struct report_frame *frames = report->trees[0]->frames.frames;
	struct report_call main_calls[] = {
		{ .symbol = "inner()",
		  .file = "in.h",
		  .line = 3,
		  .has_line = true },
		{ .symbol = "main",
		  .symbol_offset = 16,
		  .has_symbol_offset = true,
		  .file = "main.c",
		  .line = 9,
		  .has_line = true },
	};
	struct report_call work_calls[] = {
		{ .symbol = "tiny",
		  .file = "t.h",
		  .line = 1,
		  .has_line = true },
		{ .symbol = "work",
		  .file = "w.c",
		  .line = 2,
		  .has_line = true },
	};
	struct report_call f_calls[] = {
		{ .symbol = "g",
		  .symbol_offset = 5,
		  .has_symbol_offset = true },
	};
	SCOPED(mem_drop) char *once = NULL;

	name_frame(&frames[1], main_calls, 2);
	name_frame(&frames[2], work_calls, 2);
	name_frame(&frames[5], f_calls, 1);
	once = rendered(&text_formatter, report);
	if (!strstr(once,
	            "    + 20 start  (in libx.dylib) + 1  [0x8001]\n"
	            "    +   17 main (in Demo) (main.c:9) [0x1010]\n"
	            "    +     17 inner() (in Demo) (in.h:3) [inlined] "
	            "[0x1010]\n"
	            // Several addresses share a name, but no line.
	            "    +   !   10 work (in Demo) [0x1020,0x1024]\n"
	            "    +   ! :   10 read  (in libx.dylib) + 8  [0x8010]\n"
	            "    +   !   7 ???  (in <unknown binary>)  [0x500]\n"
	            "    +   3 g (in Demo) + 5 [0x1031]\n"
	            "    20 Thread_2: worker\n"))
		fail_msg("%s", once);

	// What we wrote is read as one frame of two calls, and stays.
	report = tree_read(&sample_reader, once, &arena);
	assert_int_equal(report->trees[0]->frames.count, 6);
	assert_int_equal(report->trees[0]->frames.frames[1].call_count, 2);
	assert_string_equal(report->trees[0]->frames.frames[1].calls[0].symbol,
	                    "inner()");
	assert_int_equal(report->trees[0]->calls.nodes[3].depth - 1, 2);
	assert_unchanged(report, once);
	name_frame(&report->trees[0]->frames.frames[1], main_calls, 2);
	assert_unchanged(report, once);
}

static void styles_show_places_for_names(void **state UNUSED)
{
	static const struct {
		enum text_style style;
		const char *lines;
	} cases[] = {
		{ TEXT_STYLE_RAW,
		  "    + 20 ???  (in libx.dylib)  load address 0x8000 + 0x1  "
		  "[0x8001]\n"
		  "    +   17 ???  (in Demo)  load address 0x1000 + 0x10  "
		  "[0x1010]\n" },
		{ TEXT_STYLE_PARTIAL,
		  "    +   ! : 10 read  (in libx.dylib) + 8  [0x8010]\n"
		  "    +   ! 7 ???  (in <unknown binary>)  [0x500]\n"
		  "    +   3 ???  (in Demo)  load address 0x1000 + 0x31  "
		  "[0x1031]\n" },
		{ TEXT_STYLE_SIDE_BY_SIDE,
		  "    +   3 f (in Demo) + 1  load address 0x1000 + 0x31 "
		  "[0x1031]\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report =
		        tree_read(&sample_reader, HEAD GRAPH IMAGES, &arena);
		SCOPED(mem_drop)
		char *text = rendered_style(cases[i].style, report);

		if (!strstr(text, cases[i].lines))
			fail_msg("%s", text);
	}
}

static void intervals_are_read_in_any_unit(void **state UNUSED)
{
	static const struct {
		const char *text;
		uint64_t us;
	} cases[] = {
		{ "Analysis of sampling Demo (pid 1) every 1 millisecond\n",
		  1000 },
		{ "Analysis of sampling Demo (pid 1) every 10.500000 "
		  "milliseconds\n",
		  10500 },
		{ "Analysis of sampling every (pid 1) every 500 microseconds\n",
		  500 },
		{ "Analysis of sampling Demo (pid 1) every 2 seconds\n",
		  2000000 },
		{ "Analysis of sampling Demo (pid 1) every day\n", 0 },
		{ "Analysis of sampling Demo (pid 1) every 99999999999999999999"
		  " milliseconds\n",
		  0 },
		{ "Analysis of sampling Demo (pid 1) every 18446744073709551615"
		  " seconds\n",
		  0 },
		{ "Call graph:\n", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report =
		        tree_read(&sample_reader, cases[i].text, &arena);

		assert_int_equal(report->sample_interval_us, cases[i].us);
	}
}

static void what_is_wrong_with_a_tree_is_said(void **state UNUSED)
{
	static const char text[] =
	        "Call graph:\n"
	        "    5 Thread_1\n"
	        "      5 a  (in Demo) + 1  [0x1001]\n"
	        "            5 b  (in Demo) + 1  [0x1002]\n"
	        "        9 c  (in Demo) + 1  [0x1003]\n"
	        "        no count  (in Demo) + 1  [0x1004]\n"
	        "        18446744073709551616 d  (in Demo) + 1  [0x1005]\n"
	        "      18446744073709551615 e  (in Demo) + 1  [0x1006]\n";
	static const char *const notes[] = {
		("line 8: the text ends without Binary Images: no frame can be "
		 "looked up"),
		"line 6: not a line of a call tree; kept as text (on 2 lines)",
		"line 7: the count is beyond 64 bits; kept as text",
		"line 4: indented by more than one level; treated as one",
		"line 5: more samples than its caller has left",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = tree_read(&sample_reader, text, &arena);

	assert_trees(report, "Thread_1\n"
	                     "0 5 a exact\n"
	                     "1 5 b exact\n"
	                     "1 9 c exact\n"
	                     "0 18446744073709551615 e exact\n");
	assert_notes(report, notes, ARRAY_SIZE(notes));
	assert_true(report->truncated);
	assert_unchanged(report, text);
}

static void depth_is_bounded(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	const struct report_tree *tree;
	struct report *report;

	str_add(&text, "Call graph:\n    1 Thread_1\n");
	for (int i = 0; i < 4100; i++) {
		str_add_repeat(&text, ' ', (size_t)(6 + 2 * i));
		str_add(&text, "1 f  (in Demo) + 1  [0x1001]\n");
	}
	report = tree_read(&sample_reader, str_cstr(&text), &arena);
	tree = report->trees[0];
	assert_int_equal(tree->frames.count, 4100);
	assert_int_equal(tree->calls.nodes[4096].depth - 1, 4095);
	assert_int_equal(tree->calls.nodes[4100].depth - 1, 4095);
	assert_string_equal(report->notes[1].place, "line 4099");
	assert_string_equal(report->notes[1].text,
	                    "deeper than 4,096 levels; treated as that level "
	                    "(on 4 lines)");
	assert_unchanged(report, str_cstr(&text));
}

static void a_long_line_is_read_once(void **state UNUSED)
{
	static const char *const parts[] = { "(",      ")", " (", "[0x", " + 1",
		                             " (a:1)", "9", "+ ", "\t" };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str text = { 0 };

		str_add(&text, "Call graph:\n    1 Thread_1\n      1 f");
		while (text.size < 1 << 20)
			str_add(&text, parts[i]);
		str_add(&text, "\n");
		assert_unchanged(
		        tree_read(&sample_reader, str_cstr(&text), &arena),
		        str_cstr(&text));
	}
}

static void a_damaged_sample_is_read(void **state UNUSED)
{
	assert_cuts_are_read(&sample_reader, HEAD GRAPH IMAGES);
	assert_damage_is_read(&sample_reader, HEAD GRAPH IMAGES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_head_of_a_sample_is_read),
		cmocka_unit_test(each_thread_is_a_tree),
		cmocka_unit_test(named_lines_look_as_atos_writes_them),
		cmocka_unit_test(styles_show_places_for_names),
		cmocka_unit_test(intervals_are_read_in_any_unit),
		cmocka_unit_test(what_is_wrong_with_a_tree_is_said),
		cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(a_long_line_is_read_once),
		cmocka_unit_test(a_damaged_sample_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
