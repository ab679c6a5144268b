// SPDX-License-Identifier: MIT
/**
 * Mapped files that may become shorter while they are read.
 *
 * Who touches a page behind the new end of a file is sent SIGBUS, which ends a
 * process. For mappings that are guarded, the page becomes one of zeros
 * instead, and the mapping is marked: what was read from it is worth nothing,
 * which whoever read it has to ask for. Other bus errors end the process as
 * ever.
 */
#ifndef APMTOOL_LIB_BASE_MAPPING_H
#define APMTOOL_LIB_BASE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

/** As many as can be guarded at once. */
#define MAPPINGS_MAX 4096

/** Guard @p size bytes at @p data, a mapping of its own; false: too many. */
MUST_CHECK bool mapping_guard(const void *data, size_t size);

/** End it, before the mapping goes; nothing for one that is not guarded. */
void mapping_unguard(const void *data);

/** Is all of this in one guarded mapping? */
bool mapping_holds(const void *data, size_t size);

/**
 * Whether a page was missing in the guarded mapping that holds @p byte, in this
 * process; a child starts with its parent's answer.
 */
bool mapping_has_shrunk(const void *byte);

#endif
