// SPDX-License-Identifier: MIT
/**
 * Volumes that are mounted now and then: a path that is not there may come
 * back.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_VOLUME_H
#define APMTOOL_LIB_SYMBOLS_INDEX_VOLUME_H

#include <stdbool.h>

/** Is @p path a directory in which systems mount volumes by their names? */
bool volume_is_mounted_in(const char *path);

/**
 * May @p path, which is absolute and not there, be on a volume that is not
 * mounted? The directory nearest to it that is there is empty then, as a mount
 * point is, or volumes are mounted in it.
 */
bool volume_may_hold(const char *path);

#endif
