// SPDX-License-Identifier: MIT
/**
 * Converts debug information to a GSYM image: in a child process
 * (lib/symbols/debug_worker.h), or, for a few addresses, in this one.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEBUG_IMAGE_H
#define APMTOOL_LIB_SYMBOLS_DEBUG_IMAGE_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/symbols/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEBUG_FAULT_BYTES 160

/** Unreadable units, and the fault of the first one. */
struct debug_faults {
	uint64_t count;
	char reason[DEBUG_FAULT_BYTES]; ///< "": unknown
	/** Differences of libdwarf's answers, if both readers were compared. */
	struct debug_differences differences;
};

/**
 * Make an image for @p addresses.
 *
 * @param addresses  File addresses, ascending; none: the whole file.
 * @param arena  For temporary data.
 * @param image  Receives the image; must be empty.
 */
MUST_CHECK struct error *debug_image_make(const struct open_source *open,
                                          enum debug_reader reader,
                                          const uint64_t *addresses,
                                          size_t count, struct arena *arena,
                                          struct str *image,
                                          struct debug_faults *ret_faults);

#endif
