// SPDX-License-Identifier: MIT
#include "lib/symbols/worker/spawner.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/process.h"
#include "lib/base/str.h"
#include "lib/base/timestamp.h"
#include "lib/symbols/worker/channel.h"
#include "lib/symbols/worker/confinement.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <crt_externs.h>
#include <mach-o/dyld.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

/** The argv[0] of a spawner, and its end of the channel. */
#define SPAWNER_NAME "apmtool-reader"
#define SPAWNER_END  (STDERR_FILENO + 1)

#define HELLO_MAGIC UINT64_C(0x6c6c656874706d61) // "ampthell"
/** Max time to start; valgrind takes seconds. */
#define HELLO_MS 30000

/** Checksum of the sources, set by the build. */
extern const char spawner_sources[];

/** First message of a spawner: identifies the program. */
struct hello {
	uint64_t magic;
	char sources[64];
};

/** First message to a spawner. */
struct setup {
	size_t limits[LIMITS];
};

struct spawner {
	const struct spawner_jobs *jobs;
	pid_t pid;             ///< 0: not running
	int end;               ///< of its channel
	struct error *refusal; ///< why it cannot be started; or NULL
};

enum order_kind { ORDER_FORK, ORDER_WAIT, ORDER_KILL };

/** A request to the spawner; ORDER_KILL has no answer. */
struct order {
	enum order_kind kind;
	pid_t pid;
	int64_t deadline_ms;
	size_t fd_count; ///< descriptors: channel and file
	size_t job; ///< index into the table, as functions have other addresses
	            ///< there
	struct child_limits limits;
};

struct answer {
	int errnum; ///< 0: success
	pid_t pid;
	int status;
	int killed; ///< by the spawner, at the deadline
};

// Handling children, in this process or in the spawner

static struct answer fork_child(const struct child_order *order, int channel,
                                int file)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (!pid)
		child_main(order, parent, channel, file);
	return (struct answer){ .errnum = pid < 0 ? errno : 0, .pid = pid };
}

static void kill_child(pid_t pid)
{
	kill(pid, SIGKILL);
	process_wait(pid);
}

static bool is_closed(int end)
{
	struct pollfd closed = { .fd = end };

	return poll(&closed, 1, 0) > 0;
}

/** @param end  Channel of the answer; or -1. */
static struct answer wait_for_child(pid_t pid, int64_t deadline_ms, int end)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct answer answer = { .pid = pid };
	pid_t got;

	while ((got = waitpid(pid, &answer.status, WNOHANG)) != pid) {
		if (timestamp_now_ms() >= deadline_ms || is_closed(end) ||
		    (got < 0 && errno != EINTR)) {
			kill_child(pid);
			answer.killed = 1;
			break;
		}
		nanosleep(&pause, NULL);
	}
	return answer;
}

// The spawner

bool spawner_is_asked(const char *name)
{
	return name && !strcmp(name, SPAWNER_NAME);
}

static struct answer fork_with(const struct spawner_jobs *jobs,
                               const struct order *order, const int *fds,
                               size_t fd_count)
{
	struct answer answer = { .errnum = EMFILE };

	if (order->job >= jobs->count)
		answer.errnum = EINVAL;
	else if (fd_count == order->fd_count)
		answer =
		        fork_child(&(struct child_order){ jobs->all[order->job],
		                                          order->limits },
		                   fds[0], fd_count > 1 ? fds[1] : -1);
	for (size_t i = 0; i < fd_count; i++)
		close(fds[i]);
	return answer;
}

static struct hello own_hello(void)
{
	struct hello hello = { .magic = HELLO_MAGIC };

	memcpy(hello.sources, spawner_sources, sizeof(hello.sources));
	return hello;
}

/** Send the hello, and receive limits. */
static bool shake_hands(int end)
{
	const struct hello hello = own_hello();
	struct setup setup;

	if (channel_send(end, &hello, sizeof(hello), CHANNEL_NO_DEADLINE) !=
	            CHANNEL_ALL ||
	    channel_receive(end, &setup, sizeof(setup), CHANNEL_NO_DEADLINE) !=
	            CHANNEL_ALL)
		return false;
	for (size_t i = 0; i < LIMITS; i++)
		limit_set((enum limit_id)i, setup.limits[i]);
	return true;
}

