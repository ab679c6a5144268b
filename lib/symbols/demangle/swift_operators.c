// SPDX-License-Identifier: MIT
/*
 * Operators of the mangling since Swift 4.0, as data. Most do one of a few
 * things; the others have a function.
 */
#include "lib/symbols/demangle/swift_reader.h"

#include <stddef.h>

enum action {
	UNKNOWN,
	LEAF,        ///< a node without children
	OF_TYPE,     ///< takes a type
	TYPE_OF,     ///< as OF_TYPE; the result is a type
	MODIFIER,    ///< a type around the node in the type on the stack
	OF_ENTITY,   ///< takes a declaration or a type
	OF_ANY,      ///< takes any node
	OF_PROTOCOL, ///< takes a protocol
	OF_CONFORMANCE,
	OF_NAMES,     ///< takes an associated type's name
	OF_SIGNATURE, ///< takes a type, and a signature if present
	NOMINAL,      ///< takes a name and its context
	FUNCTION,     ///< takes the parts of a function's type
	CALL,         ///< calls `read`
	MORE,         ///< next letter is in `more`
};

struct swift_op {
	enum action action;
	enum swift_kind kind;
	swift_operator read;
	const struct swift_op *more; ///< by the next letter
};

/** Letters are below this. */
#define LETTERS 128

static const struct swift_op *find(const struct swift_op *table, char letter)
{
	size_t at = (unsigned char)letter;

	return at < LETTERS ? &table[at] : &table[0];
}

static struct swift_node *run(struct swift_reader *r,
                              const struct swift_op *table);

static struct swift_node *of_signature(struct swift_reader *r,
                                       enum swift_kind kind)
{
	struct swift_node *signature = swift_pop_signature(r);
	struct swift_node *node = swift_make1(r, kind, swift_pop_type(r));

	return swift_add_any(r, node, signature);
}

static struct swift_node *nominal(struct swift_reader *r, enum swift_kind kind)
{
	struct swift_node *name = swift_pop_name(r);
	struct swift_node *node =
	        swift_make2(r, kind, swift_pop_context(r), name);

	return swift_substitute(r, swift_make_type(r, node));
}

static struct swift_node *apply(struct swift_reader *r,
                                const struct swift_op *op)
{
	switch (op->action) {
	case UNKNOWN:
		return NULL;
	case LEAF:
		return swift_make(r, op->kind);
	case OF_TYPE:
		return swift_make1(r, op->kind, swift_pop_type(r));
	case TYPE_OF:
		return swift_make_type(
		        r, swift_make1(r, op->kind, swift_pop_type(r)));
	case MODIFIER:
		return swift_make_type(
		        r, swift_make1(r, op->kind, swift_pop_type_child(r)));
	case OF_ENTITY:
		return swift_make1(r, op->kind, swift_pop_entity(r));
	case OF_ANY:
		return swift_make1(r, op->kind, swift_pop(r));
	case OF_PROTOCOL:
		return swift_make1(r, op->kind, swift_pop_protocol(r));
	case OF_CONFORMANCE:
		return swift_make1(r, op->kind, swift_pop_conformance(r));
	case OF_NAMES:
		return swift_make1(r, op->kind, swift_pop_associated_name(r));
	case OF_SIGNATURE:
		return of_signature(r, op->kind);
	case NOMINAL:
		return nominal(r, op->kind);
	case FUNCTION:
		return swift_pop_function(r, op->kind);
	case CALL:
		return op->read(r);
	case MORE:
		return run(r, op->more);
	}
	return NULL;
}

static struct swift_node *run(struct swift_reader *r,
                              const struct swift_op *table)
{
	return apply(r, find(table, swift_next(r)));
}

/** The letter read last, for functions of several letters. */
static char letter(const struct swift_reader *r)
{
	return r->at[-1];
}

static struct swift_node *reabstraction(struct swift_reader *r)
{
	return swift_read_reabstraction(r, letter(r));
}

static struct swift_node *specialized(struct swift_reader *r)
{
	return swift_read_specialized(r, letter(r));
}

