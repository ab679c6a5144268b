// SPDX-License-Identifier: MIT
/**
 * Apple's numbers for kinds of reports: `bug_type` in the header line of an
 * `.ips` file. Ids and names are those of OSAnalytics' submission table in a
 * current system (formats.md 3.2).
 *
 * The number says what a report is about. It does not decide what the body
 * looks like (formats.md 3.1): parsers go by the body itself.
 */
#ifndef APMTOOL_LIB_DARWIN_BUG_TYPES_H
#define APMTOOL_LIB_DARWIN_BUG_TYPES_H

#include "lib/base/arena.h"

#include <stdbool.h>

/** What usually follows the header line. */
enum bug_body {
	BUG_BODY_UNKNOWN,
	BUG_BODY_CRASH,      ///< threads and images, as JSON or as Apple's text
	BUG_BODY_TREE,       ///< text: a spindump, or microstackshots
	BUG_BODY_TEXT,       ///< other text
	BUG_BODY_JSON,       ///< one object
	BUG_BODY_JSON_LINES, ///< an object a line
	BUG_BODY_JETSAM,     ///< who held how much memory; no stacks
};

struct bug_type {
	const char *id;   ///< as in the header: digits, or a word
	const char *name; ///< in the submission table of Apple's systems
	const char *what; ///< in plain words, with its article
	enum bug_body body;
};

/** NULL if the number is NULL or not known. */
const struct bug_type *bug_type_find(const char *id);

/** Is this the number of a crash report, or of one shaped like it? */
bool bug_type_is_crash(const char *id);

/** `a CPU usage report (bug_type 202)`, for messages; any @p id, NULL too. */
const char *bug_type_describe(const char *id, struct arena *arena);

/** @p what without its article: `kernel panic log`. */
const char *bug_type_bare(const char *what);

/** The article of such a word, and a blank: `a `, `an `, `the `. */
const char *bug_type_article(const char *bare);

#endif
