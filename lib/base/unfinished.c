// SPDX-License-Identifier: MIT
#include "lib/base/unfinished.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/** A run has one output, and one file of the cache at a time. More stay. */
#define FILES_MAX 8
#define NAMES_MAX 100

/** Static, since a signal handler must not access freed memory. */
static struct file {
	atomic_bool is_taken;
	atomic_bool is_ready; ///< its path is written
	int directory;        ///< that it is in
	char path[PATH_MAX];
} files[FILES_MAX];

/**
 * A child process that gets the signal, too, must not remove its parent's
 * files.
 */
static _Atomic(pid_t) owner;

static const int endings[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ,
};

/** By then the signal has its default action again: it ends the program. */
static void remove_files(int number)
{
	for (size_t i = 0; owner == getpid() && i < FILES_MAX; i++)
		if (atomic_load(&files[i].is_ready))
			unlinkat(files[i].directory, files[i].path, 0);
	raise(number);
}

static void install(void)
{
	struct sigaction action = { .sa_handler = remove_files,
		                    .sa_flags = (int)SA_RESETHAND };

	if (atomic_exchange(&owner, getpid()) == getpid())
		return;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		struct sigaction before;

		// Keep ignored (nohup) and handled signals.
		if (!sigaction(endings[i], NULL, &before) &&
		    before.sa_handler == SIG_DFL)
			sigaction(endings[i], &action, NULL);
	}
}

/** A free slot for a new file; NULL if all are used. */
static struct file *remember(int directory, const struct str *path)
{
	for (size_t i = 0; i < FILES_MAX && path->size < PATH_MAX; i++) {
		bool is_taken = false;

		if (!atomic_compare_exchange_strong(&files[i].is_taken,
		                                    &is_taken, true))
			continue;
		memcpy(files[i].path, path->data, path->size);
		files[i].path[path->size] = '\0';
		files[i].directory = directory;
		atomic_store(&files[i].is_ready, true);
		return &files[i];
	}
	return NULL;
}

static void forget(struct file *file)
{
	if (!file)
		return;
	atomic_store(&file->is_ready, false);
	atomic_store(&file->is_taken, false);
}

int unfinished_make(int directory, const char *target,
                    int (*make)(const char *name, void *context), void *context,
                    char **name)
{
	SCOPED(str_release) struct str path = { 0 };
	int result = -1;
	int failure;

	install();
	for (unsigned i = 0; i < NAMES_MAX; i++) {
		struct file *file;

		str_clear(&path);
		str_addf(&path, "%s.%ld-%u", target, (long)getpid(), i);
		// Before creating it: the signal may arrive in any thread.
		file = remember(directory, &path);
		result = make(str_cstr(&path), context);
		failure = errno;
		if (result >= 0)
			break;
		forget(file);
		errno = failure;
		if (failure != EEXIST)
			break;
	}
	if (result >= 0)
		*name = mem_strndup(path.data, path.size);
	return result;
}

void unfinished_drop(int directory, const char *name)
{
	for (size_t i = 0; i < FILES_MAX; i++)
		if (atomic_load(&files[i].is_ready) &&
		    files[i].directory == directory &&
		    !strcmp(files[i].path, name))
			forget(&files[i]);
}
