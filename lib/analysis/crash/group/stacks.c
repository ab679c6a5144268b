// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/stacks.h"

#include "lib/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

/** The number of a frame; false over the limit. */
static bool find_frame(struct crash_stacks *stacks,
                       const struct signature_frame *frame, uint32_t *ret)
{
	SCOPED(str_release) struct str identity = { 0 };
	uint32_t before = stacks->identities.count;

	str_addf(&identity, "%d%s\n%s", frame->is_app,
	         frame->image ? frame->image : "", frame->name);
	if (before == CRASH_STACKS_FRAMES) {
		*ret = intern_find(&stacks->identities, str_text(&identity));
		return *ret != INTERN_NONE;
	}
	*ret = intern_add(&stacks->identities, str_text(&identity));
	if (*ret < before)
		return true;
	stacks->frames = mem_grow(stacks->frames, &stacks->frame_cap,
	                          (size_t)before + 1, sizeof(*stacks->frames));
	stacks->frames[before] = (struct calltree_frame){
		.name = arena_strdup(&stacks->arena, frame->name),
		.image = arena_strdup(&stacks->arena, frame->image),
		.kind = frame->is_app ? CALLTREE_APP : CALLTREE_SYSTEM,
		.is_symbol = frame->is_named,
	};
	return true;
}

static struct calltree *find_tree(struct crash_stacks *stacks, uint32_t group)
{
	if (group >= CRASH_STACKS_GROUPS ||
	    stacks->nodes >= CRASH_STACKS_ALL_NODES)
		return NULL;
	while (stacks->count <= group) {
		MEM_GROW(stacks->trees, stacks->count, stacks->cap);
		stacks->trees[stacks->count++] =
		        (struct calltree){ .node_limit = CRASH_STACKS_NODES };
	}
	return &stacks->trees[group];
}

void crash_stacks_add(struct crash_stacks *stacks, uint32_t group,
                      const struct signature *signature)
{
	struct calltree *tree = find_tree(stacks, group);
	uint32_t before, leaf;
	uint32_t *path;
	size_t count = 0;

	if (!tree || !signature->frame_count)
		return;
	before = tree->node_count;
	path = mem_zalloc(signature->frame_count, sizeof(*path));
	for (size_t i = signature->frame_count; i-- > 0;)
		if (find_frame(stacks, &signature->frames[i], &path[count]))
			count++;
	leaf = calltree_add(tree, path, count);
	tree->nodes[leaf].self_samples++;
	stacks->nodes += tree->node_count - before;
	free(path);
}

const struct calltree *crash_stacks_of(struct crash_stacks *stacks,
                                       uint32_t group, uint64_t reports)
{
	struct calltree *tree;

	if (group >= stacks->count || !stacks->trees[group].node_count)
		return NULL;
	tree = &stacks->trees[group];
	calltree_sum(tree);
	tree->frames = stacks->frames;
	tree->frame_count = stacks->identities.count;
	tree->title = arena_printf(
	        &stacks->arena, "Stacks of %" PRIu64 " of %" PRIu64 " report%s",
	        tree->nodes[CALLTREE_ROOT].samples, reports,
	        text_plural(reports));
	return tree;
}

void crash_stacks_release(struct crash_stacks *stacks)
{
	for (size_t i = 0; i < stacks->count; i++)
		calltree_release(&stacks->trees[i]);
	free(stacks->trees);
	free(stacks->frames);
	intern_release(&stacks->identities);
	arena_release(&stacks->arena);
}
