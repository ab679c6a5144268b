// SPDX-License-Identifier: MIT
/**
 * Visits the files of a directory.
 *
 *     err = file_walk("build", visit, context, &skipped);
 *
 * A directory that the user named is walked completely. One that was only found
 * (next to a report, or in a project's config) may be anything, also `/`: its
 * walk has a budget.
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
	const char *path; ///< valid during the call
	uint64_t size_bytes;
	struct file_identity identity;
};

typedef struct error *(*file_visit)(const struct file_found *found,
                                    void *context);

/**
 * Visit every regular file below @p path, or @p path itself if it is a file.
 * Names are in byte order, so that the order is reproducible. Below the start,
 * symbolic links are followed to files only, not to directories; max depth is
 * 64. Unreadable directories below the start are skipped; if the system is out
 * of descriptors or memory, the walk fails with ERROR_SHORTAGE. /proc, /sys and
 * /dev are skipped unless the walk begins in them.
 *
 * @param ret_skipped  Why the first directory was skipped, and the number of
 *                     others, owned by the caller; NULL if none was. May be
 *                     NULL.
 */
MUST_CHECK struct error *file_walk(const char *path, file_visit visit,
                                   void *context, struct error **ret_skipped);

/** Budget of all automatic walks together. */
struct file_budget {
	size_t entries; ///< files and directories left
	int64_t ms;     ///< time left between walks
	int64_t end_ms; ///< end of the current walk
};

#define FILE_BUDGET_ENTRIES 50000
#define FILE_BUDGET_SECONDS 5
#define FILE_BUDGET                              \
	{                                        \
		.entries = FILE_BUDGET_ENTRIES,  \
		.ms = FILE_BUDGET_SECONDS * 1000 \
	}

/** The time of a budget runs between these calls. */
void file_budget_begin(struct file_budget *budget);
void file_budget_end(struct file_budget *budget);
/**
 * Use up one entry. At the end of the budget, an ERROR_LIMIT; entries becomes
 * 0.
 */
MUST_CHECK struct error *file_budget_spend(struct file_budget *budget);

/**
 * As file_walk(), within a budget. Below the start, links are not followed, the
 * walk stays on its file system, and only visits files and directories of the
 * user, root and the owner of the start. It does not begin in /proc, /sys or
 * /dev.
 *
 * @param budget  After file_budget_begin(). When it is used up, entries is 0
 *                and the walk fails with ERROR_LIMIT.
 */
MUST_CHECK struct error *file_walk_found(const char *path, file_visit visit,
                                         void *context,
                                         struct file_budget *budget,
                                         struct error **ret_skipped);

#endif
