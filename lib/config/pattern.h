// SPDX-License-Identifier: MIT
/**
 * Within lib/config and its rules: patterns on what is known of an image or a
 * frame. All rules of the user's read and match them alike (apmtool-config(1)):
 * a glob, or a regular expression after `regex:`.
 */
#ifndef APMTOOL_LIB_CONFIG_PATTERN_H
#define APMTOOL_LIB_CONFIG_PATTERN_H

#include "lib/base/error.h"
#include "lib/text/regex.h"
#include "lib/text/yaml.h"

#include <stddef.h>

/** What one property of an image or a frame must match. */
struct config_pattern {
	const char *text; ///< as written; NULL: anything, or nothing, will do
	struct regex *regex;
};

/** A pattern of a rule, and what it is asked about. */
struct config_property {
	const struct config_pattern *pattern;
	const char *value; ///< NULL: not known, which matches no pattern
};

/**
 * Read the field @p name of @p rule; without it, @p ret is left alone.
 *
 * @param ret  Its regex is freed by who holds the rule, after an error too.
 */
MUST_CHECK struct error *config_pattern_read(const struct yml *rule,
                                             const char *name,
                                             struct config_pattern *ret);

/** Compile what @p node holds, a regular expression without its mark. */
MUST_CHECK struct error *config_pattern_compile(const struct yml *node,
                                                struct text text,
                                                struct regex **ret);

/**
 * All patterns must match; one that does not match decides, else one that is
 * undecided does. A value is looked at without a leading `/private`.
 *
 * @param work  As regex_match() has it.
 */
enum regex_answer config_match_all(const struct config_property *properties,
                                   size_t count, size_t *work);

#endif
