// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_reader.h"

struct swift_node *swift_make_param(struct swift_reader *r, uint64_t depth,
                                    uint64_t index)
{
	return swift_make2(r, SWIFT_GENERIC_PARAM,
	                   swift_make_number(r, SWIFT_INDEX, depth),
	                   swift_make_number(r, SWIFT_INDEX, index));
}

struct swift_node *swift_read_param_index(struct swift_reader *r, char first)
{
	uint64_t depth;
	uint64_t index;

	if (swift_next_is(r, 'd')) {
		if (!swift_index(r, &depth) || !swift_index(r, &index))
			return NULL;
		return swift_make_param(r, depth + 1, index);
	}
	if (swift_next_is(r, first))
		return swift_make_param(r, 0, 0);
	return swift_index(r, &index) ? swift_make_param(r, 0, index + 1)
	                              : NULL;
}

/** A parameter in the postfix mangling, which may be `Self`. */
static struct swift_node *read_param_index(struct swift_reader *r)
{
	if (swift_next_is(r, 's'))
		return swift_make(r, SWIFT_CONSTRAINED_SELF);
	return swift_read_param_index(r, 'z');
}

struct swift_node *swift_read_param(struct swift_reader *r)
{
	return swift_make_type(r, read_param_index(r));
}

struct swift_node *swift_read_first_param(struct swift_reader *r)
{
	return swift_make_type(r, swift_make_param(r, 0, 0));
}

struct swift_node *swift_pop_associated_name(struct swift_reader *r)
{
	struct swift_node *protocol = swift_pop_type(r);
	struct swift_node *name;

	if (protocol && protocol->children[0]->kind != SWIFT_PROTOCOL)
		return NULL;
	name = swift_make1(r, SWIFT_ASSOCIATED_NAME,
	                   swift_pop_kind(r, SWIFT_IDENTIFIER));
	return swift_add_any(r, name, protocol);
}

struct swift_node *swift_pop_associated_path(struct swift_reader *r)
{
	struct swift_node *path = swift_make(r, SWIFT_ASSOCIATED_PATH);
	bool first = false;

	while (path && !first) {
		first = swift_pop_kind(r, SWIFT_FIRST_ELEMENT);
		path = swift_add(r->pool, path, swift_pop_associated_name(r));
	}
	if (path)
		swift_reverse(path, 0);
	return path;
}

/** `T.Element`; without @p base, the base is on the stack, too. */
static struct swift_node *read_member(struct swift_reader *r,
                                      struct swift_node *base)
{
	struct swift_node *name = swift_pop_associated_name(r);

	base = base ? swift_make_type(r, base) : swift_pop_type(r);
	return swift_make_type(r,
	                       swift_make2(r, SWIFT_MEMBER_TYPE, base, name));
}

static struct swift_node *read_member_path(struct swift_reader *r,
                                           struct swift_node *base)
{
	struct swift_node *path = swift_pop_associated_path(r);

	base = base ? swift_make_type(r, base) : swift_pop_type(r);
	for (unsigned i = 0; path && base && i < path->count; i++)
		base = swift_make_type(r, swift_make2(r, SWIFT_MEMBER_TYPE,
		                                      base, path->children[i]));
	return path ? base : NULL;
}

/** Add the requirements on the stack, after the counts. */
static struct swift_node *add_requirements(struct swift_reader *r,
                                           struct swift_node *signature)
{
	unsigned counts = signature ? signature->count : 0;
	struct swift_node *found;

	while (signature && (found = swift_pop_flag(r, SWIFT_IS_REQUIREMENT)))
		signature = swift_add(r->pool, signature, found);
	if (signature)
		swift_reverse(signature, counts);
	return signature;
}

/** `l`: one parameter. */
struct swift_node *swift_read_signature(struct swift_reader *r)
{
	return add_requirements(
	        r, swift_make1(r, SWIFT_SIGNATURE,
	                       swift_make_number(r, SWIFT_PARAM_COUNT, 1)));
}

/** `r`: numbers of parameters by level, up to `l`. */
struct swift_node *swift_read_counted_signature(struct swift_reader *r)
{
	struct swift_node *signature = swift_make(r, SWIFT_SIGNATURE);

	while (signature && !swift_next_is(r, 'l')) {
		uint64_t count = 0;

		if (!swift_next_is(r, 'z')) {
			if (!swift_index(r, &count))
				return NULL;
			count++;
		}
		signature = swift_add(
		        r->pool, signature,
		        swift_make_number(r, SWIFT_PARAM_COUNT, count));
	}
	return add_requirements(r, signature);
}

