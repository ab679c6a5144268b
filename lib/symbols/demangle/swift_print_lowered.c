// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_printer.h"

/** Position in a lowered function: `(in) -> (out)`. */
enum lowered_state { ATTRIBUTES, PARAMETERS, RESULTS };

static void enter(struct swift_printer *p, const struct swift_node *function,
                  enum lowered_state *state, enum lowered_state wanted)
{
	const struct swift_node *pattern =
	        swift_child(function, SWIFT_IMPL_PATTERN_SUBSTITUTIONS);

	if (*state == wanted && wanted != ATTRIBUTES)
		swift_print_word(p, ", ");
	if (*state < PARAMETERS && wanted >= PARAMETERS) {
		if (pattern) {
			swift_print_word(p, "@substituted ");
			swift_print_child(p, pattern, 0);
			swift_print_word(p, " ");
		}
		swift_print_word(p, "(");
		*state = PARAMETERS;
	}
	if (*state < RESULTS && wanted == RESULTS) {
		swift_print_word(p, ") -> ");
		if (swift_child(function, SWIFT_IMPL_SENDING_RESULT))
			swift_print_word(p, "sending ");
		swift_print_word(p, "(");
		*state = RESULTS;
	}
}

static void print_for(struct swift_printer *p, const struct swift_node *node,
                      unsigned at)
{
	if (!node || node->count <= at)
		return;
	swift_print_word(p, " for <");
	swift_print_children(p, node->children[at], 0, ", ");
	swift_print_word(p, ">");
}

static void print_lowered(struct swift_printer *p,
                          const struct swift_node *function)
{
	enum lowered_state state = ATTRIBUTES;

	for (unsigned i = 0; i < function->count; i++) {
		const struct swift_node *child = function->children[i];

		switch (child->kind) {
		case SWIFT_IMPL_PARAM:
			enter(p, function, &state, PARAMETERS);
			swift_print(p, child);
			break;
		case SWIFT_IMPL_RESULT:
		case SWIFT_IMPL_YIELD:
		case SWIFT_IMPL_ERROR:
			enter(p, function, &state, RESULTS);
			swift_print(p, child);
			break;
		case SWIFT_IMPL_PATTERN_SUBSTITUTIONS:
		case SWIFT_IMPL_INVOCATION_SUBSTITUTIONS:
		case SWIFT_IMPL_SENDING_RESULT:
			break;
		default:
			swift_print(p, child);
			swift_print_word(p, " ");
		}
	}
	if (state != RESULTS)
		enter(p, function, &state, RESULTS);
	swift_print_word(p, ")");
	print_for(p, swift_child(function, SWIFT_IMPL_PATTERN_SUBSTITUTIONS),
	          1);
	print_for(p, swift_child(function, SWIFT_IMPL_INVOCATION_SUBSTITUTIONS),
	          0);
}

/** A value: convention, attributes, type. */
static void print_value(struct swift_printer *p, const struct swift_node *value)
{
	if (value->kind == SWIFT_IMPL_YIELD)
		swift_print_word(p, "@yields ");
	else if (value->kind == SWIFT_IMPL_ERROR)
		swift_print_word(p, "@error ");
	swift_print_child(p, value, 0);
	swift_print_word(p, " ");
	swift_print_children(p, value, 1, "");
}

static void print_lowered_convention(struct swift_printer *p,
                                     const struct swift_node *node)
{
	swift_print_word(p, "@convention(");
	swift_print_text(p, node->text);
	if (node->count)
		str_addf(p->out, ", mangledCType: \"%.*s\"",
		         TEXT_ARGS(node->children[0]->text));
	swift_print_word(p, ")");
}

bool swift_print_lowered(struct swift_printer *p, const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_IMPL_FUNCTION:
		print_lowered(p, node);
		return true;
	case SWIFT_IMPL_PARAM:
	case SWIFT_IMPL_RESULT:
	case SWIFT_IMPL_YIELD:
	case SWIFT_IMPL_ERROR:
		print_value(p, node);
		return true;
	case SWIFT_IMPL_DIFFERENTIABLE:
		swift_print_word(p, swift_differentiability(node->number));
		return true;
	case SWIFT_IMPL_FUNCTION_CONVENTION:
		print_lowered_convention(p, node);
		return true;
	default:
		return false;
	}
}
