// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_printer.h"

#include <inttypes.h>

static void print_reabstraction(struct swift_printer *p,
                                const struct swift_node *thunk)
{
	bool has_self = thunk->kind == SWIFT_REABSTRACTION_SELF;
	unsigned types = has_self ? 3 : 2;
	unsigned first = thunk->count - types;

	if (thunk->count < types) {
		p->failed = true;
		return;
	}
	if (p->brief && !has_self) {
		swift_print_word(p, "thunk for ");
		swift_print_child(p, thunk, thunk->count - 1);
		return;
	}
	swift_print_word(p, "reabstraction thunk ");
	if (thunk->kind == SWIFT_REABSTRACTION_HELPER)
		swift_print_word(p, "helper ");
	if (first) {
		swift_print_child(p, thunk, 0);
		swift_print_word(p, " ");
	}
	swift_print_word(p, "from ");
	swift_print_child(p, thunk, first + types - 1);
	swift_print_word(p, " to ");
	swift_print_child(p, thunk, first + types - 2);
	if (has_self) {
		swift_print_word(p, " self ");
		swift_print_child(p, thunk, first);
	}
}

static void print_partial_apply(struct swift_printer *p,
                                const struct swift_node *node)
{
	swift_print_word(p, "partial apply");
	if (!p->brief)
		swift_print_word(p, node->kind == SWIFT_PARTIAL_APPLY
		                            ? " forwarder"
		                            : " ObjC forwarder");
	if (node->count) {
		swift_print_word(p, " for ");
		swift_print_children(p, node, 0, "");
	}
}

static void print_key_path(struct swift_printer *p,
                           const struct swift_node *node)
{
	swift_print_word(p, swift_kinds[node->kind].full);
	swift_print_child(p, node, 0);
	swift_print_word(p, " : ");
	for (unsigned i = 1; i < node->count; i++) {
		if (node->children[i]->kind == SWIFT_SERIALIZED)
			swift_print_word(p, ", ");
		swift_print_child(p, node, i);
	}
}

static void print_key_path_index(struct swift_printer *p,
                                 const struct swift_node *node)
{
	const struct swift_node *signature = swift_child(node, SWIFT_SIGNATURE);
	const char *before = "";

	swift_print_word(p, swift_kinds[node->kind].full);
	if (signature)
		swift_print(p, signature);
	swift_print_word(p, "(");
	for (unsigned i = 0; i < node->count; i++) {
		if (node->children[i]->kind != SWIFT_TYPE)
			continue;
		swift_print_word(p, before);
		swift_print_child(p, node, i);
		before = ", ";
	}
	swift_print_word(p, ")");
}

static void print_completion(struct swift_printer *p,
                             const struct swift_node *node)
{
	static const char *const flags[] = { "", " nonzero on error",
		                             " zero on error" };
	uint64_t flag = node->children[2]->number;

	swift_print_word(p, swift_kinds[node->kind].full);
	if (node->count > 3)
		swift_print_child(p, node, 3);
	swift_print_child(p, node, 0);
	swift_print_word(p, " with result type ");
	swift_print_child(p, node, 1);
	swift_print_word(p, flag < ARRAY_SIZE(flags) ? flags[flag]
	                                             : " <invalid error flag>");
}

static void print_conformance(struct swift_printer *p,
                              const struct swift_node *node)
{
	if (node->count == 4) {
		swift_print_word(p, "property behavior storage of ");
		swift_print_child(p, node, 2);
		swift_print_word(p, " in ");
		swift_print_child(p, node, 0);
		swift_print_word(p, " : ");
		swift_print_child(p, node, 1);
		return;
	}
	swift_print_child(p, node, 0);
	if (p->brief)
		return;
	swift_print_word(p, " : ");
	swift_print_child(p, node, 1);
	swift_print_word(p, " in ");
	swift_print_child(p, node, 2);
}

static void print_concrete(struct swift_printer *p,
                           const struct swift_node *node)
{
	swift_print_word(p, "concrete protocol conformance ");
	swift_print_child(p, node, 0);
	swift_print_word(p, " to ");
	swift_print_child(p, node, 1);
	if (node->count > 2 && node->children[2]->count) {
		swift_print_word(p, " with conditional requirements: ");
		swift_print_child(p, node, 2);
	}
}

static void print_dependent(struct swift_printer *p,
                            const struct swift_node *node, const char *how)
{
	str_addf(p->out, "dependent %s protocol conformance ", how);
	if (node->children[2]->kind == SWIFT_INDEX)
		str_addf(p->out, "#%" PRIu64 " ", node->children[2]->number);
	swift_print_child(p, node, 0);
	swift_print_word(p, " to ");
	swift_print_child(p, node, 1);
}

static void print_bracketed(struct swift_printer *p,
                            const struct swift_node *list, unsigned from)
{
	if (list->count >= from)
		swift_print_word(p, "(");
	swift_print_children(p, list, 0, ", ");
	if (list->count >= from)
		swift_print_word(p, ")");
}

static bool print_conformance_part(struct swift_printer *p,
                                   const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_CONFORMANCE:
		print_conformance(p, node);
		return true;
	case SWIFT_CONCRETE_CONFORMANCE:
		print_concrete(p, node);
		return true;
	case SWIFT_ROOT_CONFORMANCE:
		print_dependent(p, node, "root");
		return true;
	case SWIFT_INHERITED_CONFORMANCE:
		print_dependent(p, node, "inherited");
		return true;
	case SWIFT_MEMBER_CONFORMANCE:
		print_dependent(p, node, "associated");
		return true;
	case SWIFT_CONFORMANCE_LIST:
		print_bracketed(p, node, 1);
		return true;
	case SWIFT_ONCE_NAMES:
		print_bracketed(p, node, 2);
		return true;
	default:
		return false;
	}
}

bool swift_print_thunk(struct swift_printer *p, const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_REABSTRACTION:
	case SWIFT_REABSTRACTION_HELPER:
	case SWIFT_REABSTRACTION_SELF:
		print_reabstraction(p, node);
		return true;
	case SWIFT_PARTIAL_APPLY:
	case SWIFT_PARTIAL_APPLY_OBJC:
		print_partial_apply(p, node);
		return true;
	case SWIFT_KEY_PATH_GETTER:
	case SWIFT_KEY_PATH_SETTER:
	case SWIFT_KEY_PATH_UNAPPLIED:
	case SWIFT_KEY_PATH_APPLIED:
		print_key_path(p, node);
		return true;
	case SWIFT_KEY_PATH_EQUALS:
	case SWIFT_KEY_PATH_HASH:
		print_key_path_index(p, node);
		return true;
	case SWIFT_COMPLETION_HANDLER:
	case SWIFT_CHECKED_COMPLETION_HANDLER:
		print_completion(p, node);
		return true;
	default:
		return print_conformance_part(p, node);
	}
}
