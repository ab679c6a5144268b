// SPDX-License-Identifier: MIT
#include "lib/base/str.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define FRAMES                                                              \
	"libsystem_kernel.dylib          0x1091c820a mach_msg_trap + 10\n"  \
	"Bee Hive                        0x104d12345 0x104d00000 + 74565\n" \
	"Bee Hive                        0x104d12400 -[Hive(Bees) fly:] + 4\n"
#define OTHER                          \
	"Backtrace of Thread 14851:\n" \
	"libsystem_kernel.dylib          0x1091c43b3 __workq_kernreturn + 8\n"

static struct report *read(struct arena *arena, const char *text)
{
	struct report *report = NULL;
	struct error *err =
	        read_reports(bytes_from_text(text_from(text)), arena, &report);

	if (err)
		fail_msg("%s", error_message(err));
	assert_string_equal(report->format, "backtraces");
	return report;
}

static void assert_frames(const struct report_thread *thread)
{
	const struct report_frame *frames = thread->stack.frames;

	assert_int_equal(thread->stack.count, 3);
	assert_string_equal(frames[0].calls[0].symbol, "mach_msg_trap");
	assert_int_equal(frames[0].calls[0].symbol_offset, 10);
	assert_string_equal(frames[1].image_name, "Bee Hive");
	assert_int_equal(frames[1].address, 0x104d12345);
	// What stands for the symbol is where the image was loaded.
	assert_int_equal(frames[1].call_count, 0);
	assert_int_equal(frames[1].image_offset, 74565);
	assert_string_equal(frames[2].calls[0].symbol, "-[Hive(Bees) fly:]");
}

static void frames_have_no_number(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, "Backtrace of Thread 771:\n" FRAMES);

	assert_int_equal(report->thread_count, 1);
	assert_int_equal(report->threads[0]->id, 771);
	assert_false(report->threads[0]->crashed);
	assert_int_equal(report->sample_kind, SAMPLE_KIND_STALL);
	assert_string_equal(report->kind, "list of backtraces");
	assert_frames(report->threads[0]);
}

static void the_log_names_the_process(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena,
	             "2026-01-11 14:29:12.494088+0800 Bee Hive[16525:25693273] "
	             "Backtrace of Thread 771:\n"
	             "==========================\n" FRAMES);

	assert_string_equal(report->process.name, "Bee Hive");
	assert_frames(report->threads[0]);
	assert_false(report_frame_is_app(report,
	                                 &report->threads[0]->stack.frames[0]));
	assert_true(report_frame_is_app(report,
	                                &report->threads[0]->stack.frames[2]));
}

static void or_they_have_one(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report =
	        read(&arena, "Backtrace of Thread 771:\n"
	                     "0 libsystem_c.dylib  0x7fff200f7500 usleep + 53\n"
	                     "1 Demo               0x1038b9a96 main + 230\n");

	assert_int_equal(report->threads[0]->stack.count, 2);
	assert_string_equal(report->threads[0]->stack.frames[1].calls[0].symbol,
	                    "main");
}

static void all_threads_are_one_report(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read(
	        &arena, "Call Backtrace of 2 threads:\n"
	                "Backtrace of Thread 771 (main):\n" FRAMES "\n" OTHER);

	assert_int_equal(report->thread_count, 2);
	assert_string_equal(report->threads[0]->name, "main");
	assert_null(report->threads[1]->name);
	assert_int_equal(report->threads[1]->id, 14851);
	assert_null(report->next);
}

static void the_first_thread_again_begins_another(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = read(
	        &arena, "2018-01-11 14:29:12.494 app[16525:2569] Backtrace of "
	                "Thread 771:\n" FRAMES OTHER
	                "2018-01-11 14:29:13.494 app[16525:2569] Backtrace of "
	                "Thread 771:\n" FRAMES
	                "2018-01-11 14:29:13.500 app[16525:2569] done\n");

	assert_int_equal(report->thread_count, 2);
	assert_non_null(report->next);
	assert_int_equal(report->next->thread_count, 1);
	assert_frames(report->next->threads[0]);
	assert_null(report->next->next);
}

static void what_was_done_to_the_text_is_undone(void **state UNUSED)
{
	static const char *const texts[] = {
		"> Backtrace of Thread 771:\n"
		"> libsystem_c.dylib              0x1091c820a usleep + 10\n"
		"> Demo                           0x104d12400 main + 4\n",
		"    Backtrace of Thread 771:\n"
		"    libsystem_c.dylib              0x1091c820a usleep + 10\n"
		"    Demo                           0x104d12400 main + 4\n",
		"Backtrace of Thread 771:\r\n"
		"libsystem_c.dylib              0x1091c820a usleep + 10\r\n"
		"Demo                           0x104d12400 main + 4\r\n",
		"卡顿：\n```\nBacktrace of Thread 771:\n"
		"libsystem_c.dylib              0x1091c820a usleep + 10\n"
		"Demo                           0x104d12400 main + 4\n```\n",
		"Backtrace of Thread 771:\n\n"
		"libsystem_c.dylib              0x1091c820a usleep + 10\n\n"
		"Demo                           0x104d12400 main + 4",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		const struct report *report = read(&arena, texts[i]);

		assert_int_equal(report->thread_count, 1);
		assert_int_equal(report->threads[0]->stack.count, 2);
	}
}

static void a_title_without_frames_is_no_list(void **state UNUSED)
{
	assert_false(
	        reader_sniff(&backtraces_reader,
	                     text_from("Backtrace of Thread 771:\nnothing\n")));
	assert_false(reader_sniff(&backtraces_reader, text_from(FRAMES)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_have_no_number),
		cmocka_unit_test(the_log_names_the_process),
		cmocka_unit_test(or_they_have_one),
		cmocka_unit_test(all_threads_are_one_report),
		cmocka_unit_test(the_first_thread_again_begins_another),
		cmocka_unit_test(what_was_done_to_the_text_is_undone),
		cmocka_unit_test(a_title_without_frames_is_no_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
