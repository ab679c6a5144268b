// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_reader.h"

#include <string.h>

struct swift_node *swift_read_reabstraction(struct swift_reader *r, char letter)
{
	enum swift_kind kind = letter == 'R'   ? SWIFT_REABSTRACTION_HELPER
	                       : letter == 'y' ? SWIFT_REABSTRACTION_SELF
	                                       : SWIFT_REABSTRACTION;
	struct swift_node *thunk = swift_make(r, kind);

	thunk = swift_add_any(r, thunk, swift_pop_signature(r));
	for (unsigned i = letter == 'y' ? 3 : 2; thunk && i > 0; i--)
		thunk = swift_add(r->pool, thunk, swift_pop_type(r));
	return thunk;
}

/** Append all types on the stack, in order, to the children of @p node. */
static struct swift_node *add_types(struct swift_reader *r,
                                    struct swift_node *node, size_t count)
{
	size_t first = r->stack.count - count;

	for (size_t i = 0; node && i < count; i++)
		node = swift_add(r->pool, node, r->stack.items[first + i]);
	r->stack.count = first;
	return node;
}

static size_t count_types(const struct swift_reader *r)
{
	size_t count = 0;

	while (count < r->stack.count &&
	       r->stack.items[r->stack.count - 1 - count]->kind == SWIFT_TYPE)
		count++;
	return count;
}

struct swift_node *swift_read_key_path(struct swift_reader *r, char letter)
{
	enum swift_kind kind = letter == 'K' ? SWIFT_KEY_PATH_GETTER
	                                     : SWIFT_KEY_PATH_SETTER;
	size_t types = count_types(r);
	bool is_serialized;
	struct swift_node *node;
	struct swift_node *found[2] = { NULL, NULL };
	size_t below;

	if (swift_peek(r) == 'm' && r->end - r->at > 1 && r->at[1] == 'u') {
		kind = SWIFT_KEY_PATH_UNAPPLIED;
		r->at += 2;
	} else if (swift_peek(r) == 'M' && r->end - r->at > 1 &&
	           r->at[1] == 'A') {
		kind = SWIFT_KEY_PATH_APPLIED;
		r->at += 2;
	}
	is_serialized = swift_next_is(r, 'q');
	if (!types || types == r->stack.count)
		return NULL;
	below = r->stack.count - types;
	found[0] = r->stack.items[--below];
	if (found[0]->kind == SWIFT_SIGNATURE) {
		if (!below)
			return NULL;
		found[1] = found[0];
		found[0] = r->stack.items[--below];
	}
	node = swift_make1(r, kind, found[0]);
	node = swift_add_any(r, node, found[1]);
	node = add_types(r, node, types);
	r->stack.count = below;
	if (is_serialized)
		node = swift_add(r->pool, node,
		                 swift_make(r, SWIFT_SERIALIZED));
	return node;
}

struct swift_node *swift_read_key_path_index(struct swift_reader *r,
                                             char letter)
{
	struct swift_node *node = swift_make(
	        r, letter == 'H' ? SWIFT_KEY_PATH_EQUALS : SWIFT_KEY_PATH_HASH);
	bool is_serialized = swift_next_is(r, 'q');
	struct swift_node *signature = swift_pop_signature(r);
	size_t types = count_types(r);

	if (types < r->stack.count || (!signature && !types))
		return NULL;
	node = add_types(r, node, types);
	node = swift_add_any(r, node, signature);
	if (is_serialized)
		node = swift_add(r->pool, node,
		                 swift_make(r, SWIFT_SERIALIZED));
	return node;
}

static struct swift_node *completion_handler(struct swift_reader *r,
                                             enum swift_kind kind)
{
	struct swift_node *flag = swift_index_node(r);
	struct swift_node *signature = swift_pop_signature(r);
	struct swift_node *result = swift_pop_type(r);

	return swift_add_any(
	        r, swift_make3(r, kind, swift_pop_type(r), result, flag),
	        signature);
}

/** The part of a protocol that must conform: a parameter or a path. */
static struct swift_node *pop_subject(struct swift_reader *r)
{
	struct swift_node *type = swift_pop_type(r);

