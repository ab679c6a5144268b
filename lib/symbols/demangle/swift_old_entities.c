// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_old_reader.h"

#include <string.h>

static bool bound_kind(enum swift_kind kind, enum swift_kind *ret)
{
	*ret = kind == SWIFT_CLASS       ? SWIFT_BOUND_CLASS
	       : kind == SWIFT_STRUCTURE ? SWIFT_BOUND_STRUCTURE
	                                 : SWIFT_BOUND_ENUM;
	return kind == SWIFT_CLASS || kind == SWIFT_STRUCTURE ||
	       kind == SWIFT_ENUM;
}

/** Bind arguments for each level of a type, outermost first. */
static struct swift_node *bind(struct swift_reader *r,
                               struct swift_node *nominal)
{
	struct swift_node *parent;
	struct swift_node *types = swift_make(r, SWIFT_TYPE_LIST);
	enum swift_kind kind;

	if (!nominal || !nominal->count)
		return NULL;
	parent = nominal->children[0];
	if (parent->kind != SWIFT_MODULE && parent->kind != SWIFT_FUNCTION &&
	    parent->kind != SWIFT_EXTENSION) {
		struct swift_node *copy =
		        swift_make1(r, nominal->kind, bind(r, parent));

		for (unsigned i = 1; copy && i < nominal->count; i++)
			copy = swift_add(r->pool, copy, nominal->children[i]);
		nominal = copy;
	}
	while (types && nominal && !swift_next_is(r, '_')) {
		types = swift_add(r->pool, types, swift_old_type(r));
		if (r->at == r->end)
			return NULL;
	}
	if (!types || !nominal || !types->count)
		return nominal;
	if (!bound_kind(nominal->kind, &kind))
		return NULL;
	return swift_make2(r, kind, swift_make_type(r, nominal), types);
}

struct swift_node *swift_old_bound(struct swift_reader *r)
{
	return bind(r, swift_old_nominal(r));
}

static struct swift_node *read_extension(struct swift_reader *r,
                                         bool is_constrained)
{
	struct swift_node *module = swift_old_module(r);
	struct swift_node *signature = NULL;

	if (!module)
		return NULL;
	if (is_constrained) {
		signature = swift_old_signature(r, SWIFT_SIGNATURE);
		if (!signature)
			return NULL;
	}
	return swift_add_any(
	        r,
	        swift_make2(r, SWIFT_EXTENSION, module, swift_old_context(r)),
	        signature);
}

static struct swift_node *read_context_inside(struct swift_reader *r)
{
	if (swift_next_is(r, 'E'))
		return read_extension(r, false);
	if (swift_next_is(r, 'e'))
		return read_extension(r, true);
	if (swift_next_is(r, 'S'))
		return swift_old_substitution(r);
	if (swift_next_is(r, 's'))
		return swift_old_stdlib(r);
	if (swift_next_is(r, 'G'))
		return swift_old_bound(r);
	if (swift_peek(r) && strchr("FIivPsZCVO", swift_peek(r)))
		return swift_old_entity(r);
	return swift_old_module(r);
}

struct swift_node *swift_old_context(struct swift_reader *r)
{
	return swift_old_nested(r, read_context_inside);
}

struct swift_node *swift_old_conformance(struct swift_reader *r)
{
	struct swift_node *type = swift_old_type(r);
	struct swift_node *protocol = type ? swift_old_protocol(r) : NULL;

	return protocol ? swift_make3(r, SWIFT_CONFORMANCE, type, protocol,
	                              swift_old_context(r))
	                : NULL;
}

