// SPDX-License-Identifier: MIT
#include "lib/symbols/worker/spawner.h"

#include "lib/base/mem.h"
#include "lib/base/timestamp.h"
#include "lib/symbols/worker/channel.h"
#include "lib/symbols/worker/confinement.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct spawner {
	pid_t pid;
	int end;    ///< of the channel to it
	int errnum; ///< why it could not be started; 0: it was
};

enum order_kind { ORDER_FORK, ORDER_WAIT, ORDER_KILL };

/** What the spawner is asked to do; ORDER_KILL has no answer. */
struct order {
	enum order_kind kind;
	pid_t pid;
	int64_t deadline_ms;
	size_t fd_count; ///< that come with it: the channel, and the file
	/** Functions have the same addresses there: it is a copy of us. */
	struct child_order child;
};

struct answer {
	int errnum; ///< 0: it was done
	pid_t pid;
	int status;
	int killed; ///< by the spawner, at the deadline
};

// What is done to children, here or in the spawner

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
	int status;

	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
}

static struct answer wait_for_child(pid_t pid, int64_t deadline_ms)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct answer answer = { .pid = pid };
	pid_t got;

	while ((got = waitpid(pid, &answer.status, WNOHANG)) != pid) {
		if (timestamp_now_ms() >= deadline_ms ||
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

static struct answer fork_with(const struct order *order, const int *fds,
                               size_t fd_count)
{
	struct answer answer = { .errnum = EMFILE };

	if (fd_count == order->fd_count)
		answer = fork_child(&order->child, fds[0],
		                    fd_count > 1 ? fds[1] : -1);
	for (size_t i = 0; i < fd_count; i++)
		close(fds[i]);
	return answer;
}

NORETURN static void spawner_main(pid_t parent, int end)
{
	int fds[CHANNEL_FDS_MAX];
	size_t fd_count;
	struct order order;

	child_follow(parent);
	end = confine_descriptors(end);
	while (channel_receive_fds(end, &order, sizeof(order), fds,
	                           &fd_count)) {
		struct answer answer;

		if (order.kind == ORDER_KILL) {
			kill_child(order.pid);
			continue;
		}
		answer = order.kind == ORDER_FORK
		                 ? fork_with(&order, fds, fd_count)
		                 : wait_for_child(order.pid, order.deadline_ms);
		if (channel_send(end, &answer, sizeof(answer),
		                 CHANNEL_NO_DEADLINE) != CHANNEL_ALL)
			break;
	}
	child_exit(0);
}

// Whoever asks

static int start(struct spawner *spawner)
{
	pid_t parent = getpid();
	int ends[2];
	int errnum;

	if (!channel_open(ends))
		return errno;
	spawner->pid = fork();
	errnum = errno;
	if (!spawner->pid)
		spawner_main(parent, ends[1]);
	close(ends[1]);
	spawner->end = ends[0];
	if (spawner->pid > 0)
		return 0;
	close(ends[0]);
	return errnum;
}

struct spawner *spawner_start(void)
{
	struct spawner *spawner = mem_zalloc(1, sizeof(*spawner));

	spawner->errnum = start(spawner);
	return spawner;
}

void spawner_stop(struct spawner *spawner)
{
	int status;

	if (!spawner)
		return;
	if (!spawner->errnum) {
		close(spawner->end);
		while (waitpid(spawner->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	free(spawner);
}

pid_t spawner_pid(const struct spawner *spawner)
{
	return spawner->pid;
}

static struct error *ask(struct spawner *spawner, const struct order *order,
                         const int *fds, struct answer *ret)
{
	if (spawner->errnum)
		return error_os(spawner->errnum, "cannot start a process");
	if (!channel_send_fds(spawner->end, order, sizeof(*order), fds,
	                      order->fd_count) ||
	    channel_receive(spawner->end, ret, sizeof(*ret),
	                    CHANNEL_NO_DEADLINE) != CHANNEL_ALL)
		return error_new(ERROR_SHORTAGE,
		                 "the process that starts others has ended");
	return NULL;
}

struct error *spawner_fork(struct spawner *spawner,
                           const struct child_order *order, int channel,
                           int file, pid_t *ret)
{
	const struct order ordered = { .kind = ORDER_FORK,
		                       .fd_count = file >= 0 ? 2 : 1,
		                       .child = *order };
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
		answer = wait_for_child(pid, deadline_ms);
	if (err)
		return err;
	*ret_status = answer.status;
	*ret_killed = answer.killed != 0;
	return NULL;
}

void spawner_kill(struct spawner *spawner, pid_t pid)
{
	const struct order order = { .kind = ORDER_KILL, .pid = pid };

	// Where the spawner is gone, so are its children.
	if (!spawner)
		kill_child(pid);
	else
		(void)channel_send(spawner->end, &order, sizeof(order),
		                   CHANNEL_NO_DEADLINE);
}
