// SPDX-License-Identifier: MIT
/**
 * What Matrix, WeChat's monitor, adds to KSCrash's reports (formats.md 7.6):
 * kinds of hangs by number, and call trees. A tree is an array of nodes
 *
 *     {"instruction_address":4372619564,"object_name":"hang","sample":12,
 *      "sample_background":0,"child":[…]}
 *
 * where `object_name` is the function's name. It is in `stack_string` of a
 * custom record, as an array or as JSON in a text, or in `profile` of a lag
 * file; or alone. Trees are deeper than a document may be, so they are found
 * and taken out before the document is read:
 *
 *     SCOPED(matrix_release) struct matrix matrix = { 0 };
 *
 *     matrix_find(in, &matrix);
 *     err = json_salvage(matrix.document, &used, &doc);
 *     …
 *     matrix_read_trees(&matrix, &place);
 *
 * Which end of a tree is its root is not written. Matrix' power collector
 * begins at the innermost frames, its lag profile at the outermost; a copy may
 * have turned either. So it is decided by where threads begin, if that is
 * known.
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

#define MATRIX_TREES_MAX 1000 ///< of an input

/** A tree where it is in the input. */
struct matrix_tree {
	struct text text; ///< an array, or text that holds one; as written
	char *path;       ///< `stack_string`
	char *closed;     ///< what a truncated text was made; else NULL
	bool is_profile;  ///< of the main thread; else of a custom record
};

/** All zeros before matrix_find(). */
struct matrix {
	/** The input, its trees emptied; where they lie in texts, as it is. */
	struct text document;
	struct str copy;
	struct matrix_tree *trees;
	size_t tree_count;
	size_t tree_cap;
	bool has_more; ///< than MATRIX_TREES_MAX
};

/** Find all trees of an object. @p in must outlive @p ret. */
void matrix_find(struct text in, struct matrix *ret);
void matrix_release(struct matrix *matrix);

/** Does @p in begin with an array of call-tree nodes? */
bool matrix_is_tree(struct text in);

/** As matrix_find() for an input that is a tree and nothing else. */
void matrix_take_bare(struct text in, struct matrix *ret);

/**
 * Add the trees to the report of @p place. Its threads must have been read:
 * they may show which end of the trees is the root.
 */
void matrix_read_trees(const struct matrix *matrix,
                       const struct json_place *place);

/**
 * What a report of Matrix is about, by its `dump_type`: `lag report of Matrix:
 * main thread block`; of an unknown one, by number.
 *
 * @param type  A number; anything else is a record of no type.
 */
const char *matrix_kind(const cJSON *type, struct arena *arena);

/** What its stacks were taken for; a stall where the type is unknown. */
enum sample_kind matrix_sample_kind(const cJSON *type);

/** Set the kind of samples of @p report, and how long it was at least. */
void matrix_set_kind(const cJSON *type, struct report *report);

#endif