/** Take an accessor by its letters; false: none. */
static bool take_accessor(struct swift_reader *r, enum swift_kind *kind)
{
	static const struct {
		const char *letters;
		enum swift_kind kind;
	} accessors[] = {
		{ "aO", SWIFT_OWNING_MUTABLE_ADDRESSOR },
		{ "ao", SWIFT_NATIVE_OWNING_MUTABLE_ADDRESSOR },
		{ "ap", SWIFT_NATIVE_PINNING_MUTABLE_ADDRESSOR },
		{ "au", SWIFT_UNSAFE_MUTABLE_ADDRESSOR },
		{ "lO", SWIFT_OWNING_ADDRESSOR },
		{ "lo", SWIFT_NATIVE_OWNING_ADDRESSOR },
		{ "lp", SWIFT_NATIVE_PINNING_ADDRESSOR },
		{ "lu", SWIFT_UNSAFE_ADDRESSOR },
		{ "g", SWIFT_GETTER },
		{ "G", SWIFT_GLOBAL_GETTER },
		{ "s", SWIFT_SETTER },
		{ "m", SWIFT_MATERIALIZE_FOR_SET },
		{ "w", SWIFT_WILL_SET },
		{ "W", SWIFT_DID_SET },
		{ "r", SWIFT_READ },
		{ "M", SWIFT_MODIFY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(accessors); i++) {
		if (!swift_old_take(r, accessors[i].letters))
			continue;
		*kind = accessors[i].kind;
		return true;
	}
	return false;
}

/** `subscript` is a name here; later manglings have an operator. */
static bool is_subscript(struct swift_reader *r, struct swift_node **name)
{
	struct swift_node *found = *name;

	if (found->kind == SWIFT_IDENTIFIER &&
	    text_is(found->text, "subscript")) {
		*name = NULL;
		return true;
	}
	if (found->kind != SWIFT_PRIVATE_NAME || found->count < 2 ||
	    !text_is(found->children[1]->text, "subscript"))
		return false;
	*name = swift_make1(r, SWIFT_PRIVATE_NAME, found->children[0]);
	return true;
}

static struct swift_node *read_accessor(struct swift_reader *r,
                                        enum swift_kind kind,
                                        struct swift_node *context)
{
	struct swift_node *name = swift_old_name(r);
	struct swift_node *of;
	bool subscript;

	if (!name)
		return NULL;
	subscript = is_subscript(r, &name);
	of = swift_make1(r, subscript ? SWIFT_SUBSCRIPT : SWIFT_VARIABLE,
	                 context);
	if (!subscript)
		of = swift_add(r->pool, of, name);
	of = swift_add(r->pool, of, swift_old_type(r));
	if (subscript)
		of = swift_add_any(r, of, name);
	return swift_make1(r, kind, of);
}

/** Functions identified by a letter. */
static bool take_unnamed(struct swift_reader *r, enum swift_kind *kind)
{
	static const struct {
		char letter;
		enum swift_kind kind;
	} kinds[] = {
		{ 'D', SWIFT_DEALLOCATOR },
		{ 'Z', SWIFT_ISOLATED_DEALLOCATOR },
		{ 'd', SWIFT_DESTRUCTOR },
		{ 'e', SWIFT_IVAR_INITIALIZER },
		{ 'E', SWIFT_IVAR_DESTROYER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!swift_next_is(r, kinds[i].letter))
			continue;
		*kind = kinds[i].kind;
		return true;
	}
	return false;
}

static struct swift_node *with_type(struct swift_reader *r,
                                    struct swift_node *node)
{
	return node ? swift_add(r->pool, node, swift_old_type(r)) : NULL;
}

static struct swift_node *read_closure(struct swift_reader *r,
                                       enum swift_kind kind,
                                       struct swift_node *context)
{
	return with_type(r, swift_make2(r, kind, context, swift_index_node(r)));
}

/** Read the name of a declaration, after its context. */
static struct swift_node *read_entity_in(struct swift_reader *r,
                                         enum swift_kind basic,
                                         struct swift_node *context)
{
	enum swift_kind kind;
	struct swift_node *name;

	if (take_unnamed(r, &kind))
		return swift_make1(r, kind, context);
	if (swift_next_is(r, 'C'))
		return with_type(r, swift_make1(r, SWIFT_ALLOCATOR, context));
	if (swift_next_is(r, 'c'))
		return with_type(r, swift_make1(r, SWIFT_CONSTRUCTOR, context));
	if (take_accessor(r, &kind))
		return read_accessor(r, kind, context);
	if (swift_next_is(r, 'U'))
		return read_closure(r, SWIFT_EXPLICIT_CLOSURE, context);
	if (swift_next_is(r, 'u'))
		return read_closure(r, SWIFT_IMPLICIT_CLOSURE, context);
	if (basic == SWIFT_INITIALIZER) {
		if (swift_next_is(r, 'A'))
			return swift_make2(r, SWIFT_DEFAULT_ARGUMENT, context,
			                   swift_index_node(r));
		return swift_next_is(r, 'i')
		               ? swift_make1(r, SWIFT_INITIALIZER, context)
		               : NULL;
	}
	name = swift_old_name(r);
	if (basic == SWIFT_SUBSCRIPT && name) {
		if (!is_subscript(r, &name))
			return NULL;
		return swift_add_any(
		        r, with_type(r, swift_make1(r, basic, context)), name);
	}
	return with_type(r, swift_make2(r, basic, context, name));
}

static struct swift_node *read_entity_inside(struct swift_reader *r)
{
	bool is_static = swift_next_is(r, 'Z');
	enum swift_kind basic;
	struct swift_node *context;
	struct swift_node *entity;

	if (swift_next_is(r, 'F'))
		basic = SWIFT_FUNCTION;
	else if (swift_next_is(r, 'v'))
		basic = SWIFT_VARIABLE;
	else if (swift_next_is(r, 'I'))
		basic = SWIFT_INITIALIZER;
	else if (swift_next_is(r, 'i'))
		basic = SWIFT_SUBSCRIPT;
	else
		return swift_old_nominal(r);
	context = swift_old_context(r);
	if (!context)
		return NULL;
	entity = read_entity_in(r, basic, context);
	return is_static ? swift_make1(r, SWIFT_STATIC, entity) : entity;
}

struct swift_node *swift_old_entity(struct swift_reader *r)
{
	return swift_old_nested(r, read_entity_inside);
}
