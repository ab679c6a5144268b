// SPDX-License-Identifier: MIT
#include "lib/base/file_below.h"

#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/base/text.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Deeper than any tree of sources. */
#define COMPONENTS_MAX 256

static void close_unless(int file, int root)
{
	if (file >= 0 && file != root)
		close(file);
}

/** The next component of a path, without its slashes; empty at its end. */
static struct text next_component(struct text *path)
{
	struct text ret;

	while (text_starts(*path, "/"))
		*path = text_after(*path, 1);
	ret = text_first(*path, text_find_char(*path, '/'));
	*path = text_after(*path, ret.size);
	return ret;
}

/** FIFOs and devices are not even opened. */
static bool may_open(int directory, const char *name)
{
	struct stat info;

	return strcmp(name, "..") != 0 &&
	       !fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) &&
	       (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

/** @return A descriptor, or -1. */
static int open_below(int root, struct text path)
{
	int at = root;

	for (size_t i = 0; i < COMPONENTS_MAX; i++) {
		struct text name = next_component(&path);
		SCOPED(mem_drop) char *copy = NULL;
		int next;

		if (!name.size)
			break;
		if (text_is(name, "."))
			continue;
		copy = mem_strndup(name.data, name.size);
		// O_NONBLOCK in case it became a FIFO.
		next = may_open(at, copy)
		               ? openat(at, copy,
		                        O_RDONLY | O_NOFOLLOW | O_CLOEXEC |
		                                O_NONBLOCK | O_NOCTTY)
		               : -1;
		close_unless(at, root);
		at = next;
		if (at < 0)
			return -1;
	}
	if (next_component(&path).size || at == root) {
		close_unless(at, root);
		return -1;
	}
	return at;
}

bool file_read_below(int root, const char *path, size_t max, struct str *out)
{
	SCOPED(str_release) struct str text = { 0 };
	int file = open_below(root, text_from(path));
	struct stat info;
	ssize_t got = -1;
	char part[4096];

	if (file < 0)
		return false;
	if (!fstat(file, &info) && S_ISREG(info.st_mode) &&
	    (uint64_t)info.st_size <= max)
		// It may grow while it is read.
		while ((got = file_read_some(file, part, sizeof(part))) > 0 &&
		       text.size + (size_t)got <= max)
			str_add_bytes(&text, part, (size_t)got);
	close(file);
	if (!got)
		str_add_text(out, str_text(&text));
	return !got;
}