static struct swift_node *key_path(struct swift_reader *r)
{
	return swift_read_key_path(r, letter(r));
}

static struct swift_node *key_path_index(struct swift_reader *r)
{
	return swift_read_key_path_index(r, letter(r));
}

static struct swift_node *thunk(struct swift_reader *r)
{
	return swift_read_thunk(r, letter(r));
}

static struct swift_node *witness(struct swift_reader *r)
{
	return swift_read_witness(r, letter(r));
}

static struct swift_node *stdlib_module(struct swift_reader *r)
{
	return swift_make_text(r, SWIFT_MODULE, text_from("Swift"));
}

/** `.` begins a suffix by linkers or optimisers. */
static struct swift_node *suffix(struct swift_reader *r)
{
	struct text rest = { r->at - 1, (size_t)(r->end - r->at) + 1 };

	r->at = r->end;
	return swift_make_text(r, SWIFT_SUFFIX, rest);
}

/** A digit begins an identifier. */
static struct swift_node *identifier(struct swift_reader *r)
{
	r->at--;
	return swift_read_identifier(r);
}

#define IDENTIFIER                        \
	{                                 \
		CALL, 0, identifier, NULL \
	}

/** `M…`: metadata and descriptors. */
static const struct swift_op metadata_ops[LETTERS] = {
	['a'] = { OF_TYPE, SWIFT_METADATA_ACCESSOR, NULL, NULL },
	['A'] = { OF_CONFORMANCE, SWIFT_REFLECTION_ASSOCIATED, NULL, NULL },
	['b'] = { OF_TYPE, SWIFT_CANONICAL_ACCESSOR, NULL, NULL },
	['B'] = { OF_TYPE, SWIFT_REFLECTION_BUILTIN, NULL, NULL },
	['c'] = { OF_CONFORMANCE, SWIFT_CONFORMANCE_DESCRIPTOR, NULL, NULL },
	['C'] = { OF_TYPE, SWIFT_REFLECTION_SUPERCLASS, NULL, NULL },
	['D'] = { OF_TYPE, SWIFT_METADATA_DEMANGLING_CACHE, NULL, NULL },
	['f'] = { OF_TYPE, SWIFT_FULL_METADATA, NULL, NULL },
	['F'] = { OF_TYPE, SWIFT_REFLECTION_FIELD, NULL, NULL },
	['g'] = { OF_ANY, SWIFT_OPAQUE_ACCESSOR, NULL, NULL },
	['h'] = { OF_ANY, SWIFT_OPAQUE_ACCESSOR_IMPL, NULL, NULL },
	['i'] = { OF_TYPE, SWIFT_METADATA_INSTANTIATION, NULL, NULL },
	['I'] = { OF_TYPE, SWIFT_METADATA_INSTANTIATION_CACHE, NULL, NULL },
	['j'] = { OF_ANY, SWIFT_OPAQUE_ACCESSOR_KEY, NULL, NULL },
	['J'] = { OF_ANY, SWIFT_NONCANONICAL_CACHE, NULL, NULL },
	['k'] = { OF_ANY, SWIFT_OPAQUE_ACCESSOR_VAR, NULL, NULL },
	['K'] = { OF_ANY, SWIFT_INSTANTIATION_CACHE, NULL, NULL },
	['l'] = { OF_TYPE, SWIFT_METADATA_SINGLETON_CACHE, NULL, NULL },
	['L'] = { OF_TYPE, SWIFT_METADATA_LAZY_CACHE, NULL, NULL },
	['m'] = { OF_TYPE, SWIFT_METACLASS, NULL, NULL },
	['M'] = { OF_TYPE, SWIFT_CANONICAL_METACLASS, NULL, NULL },
	['n'] = { OF_TYPE, SWIFT_NOMINAL_DESCRIPTOR, NULL, NULL },
	['N'] = { OF_TYPE, SWIFT_NONCANONICAL_METADATA, NULL, NULL },
	['o'] = { OF_TYPE, SWIFT_METADATA_BASE_OFFSET, NULL, NULL },
	['p'] = { OF_PROTOCOL, SWIFT_PROTOCOL_DESCRIPTOR, NULL, NULL },
	['P'] = { OF_TYPE, SWIFT_GENERIC_PATTERN, NULL, NULL },
	['q'] = { OF_ANY, SWIFT_UNIQUABLE, NULL, NULL },
	['Q'] = { OF_ANY, SWIFT_OPAQUE_DESCRIPTOR, NULL, NULL },
	['r'] = { OF_TYPE, SWIFT_METADATA_COMPLETION, NULL, NULL },
	['s'] = { OF_TYPE, SWIFT_OBJC_STUB, NULL, NULL },
	['S'] = { OF_PROTOCOL, SWIFT_SELF_CONFORMANCE_DESCRIPTOR, NULL, NULL },
	['t'] = { OF_TYPE, SWIFT_OBJC_FULL_STUB, NULL, NULL },
	['u'] = { OF_TYPE, SWIFT_METHOD_LOOKUP, NULL, NULL },
	['U'] = { OF_TYPE, SWIFT_OBJC_UPDATE, NULL, NULL },
	['V'] = { OF_ENTITY, SWIFT_PROPERTY_DESCRIPTOR, NULL, NULL },
	['X'] = { CALL, 0, swift_read_private_descriptor, NULL },
	['z'] = { OF_TYPE, SWIFT_CANONICAL_TOKEN, NULL, NULL },
};

