// SPDX-License-Identifier: MIT
#include "lib/model/calltree_recursion.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/calltree_before.h"
#include "lib/model/origins.h"
#include "lib/model/timeline.h"

/** Update everything that depends on node numbers. */
static void renumber(struct calltree *folded, const uint32_t *node_of,
                     uint32_t node_count)
{
	if (folded->timeline)
		timeline_renumber(folded->timeline, node_of);
	if (folded->origins)
		origins_renumber(folded->origins, node_of, node_count);
	calltree_sum(folded);
	if (folded->before) {
		calltree_before_renumber(folded->before, node_of);
		calltree_before_sum(folded->before, folded);
	}
}

void calltree_fold_recursion(struct calltree *tree)
{
	uint32_t node_count = tree->node_count;
	uint32_t reports = node_count ? tree->nodes->reports : 0;
	SCOPED(mem_drop)
	uint32_t *node_of =
	        mem_zalloc((size_t)node_count + 1, sizeof(*node_of));
	// In place: no node gets a higher number than it has.
	struct calltree folded = {
		.nodes = tree->nodes,
		.node_cap = tree->node_cap,
		.node_limit = tree->node_limit,
		.full = tree->full,
		.frames = tree->frames,
		.frame_count = tree->frame_count,
		.title = tree->title,
		.by_cost = tree->by_cost,
		.timeline = tree->timeline,
		.origins = tree->origins,
		.before = tree->before,
	};

	tree->nodes = NULL;
	calltree_release(tree);
	for (uint32_t i = 1; i < node_count; i++) {
		const struct calltree_node node = folded.nodes[i];
		uint32_t at = node_of[node.parent];
		struct calltree_node *sum;

		// Depth 0 is the root: its frame is no function.
		if (!at || folded.nodes[at].frame != node.frame) {
			uint32_t count = folded.node_count;

			at = calltree_child(&folded, at, node.frame);
			// For merged calls, the number of reports with both is
			// unknown.
			folded.nodes[at].reports =
			        folded.node_count > count ? node.reports : 0;
		}
		node_of[i] = at;
		sum = &folded.nodes[at];
		sum->self_samples =
		        number_sum(sum->self_samples, node.self_samples);
		sum->self_cost_us =
		        number_sum(sum->self_cost_us, node.self_cost_us);
	}
	if (folded.node_count)
		folded.nodes[CALLTREE_ROOT].reports = reports;
	renumber(&folded, node_of, node_count);
	*tree = folded;
}
