// SPDX-License-Identifier: MIT
#include "lib/symbols/fetch/program.h"

#include "lib/base/file.h"
#include "lib/base/process.h"
#include "lib/base/timestamp.h"
#include "lib/symbols/worker/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/** Interval of checks of the process and its file. */
#define LOOK_MS 20
/** Max inherited descriptors to close; ours are closed on exec. */
#define INHERITED_MAX 1024

/** Two pipes from the child. */
struct pipes {
	int says[2];   ///< its standard error
	int failed[2]; ///< errno of a failed exec
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void pipes_close(struct pipes *pipes)
{
	for (int i = 0; i < 2; i++) {
		close_end(&pipes->says[i]);
		close_end(&pipes->failed[i]);
	}
}

/** Move a descriptor above the standard ones. */
static int move_up(int fd)
{
	return fd > 2 ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static void limit(process_resource resource, rlim_t max)
{
	struct rlimit limits;

	if (getrlimit(resource, &limits) || limits.rlim_max < max)
		return;
	limits.rlim_cur = limits.rlim_max = max;
	setrlimit(resource, &limits);
}

/** Only async-signal-safe calls: the process has threads. */
NORETURN static void be_program(const struct program *program, pid_t parent,
                                const struct pipes *pipes)
{
	int says = move_up(pipes->says[1]);
	int failed = move_up(pipes->failed[1]);
	int nothing = move_up(open("/dev/null", O_RDWR | O_CLOEXEC));
	sigset_t none;
	int number;

	setpgid(0, 0);
	child_follow(parent);
	limit(RLIMIT_CORE, 0);
	// One byte more, to detect the excess.
	if (program->file_bytes_max < INT64_MAX)
		limit(RLIMIT_FSIZE, (rlim_t)program->file_bytes_max + 1);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (dup2(nothing, 0) == 0 && dup2(nothing, 1) == 1 &&
	    dup2(says, 2) == 2) {
		for (int fd = 3; fd < INHERITED_MAX; fd++)
			if (fd != failed)
				close(fd);
		execv(program->arguments[0], program->arguments);
	}
	number = errno;
	if (write(failed, &number, sizeof(number)) < 0)
		_exit(126);
	_exit(127);
}

/** Reads its standard error, and keeps the first line. */
struct listener {
	int fd; ///< -1: closed
	char *says;
	size_t size;
	bool has_line;
};

static void listen_once(struct listener *listener, int wait_ms)
{
	struct pollfd polled = { .fd = listener->fd, .events = POLLIN };
	char buffer[1024];
	ssize_t got;

	if (poll(&polled, 1, wait_ms) <= 0)
		return;
	got = file_read_some(listener->fd, buffer, sizeof(buffer));
	if (got <= 0) {
		close_end(&listener->fd);
		return;
	}
	for (ssize_t i = 0; i < got && !listener->has_line; i++) {
		listener->has_line = buffer[i] == '\n' ||
		                     listener->size == PROGRAM_SAYS_BYTES - 1;
		if (!listener->has_line)
			listener->says[listener->size++] = buffer[i];
	}
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	// Not reaped yet, so that its group id is not reused.
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) ||
	       info.si_pid == pid;
}

static bool is_too_large(const struct program *program)
{
	struct stat info;

	return !stat(program->file, &info) &&
	       (uint64_t)info.st_size > program->file_bytes_max;
}

static void watch(const struct program *program, pid_t pid, int says,
                  struct program_result *ret)
{
	int64_t end_ms = timestamp_now_ms() + program->time_limit_ms;
	struct listener listener = { .fd = says, .says = ret->says };
	int status;

	ret->end = PROGRAM_ENDED;
	while (!has_ended(pid)) {
		if (timestamp_now_ms() >= end_ms)
			ret->end = PROGRAM_TOO_LONG;
		else if (is_too_large(program))
			ret->end = PROGRAM_TOO_LARGE;
		if (ret->end != PROGRAM_ENDED)
			break;
		listen_once(&listener, LOOK_MS);
	}
	// Also kill processes that the program started.
	kill(-pid, SIGKILL);
	status = process_wait(pid);
	while (listener.fd >= 0 && !listener.has_line) {
		size_t before = listener.size;

		listen_once(&listener, 0);
		if (listener.size == before)
			break;
	}
	close_end(&listener.fd);
	ret->says[listener.size] = '\0';
	if (ret->end == PROGRAM_ENDED && is_too_large(program))
		ret->end = PROGRAM_TOO_LARGE;
	if (ret->end != PROGRAM_ENDED)
		return;
	if (WIFSIGNALED(status))
		ret->end = PROGRAM_CRASHED;
	ret->number = WIFSIGNALED(status) ? WTERMSIG(status)
	                                  : WEXITSTATUS(status);
}

/** Wait for the exec; returns its errno, or 0. */
static int execution_error(int failed)
{
	int number = 0;

	return file_read_some(failed, &number, sizeof(number)) ==
	                       (ssize_t)sizeof(number)
	               ? number
	               : 0;
}

struct error *program_run(const struct program *program,
                          struct program_result *ret)
{
	struct pipes pipes = { { -1, -1 }, { -1, -1 } };
	pid_t parent = getpid();
	pid_t pid = -1;
	int number = 0;

	if (process_pipe(pipes.says) && process_pipe(pipes.failed))
		pid = fork();
	if (!pid)
		be_program(program, parent, &pipes);
	if (pid < 0) {
		number = errno;
		pipes_close(&pipes);
		return error_new(ERROR_SHORTAGE, "cannot start '%s': %s",
		                 program->arguments[0], strerror(number));
	}
	setpgid(pid, pid);
	close_end(&pipes.says[1]);
	close_end(&pipes.failed[1]);
	number = execution_error(pipes.failed[0]);
	if (number) {
		process_wait(pid);
	} else {
		*ret = (struct program_result){ 0 };
		watch(program, pid, pipes.says[0], ret);
		pipes.says[0] = -1;
	}
	pipes_close(&pipes);
	return number ? error_os(number, "cannot execute '%s'",
	                         program->arguments[0])
	              : NULL;
}