// When the parent ends, its channel closes. A parent-death signal would already
// come when the thread that started this process ends.
void spawner_serve(const struct spawner_jobs *jobs)
{
	int end = confine_descriptors(SPAWNER_END);
	int fds[CHANNEL_FDS_MAX];
	size_t fd_count;
	struct order order;

	if (!shake_hands(end))
		child_exit(1);
	while (channel_receive_fds(end, &order, sizeof(order), fds,
	                           &fd_count)) {
		struct answer answer;

		if (order.kind == ORDER_KILL) {
			kill_child(order.pid);
			continue;
		}
		answer = order.kind == ORDER_FORK
		                 ? fork_with(jobs, &order, fds, fd_count)
		                 : wait_for_child(order.pid, order.deadline_ms,
		                                  end);
		if (channel_send(end, &answer, sizeof(answer),
		                 CHANNEL_NO_DEADLINE) != CHANNEL_ALL)
			break;
	}
	child_exit(0);
}

// The parent

struct spawner *spawner_new(const struct spawner_jobs *jobs)
{
	struct spawner *spawner = mem_zalloc(1, sizeof(*spawner));

	spawner->jobs = jobs;
	return spawner;
}

static void end_process(struct spawner *spawner)
{
	close(spawner->end);
	process_wait(spawner->pid);
	spawner->pid = 0;
}

void spawner_stop(struct spawner *spawner)
{
	if (!spawner)
		return;
	if (spawner->pid)
		end_process(spawner);
	error_free(spawner->refusal);
	free(spawner);
}

pid_t spawner_pid(const struct spawner *spawner)
{
	return spawner->pid;
}

/** Paths of this program for exec, the best one first. */
static size_t find_program(struct str *buffer UNUSED, const char **ret)
{
	size_t count = 0;

#if defined(__APPLE__)
	uint32_t size = 0;

	_NSGetExecutablePath(NULL, &size);
	MEM_ROOM(buffer->data, (size_t)size + 1, buffer->cap);
	if (!_NSGetExecutablePath(buffer->data, &size))
		ret[count++] = buffer->data;
#elif defined(__linux__)
	// Under another loader or valgrind, this is the loader.
	ret[count++] = "/proc/self/exe";
	ret[count++] = (const char *)(uintptr_t)getauxval(AT_EXECFN);
	count -= !ret[count - 1];
#endif
	return count;
}

static char **own_environment(void)
{
#ifdef __APPLE__
	return *_NSGetEnviron();
#else
	return environ;
#endif
}

/** Variables of loader, sanitizers and gcov; strings are borrowed. */
static char **choose_environment(void)
{
	static const char *const kept[] = {
		"LD_",   "DYLD_", "GLIBC_TUNABLES=", "ASAN_", "UBSAN_",
		"LSAN_", "TSAN_", "MSAN_",           "GCOV_", "LLVM_PROFILE_",
	};
	char **all = own_environment();
	size_t count = 0, chosen = 0;
	char **ret;

	while (all && all[count])
		count++;
	ret = mem_zalloc(count + 1, sizeof(*ret));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < ARRAY_SIZE(kept); k++)
			if (text_starts(text_from(all[i]), kept[k])) {
				ret[chosen++] = all[i];
				break;
			}
	return ret;
}

/** Execute @p path, with only @p end and standard output open. */
static int execute(const char *path, int end, pid_t *ret)
{
	SCOPED(mem_drop) char **environment = choose_environment();
	char *const arguments[] = { (char *)SPAWNER_NAME, NULL };
	posix_spawn_file_actions_t actions;
	int errnum = posix_spawn_file_actions_init(&actions);

	if (errnum)
		return errnum;
	errnum = posix_spawn_file_actions_adddup2(&actions, end, SPAWNER_END);
#ifndef APMTOOL_SANITIZE
	// Another program must not print to the user's terminal.
	if (!errnum)
		errnum = posix_spawn_file_actions_addclose(&actions,
		                                           STDERR_FILENO);
#endif
	if (!errnum)
		errnum = posix_spawn(ret, path, &actions, NULL, arguments,
		                     environment);
	posix_spawn_file_actions_destroy(&actions);
	return errnum;
}

/** Is the executed program this one? Then send the limits. */
static bool is_answered(int end)
{
	const struct hello expected = own_hello();
	struct setup setup;
	struct hello hello;

	if (channel_receive(end, &hello, sizeof(hello),
	                    timestamp_now_ms() + HELLO_MS) != CHANNEL_ALL ||
	    hello.magic != expected.magic ||
	    memcmp(hello.sources, expected.sources, sizeof(hello.sources)) != 0)
		return false;
	for (size_t i = 0; i < LIMITS; i++)
		setup.limits[i] = limit_get((enum limit_id)i);
	return channel_send(end, &setup, sizeof(setup), CHANNEL_NO_DEADLINE) ==
	       CHANNEL_ALL;
}