/** `H…`: references to conformances, and records for the runtime. */
static const struct swift_op conformance_ops[LETTERS] = {
	['A'] = { CALL, 0, swift_read_conformance_part, NULL },
	['C'] = { CALL, 0, swift_read_conformance_part, NULL },
	['D'] = { CALL, 0, swift_read_conformance_part, NULL },
	['I'] = { CALL, 0, swift_read_conformance_part, NULL },
	['O'] = { CALL, 0, swift_read_conformance_part, NULL },
	['X'] = { CALL, 0, swift_read_conformance_part, NULL },
	['P'] = { OF_PROTOCOL, SWIFT_REF_IN_TYPE_MODULE, NULL, NULL },
	['p'] = { OF_PROTOCOL, SWIFT_REF_IN_PROTOCOL_MODULE, NULL, NULL },
	['c'] = { OF_CONFORMANCE, SWIFT_CONFORMANCE_RECORD, NULL, NULL },
	['n'] = { OF_TYPE, SWIFT_NOMINAL_RECORD, NULL, NULL },
	['o'] = { OF_ANY, SWIFT_OPAQUE_RECORD, NULL, NULL },
	['r'] = { OF_PROTOCOL, SWIFT_PROTOCOL_RECORD, NULL, NULL },
	['F'] = { LEAF, SWIFT_ACCESSIBLE_RECORD, NULL, NULL },
};

/** `Tw…` */
static const struct swift_op late_thunk_ops[LETTERS] = {
	['b'] = { LEAF, SWIFT_BACK_DEPLOY_THUNK, NULL, NULL },
	['B'] = { LEAF, SWIFT_BACK_DEPLOY_FALLBACK, NULL, NULL },
	['c'] = { LEAF, SWIFT_CORO_POINTER, NULL, NULL },
	['d'] = { LEAF, SWIFT_DEFAULT_OVERRIDE, NULL, NULL },
	['S'] = { LEAF, SWIFT_HAS_SYMBOL, NULL, NULL },
};

/** `TT…` */
static const struct swift_op sil_thunk_ops[LETTERS] = {
	['I'] = { OF_ENTITY, SWIFT_SIL_THUNK_IDENTITY, NULL, NULL },
};

