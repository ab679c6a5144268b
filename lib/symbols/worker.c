#include "lib/symbols/worker.h"

#include "lib/base/mem.h"
#include "lib/base/timestamp.h"
#include "lib/symbols/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
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
#ifdef APMTOOL_COVERAGE
extern void __gcov_dump(void);
#endif

#define REPLY_MAGIC       0x776b7231u
#define MESSAGE_BYTES_MAX 4096
#define CHUNK_BYTES       ((size_t)1 << 20)
#define STATUS_NO_MEMORY  5 ///< as mem_fail() ends a program
#define STATUS_SHORTAGE   6 ///< but the limit is not what it met
/** Larger ones are mapped by themselves. */
#define LARGE_BLOCK_BYTES (1 << 20)

/** What the child sends first; then `size` bytes of result or message. */
struct reply {
	uint32_t magic;
	uint32_t failed; ///< 0, or 1 + enum error_code
	uint64_t size;
};

/* The child. */

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
	_exit(is_below_limit() ? STATUS_SHORTAGE : STATUS_NO_MEMORY);
}

// Confined, a process cannot ask who its parent is.
static void follow(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
	// It may have died before the line above; elsewhere the alarm sees to
	// it that a child does not outlive its parent for long.
	if (getppid() != parent)
		_exit(1);
}

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

// _exit() leaves out what exit() would do, which is to write the counts.
static void dump_coverage(void)
{
#ifdef APMTOOL_COVERAGE
	__gcov_dump();
#endif
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

NORETURN static void child_main(worker_job job, void *context,
                                const struct worker_limits *limits,
                                pid_t parent, int fd)
{
	struct str result = { 0 };
	struct text body;
	struct reply reply = { .magic = REPLY_MAGIC };
	const struct confinement confinement = {
		.memory_bytes = limits->memory_bytes,
		.cpu_seconds = limits->cpu_seconds,
		.wall_ms = limits->wall_ms,
	};
	struct error *err;
	bool failed;

	memory_limit_bytes = limits->memory_bytes;
	if (atexit(leave))
		_exit(1);
	follow(parent);
	keep_blocks_apart();
	fd = confine_process(&confinement, fd);
	err = job(context, &result);
	body = err ? text_from(error_message(err)) : str_text(&result);
	if (err) {
		reply.failed = 1 + (uint32_t)error_code(err);
		body = text_first(body, MESSAGE_BYTES_MAX);
	}
	reply.size = body.size;
	failed = !write_all(fd, &reply, sizeof(reply)) ||
	         !write_all(fd, body.data, body.size);
	dump_coverage();
	// The system takes all memory back at once, and faster than free().
	_exit(failed);
}

/* The parent. */

struct child {
	pid_t pid;
	int fd;
	int64_t deadline_ms;
};

static struct error *error_too_slow(const struct worker_limits *limits)
{
	return error_new(ERROR_FORMAT, "reading it took longer than %g s",
	                 limits->wall_ms / 1000.0);
}

static struct error *child_start(worker_job job, void *context,
                                 const struct worker_limits *limits,
                                 struct child *ret)
{
	pid_t parent = getpid();
	int64_t deadline_ms = timestamp_now_ms() + limits->wall_ms;
	pid_t pid;
	int fds[2];

	if (pipe(fds))
		return error_os(errno, "cannot open a pipe");
	pid = fork();
	if (pid < 0) {
		int reason = errno;

		close(fds[0]);
		close(fds[1]);
		return error_os(reason, "cannot start a process");
	}
	if (!pid) {
		close(fds[0]);
		child_main(job, context, limits, parent, fds[1]);
	}
	close(fds[1]);
#ifdef F_SETPIPE_SZ
	// 64 kB by default: each turn would cost a switch of processes.
	(void)fcntl(fds[0], F_SETPIPE_SZ, (int)CHUNK_BYTES);
#endif
	*ret = (struct child){ .pid = pid,
		               .fd = fds[0],
		               .deadline_ms = deadline_ms };
	return NULL;
}

static void child_kill(struct child *child)
{
	int status;

	close(child->fd);
	kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
}

/**
 * Wait for a child that has closed its end of the pipe: it ends by itself in
 * a moment. False if it has to be killed at the deadline.
 */
static bool child_wait(struct child *child, int *ret_status)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	pid_t pid;

	while ((pid = waitpid(child->pid, ret_status, WNOHANG)) != child->pid) {
		if (timestamp_now_ms() >= child->deadline_ms ||
		    (pid < 0 && errno != EINTR)) {
			child_kill(child);
			return false;
		}
		nanosleep(&pause, NULL);
	}
	close(child->fd);
	return true;
}

enum received { RECEIVED_ALL, RECEIVED_LESS, RECEIVED_LATE };

