/**
 * A job done in a child process, under limits.
 *
 * For reading what may crash its reader. The child has a copy of the caller's
 * memory, works into a string, and sends that string back through a pipe. It
 * may crash, hang, allocate without end or send nonsense: each is an error
 * here, and no process is left behind.
 *
 *     struct worker_limits limits = { .cpu_seconds = 60, … };
 *     err = worker_run(read_units, &context, &limits, &result);
 */
#ifndef APMTOOL_LIB_SYMBOLS_WORKER_H
#define APMTOOL_LIB_SYMBOLS_WORKER_H

#include "lib/base/error.h"
#include "lib/base/str.h"

#include <stdint.h>

/** All must be set. */
struct worker_limits {
	/** Address space; not set under sanitizers, which need terabytes. */
	uint64_t memory_bytes;
	unsigned cpu_seconds;
	unsigned wall_ms;
	uint64_t result_bytes; ///< a larger result is an error
};

/**
 * Runs in the child. Memory need not be given back, descriptors 0 to 2 lead
 * nowhere. An error it returns is worker_run()'s, code and message.
 */
typedef struct error *(*worker_job)(void *context, struct str *result);

/**
 * Run @p job in a child and wait for it.
 *
 * @param result  Receives what the job has put into its string; must be
 *                empty, and is empty again after an error.
 * @return ERROR_SHORTAGE where no child can be had, or it ran out of memory far
 * below its limit; the job's error;
 * ERROR_FORMAT with a message that begins with `reading it` where the child
 * died, met a limit, or sent what is not a result.
 */
MUST_CHECK struct error *worker_run(worker_job job, void *context,
                                    const struct worker_limits *limits,
                                    struct str *result);

/** A child at work. */
struct worker;

/**
 * As worker_run() in two steps, so that several children work at once. The
 * child has its own copy of @p context from here on; each worker must be
 * finished.
 */
MUST_CHECK struct error *worker_start(worker_job job, void *context,
                                      const struct worker_limits *limits,
                                      struct worker **ret);
MUST_CHECK struct error *worker_finish(struct worker *worker,
                                       struct str *result);

#endif
