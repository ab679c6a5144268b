// SPDX-License-Identifier: MIT
#include "lib/model/lock_holder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** A thread whose frames call these, the innermost first. */
static void add_thread(struct report *report, struct arena *arena,
                       const char *const names[3])
{
	struct report_thread *thread = report_add_thread(report, arena);

	thread->number = report->thread_count - 1;
	for (size_t i = 0; i < 3 && names[i]; i++) {
		struct report_frame *frame =
		        report_add_frame(&thread->stack, arena);
		bool is_app = !strncmp(names[i], "app", 3);

		frame->image_name = is_app ? "Demo" : "libother.dylib";
		frame->calls = arena_alloc(arena, sizeof(*frame->calls));
		frame->calls[0].symbol = names[i];
		frame->call_count = 1;
	}
}

static void the_thread_that_works_with_the_lock_is_found(void **state UNUSED)
{
	static const struct {
		const char *threads[3][3];
		const char *what; ///< NULL: none
		size_t index;
		bool is_waiting;
		size_t others;
	} cases[] = {
		{ { { "mach_msg" }, { "open", "read" } }, NULL, 0, false, 0 },
		{ { { "mach_msg" }, { "pwrite", "sqlite3_step", "app_save" } },
		  "SQLite",
		  1,
		  false,
		  0 },
		{ { { "__psynch_mutexwait", "sqlite3_step", "app_load" },
		    { "pwrite", "sqlite3VdbeExec" } },
		  "SQLite",
		  1,
		  false,
		  0 },
		{ { { "__psynch_mutexwait", "sqlite3_step" } },
		  "SQLite",
		  0,
		  true,
		  0 },
		{ { { "pwrite", "sqlite3_step" },
		    { "fsync", "sqlite3_step", "app_save" } },
		  "SQLite",
		  1,
		  false,
		  1 },
		// A lock of a stream is another.
		{ { { "__flock", "app_lock" }, { "read", "flockfile" } },
		  "flock()",
		  0,
		  true,
		  0 },
		// A wait further out is not one for this lock.
		{ { { "read", "sqlite3_step", "usleep" } },
		  "SQLite",
		  0,
		  false,
		  0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = report_new(&arena);
		struct lock_holder holder;

		report->process.name = "Demo";
		for (size_t k = 0; k < 3 && cases[i].threads[k][0]; k++)
			add_thread(report, &arena, cases[i].threads[k]);
		holder = report_lock_holder(report);
		assert_int_equal(!holder.thread, !cases[i].what);
		if (!cases[i].what)
			continue;
		assert_string_equal(holder.what, cases[i].what);
		if (holder.index != cases[i].index ||
		    holder.is_waiting != cases[i].is_waiting ||
		    holder.others != cases[i].others)
			fail_msg("%zu: thread %zu", i, holder.index);
		assert_ptr_equal(holder.thread, report->threads[holder.index]);
	}
}

static void only_the_code_of_locks_is_one(void **state UNUSED)
{
	static const struct {
		const char *space;
		uint64_t code;
		bool has_code;
		bool is_locked;
	} cases[] = {
		{ "RUNNINGBOARD", 0xdead10cc, true, true },
		{ NULL, 0xdead10cc, true, true },
		{ "RUNNINGBOARD", 0xdead10cc, false, false },
		{ "FRONTBOARD", 0x8badf00d, true, false },
		{ "CODESIGNING", 0xdead10cc, true, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct report report = {
			.termination.namespace_name = cases[i].space,
			.termination.code = cases[i].code,
			.termination.has_code = cases[i].has_code,
		};

		assert_int_equal(report_is_locked(&report), cases[i].is_locked);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_thread_that_works_with_the_lock_is_found),
		cmocka_unit_test(only_the_code_of_locks_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