	if (type && type->children[0]->kind == SWIFT_GENERIC_PARAM)
		return type;
	if (type && !swift_push(&r->stack, r->pool, type))
		return NULL;
	return swift_pop_associated_path(r);
}

static struct swift_node *associated(struct swift_reader *r,
                                     enum swift_kind kind)
{
	struct swift_node *to = swift_pop_protocol(r);
	struct swift_node *subject = pop_subject(r);

	return swift_make3(r, kind, swift_pop_type(r), subject, to);
}

static struct swift_node *outlined_variable(struct swift_reader *r)
{
	uint64_t index;

	if (!swift_index(r, &index))
		return NULL;
	return swift_make_number(r,
	                         swift_next_is(r, 'r')
	                                 ? SWIFT_OUTLINED_READ_ONLY
	                                 : SWIFT_OUTLINED_VARIABLE,
	                         index);
}

/** Calling conventions of a bridged method's arguments, by letter. */
static struct swift_node *bridged_method(struct swift_reader *r)
{
	struct text text = { r->at, 0 };
	char c = swift_next(r);

	if (!c || !strchr("opam", c))
		return NULL;
	for (text.size = 1; !swift_next_is(r, '_'); text.size++) {
		c = swift_next(r);
		if (!c || !strchr("nbg", c))
			return NULL;
	}
	return swift_make_text(r, SWIFT_OUTLINED_BRIDGED, text);
}

/** `T` and a letter. */
struct swift_node *swift_read_thunk(struct swift_reader *r, char letter)
{
	struct swift_node *last;

	switch (letter) {
	case 'Q':
		return swift_make1(r, SWIFT_ASYNC_AWAIT_RESUME,
		                   swift_index_node(r));
	case 'Y':
		return swift_make1(r, SWIFT_ASYNC_SUSPEND_RESUME,
		                   swift_index_node(r));
	case 'z':
		return completion_handler(r, SWIFT_COMPLETION_HANDLER);
	case 'Z':
		return completion_handler(r, SWIFT_CHECKED_COMPLETION_HANDLER);
	case 'V':
		last = swift_pop_entity(r);
		return swift_make2(r, SWIFT_VTABLE_THUNK, swift_pop_entity(r),
		                   last);
	case 'W':
		last = swift_pop_entity(r);
		return swift_make2(r, SWIFT_PROTOCOL_WITNESS,
		                   swift_pop_conformance(r), last);
	case 'n':
		return associated(r, SWIFT_ASSOCIATED_CONFORMANCE);
	case 'N':
		return associated(r, SWIFT_DEFAULT_ASSOCIATED_CONFORMANCE);
	case 'b':
		last = swift_pop_protocol(r);
		return swift_make2(r, SWIFT_BASE_CONFORMANCE, swift_pop_type(r),
		                   last);
	case 'v':
		return outlined_variable(r);
	case 'e':
		return bridged_method(r);
	case 'U':
		last = swift_pop_type(r);
		return swift_make2(r, SWIFT_REABSTRACTION_ACTOR, swift_pop(r),
		                   last);
	default:
		return NULL;
	}
}

static struct swift_node *index_subset(struct swift_reader *r)
{
	struct text text = { r->at, 0 };

	while (swift_peek(r) == 'S' || swift_peek(r) == 'U') {
		swift_next(r);
		text.size++;
	}
	return text.size ? swift_make_text(r, SWIFT_INDEX_SUBSET, text) : NULL;
}

/** Parameters, `p`, results, `r`. */
static struct swift_node *add_subsets(struct swift_reader *r,
                                      struct swift_node *node)
{
	node = swift_add(r->pool, node, index_subset(r));
	if (!node || !swift_next_is(r, 'p'))
		return NULL;
	node = swift_add(r->pool, node, index_subset(r));
	return swift_next_is(r, 'r') ? node : NULL;
}

static struct swift_node *autodiff_kind(struct swift_reader *r)
{
	char letter = swift_next(r);

	if (!letter || !strchr("frdp", letter))
		return NULL;
	return swift_make_number(r, SWIFT_AUTODIFF_KIND, (uint64_t)letter);
}

/** All nodes on the stack, in order. */
static struct swift_node *of_all(struct swift_reader *r, enum swift_kind kind)
{
	struct swift_node *node = swift_make(r, kind);

