// SPDX-License-Identifier: MIT
/**
 * Visiting the files of a directory.
 *
 *     err = file_walk("build", visit, context, &skipped);
 *
 * A directory that was named is walked completely. One that was only found (it
 * is beside a report, or a project's config says so) may hold anything, `/`
 * included: its walk has a budget.
 *
 *     struct file_budget budget = FILE_BUDGET;
 *
 *     file_budget_begin(&budget);
 *     err = file_walk_found("build", visit, context, &budget, &skipped);
 *     file_budget_end(&budget);
 */
#ifndef APMTOOL_LIB_BASE_FILE_WALK_H
#define APMTOOL_LIB_BASE_FILE_WALK_H

#include "lib/base/error.h"
#include "lib/base/file.h"

#include <stddef.h>
#include <stdint.h>

/** A file found by a walk. */
struct file_found {
	const char *path; ///< lives as long as the call
	uint64_t size_bytes;
	struct file_identity identity;
};

typedef struct error *(*file_visit)(const struct file_found *found,
                                    void *context);

/**
 * Visit every regular file below @p path, or @p path itself if it is a file,
 * in the byte order of the names, so that the same tree gives the same order.
 * Symbolic links below the start are followed for files only, never for
 * directories; depth ends at 64. Below the start, a directory that cannot be
 * read is skipped; where only the system refuses (no descriptor, no memory),
 * the walk ends with ERROR_SHORTAGE. /proc, /sys and /dev are not entered
 * unless the walk begins in them.
 *
 * @param ret_skipped  Why the first directory was skipped, and how many others;
 *                     NULL: none was. The caller's, whatever is returned. May
 *                     be NULL itself.
 */
MUST_CHECK struct error *file_walk(const char *path, file_visit visit,
                                   void *context, struct error **ret_skipped);

/** What walks that were not asked for may cost together. */
struct file_budget {
	size_t entries; ///< files and directories that are left
	int64_t ms;     ///< that are left, while no walk is on
	int64_t end_ms; ///< of the walk that is on
};

#define FILE_BUDGET_ENTRIES 50000
#define FILE_BUDGET_SECONDS 5
#define FILE_BUDGET                              \
	{                                        \
		.entries = FILE_BUDGET_ENTRIES,  \
		.ms = FILE_BUDGET_SECONDS * 1000 \
	}

/** The time of a budget runs between these two. */
void file_budget_begin(struct file_budget *budget);
void file_budget_end(struct file_budget *budget);
/** Take an entry: an ERROR_LIMIT, and no entries, where the budget is spent. */
MUST_CHECK struct error *file_budget_spend(struct file_budget *budget);

/**
 * As file_walk(), within a budget. Below the start, links are not followed, the
 * walk stays on its file system, and files and directories of others than the
 * user, root and the owner of the start are left out. It does not begin in
 * /proc, /sys or /dev.
 *
 * @param budget  Has begun. Where it is spent, its entries are 0 and the walk
 *                ends with an ERROR_LIMIT.
 */
MUST_CHECK struct error *file_walk_found(const char *path, file_visit visit,
                                         void *context,
                                         struct file_budget *budget,
                                         struct error **ret_skipped);

#endif
