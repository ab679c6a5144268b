// SPDX-License-Identifier: MIT
/**
 * The child's side of a job: a process that confines itself, reads a request,
 * works, and sends a result.
 *
 * What it is given it has by the time it is confined: a channel to whoever
 * asked, over which the request comes and the result goes, and a file, mapped.
 */
#ifndef APMTOOL_LIB_SYMBOLS_WORKER_CHILD_H
#define APMTOOL_LIB_SYMBOLS_WORKER_CHILD_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/str.h"

#include <stdint.h>
#include <sys/types.h>

/** All must be set. */
struct child_limits {
	/** Address space; not set under sanitizers, which need terabytes. */
	uint64_t memory_bytes;
	unsigned cpu_seconds;
	unsigned wall_ms;
	uint64_t result_bytes; ///< a larger result is an error
};

/** What a job works on. */
struct child_input {
	struct bytes request;
	struct bytes file; ///< empty: none was given
};

/**
 * Runs in the child. Memory need not be given back, descriptors 0 to 2 are
 * closed. An error it returns is worker_run()'s, code and message.
 */
typedef struct error *(*child_job)(const struct child_input *input,
                                   struct str *result);

/** What a child is started for. */
struct child_order {
	child_job job;
	struct child_limits limits;
};

/** Before the request: its size. */
struct child_request {
	uint64_t size;
};

#define CHILD_REPLY_MAGIC       0x776b7231u
#define CHILD_MESSAGE_BYTES_MAX 4096

/** What the child sends first; then `size` bytes of result or message. */
struct child_reply {
	uint32_t magic;
	uint32_t failed; ///< 0, or 1 + enum error_code
	uint64_t size;
};

/** How a child ends that has run out of memory. */
enum child_status {
	CHILD_NO_MEMORY = 5, ///< as mem_fail() ends a program
	CHILD_SHORTAGE = 6,  ///< but the limit is not what it met
};

/**
 * Work as a child, after fork().
 *
 * @param parent   The process that forked.
 * @param channel  To whoever asked.
 * @param file     Of the file to be mapped; -1: none.
 */
NORETURN void child_main(const struct child_order *order, pid_t parent,
                         int channel, int file);

/** Wait for a child to end; its status is that of waitpid(). */
int child_wait(pid_t child);

/** End with @p parent, the process that forked. */
void child_follow(pid_t parent);

/** End at once: nothing that the parent left is written or run. */
NORETURN void child_exit(int status);

#endif
