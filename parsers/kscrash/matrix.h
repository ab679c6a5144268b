// SPDX-License-Identifier: MIT
/**
 * Additions of Matrix, WeChat's monitor, to KSCrash's reports
 * (apmtool-formats(5)): kinds of hangs by number, and call trees. A tree is an
 * array of nodes
 *
 *     {"instruction_address":4372619564,"object_name":"hang","sample":12,
 *      "sample_background":0,"child":[…]}
 *
 * where `object_name` is the function's name. The tree is in `stack_string` of
 * a custom record (as an array or as JSON text), in `profile` of a lag file, or
 * alone. Trees nest deeper than a document may: cut them out before you parse
 * the document:
 *
 *     SCOPED(matrix_release) struct matrix matrix = { 0 };
 *     matrix_find(in, &matrix);
 *     err = json_salvage(matrix.document, &used, &doc);
 *     …
 *     matrix_read_trees(&matrix, &place);
 *
 * The format does not say which end of a tree is its root. Matrix' power
 * collector begins at the innermost frames, its lag profile at the outermost.
 * Tools that copy a tree may reverse it. The root is the end with a function
 * that is known to start threads.
 */
#ifndef APMTOOL_PARSERS_KSCRASH_MATRIX_H
#define APMTOOL_PARSERS_KSCRASH_MATRIX_H

#include "lib/base/arena.h"
#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/model/sample_kind.h"
#include "lib/text/json/json.h"
#include "parsers/json/place.h"

#include <stdbool.h>
#include <stddef.h>

#define MATRIX_TREES_MAX 1000 ///< in an input

/** A tree and its place in the input. */
struct matrix_tree {
	struct text text; ///< an array, or text that contains one; unchanged
	char *path;       ///< `stack_string`
	char *closed;     ///< a truncated text, completed; or NULL
	bool is_profile;  ///< of the main thread; else of a custom record
};

/** All zeros before matrix_find(). */
struct matrix {
	/** The input with empty trees; trees inside of JSON texts stay. */
	struct text document;
	struct str copy;
	struct matrix_tree *trees;
	size_t tree_count;
	size_t tree_cap;
	bool has_more; ///< more than MATRIX_TREES_MAX
};

/** Find all trees of an object. @p in must outlive @p ret. */
void matrix_find(struct text in, struct matrix *ret);
void matrix_release(struct matrix *matrix);

/** Does @p in begin with an array of call-tree nodes? */
bool matrix_is_tree(struct text in);

/** As matrix_find(), for an input that is only a tree. */
void matrix_take_bare(struct text in, struct matrix *ret);

/**
 * Add the trees to the report of @p place. Read its threads first: they may
 * show which end is the root.
 */
void matrix_read_trees(const struct matrix *matrix,
                       const struct json_place *place);

/**
 * The kind of a Matrix report by its `dump_type`: `lag report of Matrix: main
 * thread block`; unknown types by number.
 *
 * @param type  A number; anything else is a record without a type.
 */
const char *matrix_kind(const cJSON *type, struct arena *arena);

/** Why the stacks were sampled; SAMPLE_KIND_STALL if the type is unknown. */
enum sample_kind matrix_sample_kind(const cJSON *type);

/** Set the kind of samples of @p report, and its min duration. */
void matrix_set_kind(const cJSON *type, struct report *report);

#endif
