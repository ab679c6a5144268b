// SPDX-License-Identifier: MIT
/**
 * The slices of Mach-O files that have a UUID, as a table; and selecting one.
 *
 *     SCOPED(slices_release) struct slices slices;
 *
 *     slices_init(&slices, arch);
 *     err = slices_add(&slices, "build/App.xcarchive");
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_SLICES_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_SLICES_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/uuid.h"
#include "lib/model/notice.h"
#include "lib/model/table.h"
#include "lib/symbols/index/uuid_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The columns, all of them text. */
enum slice_column {
	SLICE_UUID,
	SLICE_ARCH,
	SLICE_PATH,
	SLICE_TYPE, ///< of the file: `dsym`, `executable`
	SLICE_COLUMN_COUNT,
};

struct slices {
	const char *arch; ///< only this architecture; NULL: all
	struct table table;
	struct arena arena;
	struct notice *notes; ///< place is the path
	size_t note_count;
	size_t note_cap;
	bool damaged; ///< a file was unreadable, at least in part
};

/** @p arch is borrowed. */
void slices_init(struct slices *slices, const char *arch);
void slices_release(struct slices *slices);

/**
 * Add a row for each slice at or below @p path, even if it was added before.
 * Unreadable files are noted; it is an error if there is no slice.
 */
MUST_CHECK struct error *slices_add(struct slices *slices, const char *path);

/** Criteria for one slice. */
struct slice_wish {
	const char *arch; ///< NULL: any
	struct uuid uuid; ///< zero: any
	/** Does an image linked at this address match? NULL: any does. */
	bool (*fits)(uint64_t text_address, uint64_t text_size,
	             const void *context);
	const void *context;
};

/** A slice, and its files: copies, or a binary and its dSYM. */
struct slice_choice {
	const struct uuid_entry *entry; ///< the first; borrowed from the index
	/**
	 * All files with its UUID and architecture, in the order of
	 * uuid_index_find().
	 */
	struct uuid_entry *files;
	size_t count;
};

void slice_choice_release(struct slice_choice *choice);

/**
 * The only slice of @p path that matches. If a bundle has several files of an
 * architecture, such as an app of Xcode 16 and its debug library, @c fits
 * selects one.
 *
 * @param index  Contains only what is at @p path.
 * @param ret    Release it after success.
 */
MUST_CHECK struct error *slice_choose(struct uuid_index *index,
                                      const char *path,
                                      const struct slice_wish *wish,
                                      struct slice_choice *ret);

/**
 * The linked address of its code, from its file or, if that is damaged, from
 * another one.
 */
MUST_CHECK struct error *slice_choice_read_text(
        const struct slice_choice *choice, uint64_t *ret_address,
        uint64_t *ret_size);

#endif
