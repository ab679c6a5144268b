// SPDX-License-Identifier: MIT
#include "lib/model/calltree_invert.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>

static uint64_t hash_identity(uint64_t seed, const void *key)
{
	const struct calltree_identity *identity = key;
	// Hash all fields: a million names may have one address.
	const uint64_t words[] = {
		identity->address,
		hash_bytes(seed, identity->kind.data, identity->kind.size),
	};

	return hash_bytes(seed, words, sizeof(words));
}

static bool is_identity(const void *table, uint32_t index, const void *key)
{
	const struct calltree_identity *a = table;
	const struct calltree_identity *b = key;

	return a[index].address == b->address &&
	       text_equal(a[index].kind, b->kind);
}

static const struct map_keys identity_keys = { hash_identity, is_identity };

/** By node: the first with the same frame; free it. */
static uint32_t *first_equals(const struct calltree *tree,
                              const struct calltree_identity *identities)
{
	uint32_t *firsts =
	        mem_zalloc((size_t)tree->node_count + 1, sizeof(*firsts));
	struct map map = { 0 };

	for (uint32_t i = 1; i < tree->node_count; i++)
		firsts[i] = map_add(&map, &identity_keys, identities,
		                    &identities[i], i);
	map_release(&map);
	return firsts;
}

/** By node: samples minus those of its children; free it. */
static uint64_t *own_samples(const struct calltree *tree)
{
	const struct calltree_node *nodes = tree->nodes;
	uint64_t *own = mem_zalloc((size_t)tree->node_count + 1, sizeof(*own));

	for (uint32_t i = 1; i < tree->node_count; i++)
		own[i] = nodes[i].samples;
	for (uint32_t i = 1; i < tree->node_count; i++) {
		uint64_t samples = nodes[i].samples;
		uint64_t *parent = &own[nodes[i].parent];

		// Children with more samples than their parent occur.
		*parent = number_difference(*parent, samples);
	}
	return own;
}

/** Both trees, and data of their nodes. */
struct inverter {
	const struct calltree *tree;
	struct calltree *ret;
	const uint32_t *firsts;
	uint32_t *made_of; ///< by node of @c ret: the first source node
	size_t made_cap;
	size_t steps;
};

/** Add the way from @p node, outermost, to its root, innermost. */
static bool add_way(struct inverter *v, uint32_t node, uint64_t samples)
{
	uint32_t at = CALLTREE_ROOT;

	for (; node != CALLTREE_ROOT; node = v->tree->nodes[node].parent) {
		uint32_t count = v->ret->node_count;
		struct calltree_node *made;

		if (v->steps++ == CALLTREE_INVERT_STEPS_MAX)
			return false;
		at = calltree_child(v->ret, at, v->firsts[node]);
		if (v->ret->node_count > count) {
			MEM_GROW(v->made_of, at, v->made_cap);
			v->made_of[at] = node;
		}
		made = &v->ret->nodes[at];
		made->samples = number_sum(made->samples, samples);
	}
	return true;
}

bool calltree_invert(const struct calltree *tree,
                     const struct calltree_identity *identities,
                     struct calltree *ret)
{
	SCOPED(mem_drop) uint32_t *firsts = first_equals(tree, identities);
	SCOPED(mem_drop) uint64_t *own = own_samples(tree);
	struct inverter v = { .tree = tree, .ret = ret, .firsts = firsts };
	bool done = true;

	for (uint32_t i = 1; i < tree->node_count && done; i++)
		if (own[i] || !tree->nodes[i].first_child)
			done = add_way(&v, i, own[i]);
	for (uint32_t i = 1; i < ret->node_count; i++)
		ret->nodes[i].frame = tree->nodes[v.made_of[i]].frame;
	free(v.made_of);
	return done;
}
