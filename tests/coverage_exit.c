// SPDX-License-Identifier: MIT
/*
 * Part of coverage builds alone, whose linker puts it in the place of _exit()
 * and kill(). The one leaves out what exit() would do, which is to write the
 * counts: children that read debug information end so, whether they succeed or
 * run out of memory. With the other they are ended as soon as their reply is
 * there: here they may finish writing the counts first.
 */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 500

void __gcov_dump(void);
void __real__exit(int status);
int __real_kill(pid_t pid, int signal);
void __wrap__exit(int status);
int __wrap_kill(pid_t pid, int signal);

void __wrap__exit(int status)
{
	__gcov_dump();
	__real__exit(status);
}

int __wrap_kill(pid_t pid, int signal)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; signal == SIGKILL && i < PATIENCE_MS; i++) {
		siginfo_t info = { 0 };

		if (waitid(P_PID, (id_t)pid, &info,
		           WEXITED | WNOHANG | WNOWAIT) ||
		    info.si_pid)
			break;
		nanosleep(&pause, NULL);
	}
	return __real_kill(pid, signal);
}
