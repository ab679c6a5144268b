// SPDX-License-Identifier: MIT
#include "lib/symbols/worker/child.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/symbols/worker/confinement.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#endif

/** Larger ones are mapped by themselves. */
#define LARGE_BLOCK_BYTES (1 << 20)

static uint64_t memory_limit_bytes; ///< of this child, for leave()

/**
 * Whether memory ran out far below the limit, so that the system is short of it
 * and the file not to blame. Room that is not used costs nothing but addresses.
 */
static bool is_below_limit(void)
{
	size_t most = (size_t)(memory_limit_bytes / 4 * 3);

	return mmap(NULL, most, PROT_NONE,
	            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
	            0) != MAP_FAILED;
}

// Runs first of the exit handlers, when mem_fail() calls exit(): the others,
// and what is unwritten in stdio's buffers, are the parent's business.
static void leave(void)
{
	_exit(is_below_limit() ? CHILD_SHORTAGE : CHILD_NO_MEMORY);
}

int child_wait(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

// Confined, a process cannot ask who its parent is.
void child_follow(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
	// It may have died before the line above; elsewhere the alarm sees to
	// it that a child does not outlive its parent for long.
	if (getppid() != parent)
		_exit(1);
}

void child_exit(int status)
{
	// The system takes all memory back at once, and faster than free().
	_exit(status);
}

// Plain read() and write(): a confined process has no others.

static bool write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t written = write(fd, at, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		at += written;
		size -= (size_t)written;
	}
	return true;
}

static bool read_all(int fd, void *data, size_t size)
{
	char *at = data;

	while (size) {
		ssize_t got = read(fd, at, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		size -= (size_t)got;
	}
	return true;
}

/**
 * Large blocks are mapped and grow where they lie: glibc would soon take them
 * from the heap, copy them to its end, and leave holes behind.
 */
static void keep_blocks_apart(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
#endif
}

static struct bytes read_request(int channel)
{
	struct child_request head;
	char *data;

	if (!read_all(channel, &head, sizeof(head)))
		_exit(1);
	data = mem_alloc((size_t)head.size + 1);
	if (!read_all(channel, data, (size_t)head.size))
		_exit(1);
	data[head.size] = '\0';
	return (struct bytes){ .data = (uint8_t *)data,
		               .size = (size_t)head.size };
}

static bool send_reply(int channel, const struct error *err,
                       const struct str *result)
{
	struct child_reply reply = { .magic = CHILD_REPLY_MAGIC };
	struct text body = str_text(result);

	if (err) {
		reply.failed = 1 + (uint32_t)error_code(err);
		body = text_first(text_from(error_message(err)),
		                  CHILD_MESSAGE_BYTES_MAX);
	}
	reply.size = body.size;
	return write_all(channel, &reply, sizeof(reply)) &&
	       write_all(channel, body.data, body.size);
}

void child_main(const struct child_order *order, pid_t parent, int channel,
                int file)
{
	const struct confinement confinement = {
		.memory_bytes = order->limits.memory_bytes,
		.cpu_seconds = order->limits.cpu_seconds,
		.wall_ms = order->limits.wall_ms,
	};
	const child_job job = order->job;
	struct child_input input;
	struct file_data mapped = { 0 };
	struct str result = { 0 };
	struct error *err = NULL;

	memory_limit_bytes = order->limits.memory_bytes;
	if (atexit(leave))
		_exit(1);
	child_follow(parent);
	keep_blocks_apart();
	if (file >= 0)
		err = file_map_open(file, &mapped);
	channel = confine_process(&confinement, channel);
	input.request = read_request(channel);
	input.file = mapped.bytes;
	if (!err)
		err = job(&input, &result);
	child_exit(!send_reply(channel, err, &result));
}
