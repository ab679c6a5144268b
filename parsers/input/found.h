// SPDX-License-Identifier: MIT
/**
 * Describes an input that a command does not take. The message names both what
 * the command takes and what the input is:
 *
 *     struct found found = found_text(text, &arena);
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

/** What readers produce and commands take. */
enum yields {
	YIELDS_SESSIONS = 1 << 0, ///< last-session records
	YIELDS_REPORTS = 1 << 1,  ///< crashes, hangs, panics: struct report
	YIELDS_JETSAM = 1 << 2,   ///< jetsam logs: struct report
	YIELDS_MEMORY = 1 << 3,   ///< records of memory limits: struct report
	YIELDS_SAMPLES = 1 << 4,  ///< samples of hangs, or of a profiler
	YIELDS_STACKS = 1 << 5,   ///< collapsed: samples without images
	YIELDS_GROUPS = 1 << 6,   ///< tables of `apmtool group`
	/** differences of two profiles: no command takes them */
	YIELDS_DIFFERENCES = 1 << 7,
};

/** Everything that is read into a struct report. */
#define YIELDS_ANY_REPORT (YIELDS_REPORTS | YIELDS_JETSAM | YIELDS_MEMORY)

struct found {
	const char *name; ///< with article; NULL: named after @c yields
	const char *hint; ///< advice: `unpack it first`; or NULL
	unsigned yields;  ///< enum yields; 0: no command takes it
	bool is_fault;    ///< damaged or empty: the message is the name alone
	bool is_unknown;  ///< the name is a guess by appearance
};

/** Is the kind of the input known? */
bool found_is_known(const struct found *found);

/**
 * A new error with this message: ERROR_FORMAT for damaged inputs, else
 * ERROR_UNSUPPORTED.
 *
 * @param wants  enum yields that the command takes.
 */
struct error *found_refuse(const struct found *found, unsigned wants);

/** Identify by magic number, or as empty. */
struct found found_binary(struct bytes in);

/**
 * Identify texts that quote reports: source code, manual pages, patches, and
 * apmtool's own JSON.
 */
struct found found_source(struct text in);

/**
 * Identify texts of other tools, and damaged texts.
 *
 * @param arena  For the name.
 */
struct found found_text(struct text in, struct arena *arena);

/** Name any other text; never NULL. */
struct found found_unknown(struct text in, struct arena *arena);

/** Name a report of a kind that the command does not take. */
struct found found_report(const struct report *report, struct arena *arena);

#endif