	for (size_t i = 0; node && i < r->stack.count; i++)
		node = swift_add(r->pool, node, r->stack.items[i]);
	r->stack.count = 0;
	return node;
}

static struct swift_node *self_reordering(struct swift_reader *r)
{
	struct swift_node *signature = swift_pop_signature(r);
	struct swift_node *to = swift_pop_type(r);
	struct swift_node *node = swift_make2(r, SWIFT_AUTODIFF_SELF_REORDERING,
	                                      swift_pop_type(r), to);

	node = swift_add_any(r, node, signature);
	return swift_add(r->pool, node, autodiff_kind(r));
}

/** `TJ…`: functions derived from differentiable ones. */
struct swift_node *swift_read_autodiff(struct swift_reader *r)
{
	struct swift_node *node;
	bool is_subset = false;

	if (swift_next_is(r, 'O'))
		return self_reordering(r);
	if (swift_next_is(r, 'V')) {
		node = of_all(r, SWIFT_AUTODIFF_VTABLE_THUNK);
	} else if (swift_next_is(r, 'S')) {
		node = of_all(r, SWIFT_AUTODIFF_SUBSET);
		is_subset = true;
	} else {
		node = of_all(r, SWIFT_AUTODIFF_FUNCTION);
	}
	if (!node || !node->count)
		return NULL;
	node = swift_add(r->pool, node, autodiff_kind(r));
	node = add_subsets(r, node);
	if (!is_subset)
		return node;
	node = swift_add(r->pool, node, index_subset(r));
	return swift_next_is(r, 'P') ? node : NULL;
}

static struct swift_node *differentiability(struct swift_reader *r)
{
	struct swift_node *signature = swift_pop_signature(r);
	struct swift_node *node = of_all(r, SWIFT_DIFFERENTIABILITY_WITNESS);
	char letter = swift_next(r);

	if (!letter || !strchr("frdl", letter))
		return NULL;
	node = swift_add(r->pool, node,
	                 swift_make_number(r, SWIFT_INDEX, (uint64_t)letter));
	return swift_add_any(r, add_subsets(r, node), signature);
}

static struct swift_node *once(struct swift_reader *r, enum swift_kind kind)
{
	struct swift_node *names = swift_make(r, SWIFT_ONCE_NAMES);

	while (names && swift_pop_kind(r, SWIFT_FIRST_ELEMENT))
		names = swift_add(r->pool, names, swift_pop_name(r));
	if (!names || !names->count)
		return NULL;
	swift_reverse(names, 0);
	return swift_make2(r, kind, swift_pop_context(r), names);
}

struct swift_node *swift_read_field_offset(
        struct swift_reader *r,
        struct swift_node *(*read_entity)(struct swift_reader *r))
{
	const char *word = swift_next_is(r, 'd')   ? "direct"
	                   : swift_next_is(r, 'i') ? "indirect"
	                                           : NULL;
	struct swift_node *node;

	if (!word)
		return NULL;
	node = swift_make1(r, SWIFT_FIELD_OFFSET, read_entity(r));
	if (node)
		node->text = text_from(word);
	return node;
}

static struct swift_node *of_enum_case(struct swift_reader *r,
                                       enum swift_kind kind)
{
	struct swift_node *index = swift_index_node(r);
	struct swift_node *signature = swift_pop_signature(r);

	return swift_add_any(r, swift_make2(r, kind, swift_pop_type(r), index),
	                     signature);
}

/** `W` (or `WO`) and a letter. */
struct swift_node *swift_read_witness(struct swift_reader *r, char letter)
{
	struct swift_node *last;
	struct swift_node *subject;

