// SPDX-License-Identifier: MIT
/**
 * Regular expressions and globs: pcre2 behind a door with limits.
 *
 * Patterns come from config and rules files, subjects from reports; both can
 * be hostile. So pcre2's interpreter runs with small limits (its JIT compiler
 * ignores most of them), and every match is charged for its work. A match that
 * hits a limit is undecided: that is neither yes nor no, and worth a warning
 * that names the pattern.
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

/** Longest subject; a longer one is undecided. */
#define REGEX_SUBJECT_BYTES ((size_t)64 << 10)

struct regex;

enum regex_answer {
	REGEX_NO,
	REGEX_YES,
	REGEX_UNDECIDED, ///< a limit was hit
};

/**
 * Compile a Perl-compatible pattern; it is UTF-8, as subjects are but need not
 * be: a byte that is not matches nothing. `\C` is refused.
 *
 * @param ret  Freed with regex_free().
 * @return An ERROR_CONFIG with the offset of the fault in the pattern.
 */
MUST_CHECK struct error *regex_compile(struct text pattern, struct regex **ret);

/**
 * A pattern of our own, which compiles: it is done when a subject first needs
 * it, by any thread.
 */
struct regex *regex_compile_later(struct text pattern);

/**
 * Compile a glob, which matches whole subjects: `*` stands for any characters,
 * `?` for one; a `/` is a character like any other. Never backtracks far.
 */
MUST_CHECK struct error *regex_compile_glob(struct text glob,
                                            struct regex **ret);

void regex_free(struct regex *regex); ///< NULL is fine

/**
 * Does the pattern match somewhere in @p subject?
 *
 * @param work  In and out: what is left of the caller's budget for many
 *              matches; the match is undecided where it does not suffice.
 */
enum regex_answer regex_match(const struct regex *regex, struct text subject,
                              size_t *work);

/**
 * False where the first bytes of @p subject show that there is no match, which
 * costs next to nothing; true decides nothing.
 */
bool regex_may_match(const struct regex *regex, struct text subject);

/** The version of pcre2, `10.42`, for `apmtool doctor`. */
const char *regex_library_version(void);

#endif
