// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_reader.h"

#include <string.h>

bool swift_natural(struct swift_reader *r, uint64_t *ret)
{
	uint64_t number = 0;

	if (!text_is_digit(swift_peek(r)))
		return false;
	while (text_is_digit(swift_peek(r))) {
		number = 10 * number + (uint64_t)(swift_next(r) - '0');
		if (number > SWIFT_NUMBER_MAX)
			return false;
	}
	*ret = number;
	return true;
}

bool swift_index(struct swift_reader *r, uint64_t *ret)
{
	uint64_t number;

	if (swift_next_is(r, '_')) {
		*ret = 0;
		return true;
	}
	if (!swift_natural(r, &number) || !swift_next_is(r, '_'))
		return false;
	*ret = number + 1;
	return true;
}

struct swift_node *swift_index_node(struct swift_reader *r)
{
	uint64_t number;

	if (!swift_index(r, &number))
		return NULL;
	return swift_make_number(r, SWIFT_NUMBER, number);
}

bool swift_push(struct swift_list *list, struct swift_pool *pool,
                struct swift_node *node)
{
	if (!list->items) {
		list->items = list->few;
		list->cap = ARRAY_SIZE(list->few);
	}
	if (list->count == list->cap) {
		struct swift_node **larger;

		if (list->cap >= SWIFT_ENTRIES_MAX)
			return false;
		larger = swift_alloc(pool, 2 * list->cap * sizeof(*larger));
		memcpy(larger, list->items, list->count * sizeof(*larger));
		list->items = larger;
		list->cap *= 2;
	}
	list->items[list->count++] = node;
	return true;
}

struct swift_node *swift_pop(struct swift_reader *r)
{
	return r->stack.count ? r->stack.items[--r->stack.count] : NULL;
}

static struct swift_node *top(const struct swift_reader *r)
{
	return r->stack.count ? r->stack.items[r->stack.count - 1] : NULL;
}

struct swift_node *swift_pop_kind(struct swift_reader *r, enum swift_kind kind)
{
	return swift_is(top(r), kind) ? swift_pop(r) : NULL;
}

struct swift_node *swift_pop_flag(struct swift_reader *r, unsigned flags)
{
	return swift_has(top(r), flags) ? swift_pop(r) : NULL;
}

struct swift_node *swift_pop_type(struct swift_reader *r)
{
	return swift_pop_kind(r, SWIFT_TYPE);
}

struct swift_node *swift_pop_type_child(struct swift_reader *r)
{
	struct swift_node *type = swift_pop_type(r);

	return type ? type->children[0] : NULL;
}

struct swift_node *swift_pop_entity(struct swift_reader *r)
{
	struct swift_node *type = swift_pop_type(r);

	return type ? type : swift_pop_flag(r, SWIFT_IS_CONTEXT);
}

struct swift_node *swift_pop_module(struct swift_reader *r)
{
	struct swift_node *name = swift_pop_kind(r, SWIFT_IDENTIFIER);

	if (name)
		return swift_make_text(r, SWIFT_MODULE, name->text);
	return swift_pop_kind(r, SWIFT_MODULE);
}

struct swift_node *swift_pop_context(struct swift_reader *r)
{
	struct swift_node *found = swift_pop_module(r);

	if (found)
		return found;
	found = swift_pop_type_child(r);
	if (found)
		return swift_has(found, SWIFT_IS_CONTEXT) ? found : NULL;
	return swift_pop_flag(r, SWIFT_IS_CONTEXT);
}

struct swift_node *swift_pop_name(struct swift_reader *r)
{
	return swift_pop_flag(r, SWIFT_IS_NAME);
}

struct swift_node *swift_pop_protocol(struct swift_reader *r)
{
	struct swift_node *type = swift_pop_type(r);
	struct swift_node *name;

	if (type)
		return swift_is(type->children[0], SWIFT_PROTOCOL) ? type
		                                                   : NULL;
	name = swift_pop_name(r);
	return swift_make_type(
	        r, swift_make2(r, SWIFT_PROTOCOL, swift_pop_context(r), name));
}

struct swift_node *swift_pop_signature(struct swift_reader *r)
{
	return swift_pop_kind(r, SWIFT_SIGNATURE);
}

struct swift_node *swift_pop_types(struct swift_reader *r, enum swift_kind kind)
{
	struct swift_node *list = swift_make(r, kind);
	bool first = swift_pop_kind(r, SWIFT_EMPTY_LIST);

	while (list && !first) {
		first = swift_pop_kind(r, SWIFT_FIRST_ELEMENT);
		list = swift_add(r->pool, list, swift_pop_type(r));
	}
	if (list)
		swift_reverse(list, 0);
	return list;
}

struct swift_node *swift_make(struct swift_reader *r, enum swift_kind kind)
{
	return swift_node(r->pool, kind);
}

struct swift_node *swift_make_text(struct swift_reader *r, enum swift_kind kind,
                                   struct text text)
{
	struct swift_node *node = swift_make(r, kind);

	if (node)
		node->text = text;
	return node;
}

struct swift_node *swift_make_number(struct swift_reader *r,
                                     enum swift_kind kind, uint64_t number)
{
	struct swift_node *node = swift_make(r, kind);

	if (node)
		node->number = number;
	return node;
}

struct swift_node *swift_make1(struct swift_reader *r, enum swift_kind kind,
                               struct swift_node *child)
{
	return child ? swift_add(r->pool, swift_make(r, kind), child) : NULL;
}

struct swift_node *swift_make2(struct swift_reader *r, enum swift_kind kind,
                               struct swift_node *first,
                               struct swift_node *second)
{
	return swift_add(r->pool, swift_make1(r, kind, first), second);
}

struct swift_node *swift_make3(struct swift_reader *r, enum swift_kind kind,
                               struct swift_node *first,
                               struct swift_node *second,
                               struct swift_node *third)
{
	return swift_add(r->pool, swift_make2(r, kind, first, second), third);
}

struct swift_node *swift_make_type(struct swift_reader *r,
                                   struct swift_node *child)
{
	return swift_make1(r, SWIFT_TYPE, child);
}

struct swift_node *swift_make_stdlib(struct swift_reader *r,
                                     enum swift_kind kind, const char *name)
{
	struct swift_node *module =
	        swift_make_text(r, SWIFT_MODULE, text_from("Swift"));

	return swift_make_type(r,
	                       swift_make2(r, kind, module,
	                                   swift_make_text(r, SWIFT_IDENTIFIER,
	                                                   text_from(name))));
}

struct swift_node *swift_add_any(struct swift_reader *r,
                                 struct swift_node *parent,
                                 struct swift_node *child)
{
	return child ? swift_add(r->pool, parent, child) : parent;
}

struct swift_node *swift_substitute(struct swift_reader *r,
                                    struct swift_node *node)
{
	if (!node || !swift_push(&r->substitutions, r->pool, node))
		return NULL;
	return node;
}
