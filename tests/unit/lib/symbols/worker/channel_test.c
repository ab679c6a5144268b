// SPDX-License-Identifier: MIT
#include "lib/symbols/worker/channel.h"

#include "lib/base/mem.h"
#include "lib/base/timestamp.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/** More than a socket takes without a reader. */
#define LARGE_BYTES ((size_t)4 << 20)

static int64_t in_ms(int64_t ms)
{
	return timestamp_now_ms() + ms;
}

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

static void bytes_go_both_ways(void **state UNUSED)
{
	char got[4];
	int ends[2];

	assert_true(channel_open(ends));
	for (int from = 0; from < 2; from++) {
		assert_int_equal(
		        channel_send(ends[from], "ping", 4, in_ms(1000)),
		        CHANNEL_ALL);
		assert_int_equal(channel_receive(ends[!from], got, sizeof(got),
		                                 in_ms(1000)),
		                 CHANNEL_ALL);
		assert_memory_equal(got, "ping", 4);
	}
	assert_true(fcntl(ends[0], F_GETFD) & FD_CLOEXEC);
	close_both(ends);
}

static void who_is_gone_is_an_answer(void **state UNUSED)
{
	char got[4];
	int ends[2];

	assert_true(channel_open(ends));
	assert_int_equal(channel_send(ends[1], "ab", 2, in_ms(1000)),
	                 CHANNEL_ALL);
	close(ends[1]);
	// Two of four bytes came; and writing is no signal.
	assert_int_equal(
	        channel_receive(ends[0], got, sizeof(got), CHANNEL_NO_DEADLINE),
	        CHANNEL_LESS);
	assert_int_equal(channel_send(ends[0], "ab", 2, CHANNEL_NO_DEADLINE),
	                 CHANNEL_LESS);
	assert_false(channel_send_fds(ends[0], "ab", 2, NULL, 0));
	close(ends[0]);
}

static void who_is_slow_is_not_waited_for(void **state UNUSED)
{
	SCOPED(mem_drop) char *large = mem_zalloc(1, LARGE_BYTES);
	int ends[2];

	assert_true(channel_open(ends));
	assert_int_equal(channel_receive(ends[0], large, 1, in_ms(20)),
	                 CHANNEL_LATE);
	assert_int_equal(channel_send(ends[0], large, LARGE_BYTES, in_ms(20)),
	                 CHANNEL_LATE);
	assert_int_equal(channel_receive(ends[0], large, 1, in_ms(-1)),
	                 CHANNEL_LATE);
	close_both(ends);
}

// Whatever flags a system knows: without these, a send waits on macOS.
static void only_the_second_end_waits(void **state UNUSED)
{
	int ends[2];
	char byte;

	assert_true(channel_open(ends));
	assert_true(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
	assert_false(fcntl(ends[1], F_GETFL) & O_NONBLOCK);
	assert_int_equal(read(ends[0], &byte, 1), -1);
	assert_int_equal(errno, EAGAIN);
	close_both(ends);
}

static void what_finds_no_room_is_sent_later(void **state UNUSED)
{
	SCOPED(mem_drop) char *large = mem_zalloc(1, LARGE_BYTES);
	int ends[2];
	int status;
	pid_t pid;

	assert_true(channel_open(ends));
	assert_int_equal(channel_send(ends[0], large, LARGE_BYTES, in_ms(20)),
	                 CHANNEL_LATE);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		close(ends[0]);
		usleep(20000);
		while (read(ends[1], large, LARGE_BYTES) > 0 && !large[0])
			;
		_exit(0);
	}
	assert_true(channel_send_fds(ends[0], "a", 1, NULL, 0));
	close_both(ends);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void interrupt(int number)
{
	(void)number;
}

/** From here on, and as long as it is on, system calls are interrupted. */
static void set_alarms(bool on)
{
	struct sigaction action = { .sa_handler = on ? interrupt : SIG_DFL };
	const struct itimerval often = { .it_value.tv_usec = on ? 500 : 0,
		                         .it_interval.tv_usec = on ? 500 : 0 };

	if (on)
		sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	if (!on)
		sigaction(SIGALRM, &action, NULL);
}

static void a_large_message_comes_in_pieces(void **state UNUSED)
{
	SCOPED(mem_drop) char *sent = mem_zalloc(1, LARGE_BYTES);
	SCOPED(mem_drop) char *got = mem_zalloc(1, LARGE_BYTES);
	int ends[2];
	int status;
	pid_t pid;

	for (size_t i = 0; i < LARGE_BYTES; i++)
		sent[i] = (char)(i * 7 >> 5);
	assert_true(channel_open(ends));
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		set_alarms(true);
		usleep(5000);
		_exit(channel_send(ends[1], sent, LARGE_BYTES, in_ms(20000)) !=
		      CHANNEL_ALL);
	}
	set_alarms(true);
	assert_int_equal(
	        channel_receive(ends[0], got, LARGE_BYTES, in_ms(20000)),
	        CHANNEL_ALL);
	set_alarms(false);
	assert_memory_equal(got, sent, LARGE_BYTES);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close_both(ends);
}

