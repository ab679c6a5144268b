// SPDX-License-Identifier: MIT
/**
 * Rules OLD=NEW of `--path-map`: they replace the beginning of source paths in
 * debug information and reports. `/Users/ci/build/App/Feed.cpp` of a build
 * machine becomes `App/Feed.cpp` of a repository. Without a matching rule a
 * path stays unchanged: nothing is guessed.
 *
 * Like limits (limit.h), rules are set before anything is read, while there is
 * one thread. Each path is mapped once, when it is read from a symbol file, a
 * report, or a stored group table.
 */
#ifndef APMTOOL_LIB_BASE_SOURCE_PATH_H
#define APMTOOL_LIB_BASE_SOURCE_PATH_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

#include <stdbool.h>

/** Is it `OLD=NEW`? OLD ends at the first `=` and is not empty. */
bool source_path_is_rule(struct text rule);

/**
 * Append a rule; the first rule that matches a path wins. OLD matches whole
 * components: `/a/b` does not match `/a/bc`. An empty NEW removes the
 * beginning.
 *
 * @param rule  Valid by source_path_is_rule(); copied.
 */
void source_path_add_rule(struct text rule);

bool source_path_has_rules(void);

/** The mapped path: @p path itself if no rule matches, else in @p arena. */
const char *source_path(const char *path, struct arena *arena);

/** Remove all rules. */
void source_path_release(void);

#endif
