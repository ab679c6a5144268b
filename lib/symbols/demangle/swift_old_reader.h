// SPDX-License-Identifier: MIT
/**
 * What the files that read Swift names of before Swift 4 share.
 *
 * The mangling is in prefix order: a letter says what follows, and each
 * function reads what is behind the letters that its caller has taken. All
 * return NULL where the name is not of this mangling; the whole name is given
 * up then.
 *
 * Types hold contexts, names hold contexts, and contexts hold both: the files
 * call each other.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_OLD_READER_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_SWIFT_OLD_READER_H

#include "lib/symbols/demangle/swift_reader.h"

#include <stdbool.h>

/** Take @p word if the text goes on with it. */
bool swift_old_take(struct swift_reader *r, const char *word);

/** What @p read gives one level deeper; NULL where there are too many. */
struct swift_node *swift_old_nested(struct swift_reader *r,
                                    swift_operator read);

/** Add a node with this text to @p to. */
struct swift_node *swift_old_add_word(struct swift_reader *r,
                                      struct swift_node *to,
                                      enum swift_kind kind, const char *word);

// swift_old_names.c
struct swift_node *swift_old_identifier(struct swift_reader *r,
                                        enum swift_kind kind);
/** An identifier, or one that is local or private. */
struct swift_node *swift_old_name(struct swift_reader *r);
/** The module `Swift`. */
struct swift_node *swift_old_stdlib(struct swift_reader *r);
/** Behind `S`. */
struct swift_node *swift_old_substitution(struct swift_reader *r);
struct swift_node *swift_old_module(struct swift_reader *r);
/** A context and the name of what is declared in it. */
struct swift_node *swift_old_declaration(struct swift_reader *r,
                                         enum swift_kind kind);
/** A protocol by its name, in a context that has been read. */
struct swift_node *swift_old_protocol_in(struct swift_reader *r,
                                         struct swift_node *context);
struct swift_node *swift_old_protocol(struct swift_reader *r);
/** What kind of type a letter declares; false if it declares none. */
bool swift_old_nominal_kind(char letter, enum swift_kind *kind);
struct swift_node *swift_old_nominal(struct swift_reader *r);

// swift_old_signatures.c
/** The member of a generic parameter, `A.Element`. */
struct swift_node *swift_old_member_simple(struct swift_reader *r);
/** The member of a member, to any depth. */
struct swift_node *swift_old_member_path(struct swift_reader *r);
/** A generic parameter, or a member of a type that depends on one. */
struct swift_node *swift_old_dependent(struct swift_reader *r);
/** Generic parameters and what is required of them. */
struct swift_node *swift_old_signature(struct swift_reader *r,
                                       enum swift_kind kind);

// swift_old_entities.c
/** A type with its generic arguments. */
struct swift_node *swift_old_bound(struct swift_reader *r);
/** The module, type or function that a declaration lies in. */
struct swift_node *swift_old_context(struct swift_reader *r);
struct swift_node *swift_old_conformance(struct swift_reader *r);
/** A function, variable, subscript or type. */
struct swift_node *swift_old_entity(struct swift_reader *r);

// swift_old_lowered.c
/** A function type of SIL, with how each value is passed. */
struct swift_node *swift_old_lowered(struct swift_reader *r);
struct swift_node *swift_old_box(struct swift_reader *r);

// swift_old_types.c
struct swift_node *swift_old_type(struct swift_reader *r);

// swift_old_specialized.c
/** Behind `TS`. */
struct swift_node *swift_old_specialized(struct swift_reader *r);

#endif
