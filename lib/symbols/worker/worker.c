// SPDX-License-Identifier: MIT
#include "lib/symbols/worker/worker.h"

#include "lib/base/mem.h"
#include "lib/base/timestamp.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK_BYTES ((size_t)1 << 20)

struct worker {
	struct spawner *spawner;
	struct child_limits limits;
	pid_t pid;
	int channel;
	int64_t deadline_ms;
};

static struct error *error_too_slow(const struct child_limits *limits)
{
	return error_new(ERROR_FORMAT, "reading took longer than %g s",
	                 limits->wall_ms / 1000.0);
}

/** Allocate by what arrives, not by what is announced. */
static enum channel_end receive_body(int channel, uint64_t size,
                                     int64_t deadline_ms, struct str *body)
{
	while (body->size < size) {
		uint64_t left = size - body->size;
		size_t chunk = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
		enum channel_end end;

		MEM_ROOM(body->data, body->size + chunk + 1, body->cap);
		end = channel_receive(channel, body->data + body->size, chunk,
		                      deadline_ms);
		if (end != CHANNEL_ALL)
			return end;
		body->size += chunk;
		body->data[body->size] = '\0';
	}
	return CHANNEL_ALL;
}

/** Is it a reply that can be accepted? */
static struct error *reply_check(const struct child_reply *reply,
                                 const struct child_limits *limits)
{
	uint64_t limit = reply->failed ? CHILD_MESSAGE_BYTES_MAX
	                               : limits->result_bytes;

	if (reply->magic != CHILD_REPLY_MAGIC ||
	    reply->failed > 1 + (uint32_t)ERROR_SHORTAGE)
		return error_new(ERROR_FORMAT,
		                 "the reader returned an invalid result");
	if (reply->size > limit)
		return error_new(ERROR_FORMAT,
		                 "the reader returned %" PRIu64
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
		{ SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" },
		{ SIGABRT, "SIGABRT" }, { SIGILL, "SIGILL" },
		{ SIGFPE, "SIGFPE" },   { SIGTRAP, "SIGTRAP" },
		{ SIGKILL, "SIGKILL" }, { SIGTERM, "SIGTERM" },
		{ SIGSYS, "SIGSYS" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i].number == number)
			return names[i].name;
	}
	return NULL;
}

/** The error of a child without a whole reply. */
static struct error *error_from_status(int status,
                                       const struct child_limits *limits)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		return error_new(ERROR_FORMAT,
		                 "reading took longer than %u s of CPU time",
		                 limits->cpu_seconds);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return error_too_slow(limits);
	if (WIFSIGNALED(status)) {
		const char *name = signal_name(WTERMSIG(status));

		return name ? error_new(ERROR_FORMAT, "the reader crashed (%s)",
		                        name)
		            : error_new(ERROR_FORMAT,
		                        "the reader crashed (signal %d)",
		                        WTERMSIG(status));
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_SHORTAGE)
		return error_new(ERROR_SHORTAGE, "out of memory");
	if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_NO_MEMORY)
		return error_new(ERROR_FORMAT,
		                 "reading needs more than %.3g GB of memory",
		                 (double)limits->memory_bytes / (1 << 30));
	return error_new(ERROR_FORMAT,
	                 "the reader exited with status %d and no result",
	                 WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/** Kill a child without a whole reply, and explain why. */
static struct error *explain_end(struct worker *worker, enum channel_end end)
{
	int status = 0;
	bool killed = true;
	struct error *err = NULL;

	if (end == CHANNEL_LATE)
		spawner_kill(worker->spawner, worker->pid);
	else
		err = spawner_wait(worker->spawner, worker->pid,
		                   worker->deadline_ms, &status, &killed);
	if (err)
		return err;
	return killed ? error_too_slow(&worker->limits)
	              : error_from_status(status, &worker->limits);
}

struct error *worker_start(struct spawner *spawner, const struct work *work,
                           struct worker **ret)
{
	const struct child_order order = { work->job, work->limits };
	const struct child_request request = { work->request.size };
	struct worker *worker;
	struct error *err;
	int ends[2];
	pid_t pid;

	if (!channel_open(ends))
		return error_os(errno, "cannot open a socket");
	err = spawner_fork(spawner, &order, ends[1], work->file, &pid);
	close(ends[1]);
	if (err) {
		close(ends[0]);
		return err;
	}
	*ret = worker = mem_zalloc(1, sizeof(*worker));
	worker->spawner = spawner;
	worker->limits = work->limits;
	worker->pid = pid;
	worker->channel = ends[0];
	worker->deadline_ms = timestamp_now_ms() + work->limits.wall_ms;
	// A child that does not read the request will not reply.
	if (channel_send(ends[0], &request, sizeof(request),
	                 worker->deadline_ms) == CHANNEL_ALL)
		(void)channel_send(ends[0], work->request.data,
		                   work->request.size, worker->deadline_ms);
	return NULL;
}

enum channel_end worker_receive(int channel, const struct child_limits *limits,
                                int64_t deadline_ms, struct str *result,
                                struct error **ret_err)
{
	struct child_reply reply;
	enum channel_end end =
	        channel_receive(channel, &reply, sizeof(reply), deadline_ms);

	if (end != CHANNEL_ALL)
		return end;
	*ret_err = reply_check(&reply, limits);
	if (*ret_err)
		return CHANNEL_ALL;
	end = receive_body(channel, reply.size, deadline_ms, result);
	if (end == CHANNEL_ALL && reply.failed)
		*ret_err = error_new((enum error_code)(reply.failed - 1), "%s",
		                     str_cstr(result));
	return end;
}

struct error *worker_finish(struct worker *worker, struct str *result)
{
	struct error *err = NULL;
	enum channel_end end = worker_receive(worker->channel, &worker->limits,
	                                      worker->deadline_ms, result,
	                                      &err);

	close(worker->channel);
	// Its further work does not matter.
	if (end == CHANNEL_ALL)
		spawner_kill(worker->spawner, worker->pid);
	else
		err = explain_end(worker, end);
	if (err)
		str_release(result);
	free(worker);
	return err;
}

struct error *worker_run(struct spawner *spawner, const struct work *work,
                         struct str *result)
{
	struct worker *worker;
	struct error *err = worker_start(spawner, work, &worker);

	return err ? err : worker_finish(worker, result);
}
