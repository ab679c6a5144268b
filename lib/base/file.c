// SPDX-License-Identifier: MIT
#include "lib/base/file.h"

#include "lib/base/limit.h"
#include "lib/base/mapping.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#define WALK_DEPTH    64
#define FIFO_WAIT_SEC 5

static void close_fd(int *fd)
{
	if (*fd > 2)
		close(*fd);
}

struct error *file_too_large(const char *path, size_t limit_bytes)
{
	return error_new(ERROR_LIMIT, "'%s' is larger than %s", path,
	                 limit_size(limit_bytes).text);
}

ssize_t file_read_some(int fd, void *buffer, size_t size)
{
	ssize_t got;

	do
		got = read(fd, buffer, size);
	while (got < 0 && errno == EINTR);
	return got;
}

struct error *file_read_error(int errnum, const char *path)
{
	if (strcmp(path, "-") != 0)
		return error_os(errnum, "cannot read '%s'", path);
	// Our descriptors are valid unless stdin was closed at the start.
	if (errnum == EBADF)
		return error_new(ERROR_OS,
		                 "cannot read standard input: it is closed");
	return error_os(errnum, "cannot read standard input");
}

static void interrupt(int number UNUSED)
{
}

/**
 * Opening a FIFO waits for a writer, and poll() cannot distinguish a missing
 * writer from a slow one: a timer ends the wait. It repeats, in case it first
 * fires before open().
 */
static int open_fifo(const char *path)
{
	const struct itimerval wait = { .it_value.tv_sec = FIFO_WAIT_SEC,
		                        .it_interval.tv_usec = 100000 };
	const struct itimerval never = { .it_value.tv_sec = 0 };
	struct sigaction action = { .sa_handler = interrupt };
	struct sigaction before;
	int fd, errnum;

	sigemptyset(&action.sa_mask);
	sigaction(SIGALRM, &action, &before);
	setitimer(ITIMER_REAL, &wait, NULL);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	errnum = errno;
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &before, NULL);
	errno = errnum;
	return fd;
}

struct error *file_open(const char *path, int *ret)
{
	struct stat info;
	bool is_fifo = !stat(path, &info) && S_ISFIFO(info.st_mode);
	int fd = is_fifo ? open_fifo(path) : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && is_fifo && errno == EINTR)
		return error_new(
		        ERROR_OS,
		        "cannot open '%s': no process writes to this FIFO",
		        path);
	if (fd < 0)
		return error_os(errno, "cannot open '%s'", path);
	*ret = fd;
	return NULL;
}

struct error *file_read(const char *path, size_t limit_bytes,
                        struct file_data *ret)
{
	SCOPED(close_fd) int fd = 0;
	SCOPED(mem_drop) uint8_t *data = NULL;
	size_t size = 0, cap = 0;
	struct error *err;
	struct stat info;

	err = strcmp(path, "-") != 0 ? file_open(path, &fd) : NULL;
	if (err)
		return err;
	if (fstat(fd, &info))
		return file_read_error(errno, path);
	if (S_ISDIR(info.st_mode))
		return file_read_error(EISDIR, path);
	if (S_ISREG(info.st_mode)) {
		if ((uint64_t)info.st_size > limit_bytes)
			return file_too_large(path, limit_bytes);
		MEM_ROOM(data, (size_t)info.st_size + 1, cap);
	}
	for (;;) {
		ssize_t got;

		MEM_GROW(data, size, cap);
		got = file_read_some(fd, data + size, cap - size);
		if (got < 0)
			return file_read_error(errno, path);
		if (!got)
			break;
		size += (size_t)got;
		if (size > limit_bytes)
			return file_too_large(path, limit_bytes);
	}
	*ret = (struct file_data){ .bytes = { .data = data, .size = size } };
	data = NULL;
	return NULL;
}

