// SPDX-License-Identifier: MIT
#include "tests/unit/parsers/sampled/tree_read.h"

#define HEAD                                                     \
	"Date/Time:        2026-01-31 09:06:37.100 +0800\n"      \
	"OS Version:       iPhone OS 17.2 (Build 21C62)\n"       \
	"Architecture:     arm64e\n"                             \
	"Data Source:      Stackshots\n\n"                       \
	"Command:          Demo\nPath:             /x/Demo\n"    \
	"Parent:           launchd [1]\nPID:              612\n" \
	"Event:            hang\n"                               \
	"Steps:            17 (100ms sampling interval)\n\n"     \
	"Heaviest stack for the target process:\n"               \
	"  17  start + 4 (dyld + 8) [0x8008]\n"                  \
	"  12  ??? (Demo + 16) [0x1010]\n"                       \
	"\n\n"
#define TARGET                                                               \
	"Process:          Demo [612]\n"                                     \
	"UUID:             3457264D-8E59-379C-B9DE-F64DD04F1BB7\n"           \
	"Path:             /x/Demo\n"                                        \
	"Architecture:     arm64e\n"                                         \
	"Note:             1 idle work queue thread omitted\n\n"             \
	"  Thread 0x3461    DispatchQueue \"com.apple.main-thread\"(1)    "  \
	"17 samples (1-17)    priority 46 (base 46)\n"                       \
	"  <thread QoS user interactive, IO tier 0>\n"                       \
	"  17  start + 4 (dyld + 8) [0x8008]\n"                              \
	"    12  ??? (Demo + 16) [0x1010]\n"                                 \
	"      12  <patched truncated backtrace>\n"                          \
	"        12  mach_msg_trap + 8 (dyld + 64) [0x8040]\n"               \
	"         *12  ??? (kernel + 16) [0xffffff8000210010] (blocked by "  \
	"turnstile waiting for Other [99] thread 0x77)\n"                    \
	"    5   ??? (Demo + 32) [0x1020]\n"                                 \
	"      2   <User mode>\n"                                            \
	"\n"                                                                 \
	"  Thread 0x3462    Thread name \"worker\"    17 samples (1-17)\n"   \
	"  17  ??? (Demo + 48) [0x1030]\n"                                   \
	"\n"                                                                 \
	"  Binary Images:\n"                                                 \
	"            0x1000 -                ???  com.example.Demo 2.1 (3)"  \
	"  <3457264D-8E59-379C-B9DE-F64DD04F1BB7>  /x/Demo\n"                \
	"            0x8000 -             0x8fff  dyld (957)               " \
	"<4457264D-8E59-379C-B9DE-F64DD04F1BB7>  /usr/lib/dyld\n"            \
	"   *0xffffff8000210000 - 0xffffff8000c0ffff  kernel (8020.121.3)  " \
	"<3C587984-4004-3C76-8ADF-997822977184>  /System/Library/Kernels/"   \
	"kernel\n\n\n"
#define OTHER                                                                \
	"Process:          Other [99] [unique pid 5]\n"                      \
	"Path:             /y/Other\n"                                       \
	"Architecture:     arm64\n\n"                                        \
	"  Thread 0x77    17 samples (1-17)    priority 4 (base 4)\n"        \
	"  17  ??? (Other App + 16) [0x1010]\n"                              \
	"   *17  ??? (kernel + 16) [0xffffff8000210010]\n"                   \
	"\n"                                                                 \
	"  Binary Images:\n"                                                 \
	"            0x1000 -             0x1fff  Other App 7.0.1 (3)  "     \
	"<5457264D-8E59-379C-B9DE-F64DD04F1BB7>  /y/Other App\n"             \
	"   *0xffffff8000210000 - 0xffffff8000c0ffff  kernel (8020.121.3)  " \
	"<3C587984-4004-3C76-8ADF-997822977184>  /System/Library/Kernels/"   \
	"kernel\n"
