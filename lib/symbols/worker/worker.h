// SPDX-License-Identifier: MIT
/**
 * A job done in a child process, under limits.
 *
 * For reading what may crash its reader. The child gets a request and a file,
 * works into a string, and sends that string back. It may crash, hang, allocate
 * without end or send nonsense: each is an error here, and no process is left
 * behind.
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
	int file;             ///< mapped by the child; -1: none
	struct child_limits limits;
};

/**
 * Run a job in a child and wait for it.
 *
 * @param spawner  Who forks the child; NULL: the calling process.
 * @param result   Receives what the job has put into its string; must be
 *                 empty, and is empty again after an error.
 * @return ERROR_SHORTAGE where no child can be had, or it ran out of memory far
 *         below its limit; the job's error; ERROR_FORMAT with a message that
 *         begins with `reading it` where the child died, met a limit, or sent
 *         what is not a result.
 */
MUST_CHECK struct error *worker_run(struct spawner *spawner,
                                    const struct work *work,
                                    struct str *result);

/** A child at work. */
struct worker;

/**
 * As worker_run() in two steps, so that several children work at once. The
 * child has its own copy of all that @p work names from here on; each worker
 * must be finished.
 */
MUST_CHECK struct error *worker_start(struct spawner *spawner,
                                      const struct work *work,
                                      struct worker **ret);
MUST_CHECK struct error *worker_finish(struct worker *worker,
                                       struct str *result);

/**
 * Read what a child sends, whatever has become of it: worker_finish() without
 * the process.
 *
 * @param ret_err  What worker_finish() returns, where all of it came.
 */
MUST_CHECK enum channel_end worker_receive(int channel,
                                           const struct child_limits *limits,
                                           int64_t deadline_ms,
                                           struct str *result,
                                           struct error **ret_err);

#endif