static int64_t nanoseconds(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static struct file_stamp stamp_of(const struct stat *info)
{
#ifdef __APPLE__
	const struct timespec *modified = &info->st_mtimespec;
	const struct timespec *changed = &info->st_ctimespec;
#else
	const struct timespec *modified = &info->st_mtim;
	const struct timespec *changed = &info->st_ctim;
#endif
	return (struct file_stamp){
		.size = (uint64_t)info->st_size,
		.inode = (uint64_t)info->st_ino,
		.modified_ns = nanoseconds(modified),
		.changed_ns = nanoseconds(changed),
	};
}

bool file_stamp_read(const char *path, struct file_stamp *ret)
{
	struct stat info;

	if (stat(path, &info) || !S_ISREG(info.st_mode))
		return false;
	*ret = stamp_of(&info);
	return true;
}

bool file_stamp_open(int fd, struct file_stamp *ret)
{
	struct stat info;

	if (fstat(fd, &info) || !S_ISREG(info.st_mode))
		return false;
	*ret = stamp_of(&info);
	return true;
}

bool file_stamp_equal(const struct file_stamp *a, const struct file_stamp *b)
{
	return a->size == b->size && a->inode == b->inode &&
	       a->modified_ns == b->modified_ns &&
	       a->changed_ns == b->changed_ns;
}

bool file_is_overwritten(const char *path, const struct file_stamp *stamp)
{
	struct file_stamp now;

	return file_stamp_read(path, &now) && now.inode == stamp->inode &&
	       !file_stamp_equal(&now, stamp);
}

bool file_identity_read_in(int directory, const char *path,
                           struct file_identity *ret)
{
	struct stat info;

	if (fstatat(directory, path, &info, 0))
		return false;
	*ret = (struct file_identity){ .device = (uint64_t)info.st_dev,
		                       .inode = (uint64_t)info.st_ino };
	return true;
}

bool file_identity_read(const char *path, struct file_identity *ret)
{
	return file_identity_read_in(AT_FDCWD, path, ret);
}

struct error *file_changed_error(void)
{
	return error_new(ERROR_OS, "the file changed while it was read");
}

/** @param name  For messages. */
static struct error *map_fd(int fd, const char *name, struct file_data *ret)
{
	struct stat info;
	void *data;

	if (fstat(fd, &info))
		return error_os(errno, "cannot read %s", name);
	if (!S_ISREG(info.st_mode))
		return error_new(ERROR_OS, "%s is not a regular file", name);
	if (!info.st_size) {
		*ret = (struct file_data){ .stamp = stamp_of(&info) };
		return NULL;
	}
	data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return error_os(errno, "cannot map %s", name);
	if (!mapping_guard(data, (size_t)info.st_size)) {
		munmap(data, (size_t)info.st_size);
		return error_new(ERROR_SHORTAGE,
		                 "cannot map %s: %d files are mapped", name,
		                 MAPPINGS_MAX);
	}
	*ret = (struct file_data){
		.bytes = { .data = data, .size = (size_t)info.st_size },
		.mapped = true,
		.stamp = stamp_of(&info),
	};
	return NULL;
}

struct error *file_map_open(int fd, struct file_data *ret)
{
	return map_fd(fd, "it", ret);
}

/**
 * Open a file unless it is something other than a regular file. A FIFO is not
 * even opened: its writer would take us for the reader, and lose its data.
 *
 * @param links  0, or O_NOFOLLOW to refuse links.
 */
static struct error *open_regular(const char *path, int links, int *ret)
{
	struct stat info;
	int fd;

	if (links ? lstat(path, &info) : stat(path, &info))
		return error_os(errno, "cannot open '%s'", path);
	if (S_ISLNK(info.st_mode))
		return error_new(ERROR_OS, "'%s' is a symbolic link", path);
	if (!S_ISREG(info.st_mode))
		return error_new(ERROR_OS, "'%s' is not a regular file", path);
	// O_NONBLOCK in case it was replaced meanwhile.
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | links);
	if (fd < 0)
		return error_os(errno, "cannot open '%s'", path);
	*ret = fd;
	return NULL;
}

struct error *file_map(const char *path, struct file_data *ret)
{
	SCOPED(close_fd) int fd = 0;
	SCOPED(str_release) struct str name = { 0 };
	struct error *err = open_regular(path, 0, &fd);

	if (err)
		return err;
	str_addf(&name, "'%s'", path);
	return map_fd(fd, str_cstr(&name), ret);
}

struct error *file_open_again(const char *path, const struct file_stamp *stamp,
                              int *ret)
{
	SCOPED(close_fd) int fd = 0;
	struct error *err = open_regular(path, 0, &fd);
	struct file_stamp found;
	struct stat info;

	if (err)
		return err;
	if (fstat(fd, &info))
		return error_os(errno, "cannot read '%s'", path);
	found = stamp_of(&info);
	if (!file_stamp_equal(&found, stamp))
		return file_changed_error();
	*ret = fd;
	fd = 0;
	return NULL;
}

