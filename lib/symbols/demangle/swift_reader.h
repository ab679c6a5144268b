// SPDX-License-Identifier: MIT
/**
 * Shared by the files that read Swift names since 4.0.
 *
 * The mangling is a program in postfix order: an operator pops its operands
 * from a stack and pushes a node. An operator is one letter or several;
 * swift_operators.c has the tables.
 *
 * Functions that make a node return NULL for invalid names, and the whole name
 * is given up.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_READER_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_READER_H

#include "lib/base/text.h"
#include "lib/symbols/demangle/swift_node.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SWIFT_WORDS_MAX 26u
/** Max entries of the stack, and of the list of substitutions. */
#define SWIFT_ENTRIES_MAX 8192u
/** Max number; indexes of real names are far smaller. */
#define SWIFT_NUMBER_MAX 100000000u

/** A growing list of nodes. */
struct swift_list {
	struct swift_node **items;
	size_t count;
	size_t cap;
	struct swift_node *few[32];
};

struct swift_reader {
	const char *at;
	const char *end;
	struct swift_pool *pool;
	struct swift_list stack;
	struct swift_list substitutions;
	struct text words[SWIFT_WORDS_MAX];
	size_t word_count;
	unsigned depth; ///< of names before Swift 4, read by recursive descent
	/** Swift 4.0 (`_T0`): labels are in the types of parameters. */
	bool labels_in_types;
};

/** Makes the node of an operator. */
typedef struct swift_node *(*swift_operator)(struct swift_reader *r);

// The text.

/** The next character; NUL at the end. */
static inline char swift_peek(const struct swift_reader *r)
{
	return r->at < r->end ? *r->at : '\0';
}

/** Take the next character; NUL at the end. */
static inline char swift_next(struct swift_reader *r)
{
	return r->at < r->end ? *r->at++ : '\0';
}

