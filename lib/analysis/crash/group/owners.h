// SPDX-License-Identifier: MIT
/**
 * Who owns a source file: a CODEOWNERS file, with patterns as in `.gitignore`.
 * The last pattern that matches decides, even where it names nobody.
 *
 *     # comment
 *     *                 @everyone
 *     /Sources/Feed/    @feed-team feed@example.com
 *     *.swift           @swift
 *     Generated/        (nobody)
 *
 * Debug information has the path that the file had where it was compiled,
 * `/Users/ci/build/42/App/Sources/Feed/Feed.m`. Nothing says where the
 * repository began there, so a pattern with a slash may match from any
 * directory of the path on.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_OWNERS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_OWNERS_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/text.h"

#include <stddef.h>

/** Limits; what exceeds one is an ERROR_LIMIT. */
#define OWNERS_BYTES_MAX (3u << 20)
#define OWNERS_RULES_MAX 50000

struct owners_rule {
	struct text *parts; ///< of the pattern, between slashes
	size_t part_count;
	bool is_anchored;  ///< had a slash before its end
	bool is_directory; ///< ended with a slash
	const char *names; ///< with a blank between; NULL: nobody
	unsigned line;
};

struct owners {
	struct owners_rule *rules; ///< the last that matches decides
	size_t count;
	size_t cap;
};

/** Read a file; @p name is how messages call it. All lives in the arena. */
MUST_CHECK struct error *owners_parse(struct text in, const char *name,
                                      struct arena *arena, struct owners *ret);

/** `@feed-team feed@example.com`; NULL: nobody. */
const char *owners_find(const struct owners *owners, const char *path);

#endif