/** A new file without a name; -1: see errno. */
static int open_nameless(void)
{
#ifdef __linux__
	return memfd_create("apmtool", MFD_CLOEXEC);
#else
	// shm_open() on macOS supports neither write() nor private mappings.
	char name[] = "/tmp/apmtool-XXXXXX";
	int fd = mkstemp(name);

	if (fd >= 0) {
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
		unlink(name);
	}
	return fd;
#endif
}

static bool fill(int fd, struct bytes bytes)
{
	while (bytes.size) {
		ssize_t written = write(fd, bytes.data, bytes.size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes.data += written;
		bytes.size -= (size_t)written;
	}
	return true;
}

struct error *file_of_bytes(struct bytes bytes, int *ret)
{
	int fd = open_nameless();
	int errnum;

	if (fd >= 0 && fill(fd, bytes)) {
		*ret = fd;
		return NULL;
	}
	errnum = errno;
	if (fd >= 0)
		close(fd);
	return error_os(errnum, "cannot make a file in memory");
}

void file_release(struct file_data *data)
{
	if (data->mapped) {
		mapping_unguard(data->bytes.data);
		munmap((void *)data->bytes.data, data->bytes.size);
	} else {
		free((void *)data->bytes.data);
	}
	*data = (struct file_data){ 0 };
}

void file_expect(struct bytes bytes)
{
#ifdef MADV_POPULATE_READ
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t first = (uintptr_t)bytes.data & ~(page - 1);
	uintptr_t end = (uintptr_t)bytes.data + bytes.size;

	if (!mapping_holds(bytes.data, bytes.size))
		return;
	// Fails for pages beyond the end of a truncated file.
	(void)madvise((void *)first, end - first, MADV_POPULATE_READ);
#else
	(void)bytes;
#endif
}

void file_forget(struct bytes bytes)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t first = ((uintptr_t)bytes.data + page - 1) & ~(page - 1);
	uintptr_t end = ((uintptr_t)bytes.data + bytes.size) & ~(page - 1);

	// Of other memory the contents would be gone.
	if (first < end && mapping_holds(bytes.data, bytes.size))
		(void)madvise((void *)first, end - first, MADV_DONTNEED);
}

struct error *file_reading_error(struct error *err, struct bytes bytes)
{
	if (!bytes.data || !mapping_has_shrunk(bytes.data))
		return err;
	error_free(err);
	return file_changed_error();
}

static struct error *peek(const char *path, int links, uint64_t offset,
                          void *buffer, size_t size, size_t *ret_size)
{
	SCOPED(close_fd) int fd = 0;
	struct error *err = open_regular(path, links, &fd);
	struct stat info;
	size_t have = 0;

	if (err)
		return err;
	if (fstat(fd, &info) || !S_ISREG(info.st_mode))
		return error_new(ERROR_OS, "'%s' is not a regular file", path);
	while (have < size) {
		ssize_t got = pread(fd, (char *)buffer + have, size - have,
		                    (off_t)(offset + have));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_os(errno, "cannot read '%s'", path);
		if (!got)
			break;
		have += (size_t)got;
	}
	*ret_size = have;
	return NULL;
}

struct error *file_peek(const char *path, uint64_t offset, void *buffer,
                        size_t size, size_t *ret_size)
{
	return peek(path, 0, offset, buffer, size, ret_size);
}

struct error *file_peek_found(const char *path, uint64_t offset, void *buffer,
                              size_t size, size_t *ret_size)
{
	return peek(path, O_NOFOLLOW, offset, buffer, size, ret_size);
}

bool file_means_absent(int errnum)
{
	return errnum == ENOENT || errnum == ENOTDIR;
}

bool file_is_directory(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISDIR(info.st_mode);
}

bool file_is_same(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && S_ISREG(x.st_mode) &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

struct error *file_own_program(struct str *ret)
{
	char path[4096];
#ifdef __APPLE__
	uint32_t room = sizeof(path);

	if (_NSGetExecutablePath(path, &room))
		return error_new(ERROR_OS, "the path of this program is "
		                           "too long");
	str_add(ret, path);
#else
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path));

	if (size < 0)
		return error_os(errno, "cannot find this program's file");
	if ((size_t)size == sizeof(path))
		return error_new(ERROR_OS, "the path of this program is "
		                           "too long");
	str_add_bytes(ret, path, (size_t)size);
#endif
	return NULL;
}
