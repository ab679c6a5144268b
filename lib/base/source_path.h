// SPDX-License-Identifier: MIT
/**
 * Where source files are: rules OLD=NEW that replace the beginning of the
 * paths that debug information and reports name, as `--path-map` gives them. A
 * build machine's `/Users/ci/build/App/Feed.cpp` becomes `App/Feed.cpp`, which
 * a repository has. Without a rule for it, a path stays as it is: nothing is
 * guessed.
 *
 * Like limits (limit.h), they are set before anything is read, when there is
 * one thread, and do not change from then on. Each path is mapped once, where
 * it comes in: from a symbol file, a report, or a stored table of groups.
 */
#ifndef APMTOOL_LIB_BASE_SOURCE_PATH_H
#define APMTOOL_LIB_BASE_SOURCE_PATH_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

#include <stdbool.h>

/** Is it `OLD=NEW`? OLD ends at the first `=` and is not empty. */
bool source_path_is_rule(struct text rule);

/**
 * Add a rule, after those there are: the first that matches a path decides.
 * OLD matches whole components only, `/a/b` no `/a/bc`. An empty NEW takes the
 * beginning away.
 *
 * @param rule  One of source_path_is_rule(); copied.
 */
void source_path_add_rule(struct text rule);

bool source_path_has_rules(void);

/** @return @p path itself where no rule matches; else in @p arena. */
const char *source_path(const char *path, struct arena *arena);

/** Forget all rules. */
void source_path_release(void);

#endif