/** `T…`: thunks, specializations, attributes of functions. */
static const struct swift_op thunk_ops[LETTERS] = {
	['T'] = { MORE, 0, NULL, sil_thunk_ops },
	['w'] = { MORE, 0, NULL, late_thunk_ops },
	['c'] = { OF_ENTITY, SWIFT_CURRY_THUNK, NULL, NULL },
	['j'] = { OF_ENTITY, SWIFT_DISPATCH_THUNK, NULL, NULL },
	['q'] = { OF_ENTITY, SWIFT_METHOD_DESCRIPTOR, NULL, NULL },
	['S'] = { OF_ENTITY, SWIFT_SELF_CONFORMANCE_WITNESS, NULL, NULL },
	['o'] = { LEAF, SWIFT_OBJC, NULL, NULL },
	['O'] = { LEAF, SWIFT_NONOBJC, NULL, NULL },
	['D'] = { LEAF, SWIFT_DYNAMIC, NULL, NULL },
	['d'] = { LEAF, SWIFT_DIRECT_METHOD, NULL, NULL },
	['E'] = { LEAF, SWIFT_DISTRIBUTED_THUNK, NULL, NULL },
	['F'] = { LEAF, SWIFT_DISTRIBUTED_ACCESSOR, NULL, NULL },
	['a'] = { LEAF, SWIFT_PARTIAL_APPLY_OBJC, NULL, NULL },
	['A'] = { LEAF, SWIFT_PARTIAL_APPLY, NULL, NULL },
	['m'] = { LEAF, SWIFT_MERGED, NULL, NULL },
	['X'] = { LEAF, SWIFT_REPLACEABLE_VAR, NULL, NULL },
	['x'] = { LEAF, SWIFT_REPLACEABLE_KEY, NULL, NULL },
	['I'] = { LEAF, SWIFT_REPLACEABLE_IMPL, NULL, NULL },
	['u'] = { LEAF, SWIFT_ASYNC_POINTER, NULL, NULL },
	['C'] = { OF_TYPE, SWIFT_COROUTINE_PROTOTYPE, NULL, NULL },
	['L'] = { OF_PROTOCOL, SWIFT_PROTOCOL_BASE_DESCRIPTOR, NULL, NULL },
	['l'] = { OF_NAMES, SWIFT_ASSOCIATED_DESCRIPTOR, NULL, NULL },
	['M'] = { OF_NAMES, SWIFT_DEFAULT_ASSOCIATED_METADATA, NULL, NULL },
	['Q'] = { CALL, 0, thunk, NULL },
	['Y'] = { CALL, 0, thunk, NULL },
	['z'] = { CALL, 0, thunk, NULL },
	['Z'] = { CALL, 0, thunk, NULL },
	['V'] = { CALL, 0, thunk, NULL },
	['W'] = { CALL, 0, thunk, NULL },
	['n'] = { CALL, 0, thunk, NULL },
	['N'] = { CALL, 0, thunk, NULL },
	['b'] = { CALL, 0, thunk, NULL },
	['v'] = { CALL, 0, thunk, NULL },
	['e'] = { CALL, 0, thunk, NULL },
	['U'] = { CALL, 0, thunk, NULL },
	['R'] = { CALL, 0, reabstraction, NULL },
	['r'] = { CALL, 0, reabstraction, NULL },
	['y'] = { CALL, 0, reabstraction, NULL },
	['K'] = { CALL, 0, key_path, NULL },
	['k'] = { CALL, 0, key_path, NULL },
	['H'] = { CALL, 0, key_path_index, NULL },
	['h'] = { CALL, 0, key_path_index, NULL },
	['J'] = { CALL, 0, swift_read_autodiff, NULL },
	['g'] = { CALL, 0, specialized, NULL },
	['G'] = { CALL, 0, specialized, NULL },
	['B'] = { CALL, 0, specialized, NULL },
	['t'] = { CALL, 0, specialized, NULL },
	['s'] = { CALL, 0, specialized, NULL },
	['i'] = { CALL, 0, specialized, NULL },
	['p'] = { CALL, 0, specialized, NULL },
	['P'] = { CALL, 0, specialized, NULL },
	['f'] = { CALL, 0, specialized, NULL },
};

