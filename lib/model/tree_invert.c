#include "lib/model/tree_invert.h"

#include "lib/base/hash.h"
#include "lib/base/map.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** A node of the tree that is being made; 0 stands for none of them. */
struct made {
	size_t parent;
	size_t first_child;
	size_t last_child;
	size_t next;
	size_t node; ///< of the input, the first with this frame
	uint64_t samples;
};

struct inverter {
	const struct tree_invert_source *source;
	struct made *made; ///< [0] is above the roots
	size_t made_count;
	size_t made_cap;
	struct map map; ///< indexes of made nodes, by parent and frame
	size_t steps;
};

static void inverter_release(struct inverter *v)
{
	free(v->made);
	map_release(&v->map);
}

/** A made node is known by its parent and by the frame of a node. */
struct made_key {
	size_t parent;
	const struct tree_invert_node *frame;
};

static uint64_t hash_made(uint64_t seed, const void *key)
{
	const struct made_key *made = key;
	const struct tree_invert_node *frame = made->frame;
	// All of it: a million names may claim to be at one address.
	const uint64_t words[] = {
		made->parent,
		frame->address,
		hash_bytes(seed, frame->kind.data, frame->kind.size),
	};

	return hash_bytes(seed, words, sizeof(words));
}

static bool is_made(const void *table, uint32_t index, const void *key)
{
	const struct inverter *v = table;
	const struct made *made = &v->made[index];
	const struct tree_invert_node *frame = &v->source->nodes[made->node];
	const struct made_key *other = key;

	return made->parent == other->parent &&
	       frame->address == other->frame->address &&
	       text_equal(frame->kind, other->frame->kind);
}

static const struct map_keys made_keys = { hash_made, is_made };

/** The child of a made node that has the frame of @p node. */
static size_t child_of(struct inverter *v, size_t parent, size_t node)
{
	const struct made_key key = { parent, &v->source->nodes[node] };
	size_t child = map_add(&v->map, &made_keys, v, &key, v->made_count);

	if (child < v->made_count)
		return child;
	MEM_GROW(v->made, v->made_count, v->made_cap);
	v->made[v->made_count++] =
	        (struct made){ .parent = parent, .node = node };
	if (v->made[parent].last_child)
		v->made[v->made[parent].last_child].next = child;
	else
		v->made[parent].first_child = child;
	v->made[parent].last_child = child;
	return child;
}

/** Add the way from @p node, outermost, to its root, innermost. */
static bool add_way(struct inverter *v, size_t node, uint64_t samples)
{
	size_t at = 0;

	for (; node != TREE_INVERT_NO_NODE;
	     node = v->source->nodes[node].parent) {
		if (v->steps++ == TREE_INVERT_STEPS_MAX)
			return false;
		at = child_of(v, at, node);
		v->made[at].samples += samples;
	}
	return true;
}

/** Of a node of the source. */
struct rest {
	uint64_t samples; ///< that are not its children's, too
	bool has_children;
};

static struct rest *rests_of(const struct tree_invert_source *source)
{
	const struct tree_invert_node *nodes = source->nodes;
	struct rest *rests = mem_zalloc(source->count, sizeof(*rests));

	for (size_t i = 0; i < source->count; i++)
		rests[i].samples = nodes[i].samples;
	for (size_t i = 0; i < source->count; i++) {
		uint64_t samples = nodes[i].samples;
		struct rest *parent;

		if (nodes[i].parent == TREE_INVERT_NO_NODE)
			continue;
		parent = &rests[nodes[i].parent];
		parent->has_children = true;
		// Children with more samples than their parent occur.
		parent->samples -= samples < parent->samples ? samples
		                                             : parent->samples;
	}
	return rests;
}

/** All made nodes in pre-order. */
static void list(const struct inverter *v, struct tree_inverted *to)
{
	size_t at = v->made[0].first_child;
	size_t depth = 0;

	while (at) {
		const struct made *made = &v->made[at];

		*to++ = (struct tree_inverted){
			.node = made->node,
			.depth = depth,
			.samples = made->samples,
			.is_leaf = !made->first_child,
		};
		if (made->first_child) {
			at = made->first_child;
			depth++;
			continue;
		}
		while (at && !v->made[at].next) {
			at = v->made[at].parent;
			depth -= at != 0;
		}
		at = v->made[at].next;
	}
}

bool tree_invert(const struct tree_invert_source *source,
                 struct tree_inverted **ret, size_t *ret_count)
{
	SCOPED(inverter_release)
	struct inverter v = { .source = source };
	SCOPED(mem_drop) struct rest *rests = rests_of(source);

	MEM_GROW(v.made, v.made_count, v.made_cap);
	v.made[v.made_count++] = (struct made){ 0 };
	for (size_t i = 0; i < source->count; i++)
		if ((rests[i].samples || !rests[i].has_children) &&
		    !add_way(&v, i, rests[i].samples))
			return false;
	*ret_count = v.made_count - 1;
	*ret = mem_zalloc(*ret_count, sizeof(**ret));
	list(&v, *ret);
	return true;
}
