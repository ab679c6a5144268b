// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_printer.h"

#include <string.h>

static bool is_simple(const struct swift_node *type)
{
	switch (type->kind) {
	case SWIFT_TYPE:
		return is_simple(type->children[0]);
	case SWIFT_PROTOCOL_LIST:
		return type->children[0]->count <= 1;
	case SWIFT_PROTOCOL_LIST_WITH_ANY_OBJECT:
		return !type->children[0]->children[0]->count;
	default:
		return swift_has(type, SWIFT_IS_SIMPLE);
	}
}

/** Print in brackets if needed before `?` or `.Type`. */
static void print_simple(struct swift_printer *p, const struct swift_node *type)
{
	bool brackets = !is_simple(type);

	if (brackets)
		swift_print_word(p, "(");
	swift_print(p, type);
	if (brackets)
		swift_print_word(p, ")");
}

bool swift_type_needs_blank(const struct swift_node *type)
{
	switch (type->kind) {
	case SWIFT_TYPE:
		return swift_type_needs_blank(type->children[0]);
	case SWIFT_FUNCTION_TYPE:
	case SWIFT_NO_ESCAPE_FUNCTION:
	case SWIFT_UNCURRIED_FUNCTION:
	case SWIFT_GENERIC_TYPE:
		return false;
	default:
		return true;
	}
}

/** Is it the standard library's type @p name? */
static bool is_stdlib(const struct swift_node *nominal, const char *name)
{
	return nominal->count == 2 &&
	       nominal->children[0]->kind == SWIFT_MODULE &&
	       text_is(nominal->children[0]->text, "Swift") &&
	       nominal->children[1]->kind == SWIFT_IDENTIFIER &&
	       text_is(nominal->children[1]->text, name);
}

/** `[Int]`, `Int?` and so on; false: the type has no short spelling. */
static bool print_sugar(struct swift_printer *p, const struct swift_node *bound)
{
	const struct swift_node *nominal = bound->children[0]->children[0];
	const struct swift_node *arguments = bound->children[1];
	const char *mark;

	if (bound->count != 2)
		return false;
	if (bound->kind == SWIFT_BOUND_ENUM && arguments->count == 1) {
		mark = is_stdlib(nominal, "Optional") ? "?"
		       : is_stdlib(nominal, "ImplicitlyUnwrappedOptional")
		               ? "!"
		               : NULL;
		if (!mark)
			return false;
		print_simple(p, arguments->children[0]);
		swift_print_word(p, mark);
		return true;
	}
	if (bound->kind != SWIFT_BOUND_STRUCTURE)
		return false;
	if (arguments->count == 1 && is_stdlib(nominal, "Array")) {
		swift_print_word(p, "[");
	} else if (arguments->count == 2 && is_stdlib(nominal, "Dictionary")) {
		swift_print_word(p, "[");
	} else {
		return false;
	}
	swift_print_children(p, arguments, 0, " : ");
	swift_print_word(p, "]");
	return true;
}

static void print_bound(struct swift_printer *p, const struct swift_node *bound)
{
	if (print_sugar(p, bound))
		return;
	swift_print_child(p, bound, 0);
	swift_print_word(p, "<");
	swift_print_children(p, bound->children[1], 0, ", ");
	swift_print_word(p, ">");
}

static bool is_existential(const struct swift_node *type)
{
	return type->kind == SWIFT_EXISTENTIAL_METATYPE ||
	       type->kind == SWIFT_PROTOCOL_LIST ||
	       type->kind == SWIFT_PROTOCOL_LIST_WITH_CLASS ||
	       type->kind == SWIFT_PROTOCOL_LIST_WITH_ANY_OBJECT;
}

static void print_metatype(struct swift_printer *p,
                           const struct swift_node *metatype)
{
	const struct swift_node *type = metatype->children[metatype->count - 1];

	if (metatype->count == 2) {
		swift_print_child(p, metatype, 0);
		swift_print_word(p, " ");
	}
	if (metatype->kind == SWIFT_EXISTENTIAL_METATYPE) {
		swift_print(p, type);
		swift_print_word(p, ".Type");
		return;
	}
	type = type->kind == SWIFT_TYPE ? type->children[0] : type;
	print_simple(p, type);
	swift_print_word(p, is_existential(type) ? ".Protocol" : ".Type");
}

