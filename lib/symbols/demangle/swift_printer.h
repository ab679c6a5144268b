// SPDX-License-Identifier: MIT
/**
 * Shared by the files that print Swift names.
 *
 * Most nodes are printed by the template of their kind (swift_kinds.def), the
 * others by these functions. A node that cannot be printed as Apple's tools do
 * fails the whole name: there are no partial names.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_PRINTER_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_PRINTER_H

#include "lib/base/str.h"
#include "lib/symbols/demangle/swift_node.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Max depth; compilers emit less. */
#define SWIFT_DEPTH_MAX 400u
/** Max printed nodes, with repetitions, as parts are shared. */
#define SWIFT_VISITS_MAX 100000u
/** Max bytes of a demangled name. */
#define SWIFT_PRINTED_MAX 65536u

/** State of printing. */
struct swift_printer {
	struct str *out;
	bool brief;
	bool failed;
	bool specialized; ///< the short form has printed it
	unsigned depth;
	size_t visits;
};

void swift_print(struct swift_printer *p, const struct swift_node *node);

/** Print the children from index @p first on, separated by @p between. */
void swift_print_children(struct swift_printer *p,
                          const struct swift_node *node, unsigned first,
                          const char *between);

/** Print a child, which must exist. */
void swift_print_child(struct swift_printer *p, const struct swift_node *node,
                       unsigned at);

// swift.c
/** As swift_demangle(), for a name within a name. */
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

// Nodes without a template: each file prints its kinds, and returns false for
// others.

// swift_print_names.c
bool swift_print_name(struct swift_printer *p, const struct swift_node *node);

// swift_print_functions.c
bool swift_print_function_part(struct swift_printer *p,
                               const struct swift_node *node);
/** @param labels  Of the parameters; or NULL. */
void swift_print_function(struct swift_printer *p,
                          const struct swift_node *labels,
                          const struct swift_node *function);
/** The attribute of a differentiable function, by its letter. */
const char *swift_differentiability(uint64_t letter);

// swift_print_types.c
bool swift_print_type(struct swift_printer *p, const struct swift_node *node);
/** Does a type need a blank before it, after a name? */
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