/** `WO…`: shared code. */
static const struct swift_op outlined_ops[LETTERS] = {
	['y'] = { OF_SIGNATURE, SWIFT_OUTLINED_COPY, NULL, NULL },
	['e'] = { OF_SIGNATURE, SWIFT_OUTLINED_CONSUME, NULL, NULL },
	['r'] = { OF_SIGNATURE, SWIFT_OUTLINED_RETAIN, NULL, NULL },
	['s'] = { OF_SIGNATURE, SWIFT_OUTLINED_RELEASE, NULL, NULL },
	['b'] = { OF_SIGNATURE, SWIFT_OUTLINED_INIT_TAKE, NULL, NULL },
	['B'] = { OF_SIGNATURE, SWIFT_OUTLINED_INIT_TAKE, NULL, NULL },
	['c'] = { OF_SIGNATURE, SWIFT_OUTLINED_INIT_COPY, NULL, NULL },
	['C'] = { OF_SIGNATURE, SWIFT_OUTLINED_INIT_COPY, NULL, NULL },
	['d'] = { OF_SIGNATURE, SWIFT_OUTLINED_ASSIGN_TAKE, NULL, NULL },
	['D'] = { OF_SIGNATURE, SWIFT_OUTLINED_ASSIGN_TAKE, NULL, NULL },
	['f'] = { OF_SIGNATURE, SWIFT_OUTLINED_ASSIGN_COPY, NULL, NULL },
	['F'] = { OF_SIGNATURE, SWIFT_OUTLINED_ASSIGN_COPY, NULL, NULL },
	['h'] = { OF_SIGNATURE, SWIFT_OUTLINED_DESTROY, NULL, NULL },
	['H'] = { OF_SIGNATURE, SWIFT_OUTLINED_DESTROY, NULL, NULL },
	['g'] = { OF_SIGNATURE, SWIFT_OUTLINED_ENUM_GET_TAG, NULL, NULL },
	['i'] = { CALL, 0, witness, NULL },
	['j'] = { CALL, 0, witness, NULL },
};

/** `W…`: witness tables, offsets, outlined code. */
static const struct swift_op witness_ops[LETTERS] = {
	['O'] = { MORE, 0, NULL, outlined_ops },
	['C'] = { OF_ENTITY, SWIFT_ENUM_CASE, NULL, NULL },
	['V'] = { OF_TYPE, SWIFT_VALUE_WITNESS_TABLE, NULL, NULL },
	['S'] = { OF_PROTOCOL, SWIFT_SELF_CONFORMANCE_TABLE, NULL, NULL },
	['P'] = { OF_CONFORMANCE, SWIFT_WITNESS_TABLE, NULL, NULL },
	['p'] = { OF_CONFORMANCE, SWIFT_WITNESS_TABLE_PATTERN, NULL, NULL },
	['G'] = { OF_CONFORMANCE, SWIFT_GENERIC_WITNESS_TABLE, NULL, NULL },
	['I'] = { OF_CONFORMANCE, SWIFT_GENERIC_WITNESS_INSTANTIATION, NULL,
	          NULL },
	['r'] = { OF_CONFORMANCE, SWIFT_RESILIENT_WITNESS_TABLE, NULL, NULL },
	['a'] = { OF_CONFORMANCE, SWIFT_WITNESS_TABLE_ACCESSOR, NULL, NULL },
	['v'] = { CALL, 0, witness, NULL },
	['l'] = { CALL, 0, witness, NULL },
	['L'] = { CALL, 0, witness, NULL },
	['t'] = { CALL, 0, witness, NULL },
	['T'] = { CALL, 0, witness, NULL },
	['b'] = { CALL, 0, witness, NULL },
	['Z'] = { CALL, 0, witness, NULL },
	['z'] = { CALL, 0, witness, NULL },
	['J'] = { CALL, 0, witness, NULL },
};

