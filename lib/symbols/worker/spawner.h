// SPDX-License-Identifier: MIT
/**
 * A process that does nothing but start children for the one that started it.
 *
 * A child is a copy of the process that forks it. The spawner is this program,
 * executed anew when its first child is wanted: it has the order, the limits
 * and the variables of the loader, and nothing else of its parent, so a child
 * holds no report, no option and no path. It is small, too: to copy it takes a
 * fraction of what it takes to copy a process full of reports.
 *
 *     int main(int argc, char **argv)
 *     {
 *             if (spawner_is_asked(argv[0]))
 *                     spawner_serve(&jobs);
 *             …
 *     spawner = spawner_new(&jobs);
 *     err = spawner_fork(spawner, &order, channel, file, &pid);
 *     err = spawner_wait(spawner, pid, deadline_ms, &status, &killed);
 *     …
 *     spawner_stop(spawner);
 *
 * What is executed is `/proc/self/exe`, which is this program even if its file
 * was deleted or replaced, else the path that it was started by. It has to say
 * that it was made of the same sources before it is sent anything.
 *
 * It ends with its parent, and its children with it. If it ends before that,
 * whatever is asked of it is ERROR_SHORTAGE. One thread at a time may ask.
 *
 * NULL in place of a spawner means the calling process itself: for those who
 * read nothing that a child must not have.
 */
#ifndef APMTOOL_LIB_SYMBOLS_WORKER_SPAWNER_H
#define APMTOOL_LIB_SYMBOLS_WORKER_SPAWNER_H

#include "lib/base/error.h"
#include "lib/symbols/worker/child.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** What children can be ordered to do; the same table on both sides. */
struct spawner_jobs {
	const child_job *all;
	size_t count;
};

struct spawner;

/** There is no process yet. Stop it with spawner_stop(). */
struct spawner *spawner_new(const struct spawner_jobs *jobs);
/**
 * Start the process, unless it runs: spawner_fork() does, too. What cannot be
 * started once is not tried again, unless the system was short of something.
 */
MUST_CHECK struct error *spawner_start(struct spawner *spawner);
/** All its children must have ended, or they do now. NULL is fine. */
void spawner_stop(struct spawner *spawner);

/** For tests; 0: it does not run. */
pid_t spawner_pid(const struct spawner *spawner);

/** Was this process started as a spawner? @p name: its argv[0]; may be NULL. */
bool spawner_is_asked(const char *name);
/** Be the spawner of the process that started this one. */
NORETURN void spawner_serve(const struct spawner_jobs *jobs);

/**
 * Start a child, which runs child_main().
 *
 * @param order    Its job is one of the spawner's, unless that is NULL.
 * @param channel  Its end; copied, as is
 * @param file     of the file that it maps; -1: none.
 */
MUST_CHECK struct error *spawner_fork(struct spawner *spawner,
                                      const struct child_order *order,
                                      int channel, int file, pid_t *ret);

/**
 * Wait for a child that is about to end by itself; it is killed at the
 * deadline (timestamp_now_ms()).
 *
 * @param ret_killed  Whether it was: then there is no @p ret_status.
 */
MUST_CHECK struct error *spawner_wait(struct spawner *spawner, pid_t pid,
                                      int64_t deadline_ms, int *ret_status,
                                      bool *ret_killed);

/** End a child, whatever it is doing. */
void spawner_kill(struct spawner *spawner, pid_t pid);

#endif
