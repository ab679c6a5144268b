// SPDX-License-Identifier: MIT
/**
 * Collects unreadable parts of an input. Each becomes a note of the report
 * before it. Parts before the first report become one note of that report,
 * which names the first part and counts the others.
 *
 *     SCOPED(skipped_release) struct skipped skipped = { .arena = arena };
 *
 *     skipped_add(&skipped, last, "line 7", err, SKIPPED_NOTED);
 *     …
 *     if (!first)
 *             return skipped_take(&skipped);
 *     skipped_note(&skipped, first, "line 1");
 */
#ifndef APMTOOL_PARSERS_INPUT_SKIPPED_H
#define APMTOOL_PARSERS_INPUT_SKIPPED_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

/** Severity of a skipped part. */
enum skipped_weight {
	SKIPPED_QUIETLY, ///< reported only if nothing can be read
	SKIPPED_NOTED,
	SKIPPED_FAILED, ///< noted, and the input counts as failed
};

/** Max notes; one more note gives the number of others. */
#define SKIPPED_LISTED 20

/** All zeros except the arena. */
struct skipped {
	struct arena *arena;
	size_t count;    ///< parts noted on reports
	bool has_failed; ///< one of them is SKIPPED_FAILED
	/** before any report: the first of the highest severity */
	struct error *error;
	enum skipped_weight weight; ///< its severity
	size_t waiting; ///< parts before any report that deserve a note
};

/**
 * Skip a part.
 *
 * @param last   The report before it; NULL before the first report.
 * @param place  For the note.
 * @param err    The reason; taken.
 */
void skipped_add(struct skipped *skipped, struct report *last,
                 const char *place, struct error *err,
                 enum skipped_weight weight);

/**
 * Reason of the first part, and the number of others, `…; and 2 more`: in the
 * arena.
 */
const char *skipped_text(const struct skipped *skipped);

/** Add the note about parts before the first report. */
void skipped_note(const struct skipped *skipped, struct report *first,
                  const char *place);

/**
 * The error of an input without a report, owned by the caller; NULL if nothing
 * was skipped.
 */
struct error *skipped_take(struct skipped *skipped);

void skipped_release(struct skipped *skipped);

#endif