struct swift_node *swift_read_generic_type(struct swift_reader *r)
{
	struct swift_node *signature = swift_pop_signature(r);

	return swift_make_type(r, swift_make2(r, SWIFT_GENERIC_TYPE, signature,
	                                      swift_pop_type(r)));
}

/** A requirement and its subject, by the letter after `R`. */
struct requirement {
	char letter;
	enum {
		OF_PARAM,
		OF_MEMBER,
		OF_PATH,
		OF_STACK,
	} subject;
	enum {
		PROTOCOL,
		BASE_CLASS,
		SAME_TYPE,
		SAME_SHAPE,
		LAYOUT,
		PACK,
		VALUE,
		INVERSE,
	} constraint;
};

static const struct requirement requirements[] = {
	{ 'V', OF_PARAM, VALUE },       { 'v', OF_PARAM, PACK },
	{ 'c', OF_MEMBER, BASE_CLASS }, { 'C', OF_PATH, BASE_CLASS },
	{ 'b', OF_PARAM, BASE_CLASS },  { 'B', OF_STACK, BASE_CLASS },
	{ 't', OF_MEMBER, SAME_TYPE },  { 'T', OF_PATH, SAME_TYPE },
	{ 's', OF_PARAM, SAME_TYPE },   { 'S', OF_STACK, SAME_TYPE },
	{ 'm', OF_MEMBER, LAYOUT },     { 'M', OF_PATH, LAYOUT },
	{ 'l', OF_PARAM, LAYOUT },      { 'L', OF_STACK, LAYOUT },
	{ 'p', OF_MEMBER, PROTOCOL },   { 'P', OF_PATH, PROTOCOL },
	{ 'Q', OF_STACK, PROTOCOL },    { 'h', OF_PARAM, SAME_SHAPE },
	{ 'j', OF_MEMBER, INVERSE },    { 'J', OF_PATH, INVERSE },
	{ 'i', OF_PARAM, INVERSE },     { 'I', OF_STACK, INVERSE },
};

static struct requirement requirement_of(struct swift_reader *r)
{
	struct requirement plain = { '\0', OF_PARAM, PROTOCOL };

	for (size_t i = 0; i < ARRAY_SIZE(requirements); i++)
		if (swift_next_is(r, requirements[i].letter))
			return requirements[i];
	return plain;
}

static struct swift_node *subject_of(struct swift_reader *r,
                                     const struct requirement *requirement)
{
	struct swift_node *param;

	switch (requirement->subject) {
	case OF_PARAM:
		return swift_make_type(r, read_param_index(r));
	case OF_MEMBER:
		param = read_param_index(r);
		return param ? swift_substitute(r, read_member(r, param))
		             : NULL;
	case OF_PATH:
		param = read_param_index(r);
		return param ? swift_substitute(r, read_member_path(r, param))
		             : NULL;
	case OF_STACK:
		return swift_pop_type(r);
	}
	return NULL;
}

/** The layout of a type: a letter, for some with sizes. */
static struct swift_node *layout(struct swift_reader *r,
                                 struct swift_node *subject)
{
	static const char plain[] = "URNCDTB";
	static const char sized[] = "emS";
	static const char aligned[] = "EM";
	struct text letter = { r->at, 1 };
	char c = swift_next(r);
	struct swift_node *node;
	unsigned sizes = 0;

	if (!c)
		return NULL;
	if (text_find_char(text_from(aligned), c) != TEXT_NOWHERE)
		sizes = 2;
	else if (text_find_char(text_from(sized), c) != TEXT_NOWHERE)
		sizes = 1;
	else if (text_find_char(text_from(plain), c) == TEXT_NOWHERE)
		return NULL;
	node = swift_make2(r, SWIFT_LAYOUT_REQUIREMENT, subject,
	                   swift_make_text(r, SWIFT_IDENTIFIER, letter));
	for (unsigned i = 0; node && i < sizes; i++)
		node = swift_add(r->pool, node, swift_index_node(r));
	return node;
}

struct swift_node *swift_read_requirement(struct swift_reader *r)
{
	struct requirement found = requirement_of(r);
	struct swift_node *inverse = NULL;
	struct swift_node *subject;

