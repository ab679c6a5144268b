// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_reader.h"

struct swift_node *swift_read_extension(struct swift_reader *r)
{
	struct swift_node *signature = swift_pop_signature(r);
	struct swift_node *module = swift_pop_module(r);
	struct swift_node *type = swift_pop_type_child(r);

	if (!swift_has(type, SWIFT_IS_GENERIC))
		return NULL;
	return swift_add_any(r, swift_make2(r, SWIFT_EXTENSION, module, type),
	                     signature);
}

/** A named declaration: context, name, labels, type. */
static struct swift_node *declaration(struct swift_reader *r,
                                      enum swift_kind kind,
                                      struct swift_node *type,
                                      struct swift_node *labels)
{
	struct swift_node *name = swift_pop_name(r);
	struct swift_node *node =
	        swift_make2(r, kind, swift_pop_context(r), name);

	node = swift_add_any(r, node, labels);
	return swift_add(r->pool, node, type);
}

struct swift_node *swift_read_function(struct swift_reader *r)
{
	struct swift_node *signature = swift_pop_signature(r);
	struct swift_node *type = swift_pop_function(r, SWIFT_FUNCTION_TYPE);
	struct swift_node *labels;

	if (!type || !swift_pop_labels(r, type, &labels))
		return NULL;
	if (signature)
		type = swift_make_type(
		        r, swift_make2(r, SWIFT_GENERIC_TYPE, signature, type));
	return declaration(r, SWIFT_FUNCTION, type, labels);
}

static struct swift_node *typed(struct swift_reader *r, enum swift_kind kind)
{
	struct swift_node *type = swift_pop_type(r);
	struct swift_node *labels;

	if (!type || !swift_pop_labels(r, type, &labels))
		return NULL;
	return declaration(r, kind, type, labels);
}

/** By the letter after a variable or subscript. */
static const enum swift_kind accessors[128] = {
	['m'] = SWIFT_MATERIALIZE_FOR_SET,
	['s'] = SWIFT_SETTER,
	['g'] = SWIFT_GETTER,
	['G'] = SWIFT_GLOBAL_GETTER,
	['w'] = SWIFT_WILL_SET,
	['W'] = SWIFT_DID_SET,
	['r'] = SWIFT_READ,
	['y'] = SWIFT_YIELDING_BORROW,
	['M'] = SWIFT_MODIFY,
	['x'] = SWIFT_YIELDING_MUTATE,
	['i'] = SWIFT_INIT_ACCESSOR,
	['b'] = SWIFT_BORROW,
	['z'] = SWIFT_MUTATE,
};

/** By the letter after `a`. */
static const enum swift_kind mutable_addressors[128] = {
	['O'] = SWIFT_OWNING_MUTABLE_ADDRESSOR,
	['o'] = SWIFT_NATIVE_OWNING_MUTABLE_ADDRESSOR,
	['P'] = SWIFT_NATIVE_PINNING_MUTABLE_ADDRESSOR,
	['u'] = SWIFT_UNSAFE_MUTABLE_ADDRESSOR,
};

/** By the letter after `l`. */
static const enum swift_kind addressors[128] = {
	['O'] = SWIFT_OWNING_ADDRESSOR,
	['o'] = SWIFT_NATIVE_OWNING_ADDRESSOR,
	['p'] = SWIFT_NATIVE_PINNING_ADDRESSOR,
	['u'] = SWIFT_UNSAFE_ADDRESSOR,
};

static struct swift_node *accessor(struct swift_reader *r,
                                   struct swift_node *of)
{
	const enum swift_kind *table = accessors;
	char letter = swift_next(r);

	if (letter == 'p')
		return of;
	if (letter == 'a' || letter == 'l') {
		table = letter == 'a' ? mutable_addressors : addressors;
		letter = swift_next(r);
	}
	// Kind 0 is that of a whole name, so it marks "none".
	if ((unsigned char)letter >= ARRAY_SIZE(accessors) ||
	    !table[(unsigned char)letter])
		return NULL;
	return swift_make1(r, table[(unsigned char)letter], of);
}

struct swift_node *swift_read_variable(struct swift_reader *r)
{
	struct swift_node *variable = typed(r, SWIFT_VARIABLE);

	return variable ? accessor(r, variable) : NULL;
}

struct swift_node *swift_read_subscript(struct swift_reader *r)
{
	struct swift_node *file = swift_pop_kind(r, SWIFT_PRIVATE_NAME);
	struct swift_node *type = swift_pop_type(r);
	struct swift_node *labels;
	struct swift_node *node;

	if (!type || !swift_pop_labels(r, type, &labels))
		return NULL;
	node = swift_make1(r, SWIFT_SUBSCRIPT, swift_pop_context(r));
	node = swift_add_any(r, node, labels);
	node = swift_add(r->pool, node, type);
	node = swift_add_any(r, node, file);
	return node ? accessor(r, node) : NULL;
}

static struct swift_node *initializer(struct swift_reader *r,
                                      enum swift_kind kind)
{
	struct swift_node *file = swift_pop_kind(r, SWIFT_PRIVATE_NAME);
	struct swift_node *type = swift_pop_type(r);
	struct swift_node *labels;
	struct swift_node *node;

