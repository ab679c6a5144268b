// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/swift_printer.h"

#include <inttypes.h>

/** `{0, 2}`: positions of `S` in the text. */
static void print_subset(struct swift_printer *p, struct text text)
{
	const char *before = "";

	swift_print_word(p, "{");
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] != 'S')
			continue;
		str_addf(p->out, "%s%zu", before, i);
		before = ", ";
	}
	swift_print_word(p, "}");
}

static void print_subsets(struct swift_printer *p,
                          const struct swift_node *node, unsigned first)
{
	swift_print_word(p, " with respect to parameters ");
	swift_print_child(p, node, first);
	swift_print_word(p, " and results ");
	swift_print_child(p, node, first + 1);
}

/** Index of the first child of a kind; or the number of children. */
static unsigned place_of(const struct swift_node *node, enum swift_kind kind)
{
	unsigned at = 0;

	while (at < node->count && node->children[at]->kind != kind)
		at++;
	return at;
}

static void print_autodiff(struct swift_printer *p,
                           const struct swift_node *node)
{
	unsigned kind = place_of(node, SWIFT_AUTODIFF_KIND);
	const struct swift_node *signature = NULL;

	if (node->kind == SWIFT_AUTODIFF_VTABLE_THUNK)
		swift_print_word(p, "vtable thunk for ");
	swift_print_child(p, node, kind);
	swift_print_word(p, " of ");
	if (kind && node->children[kind - 1]->kind == SWIFT_SIGNATURE)
		signature = node->children[kind - 1];
	for (unsigned i = 0; i < kind - (signature != NULL); i++)
		swift_print_child(p, node, i);
	if (p->brief)
		return;
	print_subsets(p, node, kind + 1);
	if (signature) {
		swift_print_word(p, " with ");
		swift_print(p, signature);
	}
}

static void print_autodiff_reordering(struct swift_printer *p,
                                      const struct swift_node *node)
{
	swift_print_word(p,
	                 "autodiff self-reordering reabstraction thunk for ");
	if (p->brief) {
		swift_print_child(p, node, 0);
		return;
	}
	swift_print_child(p, node, node->count - 1);
	if (node->count > 3) {
		swift_print_child(p, node, 2);
		swift_print_word(p, " ");
	}
	swift_print_word(p, " from ");
	swift_print_child(p, node, 0);
	swift_print_word(p, " to ");
	swift_print_child(p, node, 1);
}

static void print_autodiff_subset(struct swift_printer *p,
                                  const struct swift_node *node)
{
	unsigned kind = place_of(node, SWIFT_AUTODIFF_KIND);

	swift_print_word(p, "autodiff subset parameters thunk for ");
	swift_print_child(p, node, kind);
	swift_print_word(p, " from ");
	// One type; or a function, then its new type.
	for (unsigned i = 0; i < (kind > 1 ? kind - 1 : kind); i++)
		swift_print_child(p, node, i);
	if (p->brief)
		return;
	print_subsets(p, node, kind + 1);
	swift_print_word(p, " to parameters ");
	swift_print_child(p, node, kind + 3);
	if (kind > 1) {
		swift_print_word(p, " of type ");
		swift_print_child(p, node, kind - 1);
	}
}

static void print_differentiability(struct swift_printer *p,
                                    const struct swift_node *node)
{
	unsigned kind = place_of(node, SWIFT_INDEX);
	uint64_t letter = kind < node->count ? node->children[kind]->number : 0;

	swift_print_word(p, letter == 'f'   ? "forward-mode"
	                    : letter == 'r' ? "reverse-mode"
	                    : letter == 'l' ? "linear"
	                                    : "normal");
	swift_print_word(p, " differentiability witness for ");
	for (unsigned i = 0; i < kind; i++)
		swift_print_child(p, node, i);
	print_subsets(p, node, kind + 1);
	if (kind + 3 < node->count) {
		swift_print_word(p, " with ");
		swift_print_child(p, node, kind + 3);
	}
}

static void print_autodiff_kind(struct swift_printer *p, uint64_t letter)
{
	swift_print_word(p, letter == 'f'   ? "forward-mode derivative"
	                    : letter == 'r' ? "reverse-mode derivative"
	                    : letter == 'd' ? "differential"
	                                    : "pullback");
}

bool swift_print_autodiff(struct swift_printer *p,
                          const struct swift_node *node)
{
	switch (node->kind) {
	case SWIFT_AUTODIFF_FUNCTION:
	case SWIFT_AUTODIFF_VTABLE_THUNK:
		print_autodiff(p, node);
		return true;
	case SWIFT_AUTODIFF_SELF_REORDERING:
		print_autodiff_reordering(p, node);
		return true;
	case SWIFT_AUTODIFF_SUBSET:
		print_autodiff_subset(p, node);
		return true;
	case SWIFT_AUTODIFF_KIND:
		print_autodiff_kind(p, node->number);
		return true;
	case SWIFT_DIFFERENTIABILITY_WITNESS:
		print_differentiability(p, node);
		return true;
	case SWIFT_INDEX_SUBSET:
		print_subset(p, node->text);
		return true;
	default:
		return false;
	}
}
