// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_printer.h"

#include <inttypes.h>
#include <string.h>

/** Max parameters of a signature to print; then `...`. */
#define PARAMS_PRINTED_MAX 128u

/** `A`, `B`, …, `Z`, `AB`, …; with the number from the second level on. */
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

/** The attribute of a parameter in the signature; or NULL. */
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

/** `T: ~Copyable`: the protocol is given by number. */
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

static void print_generic_type(struct swift_printer *p,
                               const struct swift_node *type)
{
	swift_print_child(p, type, 0);
	if (swift_type_needs_blank(type->children[1]))
		swift_print_word(p, " ");
	swift_print_child(p, type, 1);
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

bool swift_print_generic(struct swift_printer *p, const struct swift_node *node)
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
	default:
		return false;
	}
}
