// SPDX-License-Identifier: MIT
/**
 * What an input holds, as a value, where it is not what a command is about: the
 * words of the refusal are made of both.
 *
 *     struct found found = found_text(text, &arena);
 *
 *     return found_refuse(&found, YIELDS_SESSIONS | YIELDS_JETSAM);
 *
 *     neither a last-session record nor a jetsam log, but a PNG image
 */
#ifndef APMTOOL_PARSERS_INPUT_FOUND_H
#define APMTOOL_PARSERS_INPUT_FOUND_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** What readers yield, and commands take. */
enum yields {
	YIELDS_SESSIONS = 1 << 0, ///< last-session records
	YIELDS_REPORTS = 1 << 1,  ///< crashes, hangs, panics: struct report
	YIELDS_JETSAM = 1 << 2,   ///< jetsam logs: struct report
	YIELDS_MEMORY = 1 << 3,   ///< records of memory limits: struct report
	YIELDS_SAMPLES = 1 << 4,  ///< samples of hangs, or of a profiler
	YIELDS_STACKS = 1 << 5,   ///< collapsed: samples without images
	YIELDS_GROUPS = 1 << 6,   ///< tables of `apmtool group`
	YIELDS_DIFFERENCES = 1 << 7, ///< of two profiles: no command takes them
};

/** All that comes as a struct report. */
#define YIELDS_ANY_REPORT (YIELDS_REPORTS | YIELDS_JETSAM | YIELDS_MEMORY)

struct found {
	const char *name; ///< with its article; NULL: as what it yields
	const char *hint; ///< what to do with it: `unpack it first`; NULL
	unsigned yields;  ///< enum yields, of what a command takes; else 0
	bool is_fault;   ///< damaged, or empty: the name is all there is to say
	bool is_unknown; ///< the name only says what it looks like
};

/** Is anything known? */
bool found_is_known(const struct found *found);

/**
 * A new error of these words: ERROR_FORMAT of a fault, else ERROR_UNSUPPORTED.
 *
 * @param wants  enum yields: what was looked for.
 */
struct error *found_refuse(const struct found *found, unsigned wants);

/** By a magic number, or that there is nothing else in it. */
struct found found_binary(struct bytes in);

/**
 * A program's source, a manual page, a patch, and what apmtool itself wrote as
 * JSON: they quote reports, and are not reports.
 */
struct found found_source(struct text in);

/**
 * A text of another tool, or one that is damaged (formats.md, chapter 1).
 *
 * @param arena  For the name.
 */
struct found found_text(struct text in, struct arena *arena);

/** Any other text: its name is never NULL. */
struct found found_unknown(struct text in, struct arena *arena);

/** A report that is of no use to a command, by its kind. */
struct found found_report(const struct report *report, struct arena *arena);

#endif
