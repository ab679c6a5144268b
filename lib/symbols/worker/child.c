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
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#endif

/** Larger blocks are mapped separately. */
#define LARGE_BLOCK_BYTES (1 << 20)

static uint64_t memory_limit_bytes; ///< for leave()

/**
 * Did memory run out far below the limit? Then the system is short of it, not
 * the file to blame. Mapping unused memory costs only addresses.
 */
static bool is_below_limit(void)
{
	size_t max = (size_t)(memory_limit_bytes / 4 * 3);

	return mmap(NULL, max, PROT_NONE,
	            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
	            0) != MAP_FAILED;
}

// First exit handler, as mem_fail() calls exit(): skips the parent's handlers
// and stdio buffers.
static void leave(void)
{
	_exit(is_below_limit() ? CHILD_SHORTAGE : CHILD_NO_MEMORY);
}

// A confined process cannot get its parent's id.
void child_follow(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
	// The parent may have died before that. On other systems, the alarm
	// bounds the child's life.
	if (getppid() != parent)
		_exit(1);
}

void child_exit(int status)
{
	// The system frees all memory at once, faster than free().
	_exit(status);
}

// Only read() and write() are allowed when confined.

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
 * Map large blocks, which then grow in place. By default, glibc would soon use
 * the heap, copy blocks to its end, and leave holes.
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
