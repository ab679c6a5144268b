// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/fold_state.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <string.h>

/** Min nodes to move: below, copying is as fast as the check. */
#define MOVED_NODES 4096

/** A report being folded. */
struct folding {
	struct lag_fold_state *state;
	struct calltree *stacks;
	enum calltree_kind kind; ///< of bare symbols
	struct lag_passing *passing;
};

struct lag_calls lag_fold_calls(struct lag_fold_state *state, uint32_t frame,
                                enum calltree_kind bare_kind)
{
	if (frame < PROFILE_FRAME)
		return lag_call_bare(&state->places.calls, frame, bare_kind);
	return lag_places_calls(&state->places,
	                        state->place_of[frame - PROFILE_FRAME]);
}

static struct lag_calls calls_of(const struct folding *f, uint32_t frame)
{
	return lag_fold_calls(f->state, frame, f->kind);
}

/** Is this the only frame of the function? */
static bool is_own(struct lag_fold_state *state, uint32_t function,
                   uint32_t frame)
{
	state->frame_of = mem_grow_zeroed(state->frame_of, &state->frame_cap,
	                                  (size_t)function + 1,
	                                  sizeof(uint32_t));
	if (!state->frame_of[function])
		state->frame_of[function] = frame + 1;
	return state->frame_of[function] == frame + 1;
}

/** Is each frame one call, distinct from all others? */
static bool can_move(const struct folding *f, const struct calltree *tree)
{
	struct lag_fold_state *state = f->state;

	if (f->stacks->node_count < MOVED_NODES || tree->node_count)
		return false;
	if (state->frame_cap)
		memset(state->frame_of, 0,
		       state->frame_cap * sizeof(*state->frame_of));
	for (uint32_t i = 1; i < f->stacks->node_count; i++) {
		uint32_t frame = f->stacks->nodes[i].frame;
		struct lag_calls calls = calls_of(f, frame);

		if (calls.count != 1 || calls.items->cut ||
		    !is_own(state, calls.items->function, frame))
			return false;
	}
	return true;
}

static void move(const struct folding *f, struct calltree *tree)
{
	calltree_move(tree, f->stacks);
	for (uint32_t i = 1; i < tree->node_count; i++) {
		struct calltree_node *node = &tree->nodes[i];

		node->frame = calls_of(f, node->frame).items->function;
		// No other report has these nodes.
		node->reports = f->passing != NULL;
		if (f->passing && tree->origins)
			origins_pass(tree->origins, i);
	}
}

static void copy(const struct folding *f, struct calltree *tree)
{
	struct lag_fold_state *state = f->state;

	MEM_GROW(state->node_of, f->stacks->node_count, state->node_cap);
	state->node_of[CALLTREE_ROOT] = CALLTREE_ROOT;
	MEM_GROW(state->cut, f->stacks->node_count, state->cut_cap);
	state->cut[CALLTREE_ROOT] = false;
	for (uint32_t i = 1; i < f->stacks->node_count; i++) {
		const struct calltree_node *node = &f->stacks->nodes[i];
		uint32_t at = state->node_of[node->parent];
		bool cut = state->cut[node->parent];
		struct lag_calls calls = { 0 };

		if (!cut)
			calls = calls_of(f, node->frame);
		for (size_t k = 0; k < calls.count && !cut; k++) {
			uint32_t caller = at;

			at = calltree_child(tree, at, calls.items[k].function);
			// The tree is full: callees must not be searched for
			// here.
			cut = calls.items[k].cut || at == caller;
			if (f->passing)
				lag_fold_pass(f->passing, tree, at);
		}
		state->node_of[i] = at;
		state->cut[i] = cut;
		// Rules may have dropped all frames of a stack.
		if (at == CALLTREE_ROOT)
			continue;
		tree->nodes[at].self_samples = number_sum(
		        tree->nodes[at].self_samples, node->self_samples);
		tree->nodes[at].self_cost_us = number_sum(
		        tree->nodes[at].self_cost_us, node->self_cost_us);
	}
}

void lag_fold_tree(struct lag_fold_state *state, struct lag_report *report,
                   struct lag_passing *passing, struct calltree *tree)
{
	const struct folding folding = {
		.state = state,
		.stacks = &report->profile.stacks,
		.kind = lag_places_bare_kind(report),
		.passing = passing,
	};

	state->is_moved = can_move(&folding, tree);
	if (state->is_moved)
		move(&folding, tree);
	else
		copy(&folding, tree);
	if (passing && tree->node_count)
		lag_fold_pass(passing, tree, CALLTREE_ROOT);
}
