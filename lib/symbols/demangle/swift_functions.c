// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_reader.h"

#include <string.h>

static struct swift_node *parameters(struct swift_reader *r,
                                     enum swift_kind kind)
{
	struct swift_node *type;

	if (swift_pop_kind(r, SWIFT_EMPTY_LIST))
		type = swift_make_type(r, swift_make(r, SWIFT_TUPLE));
	else
		type = swift_pop_type(r);
	return swift_make1(r, kind, type);
}

/** If the top has one of these kinds, pop and add it. */
static struct swift_node *add_popped(struct swift_reader *r,
                                     struct swift_node *node,
                                     const enum swift_kind *kinds, size_t count)
{
	for (size_t i = 0; node && i < count; i++) {
		struct swift_node *found = swift_pop_kind(r, kinds[i]);

		if (found)
			return swift_add(r->pool, node, found);
	}
	return node;
}

struct swift_node *swift_pop_function(struct swift_reader *r,
                                      enum swift_kind kind)
{
	// Pops in reverse order of the mangling.
	static const enum swift_kind sending[] = { SWIFT_SENDING_RESULT };
	static const enum swift_kind isolation[] = {
		SWIFT_GLOBAL_ACTOR,
		SWIFT_ISOLATED_ANY,
		SWIFT_NONISOLATED_CALLER,
	};
	static const enum swift_kind diff[] = { SWIFT_DIFFERENTIABLE };
	static const enum swift_kind throws[] = { SWIFT_THROWS,
		                                  SWIFT_TYPED_THROWS };
	static const enum swift_kind sendable[] = { SWIFT_SENDABLE };
	static const enum swift_kind async[] = { SWIFT_ASYNC };
	struct swift_node *function = swift_make(r, kind);

	function = add_popped(r, function, sending, ARRAY_SIZE(sending));
	function = add_popped(r, function, isolation, ARRAY_SIZE(isolation));
	function = add_popped(r, function, diff, ARRAY_SIZE(diff));
	function = add_popped(r, function, throws, ARRAY_SIZE(throws));
	function = add_popped(r, function, sendable, ARRAY_SIZE(sendable));
	function = add_popped(r, function, async, ARRAY_SIZE(async));
	function = swift_add(r->pool, function, parameters(r, SWIFT_ARGUMENTS));
	function = swift_add(r->pool, function, parameters(r, SWIFT_RESULT));
	return swift_make_type(r, function);
}

/** The function type inside of @p type; or NULL. */
static struct swift_node *function_of(struct swift_node *type)
{
	struct swift_node *inner =
	        swift_is(type, SWIFT_TYPE) ? type->children[0] : NULL;

	if (swift_is(inner, SWIFT_GENERIC_TYPE))
		inner = inner->children[1]->children[0];
	if (!swift_is(inner, SWIFT_FUNCTION_TYPE) &&
	    !swift_is(inner, SWIFT_NO_ESCAPE_FUNCTION))
		return NULL;
	return inner;
}

/** Swift 4.0: remove a parameter's label from its type. */
static struct swift_node *take_label(struct swift_reader *r,
                                     struct swift_node *parameter)
{
	for (unsigned i = 0; i < parameter->count; i++) {
		struct swift_node *label = parameter->children[i];

		if (label->kind != SWIFT_TUPLE_LABEL)
			continue;
		memmove(&parameter->children[i], &parameter->children[i + 1],
		        (parameter->count - i - 1) * sizeof(label));
		parameter->count--;
		return swift_make_text(r, SWIFT_IDENTIFIER, label->text);
	}
	return swift_make(r, SWIFT_FIRST_ELEMENT);
}

static struct swift_node *pop_label(struct swift_reader *r,
                                    struct swift_node *parameters, unsigned at)
{
	struct swift_node *label;

	if (r->labels_in_types)
		return take_label(r, parameters->children[at]);
	label = swift_pop(r);
	if (!swift_is(label, SWIFT_IDENTIFIER) &&
	    !swift_is(label, SWIFT_FIRST_ELEMENT))
		return NULL;
	return label;
}

bool swift_pop_labels(struct swift_reader *r, struct swift_node *type,
                      struct swift_node **ret)
{
	struct swift_node *function;
	struct swift_node *parameters;
	struct swift_node *labels;
	unsigned count;
	bool any = false;

	*ret = NULL;
	if (!r->labels_in_types && swift_pop_kind(r, SWIFT_EMPTY_LIST)) {
		*ret = swift_make(r, SWIFT_LABELS);
		return *ret;
	}
	function = function_of(type);
	if (!function)
		return true;
	parameters = swift_child(function, SWIFT_ARGUMENTS);
	parameters = parameters->children[0]->children[0];
	count = parameters->kind == SWIFT_TUPLE ? parameters->count : 1;
	if (!count)
		return true;
	labels = swift_make(r, SWIFT_LABELS);
	if (r->labels_in_types && parameters->kind != SWIFT_TUPLE)
		count = 0;
	for (unsigned i = 0; labels && i < count; i++) {
		struct swift_node *label = pop_label(r, parameters, i);

		any |= swift_is(label, SWIFT_IDENTIFIER);
		labels = swift_add(r->pool, labels, label);
	}
	if (!labels)
		return false;
	if (!any)
		labels = swift_make(r, SWIFT_LABELS);
	else if (!r->labels_in_types)
		swift_reverse(labels, 0);
	*ret = labels;
	return labels;
}
