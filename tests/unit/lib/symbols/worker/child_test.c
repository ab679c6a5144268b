// SPDX-License-Identifier: MIT
#include "lib/symbols/worker/child.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const struct child_limits limits = {
	.memory_bytes = (uint64_t)1 << 28,
	.cpu_seconds = 20,
	.wall_ms = 20000,
	.result_bytes = 1 << 20,
};

static struct error *echo(const struct child_input *input, struct str *result)
{
	if (input->request.size > 4)
		return error_new(ERROR_FORMAT, "expected 4 bytes, found %zu",
		                 input->request.size);
	str_add_bytes(result, (const char *)input->request.data,
	              input->request.size);
	return NULL;
}

/** A child at the other end of @p channel, of the process @p parent. */
static pid_t start(child_job job, int channel, pid_t parent)
{
	const struct child_order order = { .job = job, .limits = limits };
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid)
		child_main(&order, parent, channel, -1);
	return pid;
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/** Both ends; the child has the second one. */
static void open_channel(int ends[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
}

static void send_request(int channel, const char *request)
{
	struct child_request head = { strlen(request) };

	assert_int_equal(write(channel, &head, sizeof(head)), sizeof(head));
	assert_int_equal(write(channel, request, head.size), head.size);
}

static void check_reply(int channel, uint32_t failed, const char *body)
{
	struct child_reply reply;
	char bytes[128];

	assert_int_equal(read(channel, &reply, sizeof(reply)), sizeof(reply));
	assert_int_equal(reply.magic, CHILD_REPLY_MAGIC);
	assert_int_equal(reply.failed, failed);
	assert_int_equal(reply.size, strlen(body));
	assert_int_equal(read(channel, bytes, sizeof(bytes)), reply.size);
	assert_memory_equal(bytes, body, reply.size);
}

static void a_child_answers(void **state)
{
	static const struct {
		const char *request;
		uint32_t failed;
		const char *body;
	} cases[] = {
		{ "four", 0, "four" },
		{ "fives", 1 + ERROR_FORMAT, "expected 4 bytes, found 5" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int ends[2];
		pid_t pid;

		open_channel(ends);
		pid = start(echo, ends[1], getpid());
		close(ends[1]);
		send_request(ends[0], cases[i].request);
		check_reply(ends[0], cases[i].failed, cases[i].body);
		assert_int_equal(status_of(pid), 0);
		close(ends[0]);
	}
}

/** Whoever asked may end at any point of the request. */
static void a_request_that_breaks_off_ends_the_child(void **state)
{
	struct child_request head = { 4 };
	char request[sizeof(head) + 4];

	(void)state;
	memcpy(request, &head, sizeof(head));
	memcpy(request + sizeof(head), "four", 4);
	for (size_t size = 0; size < sizeof(request); size++) {
		int ends[2];
		pid_t pid;

		open_channel(ends);
		pid = start(echo, ends[1], getpid());
		close(ends[1]);
		assert_int_equal(write(ends[0], request, size), size);
		assert_int_equal(shutdown(ends[0], SHUT_WR), 0);
		assert_int_equal(status_of(pid), 1);
		close(ends[0]);
	}
}

/** A file that can only be read stands for a channel that takes no reply. */
static void a_reply_that_cannot_be_sent_ends_the_child(void **state)
{
	int ends[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = start(echo, ends[0], getpid());
	send_request(ends[1], "four");
	assert_int_equal(status_of(pid), 1);
	close(ends[0]);
	close(ends[1]);
}

static void a_child_of_another_process_ends(void **state)
{
	int ends[2];

	(void)state;
	open_channel(ends);
	assert_int_equal(status_of(start(echo, ends[1], getpid() + 1)), 1);
	close(ends[0]);
	close(ends[1]);
}

static void wait_ms(long ms)
{
	const struct timespec time = { .tv_nsec = ms * 1000000 };

	nanosleep(&time, NULL);
}

static void do_nothing(int signal UNUSED)
{
}

/** Such as those of a window that changes its size. */
static void signals_do_not_break_a_request(void **state)
{
	const struct sigaction action = { .sa_handler = do_nothing };
	struct sigaction before;
	int ends[2];
	pid_t pid;

	(void)state;
	sigaction(SIGWINCH, &action, &before);
	open_channel(ends);
	pid = start(echo, ends[1], getpid());
	close(ends[1]);
	for (int i = 0; i < 5; i++) {
		wait_ms(10);
		kill(pid, SIGWINCH);
	}
	send_request(ends[0], "four");
	check_reply(ends[0], 0, "four");
	assert_int_equal(status_of(pid), 0);
	close(ends[0]);
	sigaction(SIGWINCH, &before, NULL);
}

#ifndef APMTOOL_SANITIZE
static struct error *take_all_memory(const struct child_input *input UNUSED,
                                     struct str *result)
{
	for (;;)
		str_add(result, "all of it");
	return NULL;
}

/** The limit is met, and more than it is not to be had. */
static void a_child_without_memory_says_so(void **state)
{
	int ends[2];
	pid_t pid;

	(void)state;
	open_channel(ends);
	pid = start(take_all_memory, ends[1], getpid());
	close(ends[1]);
	send_request(ends[0], "four");
	assert_int_equal(status_of(pid), CHILD_NO_MEMORY);
	close(ends[0]);
}
#endif

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_answers),
		cmocka_unit_test(a_request_that_breaks_off_ends_the_child),
		cmocka_unit_test(a_reply_that_cannot_be_sent_ends_the_child),
		cmocka_unit_test(a_child_of_another_process_ends),
		cmocka_unit_test(signals_do_not_break_a_request),
#ifndef APMTOOL_SANITIZE
		cmocka_unit_test(a_child_without_memory_says_so),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
