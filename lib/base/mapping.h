// SPDX-License-Identifier: MIT
/**
 * Protects against mapped files that are truncated while they are read.
 *
 * Access beyond the new end of a file raises SIGBUS, which ends a process. In
 * guarded mappings the page is replaced by zeros instead, and the mapping is
 * marked: results from it are invalid, and readers must check
 * mapping_has_shrunk(). Other bus errors end the process as usual.
 */
#ifndef APMTOOL_LIB_BASE_MAPPING_H
#define APMTOOL_LIB_BASE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

/** Max guarded mappings. */
#define MAPPINGS_MAX 4096

/**
 * Guard @p size bytes at @p data, a whole mapping; false if there are too many.
 */
MUST_CHECK bool mapping_guard(const void *data, size_t size);

/** End it, before unmapping; ignores mappings that are not guarded. */
void mapping_unguard(const void *data);

/** Is all of this in one guarded mapping? */
bool mapping_holds(const void *data, size_t size);

/**
 * Was a page missing in the guarded mapping with @p byte, in this process?
 * Child processes inherit the mark.
 */
bool mapping_has_shrunk(const void *byte);

#endif
