// SPDX-License-Identifier: MIT
/**
 * Reads debug information in a child process. A few addresses may be read
 * without one (lib/symbols/debug_image.h).
 *
 * The child runs under limits (address space, CPU time, wall time) and returns
 * a GSYM image over a channel. A file that kills it is "malformed" for that
 * image, and the caller goes on.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEBUG_WORKER_H
#define APMTOOL_LIB_SYMBOLS_DEBUG_WORKER_H

#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/symbols/debug_image.h"
#include "lib/symbols/source/source.h"

#include <stddef.h>
#include <stdint.h>

/** Jobs of a spawner's children. */
extern const struct spawner_jobs debug_worker_jobs;

/** A file to read, and how a child gets its bytes. */
struct debug_source {
	struct spawner *spawner; ///< forks the child; NULL: this process does
	const struct open_source *open; ///< of the file
	int file; ///< descriptor of the file, for the child
	enum debug_reader reader;
	enum debug_check check; ///< comparison with the other reader
};

struct worker;

/**
 * Resolve @p addresses (file addresses, ascending; none: the whole file) in a
 * child. Several files, or parts of one, can be read at once. @p source, its
 * file and @p addresses may be freed after the start.
 */
MUST_CHECK struct error *debug_worker_start(const struct debug_source *source,
                                            const uint64_t *addresses,
                                            size_t count, struct worker **ret);
/**
 * Wait for the child.
 *
 * @param image  Receives the GSYM image; must be empty.
 * @param ret_faults  Unreadable parts of the file; or NULL.
 */
MUST_CHECK struct error *debug_worker_finish(struct worker *worker,
                                             struct str *image,
                                             struct debug_faults *ret_faults);

/**
 * Separate the parts of a child's result: the image remains. A compromised
 * child may send any bytes as image, so open it with gsym_open().
 */
MUST_CHECK struct error *debug_worker_unpack(struct str *image,
                                             struct debug_faults *ret_faults);

#endif
