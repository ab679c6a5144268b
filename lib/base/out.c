// SPDX-License-Identifier: MIT
#include "lib/base/out.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/unfinished.h"
#include "lib/base/utf8.h"
#include "lib/base/workflow.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLUSH_BYTES ((size_t)64 * 1024)
/** Apple's systems refuse single writes over INT_MAX. */
#define WRITE_BYTES_MAX ((size_t)1 << 30)

/** In place of a descriptor: an output in memory. */
#define IN_MEMORY (-1)

struct out {
	int fd;
	int directory;    ///< that the names below are in
	char *path;       ///< as the user wrote it; NULL for standard output
	char *target;     ///< file to replace, not a symbolic link
	char *temporary;  ///< NULL: the target is written directly, or the file
	                  ///< has no name
	bool is_volatile; ///< may be lost if the power fails
	bool unnamed;     ///< the file has no name until it is put in place
	bool in_place;    ///< it has its final name already
	enum out_content content;
	struct workflow workflow; ///< state after the text written so far
	struct str pending;
	int failure; ///< errno of the first failure
};

/** Free it after the temporary file was renamed or removed. */
static void out_free(struct out *out)
{
	if (out->temporary)
		unfinished_drop(out->directory, out->temporary);
	str_release(&out->pending);
	free(out->temporary);
	free(out->target);
	free(out->path);
	free(out);
}

/**
 * An unnamed file in the target's directory, so that nothing remains if the
 * program dies. Only on Linux, and not on every file system.
 */
static int open_unnamed(const struct out *out, mode_t mode)
{
#ifdef O_TMPFILE
	const char *target = out->target;
	const char *slash = strrchr(target, '/');
	SCOPED(mem_drop)
	char *directory =
	        slash ? mem_strndup(target, (size_t)(slash - target) + 1)
	              : mem_strndup(".", 1);
	int fd;

	// Needed to name the file later.
	if (access("/proc/self/fd", F_OK))
		return -1;
	fd = openat(out->directory, directory, O_TMPFILE | O_WRONLY | O_CLOEXEC,
	            mode);
	if (fd >= 0)
		(void)!fchmod(fd, mode);
	return fd;
#else
	(void)out;
	(void)mode;
	return -1;
#endif
}

/** Name the unnamed file by its link in /proc. */
static int link_file(const char *name, void *context)
{
	const struct out *out = context;
	char from[sizeof("/proc/self/fd/") + 3 * sizeof(int)];

	snprintf(from, sizeof(from), "/proc/self/fd/%d", out->fd);
	return linkat(AT_FDCWD, from, out->directory, name, AT_SYMLINK_FOLLOW);
}

/**
 * Give an unnamed file the target's name or, if that exists, a temporary name
 * in the same directory, to be renamed.
 */
static bool name_file(struct out *out)
{
	out->in_place = !link_file(out->target, out);
	if (out->in_place)
		return true;
	return errno == EEXIST &&
	       !unfinished_make(out->directory, out->target, link_file, out,
	                        &out->temporary);
}

static int open_named(const char *name, void *context)
{
	const struct out *out = context;

	return openat(out->directory, name,
	              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	              0600);
}

/** Max symbolic links to follow, as in the kernel. */
#define LINKS_MAX 40

/**
 * The final target of dangling symbolic links: the file to create. Returns a
 * copy of other paths; NULL for too many links. Free it.
 */
static char *follow_links(const char *path)
{
	char *at = mem_strndup(path, strlen(path));

	for (int i = 0; i < LINKS_MAX; i++) {
		char to[PATH_MAX];
		ssize_t size = readlink(at, to, sizeof(to));
		const char *slash = strrchr(at, '/');
		struct str next = { 0 };

		if (size < 0)
			return at;
		if (slash && size && to[0] != '/')
			str_add_text(&next,
			             text_first(text_from(at),
			                        (size_t)(slash - at) + 1));
		str_add_text(&next, (struct text){ to, (size_t)size });
		free(at);
		at = next.data;
	}
	free(at);
	errno = ELOOP;
	return NULL;
}

static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/** Open a new file that will replace the target. */
static int open_new(struct out *out, mode_t mode)
{
	out->fd = open_unnamed(out, mode);
	out->unnamed = out->fd >= 0;
	if (out->unnamed)
		return out->fd;
	out->fd = unfinished_make(out->directory, out->target, open_named, out,
	                          &out->temporary);
	// Ignore file systems without modes.
	if (out->fd >= 0)
		(void)!fchmod(out->fd, mode);
	return out->fd;
}

/**
 * Open the named file: the target itself if it is a device or FIFO, which
 * cannot be replaced.
 */
static int open_file(struct out *out)
{
	mode_t mode = usual_mode();
	struct stat info;

	if (!out->path[0]) {
		errno = ENOENT;
		return -1;
	}
	if (!stat(out->path, &info)) {
		if (!S_ISREG(info.st_mode))
			return open(out->path, O_WRONLY | O_CLOEXEC);
		// A symbolic link is kept: its target is replaced.
		out->target = realpath(out->path, NULL);
		mode = info.st_mode & 0777;
	}
	if (!out->target)
		out->target = follow_links(out->path);
	return out->target ? open_new(out, mode) : -1;
}

