// SPDX-License-Identifier: MIT
/**
 * Finds dSYMs on a Mac: in Xcode's archives, and by Spotlight's index, which
 * has the UUIDs of all dSYMs on its disks. Finds nothing on other systems.
 */
#ifndef APMTOOL_CMD_RUN_SPOTLIGHT_H
#define APMTOOL_CMD_RUN_SPOTLIGHT_H

#include "lib/base/intern.h"
#include "lib/base/uuid.h"
#include "lib/symbols/index/uuid_index.h"

#include <stdbool.h>

/** Add the directory of Xcode's archives, if it exists; @p home may be NULL. */
void spotlight_add_places(struct intern *places, const char *home);

/** Search the dSYM of @p uuid and add it to @p index; true: found. */
bool spotlight_add(struct uuid_index *index, const struct uuid *uuid);

#endif