#define ALL_TREES                                           \
	"Demo [612] Thread 0x3461 DispatchQueue "           \
	"\"com.apple.main-thread\"(1) (attributed)\n"       \
	"0 17 start dyld+8\n"                               \
	"1 12 ? Demo+16\n"                                  \
	"2 12 mach_msg_trap dyld+64\n"                      \
	"3 12 ? kernel+16 exact\n"                          \
	"1 5 ? Demo+32 exact\n"                             \
	"Demo [612] Thread 0x3462 Thread name \"worker\"\n" \
	"0 17 ? Demo+48 exact\n"                            \
	"Other [99] Thread 0x77\n"                          \
	"0 17 ? Other App+16\n"                             \
	"1 17 ? kernel+16 exact\n"

static void the_head_of_a_spindump_is_read(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        tree_read(&spindump_reader, HEAD TARGET OTHER, &arena);

	assert_string_equal(report->kind, "spindump");
	assert_string_equal(report->process.name, "Demo");
	assert_int_equal(report->process.pid, 612);
	assert_string_equal(report->path, "/x/Demo");
	assert_int_equal(report->platform, 2);
	assert_int_equal(report->sample_interval_us, 100000);
	assert_string_equal(
	        report_section(report, "Process: Demo [612]"),
	        "UUID:             3457264D-8E59-379C-B9DE-F64DD04F1BB7\n"
	        "Path:             /x/Demo\n"
	        "Architecture:     arm64e\n"
	        "Note:             1 idle work queue thread omitted");
	assert_false(report->truncated);
	assert_notes(report, NULL, 0);
}

static void frames_lie_in_the_images_of_their_own_process(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        tree_read(&spindump_reader, HEAD TARGET OTHER, &arena);

	assert_trees(report, ALL_TREES);
	assert_unchanged(report, HEAD TARGET OTHER);
	// The kernel of both is one.
	assert_int_equal(report->image_count, 4);
	assert_string_equal(report->images[0].name, "Demo");
	assert_string_equal(report->images[0].bundle_id, "com.example.Demo");
	assert_string_equal(report->images[0].version, "2.1");
	assert_string_equal(report->images[0].build, "3");
	assert_int_equal(report->images[0].size, 0);
	assert_string_equal(report->images[1].version, "957");
	assert_string_equal(report->images[3].name, "Other App");
	assert_null(report->images[3].bundle_id);
	assert_string_equal(report->images[3].version, "7.0.1");
}

static void the_order_of_the_processes_means_nothing(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        tree_read(&spindump_reader, HEAD OTHER "\n\n" TARGET, &arena);
	const struct report_stack *heaviest = report->app_backtraces[0];

	assert_string_equal(report->images[heaviest->frames[0].image].bundle_id,
	                    "com.example.Demo");
	assert_true(report->trees[1]->attributed);
	assert_unchanged(report, HEAD OTHER "\n\n" TARGET);
}

static void a_wait_names_both_threads(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        tree_read(&spindump_reader, HEAD TARGET OTHER, &arena);
	const struct report_wait *wait = report->waits;

	assert_int_equal(report->wait_count, 1);
	assert_string_equal(wait->process.name, "Demo");
	assert_int_equal(wait->thread, 0x3461);
	assert_string_equal(wait->owner.name, "Other");
	assert_int_equal(wait->owner.pid, 99);
	assert_true(wait->has_owner_thread);
	assert_int_equal(wait->owner_thread, 0x77);
	assert_ptr_equal(wait->tree, report->trees[0]);
	assert_int_equal(wait->frame, 3);
}

static void the_heaviest_stack_begins_with_the_innermost(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        tree_read(&spindump_reader, HEAD TARGET OTHER, &arena);
	const struct report_stack *stack = report->app_backtraces[0];

	assert_int_equal(report->app_backtrace_count, 1);
	assert_int_equal(stack->count, 2);
	assert_false(stack->all_return_addresses);
	assert_int_equal(stack->frames[0].address, 0x1010);
	assert_int_equal(stack->frames[0].image_offset, 16);
	assert_string_equal(stack->frames[1].calls[0].symbol, "start");
}

