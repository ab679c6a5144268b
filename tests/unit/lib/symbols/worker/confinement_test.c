// SPDX-License-Identifier: MIT
// Plays a child that hostile bytes have taken over: whatever it tries must be
// refused.
#include "lib/symbols/worker/confinement.h"

#include "lib/base/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include <cmocka.h>

static const struct confinement limits = {
	.memory_bytes = (uint64_t)1 << 40,
	.cpu_seconds = 20,
	.wall_ms = 20000,
};

/** What the parent has open for writing: the file named by `-o`. */
static int output_fd;

/** Each gives -1, or something else where it could be done. */

static long open_a_file(void)
{
	return open("/etc/passwd", O_RDONLY);
}

static long make_a_file(void)
{
	return open("/tmp/apmtool-confinement", O_CREAT | O_WRONLY, 0600);
}

static long remove_a_file(void)
{
	return unlink("/tmp/apmtool-no-such-file") && errno == ENOENT ? 0 : -1;
}

static long look_at_a_file(void)
{
	struct stat info;

	return stat("/", &info);
}

static long write_the_output(void)
{
	return write(output_fd, "x", 1);
}

static long open_a_pipe(void)
{
	int fds[2];

	return pipe(fds);
}

static long double_the_pipe(void)
{
	return dup(STDERR_FILENO + 1);
}

static long open_a_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

static long start_a_process(void)
{
	long pid = fork();

	if (!pid)
		_exit(0);
	return pid;
}

static long run_a_program(void)
{
	char program[] = "/bin/true";
	char *const arguments[] = { program, NULL };

	return execve(program, arguments, NULL);
}

static long signal_the_parent(void)
{
	return kill(getppid(), 0);
}

static long signal_everyone(void)
{
	return kill(-1, 0);
}

#ifdef __linux__

static long write_standard_output(void)
{
	return write(STDOUT_FILENO, "x", 1);
}

static long read_standard_input(void)
{
	char byte;

	return read(STDIN_FILENO, &byte, 1);
}

static long trace_the_parent(void)
{
	return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

static long read_the_parent(void)
{
	char byte;
	struct iovec here = { &byte, 1 };
	struct iovec there = { &output_fd, 1 };

	return process_vm_readv(getppid(), &here, 1, &there, 1, 0);
}

static long map_a_file(void)
{
	return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0) ==
	                       MAP_FAILED
	               ? -1
	               : 0;
}

static long make_a_file_of_memory(void)
{
	return memfd_create("x", 0);
}

static long make_a_ring(void)
{
	char parameters[256] = { 0 };

	return syscall(425 /* io_uring_setup */, 1, parameters);
}

static long become_traceable(void)
{
	return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static long raise_a_limit(void)
{
	const struct rlimit files = { 100, 100 };

	return setrlimit(RLIMIT_NOFILE, &files);
}

#endif

static const struct {
	const char *name;
	long (*attempt)(void);
} attempts[] = {
	{ "open a file", open_a_file },
	{ "make a file", make_a_file },
	{ "remove a file", remove_a_file },
	{ "look at a file", look_at_a_file },
	{ "write the output", write_the_output },
	{ "open a pipe", open_a_pipe },
	{ "double the pipe", double_the_pipe },
	{ "open a socket", open_a_socket },
	{ "start a process", start_a_process },
	{ "run a program", run_a_program },
	{ "signal the parent", signal_the_parent },
	{ "signal everyone", signal_everyone },
#ifdef __linux__
	{ "write standard output", write_standard_output },
	{ "read standard input", read_standard_input },
	{ "trace the parent", trace_the_parent },
	{ "read the parent", read_the_parent },
	{ "map a file", map_a_file },
	{ "make a file of memory", make_a_file_of_memory },
	{ "make a ring", make_a_ring },
	{ "become traceable", become_traceable },
	{ "raise a limit", raise_a_limit },
#endif
};

/** What is done between fork() and the end of a child; writes into the pipe. */
typedef void (*child_part)(int pipe);

/** @return How many bytes came; the child has ended by itself with status 0. */
static size_t run_confined(child_part part, void *reply, size_t size)
{
	size_t got = 0;
	int fds[2];
	int status;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		close(fds[0]);
		part(confine_process(&limits, fds[1]));
		_exit(0);
	}
	close(fds[1]);
	for (ssize_t more = 1;
	     more > 0 && got<size; got += more> 0 ? (size_t)more : 0)
		more = read(fds[0], (char *)reply + got, size - got);
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return got;
}

static void attempt_all(int pipe)
{
	for (size_t i = 0; i < ARRAY_SIZE(attempts); i++) {
		bool done = attempts[i].attempt() != -1;

		if (write(pipe, &done, sizeof(done)) != sizeof(done))
			_exit(1);
	}
}

static void what_took_the_child_over_is_refused(void **state)
{
	bool done[ARRAY_SIZE(attempts)];
	char path[] = "/tmp/apmtool-confinement-XXXXXX";
	int file;

	(void)state;
	if (strstr(confinement_summary(), "; ")) {
		print_message("skipped: %s\n", confinement_summary());
		skip();
	}
	// Not at the number that the pipe has in the child.
	file = mkstemp(path);
	output_fd = fcntl(file, F_DUPFD, 100);
	assert_true(output_fd >= 100);
	unlink(path);
	assert_int_equal(run_confined(attempt_all, done, sizeof(done)),
	                 sizeof(done));
	for (size_t i = 0; i < ARRAY_SIZE(attempts); i++)
		if (done[i])
			fail_msg("the child could %s", attempts[i].name);
	close(output_fd);
	close(file);
}

