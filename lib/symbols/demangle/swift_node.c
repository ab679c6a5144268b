// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_node.h"

#include <string.h>

const char swift_form_special[] = "special";
const char swift_form_never[] = "never";

#define SAME        NULL
#define SPECIAL     swift_form_special
#define NEVER       swift_form_never
#define CONTEXT     SWIFT_IS_CONTEXT
#define NAME        SWIFT_IS_NAME
#define GENERIC     SWIFT_IS_GENERIC
#define SIMPLE      SWIFT_IS_SIMPLE
#define ACCESSOR    SWIFT_IS_ACCESSOR
#define EXPANSION   SWIFT_IS_EXPANSION
#define ATTRIBUTE   SWIFT_IS_ATTRIBUTE
#define REQUIREMENT SWIFT_IS_REQUIREMENT
#define WORDED      SWIFT_IS_WORDED

const struct swift_kind_info swift_kinds[SWIFT_KINDS] = {
#define KIND(name, flags, full, brief) [SWIFT_##name] = { flags, full, brief },
#include "lib/symbols/demangle/swift_kinds.def"
#undef KIND
};

void swift_pool_init(struct swift_pool *pool)
{
	pool->used = 0;
	pool->node_count = 0;
	pool->more = (struct arena){ 0 };
}

void swift_pool_release(struct swift_pool *pool)
{
	arena_release(&pool->more);
}

void *swift_alloc(struct swift_pool *pool, size_t size)
{
	void *found;

	size = (size + 15) & ~(size_t)15;
	if (size > sizeof(pool->bytes) - pool->used)
		return arena_alloc(&pool->more, size);
	found = pool->bytes + pool->used;
	pool->used += size;
	return found;
}

struct swift_node *swift_node(struct swift_pool *pool, enum swift_kind kind)
{
	struct swift_node *node;

	if (pool->node_count++ >= SWIFT_NODES_MAX)
		return NULL;
	node = swift_alloc(pool, sizeof(*node));
	node->kind = kind;
	node->count = 0;
	node->cap = ARRAY_SIZE(node->few);
	node->text = TEXT_NONE;
	node->number = 0;
	node->children = node->few;
	return node;
}

struct swift_node *swift_add(struct swift_pool *pool, struct swift_node *parent,
                             struct swift_node *child)
{
	if (!parent || !child)
		return NULL;
	if (parent->count == parent->cap) {
		struct swift_node **larger = swift_alloc(
		        pool, 2 * parent->cap * sizeof(struct swift_node *));

		memcpy(larger, parent->children,
		       parent->count * sizeof(struct swift_node *));
		parent->children = larger;
		parent->cap *= 2;
	}
	parent->children[parent->count++] = child;
	return parent;
}

void swift_reverse(struct swift_node *node, unsigned first)
{
	for (unsigned last = node->count; first + 1 < last; first++) {
		struct swift_node *swapped = node->children[first];

		last--;
		node->children[first] = node->children[last];
		node->children[last] = swapped;
	}
}

struct swift_node *swift_child(const struct swift_node *node,
                               enum swift_kind kind)
{
	for (unsigned i = 0; i < node->count; i++)
		if (node->children[i]->kind == kind)
			return node->children[i];
	return NULL;
}
