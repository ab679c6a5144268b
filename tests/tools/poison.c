// SPDX-License-Identifier: MIT
/**
 * Loaded before `apmtool filter` by tests/check_worker.py: reports that kill
 * whoever reads them, or keep it for ever. Such a report has a word; it comes
 * to the reader of a filter over a socket, to all others over a pipe.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static bool is_socket(int fd)
{
	struct stat info;

	return !fstat(fd, &info) && S_ISSOCK(info.st_mode);
}

static bool has(const void *data, ssize_t size, const char *word)
{
	return size > 0 && memmem(data, (size_t)size, word, strlen(word));
}

ssize_t read(int fd, void *data, size_t size);

ssize_t read(int fd, void *data, size_t size)
{
	static ssize_t (*real)(int, void *, size_t);
	ssize_t got;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "read");
	got = real(fd, data, size);
	if (has(data, got, "apm-test-") && is_socket(fd)) {
		if (has(data, got, "apm-test-kill"))
			raise(SIGKILL);
		while (has(data, got, "apm-test-hang"))
			pause();
	}
	return got;
}
