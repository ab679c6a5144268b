// SPDX-License-Identifier: MIT
/**
 * The syntax tree of a Swift name, and its memory.
 *
 * A name becomes a tree of nodes. Each has a kind (swift_kinds.def) and
 * children, a text, or a number. Repeated parts of a name share nodes, so the
 * tree is a graph without cycles: bound the number of visits as well as the
 * depth.
 *
 * Most names fit into the pool's own bytes and need no heap memory.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_NODE_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_NODE_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum swift_kind {
#define KIND(name, flags, full, brief) SWIFT_##name,
#include "lib/symbols/demangle/swift_kinds.def"
#undef KIND
	SWIFT_KINDS,
};

enum swift_flags {
	SWIFT_IS_CONTEXT = 1 << 0,     ///< can contain a declaration
	SWIFT_IS_NAME = 1 << 1,        ///< the name of a declaration
	SWIFT_IS_GENERIC = 1 << 2,     ///< a type that can take arguments
	SWIFT_IS_SIMPLE = 1 << 3,      ///< needs no brackets before `?`
	SWIFT_IS_ACCESSOR = 1 << 4,    ///< wraps a variable or a subscript
	SWIFT_IS_EXPANSION = 1 << 5,   ///< of a macro
	SWIFT_IS_ATTRIBUTE = 1 << 6,   ///< of a whole function
	SWIFT_IS_REQUIREMENT = 1 << 7, ///< of a generic signature
	SWIFT_IS_WORDED = 1 << 8,      ///< its form is a word, not a template
};

struct swift_kind_info {
	unsigned flags;    ///< enum swift_flags
	const char *full;  ///< form (swift_kinds.def)
	const char *brief; ///< short form
};

/** By kind. */
extern const struct swift_kind_info swift_kinds[SWIFT_KINDS];

/** Special values of forms, compared by address. */
extern const char swift_form_special[];
extern const char swift_form_never[];

struct swift_node {
	enum swift_kind kind;
	unsigned count;
	unsigned cap;
	struct text text;
	uint64_t number;
	struct swift_node **children;
	struct swift_node *few[2]; ///< room for the children of most nodes
};

/** Max nodes of a name; compilers emit fewer. */
#define SWIFT_NODES_MAX 20000u

/** Initialise with swift_pool_init(), which does not clear its many bytes. */
struct swift_pool {
	size_t used;
	size_t node_count;
	struct arena more; ///< if `bytes` is full
	_Alignas(max_align_t) char bytes[8192];
};

void swift_pool_init(struct swift_pool *pool);
void swift_pool_release(struct swift_pool *pool);

/** Aligned, not zeroed. */
void *swift_alloc(struct swift_pool *pool, size_t size);

/** A node without children; NULL: too many nodes. */
struct swift_node *swift_node(struct swift_pool *pool, enum swift_kind kind);

/**
 * Append a child. Returns NULL if either is NULL, so calls can be nested and
 * checked once.
 *
 * @return The parent.
 */
struct swift_node *swift_add(struct swift_pool *pool, struct swift_node *parent,
                             struct swift_node *child);

/** Reverse the children from index @p first on. */
void swift_reverse(struct swift_node *node, unsigned first);

/** The first child of a kind; or NULL. */
struct swift_node *swift_child(const struct swift_node *node,
                               enum swift_kind kind);

static inline bool swift_is(const struct swift_node *node, enum swift_kind kind)
{
	return node && node->kind == kind;
}

static inline bool swift_has(const struct swift_node *node, unsigned flags)
{
	return node && swift_kinds[node->kind].flags & flags;
}

#endif
