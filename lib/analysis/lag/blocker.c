// SPDX-License-Identifier: MIT
/*
 * Finds the thread or process that the main thread waited for.
 */
#include "lib/analysis/lag/stacker.h"
#include "lib/model/report_tree.h"

#include <string.h>

/** Max threads of a chain, of which each waits for the next. */
#define CHAIN_MOST 8

/** The longest wait of a thread with a known owner; or NULL. */
static const struct report_wait *find_wait(const struct report *report,
                                           const struct report_tree *tree)
{
	const struct report_wait *found = NULL;
	uint64_t max = 0;

	for (size_t i = 0; i < report->wait_count; i++) {
		const struct report_wait *wait = &report->waits[i];
		uint64_t samples;

		if (wait->tree != tree)
			continue;
		samples = tree->calls.nodes[wait->frame + 1].samples;
		if (!found || samples > max) {
			found = wait;
			max = samples;
		}
	}
	return found;
}

static const struct report_tree *find_owner(const struct report *report,
                                            const struct report_wait *wait)
{
	for (size_t i = 0; i < report->tree_count && wait->has_owner_thread;
	     i++)
		if (report->trees[i]->thread == wait->owner_thread)
			return report->trees[i];
	return NULL;
}

/** Push the heaviest stack of a thread. */
static void push_heaviest(struct lag_stacker *s, const struct report_tree *tree)
{
	uint32_t node = CALLTREE_ROOT;

	s->frame_count = 0;
	while (s->frame_count < LAG_STACK_FRAMES &&
	       (node = calltree_heaviest(&tree->calls, node)) !=
	               CALLTREE_ROOT) {
		const struct report_frame *frame =
		        &tree->frames.frames[tree->calls.nodes[node].frame];

		lag_stacker_push(s, frame, frame->is_pc);
	}
}

static void keep_stack(struct lag_stacker *s, const struct report_tree *tree)
{
	uint32_t *stack;

	push_heaviest(s, tree);
	if (!s->frame_count)
		return;
	stack = arena_array(&s->ret->arena, s->frame_count, sizeof(*stack));
	memcpy(stack, s->frames, s->frame_count * sizeof(*stack));
	s->ret->blocker = stack;
	s->ret->blocker_count = s->frame_count;
}

/** Another process is known by its name; its calls are not the app's. */
static bool keep_process(struct lag_stacker *s, const struct report_wait *wait)
{
	const struct report_process_ref *owner = &wait->owner;

	if (!owner->name || report_process_same(owner, &wait->process))
		return false;
	s->ret->blocker_process = arena_strdup(&s->ret->arena, owner->name);
	return true;
}

void lag_stacker_blocker(struct lag_stacker *s, const struct report_tree *main)
{
	const struct report *report = s->report;
	const struct report_tree *at = main;

	for (size_t i = 0; i < CHAIN_MOST; i++) {
		const struct report_wait *wait = find_wait(report, at);
		const struct report_tree *next;

		if (!wait)
			break;
		if (keep_process(s, wait))
			return;
		next = find_owner(report, wait);
		// Deadlock: the result is the thread that the main thread waits
		// for.
		if (!next || next == main || next == at)
			break;
		at = next;
	}
	if (at != main)
		keep_stack(s, at);
}