static void descriptors_come_along(void **state UNUSED)
{
	SCOPED(mem_drop) char *large = mem_zalloc(1, LARGE_BYTES);
	int fds[CHANNEL_FDS_MAX] = { -1, -1 };
	size_t count = 99;
	int ends[2];
	int pipes[2];
	char byte = 0;

	assert_true(channel_open(ends));
	assert_int_equal(pipe(pipes), 0);
	assert_true(channel_send_fds(ends[0], "order", 5, pipes, 2));
	assert_true(channel_send_fds(ends[0], "plain", 5, pipes, 0));
	assert_true(channel_receive_fds(ends[1], large, 5, fds, &count));
	assert_memory_equal(large, "order", 5);
	assert_int_equal(count, 2);
	assert_true(fcntl(fds[0], F_GETFD) & FD_CLOEXEC);
	// What goes in at the copy comes out at the other one's original.
	assert_int_equal(write(fds[1], "x", 1), 1);
	assert_int_equal(read(pipes[0], &byte, 1), 1);
	assert_int_equal(byte, 'x');
	assert_true(channel_receive_fds(ends[1], large, 5, pipes, &count));
	assert_memory_equal(large, "plain", 5);
	assert_int_equal(count, 0);
	close_both(fds);
	close(ends[0]);
	assert_false(channel_receive_fds(ends[1], large, 5, fds, &count));
	close(ends[1]);
}

static void descriptors_without_room_are_missing(void **state UNUSED)
{
	struct rlimit before, few;
	int fds[CHANNEL_FDS_MAX];
	size_t count = 99;
	int ends[2];
	char got[5];

	assert_true(channel_open(ends));
	assert_true(channel_send_fds(ends[0], "order", 5, ends, 2));
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 3;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_true(channel_receive_fds(ends[1], got, 5, fds, &count));
	assert_int_equal(count, 0);
	assert_false(channel_open(fds));
	assert_int_equal(errno, EMFILE);
	setrlimit(RLIMIT_NOFILE, &before);
	close_both(ends);
}

static void what_is_not_open_is_gone(void **state UNUSED)
{
	size_t count = 9;
	int fd = -1;
	char byte;

	assert_int_equal(channel_send(-1, "a", 1, in_ms(1000)), CHANNEL_LESS);
	assert_int_equal(channel_receive(999, &byte, 1, in_ms(1000)),
	                 CHANNEL_LESS);
	assert_false(channel_receive_fds(-1, &byte, 1, &fd, &count));
	assert_int_equal(count, 0);
	assert_false(channel_send_fds(-1, "a", 1, NULL, 0));
}

/** Later than poll() can be told, and than the alarms that break it off. */
static void a_late_message_is_waited_for(void **state UNUSED)
{
	size_t count = 9;
	int fds[CHANNEL_FDS_MAX];
	int ends[2];
	char byte = 0;
	pid_t pid;

	assert_true(channel_open(ends));
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		usleep(20000);
		if (!channel_send_fds(ends[1], "a", 1, NULL, 0))
			_exit(1);
		usleep(20000);
		_exit(channel_send(ends[1], "b", 1, in_ms(20000)) !=
		      CHANNEL_ALL);
	}
	set_alarms(true);
	assert_true(channel_receive_fds(ends[0], &byte, 1, fds, &count));
	assert_int_equal(byte, 'a');
	assert_int_equal(count, 0);
	assert_int_equal(channel_receive(ends[0], &byte, 1, INT64_MAX / 2),
	                 CHANNEL_ALL);
	assert_int_equal(byte, 'b');
	set_alarms(false);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close_both(ends);
}

static void what_cannot_be_waited_for_is_an_answer(void **state UNUSED)
{
	struct rlimit before, none;
	int ends[2];
	char got[5];

	assert_true(channel_open(ends));
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	// poll() refuses more descriptors than there may be.
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_int_equal(
	        channel_receive(ends[1], got, 5, timestamp_now_ms() + 60000),
	        CHANNEL_LESS);
	setrlimit(RLIMIT_NOFILE, &before);
	close_both(ends);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_go_both_ways),
		cmocka_unit_test(who_is_gone_is_an_answer),
		cmocka_unit_test(who_is_slow_is_not_waited_for),
		cmocka_unit_test(only_the_second_end_waits),
		cmocka_unit_test(what_finds_no_room_is_sent_later),
		cmocka_unit_test(a_large_message_comes_in_pieces),
		cmocka_unit_test(descriptors_come_along),
		cmocka_unit_test(descriptors_without_room_are_missing),
		cmocka_unit_test(what_is_not_open_is_gone),
		cmocka_unit_test(a_late_message_is_waited_for),
		cmocka_unit_test(what_cannot_be_waited_for_is_an_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