static struct error *start_from(struct spawner *spawner, const char *path)
{
	int ends[2];
	int errnum;

	if (!channel_open(ends))
		return error_os(errno, "cannot start the reader");
	errnum = execute(path, ends[1], &spawner->pid);
	close(ends[1]);
	spawner->end = ends[0];
	if (errnum) {
		close(ends[0]);
		spawner->pid = 0;
		return error_os(errnum, "cannot start the reader");
	}
	if (is_answered(spawner->end))
		return NULL;
	kill(spawner->pid, SIGKILL);
	end_process(spawner);
	return error_new(ERROR_OS,
	                 "cannot start the reader: '%s' is not this apmtool",
	                 path);
}

static struct error *copy_error(const struct error *err)
{
	return error_new(error_code(err), "%s", error_message(err));
}

struct error *spawner_start(struct spawner *spawner)
{
	SCOPED(str_release) struct str buffer = { 0 };
	const char *paths[2];
	struct error *err = NULL;
	size_t count;

	if (spawner->pid)
		return NULL;
	if (spawner->refusal)
		return copy_error(spawner->refusal);
	count = find_program(&buffer, paths);
	err = error_new(
	        ERROR_UNSUPPORTED,
	        "cannot start the reader: the path of this program is unknown");
	for (size_t i = 0; i < count; i++) {
		error_free(err);
		err = start_from(spawner, paths[i]);
		if (!err || error_code(err) == ERROR_SHORTAGE)
			return err;
	}
	spawner->refusal = copy_error(err);
	return err;
}

static struct error *ask(struct spawner *spawner, const struct order *order,
                         const int *fds, struct answer *ret)
{
	struct error *err = spawner_start(spawner);

	if (err)
		return err;
	if (!channel_send_fds(spawner->end, order, sizeof(*order), fds,
	                      order->fd_count) ||
	    channel_receive(spawner->end, ret, sizeof(*ret),
	                    CHANNEL_NO_DEADLINE) != CHANNEL_ALL)
		return error_new(ERROR_SHORTAGE,
		                 "the process that starts readers has ended");
	return NULL;
}

/** Index of a job, which must be in the table. */
static size_t number_of(const struct spawner *spawner, child_job job)
{
	size_t number = 0;

	if (!spawner)
		return 0;
	while (number < spawner->jobs->count &&
	       spawner->jobs->all[number] != job)
		number++;
	assert(number < spawner->jobs->count);
	return number;
}

struct error *spawner_fork(struct spawner *spawner,
                           const struct child_order *order, int channel,
                           int file, pid_t *ret)
{
	const struct order ordered = { .kind = ORDER_FORK,
		                       .fd_count = file >= 0 ? 2 : 1,
		                       .job = number_of(spawner, order->job),
		                       .limits = order->limits };
	const int fds[CHANNEL_FDS_MAX] = { channel, file };
	struct answer answer;
	struct error *err = NULL;

	if (spawner)
		err = ask(spawner, &ordered, fds, &answer);
	else
		answer = fork_child(order, channel, file);
	if (!err && answer.errnum)
		err = error_os(answer.errnum, "cannot start a process");
	if (!err)
		*ret = answer.pid;
	return err;
}

struct error *spawner_wait(struct spawner *spawner, pid_t pid,
                           int64_t deadline_ms, int *ret_status,
                           bool *ret_killed)
{
	const struct order order = { .kind = ORDER_WAIT,
		                     .pid = pid,
		                     .deadline_ms = deadline_ms };
	struct answer answer;
	struct error *err = NULL;

	if (spawner)
		err = ask(spawner, &order, NULL, &answer);
	else
		answer = wait_for_child(pid, deadline_ms, -1);
	if (err)
		return err;
	*ret_status = answer.status;
	*ret_killed = answer.killed != 0;
	return NULL;
}

void spawner_kill(struct spawner *spawner, pid_t pid)
{
	const struct order order = { .kind = ORDER_KILL, .pid = pid };

	// If the spawner is gone, so are its children.
	if (!spawner)
		kill_child(pid);
	else if (spawner->pid)
		(void)channel_send(spawner->end, &order, sizeof(order),
		                   CHANNEL_NO_DEADLINE);
}
