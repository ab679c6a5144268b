#include "lib/symbols/demangle/swift_printer.h"

#include <inttypes.h>
#include <string.h>

/** More parameters of one signature are `...`: no compiler makes them. */
#define PARAMS_PRINTED_MAX 128u

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

/** In brackets if it could be misread in front of `?` or `.Type`. */
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

/** Is this type of the standard library called @p name? */
static bool is_stdlib(const struct swift_node *nominal, const char *name)
{
	return nominal->count == 2 &&
	       nominal->children[0]->kind == SWIFT_MODULE &&
	       text_is(nominal->children[0]->text, "Swift") &&
	       nominal->children[1]->kind == SWIFT_IDENTIFIER &&
	       text_is(nominal->children[1]->text, name);
}

/** `[Int]`, `Int?` and so on; false if the type has no such spelling. */
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

static const char *differentiability(uint64_t letter)
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

/** Where the values of a lowered function are: `(in) -> (out)`. */
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

/** A value: its convention, what else is said of it, its type. */
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

/** `A`, `B`, …, `Z`, `AB`, …; from the second level on with its number. */
static void print_param_name(struct swift_printer *p, uint64_t depth,
                             uint64_t index)
{
	do {
		str_add_char(p->out, (char)('A' + index % 26));
		index /= 26;
	} while (index);
	if (depth)
		str_addf(p->out, "%" PRIu64, depth);
}

/** What the signature says of a parameter; NULL: nothing. */
static const struct swift_node *marker(const struct swift_node *signature,
                                       enum swift_kind kind, uint64_t depth,
                                       uint64_t index)
{
	for (unsigned i = 0; i < signature->count; i++) {
		const struct swift_node *found = signature->children[i];
		const struct swift_node *param;

		if (found->kind != kind)
			continue;
		param = found->children[0]->children[0];
		if (param->kind == SWIFT_GENERIC_PARAM &&
		    param->children[0]->number == depth &&
		    param->children[1]->number == index)
			return found;
	}
	return NULL;
}

static void print_level(struct swift_printer *p,
                        const struct swift_node *signature, unsigned depth)
{
	uint64_t count = signature->children[depth]->number;

	for (uint64_t i = 0; i < count; i++) {
		const struct swift_node *value;

		if (i)
			swift_print_word(p, ", ");
		if (i == PARAMS_PRINTED_MAX) {
			swift_print_word(p, "...");
			return;
		}
		value = marker(signature, SWIFT_PARAM_VALUE, depth, i);
		if (marker(signature, SWIFT_PARAM_PACK, depth, i))
			swift_print_word(p, "each ");
		if (value)
			swift_print_word(p, "let ");
		print_param_name(p, depth, i);
		if (value) {
			swift_print_word(p, ": ");
			swift_print_child(p, value, 1);
		}
	}
}

static void print_signature(struct swift_printer *p,
                            const struct swift_node *signature)
{
	unsigned at = 0;
	const char *before = " where ";

	swift_print_word(p, "<");
	for (; at < signature->count &&
	       signature->children[at]->kind == SWIFT_PARAM_COUNT;
	     at++) {
		if (at)
			swift_print_word(p, "><");
		print_level(p, signature, at);
	}
	for (; at < signature->count && !p->brief; at++) {
		enum swift_kind kind = signature->children[at]->kind;

		if (kind == SWIFT_PARAM_PACK || kind == SWIFT_PARAM_VALUE)
			continue;
		swift_print_word(p, before);
		before = ", ";
		swift_print_child(p, signature, at);
	}
	swift_print_word(p, ">");
}

static void print_layout(struct swift_printer *p,
                         const struct swift_node *requirement)
{
	static const struct {
		char letter;
		const char *name;
	} names[] = {
		{ 'U', "_UnknownLayout" },
		{ 'R', "_RefCountedObject" },
		{ 'N', "_NativeRefCountedObject" },
		{ 'C', "AnyObject" },
		{ 'D', "_NativeClass" },
		{ 'T', "_Trivial" },
		{ 'E', "_Trivial" },
		{ 'e', "_Trivial" },
		{ 'M', "_TrivialAtMost" },
		{ 'm', "_TrivialAtMost" },
		{ 'B', "_BridgeObject" },
		{ 'S', "_TrivialStride" },
	};
	char letter = requirement->children[1]->text.data[0];

	swift_print_child(p, requirement, 0);
	swift_print_word(p, ": ");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].letter == letter)
			swift_print_word(p, names[i].name);
	if (requirement->count <= 2)
		return;
	swift_print_word(p, "(");
	swift_print_children(p, requirement, 2, ", ");
	swift_print_word(p, ")");
}

/** `T: ~Copyable`: the protocol by its number. */
static void print_inverse(struct swift_printer *p,
                          const struct swift_node *requirement)
{
	uint64_t bit = requirement->children[1]->number;

	swift_print_child(p, requirement, 0);
	swift_print_word(p, ": ~Swift.");
	if (bit < 2)
		swift_print_word(p, bit ? "Escapable" : "Copyable");
	else
		str_addf(p->out, "<bit %" PRIu64 ">", bit);
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

static void print_generic_type(struct swift_printer *p,
                               const struct swift_node *type)
{
	swift_print_child(p, type, 0);
	if (swift_type_needs_blank(type->children[1]))
		swift_print_word(p, " ");
	swift_print_child(p, type, 1);
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

static void print_associated_name(struct swift_printer *p,
                                  const struct swift_node *name)
{
	if (name->count > 1) {
		swift_print_child(p, name, 1);
		swift_print_word(p, ".");
	}
	swift_print_child(p, name, 0);
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

static bool print_lowered_part(struct swift_printer *p,
                               const struct swift_node *node)
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
		swift_print_word(p, differentiability(node->number));
		return true;
	case SWIFT_IMPL_FUNCTION_CONVENTION:
		print_lowered_convention(p, node);
		return true;
	default:
		return false;
	}
}

static bool print_generic(struct swift_printer *p,
                          const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_SIGNATURE:
	case SWIFT_PSEUDOGENERIC_SIGNATURE:
		print_signature(p, node);
		return true;
	case SWIFT_GENERIC_PARAM:
		print_param_name(p, node->children[0]->number,
		                 node->children[1]->number);
		return true;
	case SWIFT_GENERIC_TYPE:
		print_generic_type(p, node);
		return true;
	case SWIFT_LAYOUT_REQUIREMENT:
		print_layout(p, node);
		return true;
	case SWIFT_INVERSE_REQUIREMENT:
		print_inverse(p, node);
		return true;
	case SWIFT_ASSOCIATED_NAME:
		print_associated_name(p, node);
		return true;
	case SWIFT_ASSOCIATED_PATH:
		swift_print_children(p, node, 0, ".");
		return true;
	case SWIFT_BOUND_CLASS:
	case SWIFT_BOUND_STRUCTURE:
	case SWIFT_BOUND_ENUM:
	case SWIFT_BOUND_OTHER_NOMINAL:
	case SWIFT_BOUND_ALIAS:
		print_bound(p, node);
		return true;
	default:
		return print_lowered_part(p, node);
	}
}

bool swift_print_type(struct swift_printer *p, const struct swift_node *node)
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
		str_addf(p->out, "%s ", differentiability(node->number));
		return true;
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
	default:
		return print_generic(p, node);
	}
}