static void named_lines_look_as_spindump_writes_them(void **state UNUSED)
{
	static struct report_call calls[] = {
		{ .symbol = "inner()",
		  .file = "i.h",
		  .line = 3,
		  .has_line = true },
		{ .symbol = "main",
		  .symbol_offset = 16,
		  .has_symbol_offset = true,
		  .file = "main.c",
		  .line = 9,
		  .has_line = true },
	};
	static struct report_call wait_calls[] = {
		{ .symbol = "ipc" },
		{ .symbol = "wait", .has_symbol_offset = true },
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report =
	        tree_read(&spindump_reader, HEAD TARGET OTHER, &arena);
	struct report_frame *frames = report->trees[0]->frames.frames;
	SCOPED(mem_drop) char *once = NULL;

	name_frame(&report->app_backtraces[0]->frames[0], calls, 2);
	name_frame(&frames[1], calls, 2);
	name_frame(&frames[3], wait_calls, 2);
	once = rendered(&text_formatter, report);
	if (!strstr(once,
	            "  17  start + 4 (dyld + 8) [0x8008]\n"
	            "  12  main + 16 (main.c:9 in Demo + 16) [0x1010]\n"
	            "  12  inner() (i.h:3 in Demo + 16) [inlined] [0x1010]\n"
	            "\n") ||
	    !strstr(once,
	            "    12  main + 16 (main.c:9 in Demo + 16) [0x1010]\n"
	            "      12  inner() (i.h:3 in Demo + 16) [inlined] "
	            "[0x1010]\n"
	            "      12  <patched truncated backtrace>\n"
	            "          12  mach_msg_trap + 8 (dyld + 64) [0x8040]\n"
	            "           *12  wait + 0 (kernel + 16) "
	            "[0xffffff8000210010]\n"
	            "             *12  ipc (kernel + 16) [inlined] "
	            "[0xffffff8000210010] (blocked by turnstile waiting for "
	            "Other [99] thread 0x77)\n"
	            "    5   ??? (Demo + 32) [0x1020]\n"))
		fail_msg("%s", once);

	report = tree_read(&spindump_reader, once, &arena);
	assert_int_equal(report->trees[0]->frames.count, 5);
	assert_int_equal(report->trees[0]->frames.frames[3].call_count, 2);
	assert_int_equal(report->app_backtraces[0]->frames[0].call_count, 2);
	assert_unchanged(report, once);
}

static void profiles_have_one_tree_each(void **state UNUSED)
{
	static const char text[] =
	        "{\"bug_type\":\"202\",\"app_name\":\"Demo\"}\n"
	        "Date/Time:        0\nData Source:      Microstackshots\n"
	        "Command:          Demo\nEvent:            cpu usage\n"
	        "Steps:            81 ( (10.49 MB/step))\n\n"
	        "Powerstats for:   Demo [612]\n"
	        "Num samples:      3 (7%)\n"
	        "  3  ??? (Demo + 16) [0x1010]\n"
	        "    2   ??? (Demo + 32) [0x1020]\n"
	        "      2   <User mode>\n"
	        "\n"
	        "  Binary Images:\n"
	        "    0x1000 - 0x1fff  Demo (1) "
	        "<3457264D-8E59-379C-B9DE-F64DD04F1BB7> /x/Demo\n\n\n"
	        "Powerstats for:   Other\n"
	        "Num samples:      1 (2%)\n"
	        "  1  ??? (Other + 16) [0x1010]\n"
	        "\n"
	        "  Binary Images:\n"
	        "    0x1000 - 0x1fff  Other (1) "
	        "<4457264D-8E59-379C-B9DE-F64DD04F1BB7> /x/Other\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = tree_read(&spindump_reader, text, &arena);

	assert_trees(report, "Demo [612] (attributed)\n"
	                     "0 3 ? Demo+16\n"
	                     "1 2 ? Demo+32 exact\n"
	                     "Other\n"
	                     "0 1 ? Other+16 exact\n");
	assert_string_equal(report->bug_type, "202");
	assert_string_equal(report->kind, "CPU usage report");
	assert_int_equal(report->sample_interval_us, 0);
	assert_notes(report, NULL, 0);
	assert_unchanged(report, text);
}

static void a_part_of_one_process_is_about_it(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = tree_read(
	        &spindump_reader,
	        "Process: Demo [7]\nPath: /x/Demo\nNum samples: 3 (1-3)\n",
	        &arena);

	assert_string_equal(report->kind, "part of a spindump");
	assert_string_equal(report->process.name, "Demo");
	assert_string_equal(report->path, "/x/Demo");
	report = tree_read(&spindump_reader,
	                   "Process: Demo [7]\nNum samples: 3 (1-3)\n"
	                   "Process: Other [8]\nNum samples: 3 (1-3)\n",
	                   &arena);
	assert_null(report->process.name);
}

static void tabs_and_wide_counts_indent_alike(void **state UNUSED)
{
	static const char text[] = "Process: Demo [7]\nNum samples: 3 (1-3)\n\n"
	                           "  Thread 0x1    1234567 samples (1-3)\n"
	                           "  1234567  a (Demo + 1) [0x1001]\n"
	                           "\t1234567  b (Demo + 2) [0x1002]\n"
	                           "\t\t7        c (Demo + 3) [0x1003]\n"
	                           "\t \t1        d (Demo + 4) [0x1004]\n"
	                           "\t9        e (Demo + 5) [0x1005]\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = tree_read(&spindump_reader, text, &arena);
	static const char *const notes[] = {
		"line 9: the text ends in a call tree: without Binary Images "
		"no frame of it can be looked up",
		"line 9: more samples than its caller has left",
	};

	assert_trees(report, "Demo [7] Thread 0x1\n"
	                     "0 1234567 a\n"
	                     "1 1234567 b\n"
	                     "2 7 c exact\n"
	                     "2 1 d exact\n"
	                     "1 9 e exact\n");
	assert_notes(report, notes, ARRAY_SIZE(notes));
	assert_true(report->truncated);
	assert_unchanged(report, text);
}

static void a_damaged_spindump_is_read(void **state UNUSED)
{
	assert_cuts_are_read(&spindump_reader, HEAD TARGET OTHER);
	assert_damage_is_read(&spindump_reader, HEAD TARGET OTHER);
}

static void images_that_processes_share_count_once(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	struct report *report;

	// As many processes as it takes: what they share counts once.
	for (int i = 0; i < 300; i++) {
		str_addf(&text, "Process: p%d [%d]\nNum samples: 1\n", i, i);
		str_add(&text, "  1  f (a + 16) [0x1010]\n\n"
		               "  Binary Images:\n");
		for (int k = 0; k < 100; k++)
			str_addf(&text, "  0x%x - 0x%x  a (1)\n",
			         0x1000 + 0x1000 * k, 0x1fff + 0x1000 * k);
	}
	report = tree_read(&spindump_reader, str_cstr(&text), &arena);
	assert_int_equal(report->image_count, 100);
	assert_int_equal(report->trees[299]->frames.frames[0].image, 0);
	assert_int_equal(report->note_count, 0);
	assert_unchanged(report, str_cstr(&text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_head_of_a_spindump_is_read),
		cmocka_unit_test(frames_lie_in_the_images_of_their_own_process),
		cmocka_unit_test(the_order_of_the_processes_means_nothing),
		cmocka_unit_test(a_wait_names_both_threads),
		cmocka_unit_test(the_heaviest_stack_begins_with_the_innermost),
		cmocka_unit_test(named_lines_look_as_spindump_writes_them),
		cmocka_unit_test(profiles_have_one_tree_each),
		cmocka_unit_test(a_part_of_one_process_is_about_it),
		cmocka_unit_test(tabs_and_wide_counts_indent_alike),
		cmocka_unit_test(a_damaged_spindump_is_read),
		cmocka_unit_test(images_that_processes_share_count_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
