// SPDX-License-Identifier: MIT
/**
 * A process that starts children for its parent.
 *
 * A child is a copy of the process that forks it. The spawner is this program,
 * executed again when the first child is needed. It has the jobs, the limits
 * and the loader's variables, and nothing else of its parent, so a child has no
 * report, no option and no path. It is small: forking it costs a fraction of
 * forking a process full of reports.
 *
 *     int main(int argc, char **argv)
 *     {
 *             if (spawner_is_asked(argv[0]))
 *                     spawner_serve(&jobs);
 *             …
 *             spawner = spawner_new(&jobs);
 *             err = spawner_fork(spawner, &order, channel, file, &pid);
 *             err = spawner_wait(spawner, pid, deadline_ms, &status, &killed);
 *             …
 *             spawner_stop(spawner);
 *
 * It executes `/proc/self/exe`, which is this program even if its file was
 * deleted or replaced, else the path that it was started by. The new process
 * must first send a build id equal to ours.
 *
 * It ends with its parent, and its children with it. If it ends earlier,
 * requests fail with ERROR_SHORTAGE. One thread at a time may use it.
 *
 * NULL instead of a spawner: the calling process forks. For callers without
 * secrets in memory.
 */
#ifndef APMTOOL_LIB_SYMBOLS_WORKER_SPAWNER_H
#define APMTOOL_LIB_SYMBOLS_WORKER_SPAWNER_H

#include "lib/base/error.h"
#include "lib/symbols/worker/child.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Jobs of children; the same table on both sides. */
struct spawner_jobs {
	const child_job *all;
	size_t count;
};

struct spawner;

/** Prepare a spawner, without a process yet. Stop it with spawner_stop(). */
struct spawner *spawner_new(const struct spawner_jobs *jobs);
/**
 * Start the process unless it runs; spawner_fork() does so, too. A failed start
 * is not repeated, except after a shortage of resources.
 */
MUST_CHECK struct error *spawner_start(struct spawner *spawner);
/** End the process and any children. NULL is allowed. */
void spawner_stop(struct spawner *spawner);

/** For tests; 0: not running. */
pid_t spawner_pid(const struct spawner *spawner);

/** Was this process started as a spawner? @p name: its argv[0]; or NULL. */
bool spawner_is_asked(const char *name);
/** Run as the spawner of the parent process. */
NORETURN void spawner_serve(const struct spawner_jobs *jobs);

/**
 * Start a child, which runs child_main().
 *
 * @param order  Its job is one of the spawner's, unless @p spawner is NULL.
 * @param channel  The child's end; copied, as is @p file.
 * @param file  To map; or -1.
 */
MUST_CHECK struct error *spawner_fork(struct spawner *spawner,
                                      const struct child_order *order,
                                      int channel, int file, pid_t *ret);

/**
 * Wait for a child that is about to exit; it is killed at the deadline
 * (timestamp_now_ms()).
 *
 * @param ret_killed  It was killed; @p ret_status is not set then.
 */
MUST_CHECK struct error *spawner_wait(struct spawner *spawner, pid_t pid,
                                      int64_t deadline_ms, int *ret_status,
                                      bool *ret_killed);

void spawner_kill(struct spawner *spawner, pid_t pid);

#endif
