// SPDX-License-Identifier: MIT
/**
 * Reading debug information in a child process; a few addresses may do without
 * (lib/symbols/debug_image.h).
 *
 * The child runs under limits (address space, CPU time, wall time) and gives
 * back a GSYM image over a channel. A file that kills it is "malformed" for
 * that image, and the caller goes on.
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

/** What children of a spawner do. */
extern const struct spawner_jobs debug_worker_jobs;

/** What is to be read, and how a child gets at its bytes. */
struct debug_source {
	struct spawner *spawner; ///< who forks the child; NULL: this process
	const struct open_source *open; ///< of the file
	int file;                       ///< the same, for the child
	enum debug_reader reader;
	enum debug_check check; ///< by the other reader
};

struct worker;

/**
 * Resolve @p addresses (file addresses, ascending) in a child; none ask for
 * all of the file. Several files, or parts of one, are read at once; @p source,
 * its file and @p addresses may go after the start.
 */
MUST_CHECK struct error *debug_worker_start(const struct debug_source *source,
                                            const uint64_t *addresses,
                                            size_t count, struct worker **ret);
/**
 * Wait for the child.
 *
 * @param image  Receives the GSYM image; must be empty.
 * @param ret_faults  What of the file could not be read; may be NULL.
 */
MUST_CHECK struct error *debug_worker_finish(struct worker *worker,
                                             struct str *image,
                                             struct debug_faults *ret_faults);

/**
 * Take apart what a child sent: its image remains. The child may have been
 * taken over, so that the image is any bytes, to be read by gsym_open().
 */
MUST_CHECK struct error *debug_worker_unpack(struct str *image,
                                             struct debug_faults *ret_faults);

#endif
