// SPDX-License-Identifier: MIT
/**
 * What a child process gives up before it reads hostile bytes.
 *
 * Debug information is read by a library that was not written for files of
 * strangers. A file may take that code over; what it then can do is decided
 * here. A confined process has the memory that it has, may ask for more up to a
 * limit, may read and write one descriptor, and may end. It cannot open,
 * connect, start or trace anything, nor signal another process:
 *
 * - all other descriptors are closed, no new ones can be had;
 * - it cannot be traced, leaves no core file, writes no file, starts no process
 *   (resource limits);
 * - Linux refuses all system calls but a few (a seccomp filter: other calls
 *   fail with EPERM, a call of another architecture ends the process); macOS
 *   has its sandbox for pure computation.
 *
 * The filter is written down here and not made with libseccomp: the list has
 * twenty calls, and a library would be one more to trust.
 */
#ifndef APMTOOL_LIB_SYMBOLS_WORKER_CONFINEMENT_H
#define APMTOOL_LIB_SYMBOLS_WORKER_CONFINEMENT_H

#include <stdint.h>

struct confinement {
	/** Address space; not set under sanitizers, which need terabytes. */
	uint64_t memory_bytes;
	unsigned cpu_seconds; ///< SIGXCPU ends the process beyond it
	unsigned wall_ms;     ///< SIGALRM, a little later
};

/**
 * Close all descriptors but @p kept. Standard input, output and error lead
 * nowhere afterwards, so that nothing the process prints, nor a library under
 * it, reaches the user; under sanitizers standard error does.
 *
 * @return The descriptor that @p kept has from here on.
 */
int confine_descriptors(int kept);

/**
 * Confine the calling process for the rest of its life: the standard
 * descriptors, which confine_descriptors() left, are closed, too; under
 * sanitizers standard error is not. Ends the process if the system has a way to
 * confine it and refuses it.
 */
int confine_process(const struct confinement *limits, int kept);

/** How a process is confined on this system, for people. */
const char *confinement_summary(void);

#endif
