// SPDX-License-Identifier: MIT
#include "lib/model/calltree_change.h"

#include "lib/base/number.h"
#include "lib/base/units.h"
#include "lib/model/calltree_before.h"
#include "lib/model/calltree_walk.h"

/** Thousandths of a percent, for units_share(). */
#define PARTS 100000

/** Sum of nodes that only one tree has. */
static struct calltree_scale only_in_one(const struct calltree *tree)
{
	struct calltree_scale only = { 0 };

	for (uint32_t i = 1; i < tree->node_count; i++) {
		struct calltree_weight now = calltree_weight_of(tree, i);
		struct calltree_weight before = calltree_weight_before(tree, i);

		if (!calltree_value(tree, &now))
			only.before = number_sum(only.before,
			                         calltree_self(tree, &before));
		else if (!calltree_value(tree, &before))
			only.now =
			        number_sum(only.now, calltree_self(tree, &now));
	}
	return only;
}

struct calltree_scale calltree_scale_of(const struct calltree *tree,
                                        enum diff_mode mode)
{
	struct calltree_scale scale = { .mode = mode }, only;
	struct calltree_weight now_weight, old_weight;
	uint64_t now, before, common_now = 1, common_before = 1, scaled;

	if (!tree->before || !tree->node_count)
		return scale;
	now_weight = calltree_weight_of(tree, CALLTREE_ROOT);
	now = calltree_value(tree, &now_weight);
	old_weight = calltree_weight_before(tree, CALLTREE_ROOT);
	before = calltree_value(tree, &old_weight);
	if (mode == DIFF_SHARE && now && before) {
		only = only_in_one(tree);
		// Without common nodes, treat both as equally long.
		common_now = now - (only.now < now ? only.now : 0);
		common_before = before -
		                (only.before < before ? only.before : 0);
		if (only.now >= now || only.before >= before) {
			common_now = now;
			common_before = before;
		}
	}
	scaled = units_share(before, common_before, common_now);
	scale.now = now > scaled ? now : scaled;
	scale.before = now > scaled
	                       ? units_share(now, common_now, common_before)
	                       : before;
	return scale;
}

static int64_t part(uint64_t value, uint64_t whole)
{
	uint64_t share = units_share(value, whole, PARTS);

	return share > INT64_MAX ? INT64_MAX : (int64_t)share;
}

int64_t calltree_change(const struct calltree_scale *scale, uint64_t now,
                        uint64_t before)
{
	// With one scale, no more is rounded than has to be.
	if (scale->now != scale->before)
		return part(now, scale->now) - part(before, scale->before);
	return now < before ? -part(before - now, scale->before)
	                    : part(now - before, scale->now);
}
