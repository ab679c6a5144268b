#include "lib/analysis/crash/signature/blame.h"

#include "lib/analysis/crash/signature/class.h"
#include "lib/model/report_tree.h"

static struct blame take_stack(const struct report_stack *stack,
                               const char *what, struct arena *arena)
{
	size_t count = stack->count < BLAME_FRAMES_MAX ? stack->count
	                                               : BLAME_FRAMES_MAX;
	struct blame blame = {
		.frames = arena_array(arena, count + 1, sizeof(*blame.frames)),
		.count = count,
		.what = what,
	};

	for (size_t i = 0; i < count; i++) {
		size_t at = stack->is_upside_down ? stack->count - 1 - i : i;

		blame.frames[i] = &stack->frames[at];
	}
	return blame;
}

/** Outermost first, so far as it goes; then turned round. */
static struct blame take_tree(const struct report_tree *tree,
                              struct arena *arena)
{
	struct blame blame = {
		.frames = arena_array(arena, BLAME_FRAMES_MAX,
		                      sizeof(*blame.frames)),
		.what = "samples",
	};
	uint32_t node = CALLTREE_ROOT;

	while (blame.count < BLAME_FRAMES_MAX &&
	       (node = calltree_heaviest(&tree->calls, node)) != CALLTREE_ROOT)
		blame.frames[blame.count++] = &tree->frames.frames[node - 1];
	for (size_t i = 0; i < blame.count / 2; i++) {
		const struct report_frame *swap = blame.frames[i];

		blame.frames[i] = blame.frames[blame.count - 1 - i];
		blame.frames[blame.count - 1 - i] = swap;
	}
	return blame;
}

struct blame blame_find(const struct report *report, struct arena *arena)
{
	const struct report_thread *thread = report_crashed_thread(report);
	const struct report_tree *tree = report_blamed_tree(report);

	if (!tree)
		tree = report_app_tree(report);
	if (report->exception_backtrace.count)
		return take_stack(&report->exception_backtrace, "exception",
		                  arena);
	if (report->thread_count && (!thread || signature_is_watchdog(report)))
		thread = report->threads[0];
	if (thread && thread->stack.count)
		return take_stack(&thread->stack, "thread", arena);
	if (tree)
		return take_tree(tree, arena);
	if (report->app_backtrace_count)
		return take_stack(report->app_backtraces[0], "backtrace",
		                  arena);
	return (struct blame){ .what = "nothing" };
}
