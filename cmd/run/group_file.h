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
 * Add its rows to @p groups. They must have been made by the same algorithm
 * and level as those, else it is an ERROR_USAGE.
 */
MUST_CHECK struct error *group_file_read(const char *path,
                                         struct crash_groups *groups);

#endif
