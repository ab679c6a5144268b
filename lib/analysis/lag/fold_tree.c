#include "lib/analysis/lag/fold_state.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

void lag_fold_tree(struct lag_fold_state *state,
                   const struct lag_report *report, uint32_t number,
                   struct calltree *tree)
{
	enum calltree_kind kind = lag_sites_bare_kind(report);
	uint32_t count = report->profile.stacks.node_count;

	MEM_GROW(state->node_of, count, state->node_cap);
	MEM_GROW(state->cut, count, state->cut_cap);
	state->node_of[CALLTREE_ROOT] = CALLTREE_ROOT;
	state->cut[CALLTREE_ROOT] = false;
	for (uint32_t i = 1; i < count; i++) {
		const struct calltree_node *node =
		        &report->profile.stacks.nodes[i];
		uint32_t at = state->node_of[node->parent];
		bool cut = state->cut[node->parent];
		struct lag_calls calls = { 0 };

		if (!cut && node->frame < PROFILE_FRAME)
			calls = lag_call_bare(&state->sites.calls, node->frame,
			                      kind);
		else if (!cut)
			calls = lag_sites_calls(
			        &state->sites,
			        state->site_of[node->frame - PROFILE_FRAME]);
		for (size_t k = 0; k < calls.count && !cut; k++) {
			uint32_t caller = at;

			at = calltree_child(tree, at, calls.items[k].function);
			// Full: what comes below must not be looked for up
			// here.
			cut = calls.items[k].cut || at == caller;
			lag_fold_pass(tree, at, number);
		}
		state->node_of[i] = at;
		state->cut[i] = cut;
		// All frames of a stack may have been left out.
		if (at == CALLTREE_ROOT)
			continue;
		tree->nodes[at].self_samples = number_sum(
		        tree->nodes[at].self_samples, node->self_samples);
		tree->nodes[at].self_cost_us = number_sum(
		        tree->nodes[at].self_cost_us, node->self_cost_us);
	}
	if (tree->node_count)
		lag_fold_pass(tree, CALLTREE_ROOT, number);
}
