/**
 * Parts of an input that cannot be read, among others that can: each is a note
 * of the report before it. Those before the first report wait for it: the
 * first of them is named there, the others are counted.
 *
 *     SCOPED(left_out_release) struct left_out left_out = { .arena = arena };
 *
 *     left_out_add(&left_out, last, "line 7", err, LEFT_OUT_NOTED);
 *     …
 *     if (!first)
 *             return left_out_take(&left_out);
 *     left_out_note(&left_out, first, "line 1");
 */
#ifndef APMTOOL_PARSERS_LEFT_OUT_H
#define APMTOOL_PARSERS_LEFT_OUT_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

/** How much a part that is left out matters. */
enum left_out_weight {
	LEFT_OUT_QUIETLY, ///< only where nothing else can be read
	LEFT_OUT_NOTED,
	LEFT_OUT_FAILED, ///< noted, and a failure of the input
};

/** So many are listed; that there are more is one more note. */
#define LEFT_OUT_LISTED 20

/** All zeros but the arena, before the first part. */
struct left_out {
	struct arena *arena;
	size_t count;        ///< noted at the reports before them
	bool has_failed;     ///< one of those is a failure
	struct error *error; ///< before any report: the first that matters most
	enum left_out_weight weight; ///< of it
	size_t waiting;              ///< before any report, worth a note
};

/**
 * Leave a part out.
 *
 * @param last   The report before it; NULL: there is none yet.
 * @param place  Of the note, where there is a report.
 * @param err    Why; taken.
 */
void left_out_add(struct left_out *left_out, struct report *last,
                  const char *place, struct error *err,
                  enum left_out_weight weight);

/** Note those that came before the first report. */
void left_out_note(const struct left_out *left_out, struct report *first,
                   const char *place);

/** The error of an input without any report; the caller's. NULL: none. */
struct error *left_out_take(struct left_out *left_out);

void left_out_release(struct left_out *left_out);

#endif
