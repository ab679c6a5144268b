/**
 * What `apmtool group --format json` wrote, read back: groups without their
 * reports.
 */
#ifndef APMTOOL_CMD_RUN_GROUP_FILE_H
#define APMTOOL_CMD_RUN_GROUP_FILE_H

#include "cmd/run/source.h"
#include "lib/analysis/crash/group/groups.h"
#include "lib/base/error.h"

#include <stdbool.h>

/**
 * Does @p source, of which nothing was read yet, begin as such a table does?
 * Nothing of it is used up.
 */
bool group_file_is_one(struct source *source);

/**
 * Add the rows of @p source to @p groups.
 *
 * @return An ERROR_USAGE where they were made by another algorithm or level
 *         than @p groups, or are not all groups; an ERROR_FORMAT where the
 *         table is damaged.
 */
MUST_CHECK struct error *group_file_read(struct source *source,
                                         struct crash_groups *groups);

#endif