	if (!swift_pop_labels(r, type, &labels))
		return NULL;
	node = swift_make1(r, kind, swift_pop_context(r));
	node = swift_add_any(r, node, labels);
	node = swift_add(r->pool, node, type);
	return swift_add_any(r, node, file);
}

static struct swift_node *closure(struct swift_reader *r, enum swift_kind kind)
{
	struct swift_node *index = swift_index_node(r);
	struct swift_node *type = swift_pop_type(r);

	return swift_make3(r, kind, swift_pop_context(r), index, type);
}

static struct swift_node *default_argument(struct swift_reader *r)
{
	struct swift_node *index = swift_index_node(r);

	return swift_make2(r, SWIFT_DEFAULT_ARGUMENT, swift_pop_context(r),
	                   index);
}

/** By the letter after `fM`. */
static const enum swift_kind attached_macros[128] = {
	['a'] = SWIFT_MACRO_ACCESSOR,    ['r'] = SWIFT_MACRO_MEMBER_ATTRIBUTE,
	['m'] = SWIFT_MACRO_MEMBER,      ['p'] = SWIFT_MACRO_PEER,
	['c'] = SWIFT_MACRO_CONFORMANCE, ['e'] = SWIFT_MACRO_EXTENSION,
	['q'] = SWIFT_MACRO_PREAMBLE,    ['b'] = SWIFT_MACRO_BODY,
};

/** Source location of a macro's expansion. */
static struct swift_node *macro_location(struct swift_reader *r)
{
	uint64_t line;
	uint64_t column;
	struct swift_node *file;
	struct swift_node *node;

	if (!swift_index(r, &line) || !swift_index(r, &column))
		return NULL;
	file = swift_pop_kind(r, SWIFT_IDENTIFIER);
	node = swift_make3(r, SWIFT_MACRO_LOCATION,
	                   swift_pop_kind(r, SWIFT_IDENTIFIER), file,
	                   swift_make_number(r, SWIFT_INDEX, line));
	return swift_add(r->pool, node,
	                 swift_make_number(r, SWIFT_INDEX, column));
}

static struct swift_node *macro_context(struct swift_reader *r)
{
	struct swift_node *outer = swift_pop_flag(r, SWIFT_IS_EXPANSION);

	return outer ? outer : swift_pop_context(r);
}

static struct swift_node *macro_expansion(struct swift_reader *r)
{
	char letter = swift_next(r);
	bool is_freestanding = letter == 'f';
	bool is_attached = !is_freestanding && letter != 'u';
	enum swift_kind kind = SWIFT_MACRO_UNIQUE_NAME;
	struct swift_node *macro;
	struct swift_node *file = NULL;
	struct swift_node *attached = NULL;
	struct swift_node *node;

	if (letter == 'X')
		return macro_location(r);
	if (is_freestanding)
		kind = SWIFT_MACRO_FREESTANDING;
	else if (is_attached)
		kind = attached_macros[letter & 0x7f];
	if (kind == SWIFT_GLOBAL)
		return NULL;
	macro = swift_pop_kind(r, SWIFT_IDENTIFIER);
	if (is_freestanding)
		file = swift_pop_kind(r, SWIFT_PRIVATE_NAME);
	if (is_attached)
		attached = swift_pop_name(r);
	node = swift_make1(r, kind, macro_context(r));
	node = swift_add_any(r, node, attached);
	node = swift_add(r->pool, node, macro);
	node = swift_add(r->pool, node, swift_index_node(r));
	return swift_add_any(r, node, file);
}

/** `f`: functions without a name. */
struct swift_node *swift_read_function_entity(struct swift_reader *r)
{
	enum swift_kind kind;

	switch (swift_next(r)) {
	case 'D':
		kind = SWIFT_DEALLOCATOR;
		break;
	case 'd':
		kind = SWIFT_DESTRUCTOR;
		break;
	case 'Z':
		kind = SWIFT_ISOLATED_DEALLOCATOR;
		break;
	case 'E':
		kind = SWIFT_IVAR_DESTROYER;
		break;
	case 'e':
		kind = SWIFT_IVAR_INITIALIZER;
		break;
	case 'i':
		kind = SWIFT_INITIALIZER;
		break;
	case 'P':
		kind = SWIFT_WRAPPER_BACKING_INIT;
		break;
	case 'F':
		kind = SWIFT_WRAPPED_FIELD_INIT;
		break;
	case 'W':
		kind = SWIFT_WRAPPER_PROJECTED_INIT;
		break;
	case 'C':
		return initializer(r, SWIFT_ALLOCATOR);
	case 'c':
		return initializer(r, SWIFT_CONSTRUCTOR);
	case 'U':
		return closure(r, SWIFT_EXPLICIT_CLOSURE);
	case 'u':
		return closure(r, SWIFT_IMPLICIT_CLOSURE);
	case 'A':
		return default_argument(r);
	case 'm':
		return typed(r, SWIFT_MACRO);
	case 'M':
		return macro_expansion(r);
	case 'p':
		return typed(r, SWIFT_GENERIC_PARAM_DECL);
	default:
		return NULL;
	}
	return swift_make1(r, kind, swift_pop_context(r));
}
