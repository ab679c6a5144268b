// SPDX-License-Identifier: MIT
#include "lib/answers/child.h"

#include "lib/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

/** Frames sent with one call, each with its length. */
#define PARTS_MAX 64

/** A pipe that holds many frames causes fewer context switches. */
#define PIPE_BYTES (1 << 20)

static bool open_pipe(int ret[2])
{
	if (!process_pipe(ret))
		return false;
#ifdef F_SETPIPE_SZ
	(void)fcntl(ret[0], F_SETPIPE_SZ, PIPE_BYTES);
#endif
	return true;
}

static void close_pipe(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

/** After fork(): only calls that are safe in a signal handler. */
static NORETURN void become(const char *path, char *const *arguments, int in,
                            int out)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	// The child ends with its input, after it has answered everything.
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
		execv(path, arguments);
	_exit(127);
}

struct error *child_execute(const char *path, char *const *arguments,
                            struct child_pipes *ret_pipes, pid_t *ret_pid)
{
	int in[2], out[2];
	pid_t pid;

	if (access(path, X_OK))
		return error_os(errno, "cannot execute '%s'", path);
	if (!open_pipe(in))
		return error_os(errno, "cannot make a pipe");
	if (!open_pipe(out)) {
		close_pipe(in);
		return error_os(errno, "cannot make a pipe");
	}
	pid = fork();
	if (pid < 0) {
		struct error *err = error_os(errno, "cannot start '%s'", path);

		close_pipe(in);
		close_pipe(out);
		return err;
	}
	if (!pid)
		become(path, arguments, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	*ret_pipes = (struct child_pipes){ .to = in[1], .from = out[0] };
	*ret_pid = pid;
	return NULL;
}

void filter_child_add(struct filter_child *child,
                      struct filter_question *question)
{
	question->next = NULL;
	if (child->last)
		child->last->next = question;
	else
		child->first = question;
	child->last = question;
	if (!child->unsent)
		child->unsent = question;
	child->count++;
	child->bytes += question->frame.size;
}

/** Account for @p sent bytes. */
static void step(struct filter_child *child, size_t sent)
{
	child->sent_bytes += sent;
	while (child->unsent &&
	       child->sent_bytes >=
	               FRAMING_LENGTH_BYTES + child->unsent->frame.size) {
		child->sent_bytes -= FRAMING_LENGTH_BYTES +
		                     child->unsent->frame.size;
		child->unsent = child->unsent->next;
	}
}

void filter_child_send(struct filter_child *child)
{
	while (child->unsent) {
		unsigned char lengths[PARTS_MAX][FRAMING_LENGTH_BYTES];
		struct iovec parts[2 * PARTS_MAX];
		const struct filter_question *next = child->unsent;
		size_t skip = child->sent_bytes;
		int count = 0;
		ssize_t sent;

		for (size_t i = 0; i < PARTS_MAX && next; i++) {
			struct text frame = next->frame;

			framing_length(frame.size, lengths[i]);
			if (skip < FRAMING_LENGTH_BYTES) {
				parts[count].iov_base = lengths[i] + skip;
				parts[count++].iov_len = FRAMING_LENGTH_BYTES -
				                         skip;
				skip = 0;
			} else {
				skip -= FRAMING_LENGTH_BYTES;
			}
			frame = text_after(frame, skip);
			skip = 0;
			if (frame.size) {
				parts[count].iov_base = (char *)frame.data;
				parts[count++].iov_len = frame.size;
			}
			next = next->next;
		}
		sent = writev(child->pipes.to, parts, count);
		// If the child has died, reading its answers will show it.
		if (sent < 0)
			return;
		step(child, (size_t)sent);
	}
}

struct filter_question *filter_child_take(struct filter_child *child)
{
	struct filter_question *question = child->first;

	child->first = question->next;
	if (!child->first)
		child->last = NULL;
	child->count--;
	child->bytes -= question->frame.size;
	return question;
}
