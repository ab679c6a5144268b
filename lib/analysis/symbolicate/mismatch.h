// SPDX-License-Identifier: MIT
/**
 * Symbolicates an image with a file that has another UUID, at the user's
 * request: for users who lost the dSYM and compiled the same source again. All
 * results are marked (MISMATCH_MARK, the source of the frames, a note in each
 * report).
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

/** Suffix of each function name from such a file. */
#define MISMATCH_MARK " [UUID mismatch]"

struct mismatch {
	struct uuid uuid; ///< of the image
	const char *path; ///< of the file, borrowed
	struct uuid_index *index;
	const struct uuid_entry *entry; ///< the slice in use; or NULL
	const char *refusal;            ///< why it is not used; or NULL
};

/** All zeros is empty. */
struct mismatches {
	struct arena arena;
	struct mismatch *items;
	size_t count;
	size_t cap;
};

/** Add the option `UUID=FILE`, which is borrowed. */
MUST_CHECK struct error *mismatches_add(struct mismatches *mismatches,
                                        const char *option);

/**
 * Use the files for their images in the reports, if the architecture is the
 * same and the store has no file with the image's UUID. Adds a note to each
 * report with such an image.
 */
void mismatches_apply(struct mismatches *mismatches,
                      struct report *const *reports, size_t count,
                      struct symbol_store *store, struct arena *arena);

/** After all reports: why the file was not used; or NULL. */
const char *mismatch_refusal(const struct mismatch *mismatch);

void mismatches_release(struct mismatches *mismatches);

#endif
