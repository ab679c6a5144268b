// SPDX-License-Identifier: MIT
/**
 * Regular expressions and globs with limits. The only user of pcre2.
 *
 * Patterns come from config and rules files, subjects from reports; both can be
 * hostile. So pcre2's interpreter runs with low limits (its JIT compiler
 * ignores most of them), and each match is charged for its work. A match that
 * reaches a limit is undecided: neither yes nor no, and worth a warning with
 * the pattern.
 *
 *     size_t work = limit_get(LIMIT_PATTERN_STEPS);
 *
 *     if ((err = regex_compile(pattern, &regex)))
 *             return err;
 *     if (regex_match(regex, subject, &work) == REGEX_YES)
 */
#ifndef APMTOOL_LIB_TEXT_REGEX_H
#define APMTOOL_LIB_TEXT_REGEX_H

#include "lib/base/error.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Max subject; longer ones are undecided. */
#define REGEX_SUBJECT_BYTES ((size_t)64 << 10)

struct regex;

enum regex_answer {
	REGEX_NO,
	REGEX_YES,
	REGEX_UNDECIDED, ///< a limit was hit
};

/**
 * Compile a Perl-compatible pattern in UTF-8. Subjects may be invalid UTF-8:
 * invalid bytes match nothing. `\C` is refused.
 *
 * @param ret  Free it with regex_free().
 * @return An ERROR_CONFIG with the offset of the fault in the pattern.
 */
MUST_CHECK struct error *regex_compile(struct text pattern, struct regex **ret);

/**
 * A built-in pattern, known to be valid: compiled at its first use, by any
 * thread.
 */
struct regex *regex_compile_later(struct text pattern);

/**
 * Compile a glob, which matches whole subjects: `*` matches any characters, `?`
 * one; `/` is an ordinary character. Backtracking is bounded.
 */
MUST_CHECK struct error *regex_compile_glob(struct text glob,
                                            struct regex **ret);

void regex_free(struct regex *regex); ///< accepts NULL

/**
 * Does the pattern match anywhere in @p subject?
 *
 * @param work  In and out: the caller's budget for many matches; undecided if
 *              it is used up.
 */
enum regex_answer regex_match(const struct regex *regex, struct text subject,
                              size_t *work);

/** A cheap test of the first bytes: false if @p subject cannot match. */
bool regex_may_match(const struct regex *regex, struct text subject);

/** The version of pcre2, `10.42`, for `apmtool doctor`. */
const char *regex_library_version(void);

#endif
