// SPDX-License-Identifier: MIT
/**
 * What a Mac knows of dSYMs: Xcode's archives, and Spotlight's index, which has
 * the UUIDs of every dSYM on its disks. Elsewhere nothing is known.
 */
#ifndef APMTOOL_CMD_RUN_SPOTLIGHT_H
#define APMTOOL_CMD_RUN_SPOTLIGHT_H

#include "lib/base/intern.h"
#include "lib/base/uuid.h"
#include "lib/symbols/index/uuid_index.h"

#include <stdbool.h>

/** Add the directory of Xcode's archives, if there is one; @p home may be NULL.
 */
void spotlight_add_places(struct intern *places, const char *home);

/** Ask for the dSYM of @p uuid; true: it is in @p index now. */
bool spotlight_add(struct uuid_index *index, const struct uuid *uuid);

#endif