	switch (letter) {
	case 'i':
		return of_enum_case(r, SWIFT_OUTLINED_ENUM_TAG_STORE);
	case 'j':
		return of_enum_case(r, SWIFT_OUTLINED_ENUM_PROJECT);
	case 'v':
		return swift_read_field_offset(r, swift_pop_entity);
	case 'l':
	case 'L':
		last = swift_pop_conformance(r);
		return swift_make2(r,
		                   letter == 'l' ? SWIFT_LAZY_WITNESS_ACCESSOR
		                                 : SWIFT_LAZY_WITNESS_CACHE,
		                   swift_pop_type(r), last);
	case 't':
		last = swift_pop_name(r);
		return swift_make2(r, SWIFT_ASSOCIATED_METADATA_ACCESSOR,
		                   swift_pop_conformance(r), last);
	case 'T':
		last = swift_pop_type(r);
		subject = swift_pop_associated_path(r);
		return swift_make3(r, SWIFT_ASSOCIATED_WITNESS_ACCESSOR,
		                   swift_pop_conformance(r), subject, last);
	case 'b':
		last = swift_pop_type(r);
		return swift_make2(r, SWIFT_BASE_WITNESS_ACCESSOR,
		                   swift_pop_conformance(r), last);
	case 'Z':
		return once(r, SWIFT_ONCE_FUNCTION);
	case 'z':
		return once(r, SWIFT_ONCE_TOKEN);
	case 'J':
		return differentiability(r);
	default:
		return NULL;
	}
}

const char *swift_value_witness(struct text letters)
{
	static const struct {
		const char *letters;
		const char *name;
	} witnesses[] = {
		{ "al", "allocateBuffer" },
		{ "ca", "assignWithCopy" },
		{ "ta", "assignWithTake" },
		{ "de", "deallocateBuffer" },
		{ "xx", "destroy" },
		{ "XX", "destroyBuffer" },
		{ "CP", "initializeBufferWithCopyOfBuffer" },
		{ "Cp", "initializeBufferWithCopy" },
		{ "cp", "initializeWithCopy" },
		{ "Tk", "initializeBufferWithTake" },
		{ "tk", "initializeWithTake" },
		{ "pr", "projectBuffer" },
		{ "TK", "initializeBufferWithTakeOfBuffer" },
		{ "Xx", "destroyArray" },
		{ "Cc", "initializeArrayWithCopy" },
		{ "Tt", "initializeArrayWithTakeFrontToBack" },
		{ "tT", "initializeArrayWithTakeBackToFront" },
		{ "xs", "storeExtraInhabitant" },
		{ "xg", "getExtraInhabitantIndex" },
		{ "ug", "getEnumTag" },
		{ "up", "destructiveProjectEnumData" },
		{ "ui", "destructiveInjectEnumTag" },
		{ "et", "getEnumTagSinglePayload" },
		{ "st", "storeEnumTagSinglePayload" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(witnesses); i++)
		if (text_is(letters, witnesses[i].letters))
			return witnesses[i].name;
	return NULL;
}

struct swift_node *swift_read_value_witness(struct swift_reader *r)
{
	struct text letters = { r->at, 2 };
	const char *name;
	struct swift_node *node;

	if (r->end - r->at < 2)
		return NULL;
	r->at += 2;
	name = swift_value_witness(letters);
	if (!name)
		return NULL;
	node = swift_make1(r, SWIFT_VALUE_WITNESS, swift_pop_type(r));
	if (node)
		node->text = text_from(name);
	return node;
}

/** A described module keeps its name in the short form. */
static struct swift_node *describe(struct swift_reader *r,
                                   struct swift_node *context)
{
	return swift_is(context, SWIFT_MODULE)
	               ? swift_make_text(r, SWIFT_IDENTIFIER, context->text)
	               : context;
}

/** `MX` and a letter: descriptors of contexts. */
struct swift_node *swift_read_private_descriptor(struct swift_reader *r)
{
	struct swift_node *last;

	switch (swift_next(r)) {
	case 'E':
		return swift_make1(r, SWIFT_EXTENSION_DESCRIPTOR,
		                   swift_pop_context(r));
	case 'M':
		return swift_make1(r, SWIFT_MODULE_DESCRIPTOR,
		                   describe(r, swift_pop_module(r)));
	case 'X':
		return swift_make1(r, SWIFT_ANONYMOUS_DESCRIPTOR,
		                   describe(r, swift_pop_context(r)));
	case 'Y':
		last = swift_pop(r);
		return swift_make2(r, SWIFT_ANONYMOUS_DESCRIPTOR,
		                   swift_pop_context(r), last);
	case 'A':
		last = swift_pop_associated_path(r);
		return swift_make2(r, SWIFT_ASSOCIATED_TYPE_PARAM_REF,
		                   swift_pop_type(r), last);
	default:
		return NULL;
	}
}