	if (found.constraint == INVERSE) {
		inverse = swift_index_node(r);
		if (!inverse)
			return NULL;
	}
	subject = subject_of(r, &found);
	switch (found.constraint) {
	case PROTOCOL:
		return swift_make2(r, SWIFT_CONFORMANCE_REQUIREMENT, subject,
		                   swift_pop_protocol(r));
	case BASE_CLASS:
		return swift_make2(r, SWIFT_CONFORMANCE_REQUIREMENT, subject,
		                   swift_pop_type(r));
	case SAME_TYPE:
		return swift_make2(r, SWIFT_SAME_TYPE_REQUIREMENT, subject,
		                   swift_pop_type(r));
	case SAME_SHAPE:
		return swift_make2(r, SWIFT_SAME_SHAPE_REQUIREMENT, subject,
		                   swift_pop_type(r));
	case VALUE:
		return swift_make2(r, SWIFT_PARAM_VALUE, subject,
		                   swift_pop_type(r));
	case PACK:
		return swift_make1(r, SWIFT_PARAM_PACK, subject);
	case INVERSE:
		return swift_make2(r, SWIFT_INVERSE_REQUIREMENT, subject,
		                   inverse);
	case LAYOUT:
		return layout(r, subject);
	}
	return NULL;
}

static struct swift_node *opaque_type(struct swift_reader *r)
{
	struct swift_arguments arguments;
	struct swift_node *lists = swift_make(r, SWIFT_TYPE_LIST);
	struct swift_node *type;
	uint64_t index;

	if (!swift_index(r, &index) || !swift_pop_arguments(r, &arguments))
		return NULL;
	type = swift_make2(r, SWIFT_OPAQUE_TYPE, swift_pop(r),
	                   swift_make_number(r, SWIFT_INDEX, index));
	for (size_t i = arguments.count; lists && i-- > 0;)
		lists = swift_add(r->pool, lists, arguments.levels[i]);
	type = swift_add(r->pool, type, lists);
	type = swift_add_any(r, type, arguments.retroactive);
	return swift_substitute(r, swift_make_type(r, type));
}

static struct swift_node *associated_ref(struct swift_reader *r)
{
	struct swift_node *name = swift_pop_kind(r, SWIFT_IDENTIFIER);

	return swift_substitute(
	        r,
	        swift_make_type(r, swift_make2(r, SWIFT_ASSOCIATED_TYPE_REF,
	                                       swift_pop_type_child(r), name)));
}

static struct swift_node *pack_expansion(struct swift_reader *r)
{
	struct swift_node *count = swift_pop_type_child(r);

	return swift_make_type(r, swift_make2(r, SWIFT_PACK_EXPANSION,
	                                      swift_pop_type_child(r), count));
}

static struct swift_node *pack_element(struct swift_reader *r)
{
	struct swift_node *pack = swift_pop_type_child(r);

	return swift_make_type(r, swift_make2(r, SWIFT_PACK_ELEMENT, pack,
	                                      swift_index_node(r)));
}

static struct swift_node *sil_pack(struct swift_reader *r)
{
	switch (swift_next(r)) {
	case 'd':
		return swift_make_type(
		        r, swift_pop_types(r, SWIFT_SIL_PACK_DIRECT));
	case 'i':
		return swift_make_type(
		        r, swift_pop_types(r, SWIFT_SIL_PACK_INDIRECT));
	default:
		return NULL;
	}
}

/** A member of a given parameter, or of the first one. */
static struct swift_node *param_member(struct swift_reader *r, char letter)
{
	bool is_path = letter == 'Y' || letter == 'Z';
	struct swift_node *param = letter == 'z' || letter == 'Z'
	                                   ? swift_make_param(r, 0, 0)
	                                   : read_param_index(r);

	if (!param)
		return NULL;
	return swift_substitute(r, is_path ? read_member_path(r, param)
	                                   : read_member(r, param));
}

/** `Q`: types that depend on generic parameters, opaque types, packs. */
struct swift_node *swift_read_archetype(struct swift_reader *r)
{
	char letter = swift_next(r);

	switch (letter) {
	case 'a':
		return associated_ref(r);
	case 'O':
		return swift_make1(r, SWIFT_OPAQUE_RETURN_OF,
		                   swift_pop_context(r));
	case 'o':
		return opaque_type(r);
	case 'r':
		return swift_make_type(r, swift_make(r, SWIFT_OPAQUE_RETURN));
	case 'R':
		return swift_make_type(r, swift_make1(r, SWIFT_OPAQUE_RETURN,
		                                      swift_index_node(r)));
	case 'x':
		return swift_substitute(r, read_member(r, NULL));
	case 'X':
		return swift_substitute(r, read_member_path(r, NULL));
	case 'y':
	case 'Y':
	case 'z':
	case 'Z':
		return param_member(r, letter);
	case 'p':
		return pack_expansion(r);
	case 'e':
		return pack_element(r);
	case 'P':
		return swift_make_type(r, swift_pop_types(r, SWIFT_PACK));
	case 'S':
		return sil_pack(r);
	default:
		return NULL;
	}
}
