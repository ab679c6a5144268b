// SPDX-License-Identifier: MIT
/*
 * Makes system calls and allocations fail, for tests/torture: a library to
 * preload. Each of these variables is `N:ERRNO`, and the N-th call of its kind
 * fails; with `N+:ERRNO` all from the N-th on. TORTURE_ALLOC is of malloc,
 * calloc and realloc, and needs no number of an error.
 *
 *     TORTURE_READ TORTURE_WRITE TORTURE_OPEN TORTURE_FSYNC TORTURE_CLOSE
 *     TORTURE_RENAME TORTURE_LINK TORTURE_FORK TORTURE_SPAWN TORTURE_MMAP
 *     TORTURE_THREAD TORTURE_ALLOC
 *
 * TORTURE_SIGNAL=NUMBER sends the process that signal instead, before the call
 * that would have failed. TORTURE_NAMED=1 is a file system where each file has
 * a name.
 *
 * TORTURE_MARKED=WORD:HOW is about what is read from a descriptor above 2: who
 * reads the word is killed (`kill`), waits for ever (`hang`), or gets no more
 * memory (`starve`).
 *
 * TORTURE_SHORT=N lets reads and writes move N bytes at most. TORTURE_COUNT is
 * a file where the number of calls of each kind is written at the end.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum kind {
	READ,
	WRITE,
	OPEN,
	FSYNC,
	CLOSE,
	RENAME,
	LINK,
	FORK,
	SPAWN,
	MMAP,
	THREAD,
	ALLOC,
	KINDS
};

static const char *const names[KINDS] = {
	"READ", "WRITE", "OPEN",  "FSYNC", "CLOSE",  "RENAME",
	"LINK", "FORK",  "SPAWN", "MMAP",  "THREAD", "ALLOC",
};

static struct {
	long first; /* 0: none fails */
	bool on;    /* and all behind it */
	int error;
	atomic_long count;
} plans[KINDS];

static size_t most;
static int signal_number; /* 0: calls fail */
static bool all_named;
static bool ready;

/* glibc's own, which dlsym() cannot be asked for before there is memory */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);

__attribute__((constructor)) static void read_plans(void)
{
	char name[32];
	const char *value = getenv("TORTURE_SHORT");

	most = value ? strtoul(value, NULL, 10) : 0;
	value = getenv("TORTURE_SIGNAL");
	signal_number = value ? atoi(value) : 0;
	all_named = getenv("TORTURE_NAMED");
	for (unsigned i = 0; i < KINDS; i++) {
		char *end;

		snprintf(name, sizeof(name), "TORTURE_%s", names[i]);
		value = getenv(name);
		if (!value)
			continue;
		plans[i].first = strtol(value, &end, 10);
		plans[i].on = *end == '+';
		end += plans[i].on;
		plans[i].error = *end == ':' ? atoi(end + 1) : ENOMEM;
	}
	ready = true;
}

__attribute__((destructor)) static void write_counts(void)
{
	const char *path = getenv("TORTURE_COUNT");
	FILE *file = path ? fopen(path, "a") : NULL;

	ready = false;
	if (!file)
		return;
	for (unsigned i = 0; i < KINDS; i++)
		fprintf(file, "%s %ld\n", names[i], (long)plans[i].count);
	fclose(file);
}

static bool fails(enum kind kind)
{
	long count;

	if (!ready)
		return false;
	count = atomic_fetch_add(&plans[kind].count, 1) + 1;
	if (!plans[kind].first || count < plans[kind].first ||
	    (count > plans[kind].first && !plans[kind].on))
		return false;
	if (signal_number) {
		raise(signal_number);
		return false;
	}
	errno = plans[kind].error;
	return true;
}

static size_t shortened(size_t size)
{
	return most && size > most ? most : size;
}

#define REAL(name)                     \
	static __typeof__(&name) real; \
	if (!real)                     \
	real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

void *malloc(size_t size)
{
	return fails(ALLOC) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(ALLOC) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *ptr, size_t size)
{
	return fails(ALLOC) ? NULL : __libc_realloc(ptr, size);
}

static void meet_mark(const void *data, size_t size)
{
	const char *marked = getenv("TORTURE_MARKED");
	const char *how = marked ? strchr(marked, ':') : NULL;

	if (!how || !memmem(data, size, marked, (size_t)(how - marked)))
		return;
	if (!strcmp(how, ":kill"))
		raise(SIGKILL);
	while (!strcmp(how, ":hang"))
		pause();
	plans[ALLOC].first = 1;
	plans[ALLOC].on = true;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	ssize_t got;

	REAL(read);
	if (fails(READ))
		return -1;
	got = real(fd, buffer, shortened(size));
	if (fd > 2 && got > 0)
		meet_mark(buffer, (size_t)got);
	return got;
}

ssize_t pread(int fd, void *buffer, size_t size, off_t offset)
{
	REAL(pread);
	return fails(READ) ? -1 : real(fd, buffer, shortened(size), offset);
}

/* Standard error stays: it is where the failure is reported. */
ssize_t write(int fd, const void *buffer, size_t size)
{
	REAL(write);
	if (fd != STDERR_FILENO && fails(WRITE))
		return -1;
	return real(fd, buffer, shortened(size));
}

/* The system's files are the loader's and the library's. */
static bool open_fails(const char *path, int flags)
{
	static const char *const roots[] = { "/proc/", "/sys/", "/etc/",
		                             "/usr/", "/lib" };

	if (all_named && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return true;
	}
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++)
		if (!strncmp(path, roots[i], strlen(roots[i])))
			return false;
	return fails(OPEN);
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	REAL(open);
	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return open_fails(path, flags) ? -1 : real(path, flags, mode);
}

/* What a fortified open() without a mode is. */
int __open_2(const char *path, int flags);

int __open_2(const char *path, int flags)
{
	return open(path, flags, 0);
}

int openat(int fd, const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	REAL(openat);
	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return open_fails(path, flags) ? -1 : real(fd, path, flags, mode);
}

int fsync(int fd)
{
	REAL(fsync);
	return fails(FSYNC) ? -1 : real(fd);
}

/* It is closed all the same, as on Linux. */
int close(int fd)
{
	int result;

	REAL(close);
	result = real(fd);
	return fd > STDERR_FILENO && fails(CLOSE) ? -1 : result;
}

int rename(const char *from, const char *to)
{
	REAL(rename);
	return fails(RENAME) ? -1 : real(from, to);
}

int renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	REAL(renameat);
	return fails(RENAME) ? -1 : real(from_fd, from, to_fd, to);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
	REAL(linkat);
	return fails(LINK) ? -1 : real(from_fd, from, to_fd, to, flags);
}

pid_t fork(void)
{
	REAL(fork);
	return fails(FORK) ? -1 : real();
}

int posix_spawn(pid_t *pid, const char *path,
                const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *words,
                char *const *environment)
{
	REAL(posix_spawn);
	return fails(SPAWN) ? plans[SPAWN].error
	                    : real(pid, path, actions, attributes, words,
	                           environment);
}

/* Of files only: memory comes through malloc(). */
void *mmap(void *at, size_t size, int protection, int flags, int fd,
           off_t offset)
{
	REAL(mmap);
	if (fd >= 0 && fails(MMAP))
		return MAP_FAILED;
	return real(at, size, protection, flags, fd, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*start)(void *), void *context)
{
	REAL(pthread_create);
	return fails(THREAD) ? plans[THREAD].error
	                     : real(thread, attributes, start, context);
}
