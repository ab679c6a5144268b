// SPDX-License-Identifier: MIT
/** Volumes that may be unmounted: a missing path may come back. */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_VOLUME_H
#define APMTOOL_LIB_SYMBOLS_INDEX_VOLUME_H

#include <stdbool.h>

/** Is @p path a directory in which systems mount volumes by name? */
bool volume_is_mounted_in(const char *path);

/**
 * May @p path, which is absolute and missing, be on an unmounted volume? It may
 * if its nearest existing directory is empty, as mount points are, or if
 * volumes are mounted there.
 */
bool volume_may_hold(const char *path);

#endif
