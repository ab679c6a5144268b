/**
 * What `apmtool group --format json` wrote, read back: groups without their
 * reports.
 */
#ifndef APMTOOL_CMD_RUN_GROUP_FILE_H
#define APMTOOL_CMD_RUN_GROUP_FILE_H

#include "lib/analysis/crash/group/groups.h"
#include "lib/base/error.h"

#include <stdbool.h>

/** Is @p path a file that begins as such a table does? */
bool group_file_is_one(const char *path);

/**
 * Add the rows of @p path to @p groups.
 *
 * @return An ERROR_USAGE where they were made by another algorithm or level
 *         than @p groups; an ERROR_FORMAT where the table is damaged.
 */
MUST_CHECK struct error *group_file_read(const char *path,
                                         struct crash_groups *groups);

#endif