static int open_inside(struct out *out)
{
	mode_t mode = usual_mode();
	struct stat info;

	out->target = mem_strndup(text_base_cstr(out->path),
	                          strlen(text_base_cstr(out->path)));
	if (!fstatat(out->directory, out->target, &info, AT_SYMLINK_NOFOLLOW) &&
	    S_ISREG(info.st_mode) && info.st_uid == geteuid())
		mode = info.st_mode & 0777;
	return open_new(out, mode);
}

static struct error *check_open(struct out *out, struct out **ret)
{
	if (out->fd < 0) {
		struct error *err =
		        error_os(errno, "cannot write '%s'", out->path);

		out_free(out);
		return err;
	}
	*ret = out;
	return NULL;
}

struct error *out_open(const char *path, struct out **ret)
{
	struct out *out = mem_zalloc(1, sizeof(*out));

	out->fd = STDOUT_FILENO;
	out->directory = AT_FDCWD;
	if (path && strcmp(path, "-") != 0) {
		out->path = mem_strndup(path, strlen(path));
		out->fd = open_file(out);
	}
	return check_open(out, ret);
}

struct error *out_open_in(int directory, const char *path, struct out **ret)
{
	struct out *out = mem_zalloc(1, sizeof(*out));

	out->directory = directory;
	out->path = mem_strndup(path, strlen(path));
	out->fd = open_inside(out);
	return check_open(out, ret);
}

/** Another process that has the same pipe may have made it non-blocking. */
static void wait_for_room(int fd)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	poll(&room, 1, -1);
}

static void write_all(struct out *out, struct text text)
{
	while (text.size && !out->failure) {
		struct text piece = text_first(text, WRITE_BYTES_MAX);
		ssize_t put = write(out->fd, piece.data, piece.size);

		if (put >= 0)
			text = text_after(text, (size_t)put);
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			wait_for_room(out->fd);
		else if (errno != EINTR)
			out->failure = errno;
	}
}

void out_set_content(struct out *out, enum out_content content)
{
	out->content = content;
	out->workflow.own_lines = content == OUT_COMMANDS;
}

/** Text without commands is written without a copy. */
static void write_content(struct out *out, struct text text)
{
	const struct workflow before = out->workflow;
	SCOPED(str_release) struct str safe = { 0 };

	if (out->content == OUT_BINARY ||
	    workflow_find(&out->workflow, text, 0) == text.size) {
		write_all(out, text);
		return;
	}
	out->workflow = before;
	while (text.size) {
		str_clear(&safe);
		workflow_add(&out->workflow, &safe,
		             text_first(text, FLUSH_BYTES));
		write_all(out, str_text(&safe));
		text = text_after(text, FLUSH_BYTES);
	}
}

void out_flush(struct out *out)
{
	if (out->fd == IN_MEMORY)
		return;
	write_content(out, str_text(&out->pending));
	str_clear(&out->pending);
}

void out_need_not_last(struct out *out)
{
	out->is_volatile = true;
}

static void flush_if_full(struct out *out)
{
	if (out->pending.size >= FLUSH_BYTES && out->fd != IN_MEMORY)
		out_flush(out);
}

bool out_is_terminal(const struct out *out)
{
	return isatty(out->fd);
}

struct str *out_str(struct out *out)
{
	flush_if_full(out);
	return &out->pending;
}

struct out *out_memory(void)
{
	struct out *out = mem_zalloc(1, sizeof(*out));

	out->fd = IN_MEMORY;
	return out;
}

void out_move(struct out *out, struct out *from)
{
	assert(from->fd == IN_MEMORY && from->content == OUT_TEXT);
	out_add_bytes(out, from->pending.data, from->pending.size);
	str_clear(&from->pending);
}

void out_add_bytes(struct out *out, const void *data, size_t size)
{
	const struct text text = { .data = data, .size = size };

	if (out->fd == IN_MEMORY || size < FLUSH_BYTES) {
		str_add_bytes(&out->pending, data, size);
		flush_if_full(out);
	} else {
		// Write large data directly, without a copy.
		out_flush(out);
		write_content(out, text);
	}
}

void out_add(struct out *out, const char *cstr)
{
	out_add_bytes(out, cstr, strlen(cstr));
}

void out_addf(struct out *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	str_addv(&out->pending, format, args);
	va_end(args);
	flush_if_full(out);
}

void out_add_visible(struct out *out, const char *cstr)
{
	utf8_add_visible(&out->pending, text_from(cstr));
	flush_if_full(out);
}

struct error *out_close(struct out *out)
{
	struct error *err = NULL;

	out_flush(out);
	if (out->target && !out->is_volatile && !out->failure &&
	    fsync(out->fd) && errno != EINVAL)
		out->failure = errno;
	if (out->unnamed && !out->failure && !name_file(out))
		out->failure = errno;
	if (out->path && close(out->fd) && !out->failure)
		out->failure = errno;
	if (out->temporary && !out->failure &&
	    renameat(out->directory, out->temporary, out->directory,
	             out->target))
		out->failure = errno;
	if (out->failure) {
		if (out->temporary || out->in_place)
			unlinkat(out->directory,
			         out->in_place ? out->target : out->temporary,
			         0);
		err = out->path ? error_os(out->failure, "cannot write '%s'",
		                           out->path)
		                : error_os(out->failure,
		                           "cannot write standard output");
	}
	out_free(out);
	return err;
}

void out_abandon(struct out *out)
{
	if (!out)
		return;
	if (out->path)
		close(out->fd);
	if (out->temporary)
		unlinkat(out->directory, out->temporary, 0);
	out_free(out);
}