static inline bool swift_next_is(struct swift_reader *r, char c)
{
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/** A number of at least one digit. */
bool swift_natural(struct swift_reader *r, uint64_t *ret);

/** `_` is 0, `0_` is 1, and so on. */
bool swift_index(struct swift_reader *r, uint64_t *ret);
struct swift_node *swift_index_node(struct swift_reader *r);

// The stack.

bool swift_push(struct swift_list *list, struct swift_pool *pool,
                struct swift_node *node);

/** The top; NULL: empty. */
struct swift_node *swift_pop(struct swift_reader *r);

/** The top if it has this kind, or one of these flags; or NULL. */
struct swift_node *swift_pop_kind(struct swift_reader *r, enum swift_kind kind);
struct swift_node *swift_pop_flag(struct swift_reader *r, unsigned flags);

struct swift_node *swift_pop_type(struct swift_reader *r);
/** The node in the type on top. */
struct swift_node *swift_pop_type_child(struct swift_reader *r);
struct swift_node *swift_pop_entity(struct swift_reader *r);
struct swift_node *swift_pop_context(struct swift_reader *r);
struct swift_node *swift_pop_module(struct swift_reader *r);
struct swift_node *swift_pop_name(struct swift_reader *r);
struct swift_node *swift_pop_protocol(struct swift_reader *r);
struct swift_node *swift_pop_signature(struct swift_reader *r);

/**
 * The types of a list whose first element is marked, in order, as children of a
 * new node of
 * @p kind.
 */
struct swift_node *swift_pop_types(struct swift_reader *r,
                                   enum swift_kind kind);

// Making nodes.

struct swift_node *swift_make(struct swift_reader *r, enum swift_kind kind);
struct swift_node *swift_make_text(struct swift_reader *r, enum swift_kind kind,
                                   struct text text);
struct swift_node *swift_make_number(struct swift_reader *r,
                                     enum swift_kind kind, uint64_t number);
struct swift_node *swift_make1(struct swift_reader *r, enum swift_kind kind,
                               struct swift_node *child);
struct swift_node *swift_make2(struct swift_reader *r, enum swift_kind kind,
                               struct swift_node *first,
                               struct swift_node *second);
struct swift_node *swift_make3(struct swift_reader *r, enum swift_kind kind,
                               struct swift_node *first,
                               struct swift_node *second,
                               struct swift_node *third);
struct swift_node *swift_make_type(struct swift_reader *r,
                                   struct swift_node *child);
/** A type of the standard library. */
struct swift_node *swift_make_stdlib(struct swift_reader *r,
                                     enum swift_kind kind, const char *name);
/** Append @p child if not NULL; returns the parent. */
struct swift_node *swift_add_any(struct swift_reader *r,
                                 struct swift_node *parent,
                                 struct swift_node *child);

/** Add a node that the rest of the name may refer to. */
struct swift_node *swift_substitute(struct swift_reader *r,
                                    struct swift_node *node);

/** Read the whole text; false: invalid. */
bool swift_read_all(struct swift_reader *r);

// swift_names.c
struct swift_node *swift_read_identifier(struct swift_reader *r);
struct swift_node *swift_read_operator_name(struct swift_reader *r);
struct swift_node *swift_read_local_name(struct swift_reader *r);
struct swift_node *swift_read_substitutions(struct swift_reader *r);
struct swift_node *swift_read_standard(struct swift_reader *r);

/** The characters of an operator's name, which letters encode. */
bool swift_operator_name(struct swift_pool *pool, struct text letters,
                         struct text *ret);

/** A type of the standard library by its letter; false: none. */
bool swift_standard_type(char letter, bool concurrency, enum swift_kind *kind,
                         const char **name);

// swift_functions.c
struct swift_node *swift_pop_function(struct swift_reader *r,
                                      enum swift_kind kind);
/** The labels of a function's parameters; or NULL. */
bool swift_pop_labels(struct swift_reader *r, struct swift_node *type,
                      struct swift_node **ret);

// swift_types.c
struct swift_node *swift_read_builtin(struct swift_reader *r);
struct swift_node *swift_read_special_type(struct swift_reader *r);
struct swift_node *swift_read_protocols(struct swift_reader *r);
struct swift_node *swift_read_archetype(struct swift_reader *r);
struct swift_node *swift_read_type_mangling(struct swift_reader *r);
struct swift_node *swift_read_annotation(struct swift_reader *r);
struct swift_node *swift_read_integer(struct swift_reader *r);
struct swift_node *swift_read_tuple(struct swift_reader *r);

// swift_bound.c
/** Lists of generic arguments, innermost last, and retroactive conformances. */
struct swift_arguments {
	struct swift_node *levels[32];
	size_t count;
	struct swift_node *retroactive;
};

bool swift_pop_arguments(struct swift_reader *r, struct swift_arguments *ret);
struct swift_node *swift_read_bound(struct swift_reader *r);

// swift_generics.c
struct swift_node *swift_read_signature(struct swift_reader *r);
struct swift_node *swift_read_counted_signature(struct swift_reader *r);
struct swift_node *swift_read_requirement(struct swift_reader *r);
struct swift_node *swift_read_generic_type(struct swift_reader *r);
struct swift_node *swift_read_param(struct swift_reader *r);
struct swift_node *swift_read_first_param(struct swift_reader *r);
struct swift_node *swift_make_param(struct swift_reader *r, uint64_t depth,
                                    uint64_t index);
/**
 * A parameter by depth and index, not wrapped as a type.
 *
 * @param first  Letter of the first parameter, which depends on the mangling.
 */
struct swift_node *swift_read_param_index(struct swift_reader *r, char first);
struct swift_node *swift_pop_associated_name(struct swift_reader *r);
struct swift_node *swift_pop_associated_path(struct swift_reader *r);

// swift_conformances.c
struct swift_node *swift_pop_conformance(struct swift_reader *r);
struct swift_node *swift_pop_retroactive(struct swift_reader *r);
struct swift_node *swift_read_retroactive(struct swift_reader *r);
struct swift_node *swift_read_conformance_part(struct swift_reader *r);

// swift_lowered.c
struct swift_node *swift_read_lowered(struct swift_reader *r);

// swift_entities.c
struct swift_node *swift_read_function(struct swift_reader *r);
struct swift_node *swift_read_variable(struct swift_reader *r);
struct swift_node *swift_read_subscript(struct swift_reader *r);
struct swift_node *swift_read_function_entity(struct swift_reader *r);
struct swift_node *swift_read_extension(struct swift_reader *r);

// swift_thunks.c
struct swift_node *swift_read_reabstraction(struct swift_reader *r, char kind);
struct swift_node *swift_read_key_path(struct swift_reader *r, char kind);
struct swift_node *swift_read_key_path_index(struct swift_reader *r, char kind);
struct swift_node *swift_read_thunk(struct swift_reader *r, char kind);
struct swift_node *swift_read_autodiff(struct swift_reader *r);
struct swift_node *swift_read_witness(struct swift_reader *r, char kind);
/** After the letter of a field's offset; @p read_entity reads the field. */
struct swift_node *swift_read_field_offset(
        struct swift_reader *r,
        struct swift_node *(*read_entity)(struct swift_reader *r));
struct swift_node *swift_read_value_witness(struct swift_reader *r);
struct swift_node *swift_read_private_descriptor(struct swift_reader *r);
/** The name of a value witness by its two letters; or NULL. */
const char *swift_value_witness(struct text letters);

// swift_specialized.c
struct swift_node *swift_read_specialized(struct swift_reader *r, char kind);

// swift_old.c: names before Swift 4, and types in Objective-C's metadata
/**
 * Read a name after its `_T`; a rest is a suffix.
 *
 * @return The global node; NULL: not of this mangling.
 */
struct swift_node *swift_read_old(struct swift_reader *r);

#endif
