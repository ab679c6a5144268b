// SPDX-License-Identifier: MIT
/**
 * Where a pull reader is in its document: an element or a member of each
 * level that is open, for messages that name it, `threads[3].frames[0]`.
 *
 * Names are not copied while the input is in memory: a mark is the offset of
 * the name. Where the input comes piece by piece, those that the window is
 * about to leave are kept.
 *
 * Only the parts of the pull reader use this.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_PATH_H
#define APMTOOL_LIB_TEXT_JSON_PATH_H

#include "lib/base/str.h"
#include "lib/text/json/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zeros: nothing is open. */
struct json_path {
	size_t depth;
	struct json_path_name *names; ///< of levels whose mark the window left
	size_t name_cap;
	/** A bit a level: is it an array? */
	uint64_t arrays[JSON_PULL_DEPTH / 64];
	/** The element of each level, or the offset of its name. */
	size_t marks[JSON_PULL_DEPTH];
};

void json_path_release(struct json_path *path);

static inline bool json_path_is_array(const struct json_path *path,
                                      size_t level)
{
	return path->arrays[level / 64] >> level % 64 & 1;
}

/** Is the innermost level an array? */
static inline bool json_path_in_array(const struct json_path *path)
{
	return path->depth && json_path_is_array(path, path->depth - 1);
}

/** The next element of the innermost level, an array. */
static inline void json_path_next(struct json_path *path)
{
	// From SIZE_MAX to 0 for the first.
	path->marks[path->depth - 1]++;
}

/** A member of the innermost level, an object; its name is at @p offset. */
static inline void json_path_name(struct json_path *path, size_t offset)
{
	path->marks[path->depth - 1] = offset;
}

/** Open a level, of which JSON_PULL_DEPTH - 1 may be open. */
void json_path_open(struct json_path *path, bool is_array);

/** Copy the names that the window of @p t is about to leave. */
void json_path_keep(struct json_path *path, const struct json_tokens *t);

/** Append the outermost @p levels. The middle of very many is left out. */
void json_path_add(const struct json_path *path, size_t levels,
                   const struct json_tokens *t, struct str *out);

#endif
