// SPDX-License-Identifier: MIT
/**
 * From debug information to a GSYM image: in a child process
 * (lib/symbols/debug_worker.h), or, of a few addresses, in this one.
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

/** Units that could not be read, and what is wrong with the first one. */
struct debug_faults {
	uint64_t count;
	char reason[DEBUG_FAULT_BYTES]; ///< "" if it is not known
	/** What libdwarf says otherwise, where both were to be compared. */
	struct debug_differences differences;
};

/**
 * Make the image that knows @p addresses.
 *
 * @param addresses  File addresses, ascending; none ask for all of the file.
 * @param arena      For what is in between: nothing in it is needed afterwards.
 * @param image      Receives the image; must be empty.
 */
MUST_CHECK struct error *debug_image_make(const struct open_source *open,
                                          enum debug_reader reader,
                                          const uint64_t *addresses,
                                          size_t count, struct arena *arena,
                                          struct str *image,
                                          struct debug_faults *ret_faults);

#endif
