// SPDX-License-Identifier: MIT
/**
 * The position of a pull reader in its document, for messages: the element or
 * member of each open level, `threads[3].frames[0]`.
 *
 * While the input is in memory, a name is kept as its offset. For streamed
 * input, names are copied before they leave the window.
 *
 * Private to the pull reader.
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
	struct json_path_name *names; ///< of levels whose name left the window
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

/** Advance to the next element of the innermost level, an array. */
static inline void json_path_next(struct json_path *path)
{
	// SIZE_MAX becomes 0 for the first.
	path->marks[path->depth - 1]++;
}

/**
 * Set the member of the innermost level, an object, by the offset of its name.
 */
static inline void json_path_name(struct json_path *path, size_t offset)
{
	path->marks[path->depth - 1] = offset;
}

/** Open a level; max JSON_PULL_DEPTH - 1. */
void json_path_open(struct json_path *path, bool is_array);

/** Copy names that are about to leave the window of @p t. */
void json_path_keep(struct json_path *path, const struct json_tokens *t);

/** Append the outermost @p levels. The middle of a long path is omitted. */
void json_path_add(const struct json_path *path, size_t levels,
                   const struct json_tokens *t, struct str *out);

#endif