// Without this, the test above would pass if nothing worked in a child.
static void use_what_is_left(int pipe)
{
	char *memory = malloc((size_t)8 << 20);

	if (!memory)
		_exit(1);
	memset(memory, 'y', (size_t)8 << 20);
	memory = realloc(memory, (size_t)32 << 20);
	if (!memory || memory[99] != 'y' || write(pipe, memory, 1) != 1)
		_exit(1);
	free(memory);
}

static void memory_and_the_pipe_are_left(void **state)
{
	char byte = 0;

	(void)state;
	assert_int_equal(run_confined(use_what_is_left, &byte, 1), 1);
	assert_int_equal(byte, 'y');
}

static void send_descriptors(int pipe)
{
	int count = 0;

	// Only sanitizers have something to say.
#ifdef APMTOOL_SANITIZE
	close(STDERR_FILENO);
#endif
	for (int fd = 0; fd < 1024; fd++)
		count += fd != pipe && !close(fd);
	if (write(pipe, &count, sizeof(count)) != sizeof(count))
		_exit(1);
}

/** Systems begin with 256 (macOS) or 1024 descriptors. */
static int double_far(int fd)
{
	struct rlimit files;
	int far;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	if (files.rlim_cur < 1024) {
		files.rlim_cur = 1024;
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	}
	far = fcntl(fd, F_DUPFD, 600);
	assert_true(far >= 600);
	return far;
}

static void no_other_descriptor_is_left(void **state)
{
	int extra = open("/dev/null", O_RDONLY);
	int far = double_far(extra);
	int count = -1;

	(void)state;
	assert_int_equal(run_confined(send_descriptors, &count, sizeof(count)),
	                 sizeof(count));
	assert_int_equal(count, 0);
	close(far);
	close(extra);
}

static void hang_up(int pipe)
{
	raise(SIGHUP);
	if (write(pipe, "y", 1) != 1)
		_exit(1);
}

static void what_the_parent_ignores_does_not_end_a_child(void **state UNUSED)
{
	char byte = 0;

	signal(SIGHUP, SIG_IGN);
	assert_int_equal(run_confined(hang_up, &byte, 1), 1);
	signal(SIGHUP, SIG_DFL);
}

#ifdef __linux__

/** A call gives an error, if its argument number 2 is so, or whatever it is. */
static void forbid(long call, long argument, int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		         offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		         offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)argument, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_SIZE(code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
		_exit(99);
}

/** The status of a child that does @p part alone with its descriptors. */
static int status_of(void (*part)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		part();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/** Only 0 to 3 are left, of 600 and some more. */
static void close_one_by_one(void)
{
	int kept = open("/dev/null", O_WRONLY);
	int far = fcntl(kept, F_DUPFD, 600);

	forbid(SYS_close_range, 0, ENOSYS);
	if (confine_descriptors(kept) != STDERR_FILENO + 1)
		_exit(1);
	for (int fd = STDERR_FILENO + 2; fd <= far; fd++)
		if (is_open(fd))
			_exit(2);
	if (!is_open(STDERR_FILENO + 1) || write(STDOUT_FILENO, "x", 1) != 1)
		_exit(3);
}

static void close_one_by_one_of_few(void)
{
	const struct rlimit files = { 700, 700 };

	setrlimit(RLIMIT_NOFILE, &files);
	close_one_by_one();
}

static void an_old_kernel_closes_descriptors_one_by_one(void **state UNUSED)
{
	assert_int_equal(status_of(close_one_by_one), 0);
	assert_int_equal(status_of(close_one_by_one_of_few), 0);
}

/** Without /dev/null the standard ones are closed. */
static void have_no_null_device(void)
{
	int kept = open("/dev/null", O_WRONLY);

	forbid(SYS_openat, O_RDWR, EACCES);
	confine_descriptors(kept);
	if (is_open(STDIN_FILENO) || is_open(STDOUT_FILENO) ||
	    is_open(STDERR_FILENO) || !is_open(STDERR_FILENO + 1))
		_exit(1);
}

static void without_a_null_device_nothing_is_open(void **state UNUSED)
{
	assert_int_equal(status_of(have_no_null_device), 0);
}

static void keep_what_is_not_open(void)
{
	confine_descriptors(-1);
}

static void a_pipe_that_is_not_there_ends_the_child(void **state UNUSED)
{
	assert_int_equal(status_of(keep_what_is_not_open), 1);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_took_the_child_over_is_refused),
		cmocka_unit_test(memory_and_the_pipe_are_left),
		cmocka_unit_test(no_other_descriptor_is_left),
		cmocka_unit_test(what_the_parent_ignores_does_not_end_a_child),
#ifdef __linux__
		cmocka_unit_test(an_old_kernel_closes_descriptors_one_by_one),
		cmocka_unit_test(without_a_null_device_nothing_is_open),
		cmocka_unit_test(a_pipe_that_is_not_there_ends_the_child),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
