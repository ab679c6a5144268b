// SPDX-License-Identifier: MIT
/**
 * Runs a job in a child process, under limits.
 *
 * For jobs that may crash. The child gets a request and a file, works, and
 * returns a string. It may crash, loop, exhaust memory or return nonsense: each
 * is an error here, and no process remains.
 *
 *     const struct work work = { .job = read_units, .request = request,
 *                                .file = fd, .limits = { … } };
 *     err = worker_run(spawner, &work, &result);
 */
#ifndef APMTOOL_LIB_SYMBOLS_WORKER_WORKER_H
#define APMTOOL_LIB_SYMBOLS_WORKER_WORKER_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/symbols/worker/channel.h"
#include "lib/symbols/worker/child.h"
#include "lib/symbols/worker/spawner.h"

struct work {
	child_job job;
	struct bytes request; ///< copied to the child
	int file;             ///< mapped by the child; or -1
	struct child_limits limits;
};

/**
 * Run a job in a child and wait for it.
 *
 * @param spawner  Forks the child; NULL: the calling process does.
 * @param result  Receives the job's result; must be empty, and is empty after
 *                an error.
 * @return ERROR_SHORTAGE if no child can be started, or it ran out of memory
 *         far below its limit; the job's error; ERROR_FORMAT if the child died,
 *         exceeded a limit, or sent an invalid result.
 */
MUST_CHECK struct error *worker_run(struct spawner *spawner,
                                    const struct work *work,
                                    struct str *result);

/** A child at work. */
struct worker;

/**
 * worker_run() in two steps, to run several children at once. The child has
 * copies of all members of @p work. Each worker must be finished.
 */
MUST_CHECK struct error *worker_start(struct spawner *spawner,
                                      const struct work *work,
                                      struct worker **ret);
MUST_CHECK struct error *worker_finish(struct worker *worker,
                                       struct str *result);

/**
 * Read a child's reply: worker_finish() without the process.
 *
 * @param ret_err  The result of worker_finish(), if all was received.
 */
MUST_CHECK enum channel_end worker_receive(int channel,
                                           const struct child_limits *limits,
                                           int64_t deadline_ms,
                                           struct str *result,
                                           struct error **ret_err);

#endif
