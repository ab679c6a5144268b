// SPDX-License-Identifier: MIT
/**
 * Shared by the files that read Swift names before Swift 4.
 *
 * The mangling is in prefix order: a letter announces its operands. Functions
 * read the text after the letters that the caller has taken. They return NULL
 * for invalid names, and the whole name is given up.
 *
 * Types contain contexts, names contain contexts, and contexts contain both, so
 * the files call each other.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_OLD_READER_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_OLD_READER_H

#include "lib/symbols/demangle/swift_reader.h"

#include <stdbool.h>

/** Take @p word if it comes next. */
bool swift_old_take(struct swift_reader *r, const char *word);

/** Call @p read one level deeper; NULL: too deep. */
struct swift_node *swift_old_nested(struct swift_reader *r,
                                    swift_operator read);

/** Add a node with this text to @p to. */
struct swift_node *swift_old_add_word(struct swift_reader *r,
                                      struct swift_node *to,
                                      enum swift_kind kind, const char *word);

// swift_old_names.c
struct swift_node *swift_old_identifier(struct swift_reader *r,
                                        enum swift_kind kind);
/** An identifier, which may be local or private. */
struct swift_node *swift_old_name(struct swift_reader *r);
struct swift_node *swift_old_stdlib(struct swift_reader *r);
/** After `S`. */
struct swift_node *swift_old_substitution(struct swift_reader *r);
struct swift_node *swift_old_module(struct swift_reader *r);
/** A context and the name of a declaration in it. */
struct swift_node *swift_old_declaration(struct swift_reader *r,
                                         enum swift_kind kind);
/** A protocol by its name, after its context. */
struct swift_node *swift_old_protocol_in(struct swift_reader *r,
                                         struct swift_node *context);
struct swift_node *swift_old_protocol(struct swift_reader *r);
/** The kind of type that a letter declares; false: none. */
bool swift_old_nominal_kind(char letter, enum swift_kind *kind);
struct swift_node *swift_old_nominal(struct swift_reader *r);

// swift_old_signatures.c
/** The member of a generic parameter, `A.Element`. */
struct swift_node *swift_old_member_simple(struct swift_reader *r);
/** The member of a member, to any depth. */
struct swift_node *swift_old_member_path(struct swift_reader *r);
/** A generic parameter, or a member of a type that depends on one. */
struct swift_node *swift_old_dependent(struct swift_reader *r);
/** Generic parameters and their requirements. */
struct swift_node *swift_old_signature(struct swift_reader *r,
                                       enum swift_kind kind);

// swift_old_entities.c
/** A type with its generic arguments. */
struct swift_node *swift_old_bound(struct swift_reader *r);
/** The module, type or function that contains a declaration. */
struct swift_node *swift_old_context(struct swift_reader *r);
struct swift_node *swift_old_conformance(struct swift_reader *r);
/** A function, variable, subscript or type. */
struct swift_node *swift_old_entity(struct swift_reader *r);

// swift_old_lowered.c
/** A function type of SIL, with calling conventions of its values. */
struct swift_node *swift_old_lowered(struct swift_reader *r);
struct swift_node *swift_old_box(struct swift_reader *r);

// swift_old_types.c
struct swift_node *swift_old_type(struct swift_reader *r);

// swift_old_specialized.c
/** After `TS`. */
struct swift_node *swift_old_specialized(struct swift_reader *r);

#endif
