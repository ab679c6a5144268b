// SPDX-License-Identifier: MIT
/**
 * What the files that print Swift names share.
 *
 * Most nodes are printed by the template of their kind (swift_kinds.def); the
 * functions here print the rest. A node that cannot be printed as Apple's
 * tools print it fails the whole name: half a name is worse than none.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_PRINTER_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_PRINTER_H

#include "lib/base/str.h"
#include "lib/symbols/demangle/swift_node.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Deeper trees are no names of a compiler's. */
#define SWIFT_DEPTH_MAX 400u
/** Nodes printed, repetitions included: parts are shared, and repeat. */
#define SWIFT_VISITS_MAX 100000u
/** Bytes of a printed name. */
#define SWIFT_PRINTED_MAX 65536u

/** What a printer carries through the tree. */
struct swift_printer {
	struct str *out;
	bool brief;
	bool failed;
	bool specialized; ///< the short form has said so
	unsigned depth;
	size_t visits;
};

/** Print any node. */
void swift_print(struct swift_printer *p, const struct swift_node *node);

/** Print the children from @p first on, with @p between them. */
void swift_print_children(struct swift_printer *p,
                          const struct swift_node *node, unsigned first,
                          const char *between);

/** A child, which must be there. */
void swift_print_child(struct swift_printer *p, const struct swift_node *node,
                       unsigned at);

// swift.c
/** As swift_demangle(), of a name within a name. */
bool swift_demangle_nested(struct text name, bool brief, unsigned depth,
                           struct str *out);

static inline void swift_print_text(struct swift_printer *p, struct text text)
{
	str_add_text(p->out, text);
}

static inline void swift_print_word(struct swift_printer *p, const char *word)
{
	str_add(p->out, word);
}

// Nodes that no template can print: each file prints the kinds that it knows,
// and returns false for others.

// swift_print_names.c
bool swift_print_name(struct swift_printer *p, const struct swift_node *node);

// swift_print_functions.c
bool swift_print_function_part(struct swift_printer *p,
                               const struct swift_node *node);
/** @param labels  NULL where the parameters have none. */
void swift_print_function(struct swift_printer *p,
                          const struct swift_node *labels,
                          const struct swift_node *function);
/** The attribute of a differentiable function, by its letter. */
const char *swift_differentiability(uint64_t letter);

// swift_print_types.c
bool swift_print_type(struct swift_printer *p, const struct swift_node *node);
/** Does a type need a blank between it and the name before it? */
bool swift_type_needs_blank(const struct swift_node *type);

// swift_print_generics.c
bool swift_print_generic(struct swift_printer *p,
                         const struct swift_node *node);

// swift_print_lowered.c
bool swift_print_lowered(struct swift_printer *p,
                         const struct swift_node *node);

// swift_print_thunks.c
bool swift_print_thunk(struct swift_printer *p, const struct swift_node *node);

// swift_print_specialized.c
bool swift_print_specialized(struct swift_printer *p,
                             const struct swift_node *node);

// swift_print_autodiff.c
bool swift_print_autodiff(struct swift_printer *p,
                          const struct swift_node *node);

#endif