static void print_protocols(struct swift_printer *p,
                            const struct swift_node *node)
{
	const struct swift_node *list = node;

	if (node->kind != SWIFT_PROTOCOL_LIST)
		list = node->children[0];
	if (node->kind == SWIFT_PROTOCOL_LIST_WITH_CLASS) {
		swift_print_child(p, node, 1);
		swift_print_word(p, " & ");
	}
	list = list->children[0];
	if (!list->count && node->kind == SWIFT_PROTOCOL_LIST)
		swift_print_word(p, "Any");
	swift_print_children(p, list, 0, " & ");
	if (node->kind != SWIFT_PROTOCOL_LIST_WITH_ANY_OBJECT)
		return;
	if (list->count)
		swift_print_word(p, " & ");
	swift_print_word(p, p->brief ? "AnyObject" : "Swift.AnyObject");
}

static void print_box(struct swift_printer *p, const struct swift_node *box)
{
	if (box->count == 3) {
		swift_print_child(p, box, 1);
		swift_print_word(p, " ");
	}
	swift_print_child(p, box, 0);
	if (box->count == 3) {
		swift_print_word(p, " <");
		swift_print_children(p, box->children[2], 0, ", ");
		swift_print_word(p, ">");
	}
}

static void print_box_layout(struct swift_printer *p,
                             const struct swift_node *layout)
{
	swift_print_word(p, "{");
	for (unsigned i = 0; i < layout->count; i++) {
		swift_print_word(p, i ? ", " : " ");
		swift_print_child(p, layout, i);
	}
	swift_print_word(p, " }");
}

static void print_element(struct swift_printer *p,
                          const struct swift_node *element)
{
	const struct swift_node *label =
	        swift_child(element, SWIFT_TUPLE_LABEL);
	const struct swift_node *type = swift_child(element, SWIFT_TYPE);

	if (label)
		swift_print(p, label);
	if (type)
		swift_print(p, type);
	else
		p->failed = true;
	if (swift_child(element, SWIFT_VARIADIC))
		swift_print_word(p, "...");
}

static void print_shape(struct swift_printer *p, const struct swift_node *shape)
{
	swift_print_word(p, "existential shape for ");
	if (shape->count > 1) {
		swift_print_child(p, shape, 0);
		swift_print_word(p, " ");
	}
	swift_print_word(p, "any ");
	swift_print_child(p, shape, shape->count - 1);
}

bool swift_print_type(struct swift_printer *p, const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_TUPLE_ELEMENT:
		print_element(p, node);
		return true;
	case SWIFT_METATYPE:
	case SWIFT_EXISTENTIAL_METATYPE:
		print_metatype(p, node);
		return true;
	case SWIFT_PROTOCOL_LIST:
	case SWIFT_PROTOCOL_LIST_WITH_CLASS:
	case SWIFT_PROTOCOL_LIST_WITH_ANY_OBJECT:
		print_protocols(p, node);
		return true;
	case SWIFT_SIL_BOX_WITH_LAYOUT:
		print_box(p, node);
		return true;
	case SWIFT_SIL_BOX_LAYOUT:
		print_box_layout(p, node);
		return true;
	case SWIFT_SUGARED_OPTIONAL:
		print_simple(p, node->children[0]);
		swift_print_word(p, "?");
		return true;
	case SWIFT_EXISTENTIAL_SHAPE:
		print_shape(p, node);
		return true;
	case SWIFT_BOUND_CLASS:
	case SWIFT_BOUND_STRUCTURE:
	case SWIFT_BOUND_ENUM:
	case SWIFT_BOUND_OTHER_NOMINAL:
	case SWIFT_BOUND_ALIAS:
		print_bound(p, node);
		return true;
	default:
		return false;
	}
}
