// SPDX-License-Identifier: MIT
/**
 * A process that does nothing but start children for the one that started it.
 *
 * A child is a copy of the process that forks it. The spawner is forked before
 * there is anything to hide, opens nothing, and learns nothing: so children of
 * it hold no report, whatever its parent has read since. It is small, too: to
 * copy it takes a fraction of what it takes to copy a process full of reports.
 *
 *     spawner = spawner_start(); // before anything is read
 *     …
 *     err = spawner_fork(spawner, &order, channel, file, &pid);
 *     err = spawner_wait(spawner, pid, deadline_ms, &status, &killed);
 *     …
 *     spawner_stop(spawner);
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
#include <stdint.h>
#include <sys/types.h>

struct spawner;

/** Never NULL: that it cannot be had is what spawner_fork() returns. */
struct spawner *spawner_start(void);
/** All its children must have ended, or they do now. NULL is fine. */
void spawner_stop(struct spawner *spawner);

/** For tests. */
pid_t spawner_pid(const struct spawner *spawner);

/**
 * Start a child, which runs child_main().
 *
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
