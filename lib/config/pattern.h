// SPDX-License-Identifier: MIT
/**
 * Patterns on properties of an image or a frame, for rules: a glob, or a
 * regular expression after `regex:` (apmtool-config(1)). Private to lib/config
 * and its rules.
 */
#ifndef APMTOOL_LIB_CONFIG_PATTERN_H
#define APMTOOL_LIB_CONFIG_PATTERN_H

#include "lib/base/error.h"
#include "lib/text/regex.h"
#include "lib/text/yaml.h"

#include <stddef.h>

/** Pattern for one property. */
struct config_pattern {
	/** as written; NULL: matches everything, also an unknown value */
	const char *text;
	struct regex *regex;
};

/** A pattern and the value to match. */
struct config_property {
	const struct config_pattern *pattern;
	const char *value; ///< NULL: unknown, matches no pattern
};

/**
 * Read the field @p name of @p rule; without it, @p ret is unchanged.
 *
 * @param ret  The caller frees its regex, also after an error.
 */
MUST_CHECK struct error *config_pattern_read(const struct yml *rule,
                                             const char *name,
                                             struct config_pattern *ret);

/** Compile a regular expression, the text of @p node without its prefix. */
MUST_CHECK struct error *config_pattern_compile(const struct yml *node,
                                                struct text text,
                                                struct regex **ret);

/**
 * Do all patterns match? One that does not match makes it false; otherwise one
 * that is undecided makes it undecided. A leading `/private` of a value is
 * ignored.
 *
 * @param work  As for regex_match().
 */
enum regex_answer config_match_all(const struct config_property *properties,
                                   size_t count, size_t *work);

#endif
