// SPDX-License-Identifier: MIT
/**
 * Unreadable parts of an input that has readable ones. Each becomes a note of
 * the report before it. Parts before the first report become one note of that
 * report, which names the first of them and counts the others.
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

/** How much a part that is left out matters. */
enum skipped_weight {
	SKIPPED_QUIETLY, ///< reported only if nothing can be read
	SKIPPED_NOTED,
	SKIPPED_FAILED, ///< noted, and a failure of the input
};

/** So many are listed; if there are more, one more note says so. */
#define SKIPPED_LISTED 20

/** All zeros but the arena, before the first part. */
struct skipped {
	struct arena *arena;
	size_t count;        ///< noted at the reports before them
	bool has_failed;     ///< one of those is a failure
	struct error *error; ///< before any report: the first that matters most
	enum skipped_weight weight; ///< of it
	size_t waiting;             ///< before any report, worth a note
};

/**
 * Leave a part out.
 *
 * @param last   The report before it; NULL: there is none yet.
 * @param place  Of the note, where there is a report.
 * @param err    Why; taken.
 */
void skipped_add(struct skipped *skipped, struct report *last,
                 const char *place, struct error *err,
                 enum skipped_weight weight);

/** Why the first of them was left out, `…; and 2 more`: in the arena. */
const char *skipped_text(const struct skipped *skipped);

/** Note those that came before the first report. */
void skipped_note(const struct skipped *skipped, struct report *first,
                  const char *place);

/** The error of an input without any report; the caller's. NULL: none. */
struct error *skipped_take(struct skipped *skipped);

void skipped_release(struct skipped *skipped);

#endif
