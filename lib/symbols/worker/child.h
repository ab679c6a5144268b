// SPDX-License-Identifier: MIT
/**
 * The child's side of a job: a process that confines itself, reads a request,
 * works, and sends a result.
 *
 * Before it is confined, it gets a channel for request and result, and a file,
 * mapped.
 */
#ifndef APMTOOL_LIB_SYMBOLS_WORKER_CHILD_H
#define APMTOOL_LIB_SYMBOLS_WORKER_CHILD_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/str.h"

#include <stdint.h>
#include <sys/types.h>

/** Limits of a child; all must be set. */
struct child_limits {
	/** Address space; not set under sanitizers, which need terabytes. */
	uint64_t memory_bytes;
	unsigned cpu_seconds;
	unsigned wall_ms;
	uint64_t result_bytes; ///< a larger result is an error
};

struct child_input {
	struct bytes request;
	struct bytes file; ///< or empty
};

/**
 * A job, which runs in the child. It need not free memory; descriptors 0 to 2
 * are closed. Its error is returned by worker_run(), with code and message.
 */
typedef struct error *(*child_job)(const struct child_input *input,
                                   struct str *result);

/** A job with its limits. */
struct child_order {
	child_job job;
	struct child_limits limits;
};

struct child_request {
	uint64_t size;
};

#define CHILD_REPLY_MAGIC       0x776b7231u
#define CHILD_MESSAGE_BYTES_MAX 4096

/** Header of the reply; then `size` bytes of result or message. */
struct child_reply {
	uint32_t magic;
	uint32_t failed; ///< 0, or 1 + enum error_code
	uint64_t size;
};

/** Exit status of a child that ran out of memory. */
enum child_status {
	CHILD_NO_MEMORY = 5, ///< as in mem_fail()
	CHILD_SHORTAGE = 6,  ///< out of memory below the limit
};

/**
 * Run a child after fork().
 *
 * @param parent  The process that forked.
 * @param channel  To the caller of the job.
 * @param file  To map; or -1.
 */
NORETURN void child_main(const struct child_order *order, pid_t parent,
                         int channel, int file);

/** End when @p parent ends, the process that forked. */
void child_follow(pid_t parent);

/** Exit at once, without the parent's buffers and exit handlers. */
NORETURN void child_exit(int status);

#endif
