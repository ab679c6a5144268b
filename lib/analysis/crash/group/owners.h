// SPDX-License-Identifier: MIT
/**
 * Owners of source files from a CODEOWNERS file, with patterns as in
 * `.gitignore`. The last matching pattern wins, also without names.
 *
 *     # comment
 *     *                 @everyone
 *     /Sources/Feed/    @feed-team feed@example.com
 *     *.swift           @swift
 *     Generated/        (no owner)
 *
 * Debug information has the path on the machine that compiled the file,
 * `/Users/ci/build/42/App/Sources/Feed/Feed.m`. The root of the repository
 * there is unknown, so a pattern with a slash may match from any directory of
 * the path on.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_OWNERS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_OWNERS_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"

#include <stddef.h>

/** Limits; more is an ERROR_LIMIT. */
#define OWNERS_BYTES_MAX (3u << 20)
#define OWNERS_RULES_MAX 50000

struct owners_rule {
	struct text *parts; ///< pattern split at slashes
	size_t part_count;
	bool is_anchored;  ///< it has a slash before its end
	bool is_directory; ///< it ends with a slash
	const char *names; ///< separated by blanks; NULL: no owner
	unsigned line;
};

struct owners {
	struct owners_rule *rules; ///< the last match wins
	size_t count;
	size_t cap;
};

/**
 * Read a file into the arena.
 *
 * @param name  For messages.
 */
MUST_CHECK struct error *owners_parse(struct text in, const char *name,
                                      struct arena *arena, struct owners *ret);

/** `@feed-team feed@example.com`; NULL without owner. */
const char *owners_find(const struct owners *owners, const char *path);

#endif
