// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_printer.h"

static void print_label(struct swift_printer *p,
                        const struct swift_node *labels,
                        const struct swift_node *parameter, unsigned at)
{
	const struct swift_node *label = NULL;

	if (labels && labels->count) {
		if (at < labels->count &&
		    labels->children[at]->kind == SWIFT_IDENTIFIER)
			label = labels->children[at];
		if (label)
			swift_print(p, label);
		else
			swift_print_word(p, "_");
		swift_print_word(p, p->brief ? ":" : ": ");
		return;
	}
	if (!p->brief)
		return;
	if (parameter->kind == SWIFT_TUPLE_ELEMENT)
		label = swift_child(parameter, SWIFT_TUPLE_LABEL);
	swift_print_text(p, label ? label->text : text_from("_"));
	swift_print_word(p, ":");
}

static void print_parameters(struct swift_printer *p,
                             const struct swift_node *labels,
                             const struct swift_node *arguments)
{
	const struct swift_node *tuple = arguments->children[0]->children[0];

	swift_print_word(p, "(");
	if (tuple->kind != SWIFT_TUPLE) {
		if (p->brief)
			swift_print_word(p, "_:");
		else
			swift_print(p, tuple);
	}
	for (unsigned i = 0; tuple->kind == SWIFT_TUPLE && i < tuple->count;
	     i++) {
		if (i && !p->brief)
			swift_print_word(p, ", ");
		print_label(p, labels, tuple->children[i], i);
		if (!p->brief)
			swift_print(p, tuple->children[i]);
	}
	swift_print_word(p, ")");
}

static void print_convention(struct swift_printer *p,
                             const struct swift_node *function)
{
	const struct swift_node *clang =
	        swift_child(function, SWIFT_CLANG_TYPE);
	const char *name = NULL;

	switch (function->kind) {
	case SWIFT_AUTOCLOSURE:
	case SWIFT_ESCAPING_AUTOCLOSURE:
		swift_print_word(p, "@autoclosure ");
		return;
	case SWIFT_THIN_FUNCTION:
		swift_print_word(p, "@convention(thin) ");
		return;
	case SWIFT_C_FUNCTION:
		name = "c";
		break;
	case SWIFT_ESCAPING_BLOCK:
		swift_print_word(p, "@escaping ");
		name = "block";
		break;
	case SWIFT_BLOCK:
		name = "block";
		break;
	default:
		return;
	}
	str_addf(p->out, "@convention(%s", name);
	if (clang)
		str_addf(p->out, ", mangledCType: \"%.*s\"",
		         TEXT_ARGS(clang->text));
	swift_print_word(p, ") ");
}

const char *swift_differentiability(uint64_t letter)
{
	switch (letter) {
	case 'f':
		return "@differentiable(_forward)";
	case 'r':
		return "@differentiable(reverse)";
	case 'l':
		return "@differentiable(_linear)";
	default:
		return "@differentiable";
	}
}

static void print_if(struct swift_printer *p, const struct swift_node *node,
                     enum swift_kind kind)
{
	const struct swift_node *found = swift_child(node, kind);

	if (found)
		swift_print(p, found);
}

void swift_print_function(struct swift_printer *p,
                          const struct swift_node *labels,
                          const struct swift_node *function)
{
	const struct swift_node *arguments =
	        swift_child(function, SWIFT_ARGUMENTS);
	const struct swift_node *result = swift_child(function, SWIFT_RESULT);

	if (!arguments || !result) {
		p->failed = true;
		return;
	}
	print_convention(p, function);
	print_if(p, function, SWIFT_ISOLATED_ANY);
	print_if(p, function, SWIFT_NONISOLATED_CALLER);
	print_if(p, function, SWIFT_GLOBAL_ACTOR);
	print_if(p, function, SWIFT_DIFFERENTIABLE);
	print_if(p, function, SWIFT_SENDABLE);
	print_parameters(p, labels, arguments);
	if (p->brief)
		return;
	print_if(p, function, SWIFT_ASYNC);
	print_if(p, function, SWIFT_THROWS);
	print_if(p, function, SWIFT_TYPED_THROWS);
	swift_print_word(p, " -> ");
	print_if(p, function, SWIFT_SENDING_RESULT);
	swift_print(p, result);
}

static void print_type_mangling(struct swift_printer *p,
                                const struct swift_node *mangling)
{
	const struct swift_node *type;

	if (mangling->children[0]->kind != SWIFT_LABELS ||
	    mangling->count < 2) {
		swift_print_child(p, mangling, mangling->count - 1);
		return;
	}
	type = mangling->children[1]->children[0];
	if (type->kind == SWIFT_FUNCTION_TYPE ||
	    type->kind == SWIFT_NO_ESCAPE_FUNCTION)
		swift_print_function(p, mangling->children[0], type);
	else
		swift_print(p, type);
}

bool swift_print_function_part(struct swift_printer *p,
                               const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_TYPE_MANGLING:
		print_type_mangling(p, node);
		return true;
	case SWIFT_FUNCTION_TYPE:
	case SWIFT_NO_ESCAPE_FUNCTION:
	case SWIFT_UNCURRIED_FUNCTION:
	case SWIFT_AUTOCLOSURE:
	case SWIFT_ESCAPING_AUTOCLOSURE:
	case SWIFT_THIN_FUNCTION:
	case SWIFT_C_FUNCTION:
	case SWIFT_BLOCK:
	case SWIFT_ESCAPING_BLOCK:
		swift_print_function(p, NULL, node);
		return true;
	case SWIFT_ARGUMENTS:
		print_parameters(p, NULL, node);
		return true;
	case SWIFT_DIFFERENTIABLE:
		str_addf(p->out, "%s ", swift_differentiability(node->number));
		return true;
	default:
		return false;
	}
}