/** By the first letter. */
static const struct swift_op operators[LETTERS] = {
	['A'] = { CALL, 0, swift_read_substitutions, NULL },
	['B'] = { CALL, 0, swift_read_builtin, NULL },
	['C'] = { NOMINAL, SWIFT_CLASS, NULL, NULL },
	['D'] = { CALL, 0, swift_read_type_mangling, NULL },
	['E'] = { CALL, 0, swift_read_extension, NULL },
	['F'] = { CALL, 0, swift_read_function, NULL },
	['G'] = { CALL, 0, swift_read_bound, NULL },
	['H'] = { MORE, 0, NULL, conformance_ops },
	['I'] = { CALL, 0, swift_read_lowered, NULL },
	['K'] = { LEAF, SWIFT_THROWS, NULL, NULL },
	['L'] = { CALL, 0, swift_read_local_name, NULL },
	['M'] = { MORE, 0, NULL, metadata_ops },
	['N'] = { OF_TYPE, SWIFT_METADATA, NULL, NULL },
	['O'] = { NOMINAL, SWIFT_ENUM, NULL, NULL },
	['P'] = { NOMINAL, SWIFT_PROTOCOL, NULL, NULL },
	['Q'] = { CALL, 0, swift_read_archetype, NULL },
	['R'] = { CALL, 0, swift_read_requirement, NULL },
	['S'] = { CALL, 0, swift_read_standard, NULL },
	['T'] = { MORE, 0, NULL, thunk_ops },
	['V'] = { NOMINAL, SWIFT_STRUCTURE, NULL, NULL },
	['W'] = { MORE, 0, NULL, witness_ops },
	['X'] = { CALL, 0, swift_read_special_type, NULL },
	['Y'] = { CALL, 0, swift_read_annotation, NULL },
	['Z'] = { OF_ENTITY, SWIFT_STATIC, NULL, NULL },
	['a'] = { NOMINAL, SWIFT_TYPE_ALIAS, NULL, NULL },
	['c'] = { FUNCTION, SWIFT_FUNCTION_TYPE, NULL, NULL },
	['d'] = { LEAF, SWIFT_VARIADIC, NULL, NULL },
	['f'] = { CALL, 0, swift_read_function_entity, NULL },
	['g'] = { CALL, 0, swift_read_retroactive, NULL },
	['h'] = { MODIFIER, SWIFT_SHARED, NULL, NULL },
	['i'] = { CALL, 0, swift_read_subscript, NULL },
	['l'] = { CALL, 0, swift_read_signature, NULL },
	['m'] = { TYPE_OF, SWIFT_METATYPE, NULL, NULL },
	['n'] = { MODIFIER, SWIFT_OWNED, NULL, NULL },
	['o'] = { CALL, 0, swift_read_operator_name, NULL },
	['p'] = { CALL, 0, swift_read_protocols, NULL },
	['q'] = { CALL, 0, swift_read_param, NULL },
	['r'] = { CALL, 0, swift_read_counted_signature, NULL },
	['s'] = { CALL, 0, stdlib_module, NULL },
	['t'] = { CALL, 0, swift_read_tuple, NULL },
	['u'] = { CALL, 0, swift_read_generic_type, NULL },
	['v'] = { CALL, 0, swift_read_variable, NULL },
	['w'] = { CALL, 0, swift_read_value_witness, NULL },
	['x'] = { CALL, 0, swift_read_first_param, NULL },
	['y'] = { LEAF, SWIFT_EMPTY_LIST, NULL, NULL },
	['z'] = { MODIFIER, SWIFT_INOUT, NULL, NULL },
	['_'] = { LEAF, SWIFT_FIRST_ELEMENT, NULL, NULL },
	['.'] = { CALL, 0, suffix, NULL },
	['$'] = { CALL, 0, swift_read_integer, NULL },
	['0'] = IDENTIFIER,
	['1'] = IDENTIFIER,
	['2'] = IDENTIFIER,
	['3'] = IDENTIFIER,
	['4'] = IDENTIFIER,
	['5'] = IDENTIFIER,
	['6'] = IDENTIFIER,
	['7'] = IDENTIFIER,
	['8'] = IDENTIFIER,
	['9'] = IDENTIFIER,
};

bool swift_read_all(struct swift_reader *r)
{
	while (r->at < r->end) {
		struct swift_node *node = run(r, operators);

		if (!node || !swift_push(&r->stack, r->pool, node))
			return false;
	}
	return true;
}
