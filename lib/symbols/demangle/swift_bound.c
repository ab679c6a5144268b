// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_reader.h"

bool swift_pop_arguments(struct swift_reader *r, struct swift_arguments *ret)
{
	ret->count = 0;
	ret->retroactive = swift_pop_retroactive(r);
	for (;;) {
		struct swift_node *list = swift_make(r, SWIFT_TYPE_LIST);
		struct swift_node *type;

		if (!list || ret->count == ARRAY_SIZE(ret->levels))
			return false;
		while (list && (type = swift_pop_type(r)))
			list = swift_add(r->pool, list, type);
		if (!list)
			return false;
		swift_reverse(list, 0);
		ret->levels[ret->count++] = list;
		if (swift_pop_kind(r, SWIFT_EMPTY_LIST))
			return true;
		if (!swift_pop_kind(r, SWIFT_FIRST_ELEMENT))
			return false;
	}
}

/** The kind of a declaration with arguments; false: takes none. */
static bool bound_kind(enum swift_kind kind, enum swift_kind *ret)
{
	switch (kind) {
	case SWIFT_CLASS:
		*ret = SWIFT_BOUND_CLASS;
		return true;
	case SWIFT_STRUCTURE:
		*ret = SWIFT_BOUND_STRUCTURE;
		return true;
	case SWIFT_ENUM:
		*ret = SWIFT_BOUND_ENUM;
		return true;
	case SWIFT_PROTOCOL:
		*ret = SWIFT_BOUND_PROTOCOL;
		return true;
	case SWIFT_OTHER_NOMINAL:
		*ret = SWIFT_BOUND_OTHER_NOMINAL;
		return true;
	case SWIFT_TYPE_ALIAS:
		*ret = SWIFT_BOUND_ALIAS;
		return true;
	default:
		return false;
	}
}

/** Declarations that share the arguments of their context. */
static bool takes_arguments(enum swift_kind kind)
{
	switch (kind) {
	case SWIFT_VARIABLE:
	case SWIFT_SUBSCRIPT:
	case SWIFT_IMPLICIT_CLOSURE:
	case SWIFT_EXPLICIT_CLOSURE:
	case SWIFT_DEFAULT_ARGUMENT:
	case SWIFT_INITIALIZER:
	case SWIFT_WRAPPER_BACKING_INIT:
	case SWIFT_WRAPPED_FIELD_INIT:
	case SWIFT_WRAPPER_PROJECTED_INIT:
	case SWIFT_STATIC:
		return false;
	default:
		return true;
	}
}

static struct swift_node *bind(struct swift_reader *r,
                               struct swift_node *nominal,
                               const struct swift_arguments *arguments,
                               size_t level);

/** Bind the arguments of a context that has some, for @p nominal. */
static struct swift_node *in_bound_context(
        struct swift_reader *r, struct swift_node *nominal,
        const struct swift_arguments *arguments, size_t level)
{
	struct swift_node *context = nominal->children[0];
	struct swift_node *bound;
	struct swift_node *copy;

	if (context->kind == SWIFT_EXTENSION) {
		bound = swift_make2(
		        r, SWIFT_EXTENSION, context->children[0],
		        bind(r, context->children[1], arguments, level));
		if (context->count == 3)
			bound = swift_add(r->pool, bound, context->children[2]);
	} else {
		bound = bind(r, context, arguments, level);
	}
	copy = swift_make1(r, nominal->kind, bound);
	for (unsigned i = 1; copy && i < nominal->count; i++)
		copy = swift_add(r->pool, copy, nominal->children[i]);
	return copy;
}

/** Arguments of the innermost type come first, then those of its contexts. */
static struct swift_node *bind(struct swift_reader *r,
                               struct swift_node *nominal,
                               const struct swift_arguments *arguments,
                               size_t level)
{
	struct swift_node *own;
	enum swift_kind kind;
	bool takes;

	if (!nominal || !nominal->count || level >= arguments->count)
		return NULL;
	takes = takes_arguments(nominal->kind);
	own = arguments->levels[level];
	if (takes)
		level++;
	if (level < arguments->count)
		nominal = in_bound_context(r, nominal, arguments, level);
	if (!nominal || !takes || !own->count)
		return nominal;
	if (nominal->kind == SWIFT_FUNCTION ||
	    nominal->kind == SWIFT_CONSTRUCTOR)
		return swift_make2(r, SWIFT_BOUND_FUNCTION, nominal, own);
	if (!bound_kind(nominal->kind, &kind))
		return NULL;
	return swift_make2(r, kind, swift_make_type(r, nominal), own);
}

struct swift_node *swift_read_bound(struct swift_reader *r)
{
	struct swift_arguments arguments;
	struct swift_node *nominal;
	struct swift_node *bound;

	if (!swift_pop_arguments(r, &arguments))
		return NULL;
	nominal = swift_pop_type_child(r);
	if (!swift_has(nominal, SWIFT_IS_GENERIC))
		return NULL;
	bound = bind(r, nominal, &arguments, 0);
	bound = swift_add_any(r, bound, arguments.retroactive);
	return swift_substitute(r, swift_make_type(r, bound));
}
