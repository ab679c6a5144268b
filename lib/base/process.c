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

void process_open_standard_files(void)
{
	static const int flags[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", flags[fd]);
}

size_t process_allow_files(size_t wanted)
{
	struct rlimit limits;

	if (getrlimit(RLIMIT_NOFILE, &limits))
		return 0;
	if (limits.rlim_cur < wanted) {
		struct rlimit more = limits;

		more.rlim_cur = limits.rlim_max < wanted ? limits.rlim_max
		                                         : (rlim_t)wanted;
		if (!setrlimit(RLIMIT_NOFILE, &more))
			limits = more;
	}
	return limits.rlim_cur < wanted ? (size_t)limits.rlim_cur : wanted;
}

int process_wait(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return status;
}