/** Read up to @p size bytes, waiting for them up to the deadline. */
static enum received child_read(const struct child *child, void *data,
                                size_t size)
{
	char *at = data;

	while (size) {
		struct pollfd ready = { .fd = child->fd, .events = POLLIN };
		int64_t left_ms = child->deadline_ms - timestamp_now_ms();
		ssize_t got;

		if (left_ms <= 0)
			return RECEIVED_LATE;
		if (poll(&ready, 1, (int)left_ms) <= 0)
			continue;
		got = read(child->fd, at, size);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return RECEIVED_LESS;
		at += got;
		size -= (size_t)got;
	}
	return RECEIVED_ALL;
}

/** Memory grows with what arrives, not with what is announced. */
static enum received child_read_body(const struct child *child, uint64_t size,
                                     struct str *body)
{
	while (body->size < size) {
		uint64_t left = size - body->size;
		size_t chunk = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
		enum received received;

		MEM_ROOM(body->data, body->size + chunk + 1, body->cap);
		received = child_read(child, body->data + body->size, chunk);
		if (received != RECEIVED_ALL)
			return received;
		body->size += chunk;
		body->data[body->size] = '\0';
	}
	return RECEIVED_ALL;
}

/** What is announced must be a reply that we are ready to take. */
static struct error *reply_check(const struct reply *reply,
                                 const struct worker_limits *limits)
{
	uint64_t limit = reply->failed ? MESSAGE_BYTES_MAX
	                               : limits->result_bytes;

	if (reply->magic != REPLY_MAGIC ||
	    reply->failed > 1 + (uint32_t)ERROR_SHORTAGE)
		return error_new(ERROR_FORMAT,
		                 "reading it gave an invalid result");
	if (reply->size > limit)
		return error_new(ERROR_FORMAT,
		                 "reading it gave %" PRIu64
		                 " bytes, more than the limit of %" PRIu64,
		                 reply->size, limit);
	return NULL;
}

static const char *signal_name(int number)
{
	static const struct {
		int number;
		const char *name;
	} names[] = {
		{ SIGSEGV, "segmentation fault" },
		{ SIGBUS, "bus error" },
		{ SIGABRT, "abort" },
		{ SIGILL, "illegal instruction" },
		{ SIGFPE, "arithmetic error" },
		{ SIGTRAP, "trap" },
		{ SIGKILL, "killed" },
		{ SIGTERM, "terminated" },
		{ SIGSYS, "forbidden system call" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i].number == number)
			return names[i].name;
	}
	return "unexpected";
}

/** Why a child ended without a whole reply. */
static struct error *error_from_status(int status,
                                       const struct worker_limits *limits)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		return error_new(ERROR_FORMAT,
		                 "reading it took longer than %u s of CPU time",
		                 limits->cpu_seconds);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return error_too_slow(limits);
	if (WIFSIGNALED(status))
		return error_new(
		        ERROR_FORMAT, "reading it ended with signal %d (%s)",
		        WTERMSIG(status), signal_name(WTERMSIG(status)));
	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_SHORTAGE)
		return error_new(ERROR_SHORTAGE,
		                 "no memory is left for reading it");
	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NO_MEMORY)
		return error_new(ERROR_FORMAT,
		                 "reading it needs more than %.3g GB of memory",
		                 (double)limits->memory_bytes / (1 << 30));
	return error_new(ERROR_FORMAT,
	                 "reading it ended with status %d and without a result",
	                 WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/** End a child of which no reply came, or not all, and say why. */
static struct error *child_explain(struct child *child, enum received received,
                                   const struct worker_limits *limits)
{
	int status = 0;

	if (received == RECEIVED_LESS && child_wait(child, &status))
		return error_from_status(status, limits);
	if (received == RECEIVED_LATE)
		child_kill(child);
	return error_too_slow(limits);
}

struct worker {
	struct child child;
	struct worker_limits limits;
};

struct error *worker_start(worker_job job, void *context,
                           const struct worker_limits *limits,
                           struct worker **ret)
{
	struct worker *worker = mem_zalloc(1, sizeof(*worker));
	struct error *err;

	worker->limits = *limits;
	err = child_start(job, context, limits, &worker->child);
	if (err)
		free(worker);
	else
		*ret = worker;
	return err;
}

struct error *worker_finish(struct worker *worker, struct str *result)
{
	struct reply reply;
	enum received received;
	struct error *err = NULL;

	received = child_read(&worker->child, &reply, sizeof(reply));
	if (received == RECEIVED_ALL) {
		err = reply_check(&reply, &worker->limits);
		if (!err)
			received = child_read_body(&worker->child, reply.size,
			                           result);
	}
	if (received != RECEIVED_ALL) {
		err = child_explain(&worker->child, received, &worker->limits);
	} else {
		// What it still does, if anything, is of no interest.
		child_kill(&worker->child);
		if (!err && reply.failed)
			err = error_new((enum error_code)(reply.failed - 1),
			                "%s", str_cstr(result));
	}
	if (err)
		str_release(result);
	free(worker);
	return err;
}

struct error *worker_run(worker_job job, void *context,
                         const struct worker_limits *limits, struct str *result)
{
	struct worker *worker;
	struct error *err = worker_start(job, context, limits, &worker);

	return err ? err : worker_finish(worker, result);
}
