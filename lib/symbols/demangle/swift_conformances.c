// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_reader.h"

static struct swift_node *pop_dependent(struct swift_reader *r)
{
	struct swift_node *found = swift_pop_kind(r, SWIFT_ROOT_CONFORMANCE);

	if (!found)
		found = swift_pop_kind(r, SWIFT_INHERITED_CONFORMANCE);
	if (!found)
		found = swift_pop_kind(r, SWIFT_MEMBER_CONFORMANCE);
	return found;
}

static struct swift_node *pop_any(struct swift_reader *r)
{
	struct swift_node *found =
	        swift_pop_kind(r, SWIFT_CONCRETE_CONFORMANCE);

	if (!found)
		found = swift_pop_kind(r, SWIFT_PACK_CONFORMANCE);
	if (!found)
		found = swift_pop_kind(r, SWIFT_OPAQUE_CONFORMANCE);
	return found ? found : pop_dependent(r);
}

static struct swift_node *pop_list(struct swift_reader *r)
{
	struct swift_node *list = swift_make(r, SWIFT_CONFORMANCE_LIST);
	bool first = swift_pop_kind(r, SWIFT_EMPTY_LIST);

	while (list && !first) {
		first = swift_pop_kind(r, SWIFT_FIRST_ELEMENT);
		list = swift_add(r->pool, list, pop_any(r));
	}
	if (list)
		swift_reverse(list, 0);
	return list;
}

/** The module that declares a conformance. */
static struct swift_node *pop_reference(struct swift_reader *r)
{
	struct swift_node *found = swift_pop_kind(r, SWIFT_REF_IN_TYPE_MODULE);
	struct swift_node *module;

	if (!found)
		found = swift_pop_kind(r, SWIFT_REF_IN_PROTOCOL_MODULE);
	if (found)
		return found;
	module = swift_pop_module(r);
	return swift_make2(r, SWIFT_REF_IN_OTHER_MODULE, swift_pop_protocol(r),
	                   module);
}

static struct swift_node *concrete(struct swift_reader *r)
{
	struct swift_node *conditions = pop_list(r);
	struct swift_node *reference = pop_reference(r);

	return swift_make3(r, SWIFT_CONCRETE_CONFORMANCE, swift_pop_type(r),
	                   reference, conditions);
}

/** 1 is an unknown index; a known one is two less. */
static struct swift_node *dependent_index(struct swift_reader *r)
{
	uint64_t index;

	if (!swift_index(r, &index) || !index)
		return NULL;
	if (index == 1)
		return swift_make(r, SWIFT_UNKNOWN_INDEX);
	return swift_make_number(r, SWIFT_INDEX, index - 2);
}

static struct swift_node *dependent(struct swift_reader *r, char letter)
{
	struct swift_node *index = dependent_index(r);
	struct swift_node *to = swift_pop_protocol(r);

	if (letter == 'D')
		return swift_make3(r, SWIFT_ROOT_CONFORMANCE, swift_pop_type(r),
		                   to, index);
	if (letter == 'I')
		return swift_make3(r, SWIFT_INHERITED_CONFORMANCE,
		                   pop_dependent(r), to, index);
	to = swift_make2(r, SWIFT_DEPENDENT_ASSOCIATED, swift_pop_type(r), to);
	return swift_make3(r, SWIFT_MEMBER_CONFORMANCE, pop_dependent(r), to,
	                   index);
}

/** `H` and a letter. */
struct swift_node *swift_read_conformance_part(struct swift_reader *r)
{
	char letter = r->at[-1];
	struct swift_node *protocol;

	switch (letter) {
	case 'C':
		return concrete(r);
	case 'X':
		return swift_make1(r, SWIFT_PACK_CONFORMANCE, pop_list(r));
	case 'O':
		protocol = swift_pop_protocol(r);
		return swift_make2(r, SWIFT_OPAQUE_CONFORMANCE, protocol,
		                   swift_pop_type(r));
	default:
		return dependent(r, letter);
	}
}

struct swift_node *swift_read_retroactive(struct swift_reader *r)
{
	struct swift_node *index = swift_index_node(r);

	return swift_make2(r, SWIFT_RETROACTIVE, index, pop_any(r));
}

struct swift_node *swift_pop_retroactive(struct swift_reader *r)
{
	struct swift_node *list = NULL;
	struct swift_node *found;

	while ((found = swift_pop_kind(r, SWIFT_RETROACTIVE))) {
		if (!list)
			list = swift_make(r, SWIFT_TYPE_LIST);
		list = swift_add(r->pool, list, found);
	}
	if (list)
		swift_reverse(list, 0);
	return list;
}

/** Pop a type, its protocol, and the declaring module. */
struct swift_node *swift_pop_conformance(struct swift_reader *r)
{
	struct swift_node *signature = swift_pop_signature(r);
	struct swift_node *module = swift_pop_module(r);
	struct swift_node *protocol = swift_pop_protocol(r);
	struct swift_node *type = swift_pop_type(r);
	struct swift_node *name = NULL;

	if (!type) {
		name = swift_pop_kind(r, SWIFT_IDENTIFIER);
		type = swift_pop_type(r);
	}
	if (signature)
		type = swift_make_type(
		        r, swift_make2(r, SWIFT_GENERIC_TYPE, signature, type));
	return swift_add_any(
	        r, swift_make3(r, SWIFT_CONFORMANCE, type, protocol, module),
	        name);
}
