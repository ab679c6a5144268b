/**
 * Parts of an input that cannot be read, among others that can: each is a note
 * of the report before it. Those before the first report wait for it: the
 * first of them is named there, the others are counted.
 *
 *     SCOPED(left_out_release) struct left_out left_out = { .arena = arena };
 *
 *     left_out_add(&left_out, last, "line 7", err, true);
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

/** So many are listed; that there are more is one more note. */
#define LEFT_OUT_LISTED 20

/** All zeros but the arena, before the first part. */
struct left_out {
	struct arena *arena;
	size_t count;        ///< noted at the reports before them
	struct error *error; ///< the first one before any report
	size_t waiting;      ///< before any report, worth a note
};

/**
 * Leave a part out.
 *
 * @param last   The report before it; NULL: there is none yet.
 * @param place  Of the note, where there is a report.
 * @param err    Why; taken.
 * @param noted  It is worth a note, not only an error where all else fails.
 */
void left_out_add(struct left_out *left_out, struct report *last,
                  const char *place, struct error *err, bool noted);

/** Note those that came before the first report. */
void left_out_note(const struct left_out *left_out, struct report *first,
                   const char *place);

/** The error of an input without any report; the caller's. NULL: none. */
struct error *left_out_take(struct left_out *left_out);

void left_out_release(struct left_out *left_out);

#endif
