#include "lib/model/calltree_compare.h"

#include "lib/base/mem.h"

struct calltree_weight *calltree_compare(struct calltree *now,
                                         const struct calltree *old)
{
	SCOPED(mem_drop)
	uint32_t *node_of =
	        mem_zalloc((size_t)old->node_count + 1, sizeof(*node_of));
	struct calltree_weight *before;

	for (uint32_t i = 1; i < old->node_count; i++)
		node_of[i] = calltree_child(now, node_of[old->nodes[i].parent],
		                            old->nodes[i].frame);
	before = mem_zalloc((size_t)now->node_count + 1, sizeof(*before));
	for (uint32_t i = 0; i < old->node_count; i++) {
		const struct calltree_node *node = &old->nodes[i];

		before[node_of[i]] = (struct calltree_weight){
			.samples = node->samples,
			.cost_us = node->cost_us,
			.self_samples = node->self_samples,
			.self_cost_us = node->self_cost_us,
		};
	}
	return before;
}
