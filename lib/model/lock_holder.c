// SPDX-License-Identifier: MIT
#include "lib/model/lock_holder.h"

#include "lib/base/text.h"
#include "lib/darwin/terminations.h"

/** Max frames of a thread to examine. */
#define FRAMES_MAX 512

bool report_is_locked(const struct report *report)
{
	const struct report_termination *end = &report->termination;
	const struct termination_code *code =
	        end->has_code ? termination_code_find(end->namespace_name,
	                                              end->code & UINT32_MAX)
	                      : NULL;

	return code && code->kind == TERMINATION_FILE_LOCK;
}

/** Is one of the functions at this address so named? */
static bool calls(const struct report_frame *frame, const char *const *names,
                  size_t count)
{
	for (uint32_t i = 0; i < frame->call_count; i++)
		for (size_t k = 0; k < count; k++)
			if (text_same(frame->calls[i].symbol, names[k]))
				return true;
	return false;
}

static bool calls_sqlite(const struct report_frame *frame)
{
	for (uint32_t i = 0; i < frame->call_count; i++)
		if (frame->calls[i].symbol &&
		    text_starts(text_from(frame->calls[i].symbol), "sqlite3"))
			return true;
	return false;
}

/** The lock held by a function on a stack; or NULL. */
static const char *lock_of(const struct report *report,
                           const struct report_frame *frame)
{
	static const char *const flock[] = { "flock", "__flock", "lockf" };
	const char *image = report_frame_image_name(report, frame);

	if (text_starts(text_from(image ? image : ""), "libsqlite3") ||
	    calls_sqlite(frame))
		return "SQLite";
	return calls(frame, flock, ARRAY_SIZE(flock)) ? "flock()" : NULL;
}

/** Does it wait for another thread or process? */
static bool waits(const struct report_frame *frame)
{
	static const char *const names[] = {
		"__psynch_mutexwait",
		"__psynch_cvwait",
		"__ulock_wait",
		"__ulock_wait2",
		"__semwait_signal",
		"semaphore_wait_trap",
		"nanosleep",
		"semaphore_timedwait_trap",
		"usleep",
		"sqliteDefaultBusyCallback",
		"sqlite3_sleep",
		"flock",
		"__flock",
	};

	return calls(frame, names, ARRAY_SIZE(names));
}

/** Evidence of a stack. */
struct shown {
	const char *what; ///< or NULL
	size_t frame;
	bool is_waiting;
	bool has_app;
};

static struct shown look(const struct report *report,
                         const struct report_stack *stack)
{
	struct shown shown = { 0 };

	for (size_t i = 0; i < stack->count && i < FRAMES_MAX; i++) {
		const struct report_frame *frame = &stack->frames[i];
		const char *what = lock_of(report, frame);

		if (!shown.what)
			shown.is_waiting |= waits(frame);
		shown.has_app |= report_frame_is_app(report, frame);
		if (what && !shown.what) {
			shown.what = what;
			shown.frame = i;
		}
	}
	return shown;
}

static bool is_better(const struct shown *a, const struct shown *b)
{
	if (!b->what || a->is_waiting != b->is_waiting)
		return !b->what || !a->is_waiting;
	return a->has_app && !b->has_app;
}

struct lock_holder report_lock_holder(const struct report *report)
{
	struct lock_holder holder = { 0 };
	struct shown best = { 0 };
	size_t counts[2] = { 0 }; // working and waiting threads

	for (size_t i = 0; i < report->thread_count; i++) {
		const struct report_thread *thread = report->threads[i];
		struct shown shown = look(report, &thread->stack);

		if (!shown.what)
			continue;
		counts[shown.is_waiting]++;
		if (!is_better(&shown, &best))
			continue;
		best = shown;
		holder.thread = thread;
		holder.index = i;
	}
	holder.frame = best.frame;
	holder.what = best.what;
	holder.is_waiting = best.is_waiting;
	holder.others = best.what ? counts[best.is_waiting] - 1 : 0;
	return holder;
}
