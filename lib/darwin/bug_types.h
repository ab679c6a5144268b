// SPDX-License-Identifier: MIT
/**
 * Apple's numbers for kinds of reports: `bug_type` in the header line of an
 * `.ips` file. Ids and names are from OSAnalytics' submission table in a
 * current system (apmtool-formats(5)).
 *
 * The number gives the subject of a report, not the format of its body: parsers
 * detect the format from the body itself.
 */
#ifndef APMTOOL_LIB_DARWIN_BUG_TYPES_H
#define APMTOOL_LIB_DARWIN_BUG_TYPES_H

#include "lib/base/arena.h"

#include <stdbool.h>

/** Usual contents after the header line. */
enum bug_body {
	BUG_BODY_UNKNOWN,
	BUG_BODY_CRASH,      ///< threads and images, as JSON or as Apple's text
	BUG_BODY_TREE,       ///< text: a spindump, or microstackshots
	BUG_BODY_TEXT,       ///< other text
	BUG_BODY_JSON,       ///< one object
	BUG_BODY_JSON_LINES, ///< an object a line
	BUG_BODY_JETSAM,     ///< memory of all processes; no stacks
};

struct bug_type {
	const char *id;   ///< as in the header: digits, or a word
	const char *name; ///< in the submission table of Apple's systems
	const char *what; ///< in words, with its article
	enum bug_body body;
};

/** The type with this number; NULL if unknown. Accepts NULL. */
const struct bug_type *bug_type_find(const char *id);

/** Is this the number of a crash report, or of one with the same format? */
bool bug_type_is_crash(const char *id);

/**
 * `a CPU usage report (bug_type 202)`, for messages. Accepts any @p id and
 * NULL.
 */
const char *bug_type_describe(const char *id, struct arena *arena);

/** @p what without its article: `kernel panic log`. */
const char *bug_type_bare(const char *what);

/** The article of such a name, with a blank: `a `, `an `, `the `. */
const char *bug_type_article(const char *bare);

#endif
