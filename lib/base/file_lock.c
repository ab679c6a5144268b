// SPDX-License-Identifier: MIT
#include "lib/base/file_lock.h"

#include "lib/base/timestamp.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define WAIT_NS 10000000

static struct error *wait_for(int fd, uint64_t at, unsigned wait_ms)
{
	const struct timespec wait = { .tv_nsec = WAIT_NS };
	int64_t deadline_ms = timestamp_now_ms() + wait_ms;

	do {
		struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

		if (at != FILE_LOCK_ALL) {
			lock.l_start = (off_t)(at & INT32_MAX);
			lock.l_len = 1;
		}
		if (!fcntl(fd, F_SETLK, &lock))
			return NULL;
		// Others mean that there are no locks here.
		if (errno != EAGAIN && errno != EACCES && errno != EINTR)
			return NULL;
		nanosleep(&wait, NULL);
	} while (timestamp_now_ms() < deadline_ms);
	return error_new(ERROR_OS,
	                 "another process has been writing to it for %u "
	                 "seconds",
	                 wait_ms / 1000);
}

struct error *file_lock(const char *path, mode_t mode, uint64_t at,
                        unsigned wait_ms, int *ret)
{
	struct error *err;
	int fd;

	*ret = -1;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
	          mode);
	if (fd < 0)
		return NULL;
	err = wait_for(fd, at, wait_ms);
	if (err) {
		close(fd);
		return err;
	}
	*ret = fd;
	return NULL;
}

void file_unlock(const int *lock)
{
	if (*lock >= 0)
		close(*lock);
}
