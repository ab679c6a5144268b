// SPDX-License-Identifier: MIT
#include "lib/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

bool process_pipe(int ret_ends[2])
{
	if (pipe(ret_ends)) {
		ret_ends[0] = ret_ends[1] = -1;
		return false;
	}
	for (int i = 0; i < 2; i++)
		(void)fcntl(ret_ends[i], F_SETFD, FD_CLOEXEC);
	return true;
}

int process_wait(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return status;
}
