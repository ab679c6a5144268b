// SPDX-License-Identifier: MIT
/**
 * Confines a child process before it reads hostile bytes.
 *
 * Debug information is read by a library that was not written for untrusted
 * files, so a file may exploit it. A confined process keeps its memory, may
 * allocate more up to a limit, read and write one descriptor, and exit. It
 * cannot open, connect, start or trace anything, nor signal another process:
 *
 * - all other descriptors are closed, and it cannot open new ones;
 * - it cannot be traced, dumps no core, writes no file, starts no process
 *   (resource limits);
 * - on Linux, a seccomp filter allows a few system calls: others fail with
 *   EPERM, a call of another architecture ends the process; on macOS, the
 *   sandbox for pure computation is used.
 *
 * The filter is written here without libseccomp: it has twenty calls, and a
 * library would be one more to trust.
 */
#ifndef APMTOOL_LIB_SYMBOLS_WORKER_CONFINEMENT_H
#define APMTOOL_LIB_SYMBOLS_WORKER_CONFINEMENT_H

#include <stdint.h>

struct confinement {
	/** Address space; not set under sanitizers, which need terabytes. */
	uint64_t memory_bytes;
	unsigned cpu_seconds; ///< exceeding it ends the process by SIGXCPU
	unsigned wall_ms;     ///< exceeding it ends the process by SIGALRM
};

/**
 * Close all descriptors except @p kept. Standard input, output and error lead
 * to /dev/null, so that nothing printed reaches the user; under sanitizers,
 * standard error stays.
 *
 * @return The new number of @p kept.
 */
int confine_descriptors(int kept);

/**
 * Confine the calling process for good. Also closes the standard descriptors,
 * under sanitizers except standard error. Ends the process if the system can
 * confine it but refuses.
 */
int confine_process(const struct confinement *limits, int kept);

/** Name of this system's confinement, for people. */
const char *confinement_summary(void);

#endif
