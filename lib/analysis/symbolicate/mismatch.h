// SPDX-License-Identifier: MIT
/**
 * Symbols of another build, on purpose: one image, named by its UUID, and the
 * file that is to name it although its own UUID differs. For whoever has lost
 * the dSYM and compiled the same source again; all that comes of it is marked
 * (MISMATCH_MARK, the source of the frames, a note in each report).
 *
 *     err = mismatches_add(&mismatches, "4C4C44BD-…=build/Demo.dSYM");
 *     mismatches_apply(&mismatches, reports, count, store, arena);
 *     symbolicate(reports, count, store, arena, &result);
 *     reason = mismatch_refusal(&mismatches.items[0]);
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_MISMATCH_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_MISMATCH_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/uuid.h"
#include "lib/model/report.h"
#include "lib/symbols/index/uuid_index.h"
#include "lib/symbols/store.h"

#include <stdbool.h>
#include <stddef.h>

/** What follows the name of each function that such a file has named. */
#define MISMATCH_MARK " [UUID mismatch]"

struct mismatch {
	struct uuid uuid; ///< of the image
	const char *path; ///< of the file, borrowed
	struct uuid_index *index;
	const struct uuid_entry *entry; ///< the slice in use; NULL: none yet
	const char *refusal;            ///< why it is not used; NULL: it may be
};

/** All zeros is none. */
struct mismatches {
	struct arena arena;
	struct mismatch *items;
	size_t count;
	size_t cap;
};

/** Take in @p option, `UUID=FILE`, which is borrowed. */
MUST_CHECK struct error *mismatches_add(struct mismatches *mismatches,
                                        const char *option);

/**
 * Allow the files for those images of the reports that they are meant for, if
 * the architecture is the same and the store has no file of the image's own
 * build. A report that has such an image gets a note.
 */
void mismatches_apply(struct mismatches *mismatches,
                      struct report *const *reports, size_t count,
                      struct symbol_store *store, struct arena *arena);

/** After all reports: why the file was not used; NULL: it was. */
const char *mismatch_refusal(const struct mismatch *mismatch);

void mismatches_release(struct mismatches *mismatches);

#endif
