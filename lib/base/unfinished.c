#include "lib/base/unfinished.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/** A run has one output, and jobs that write to the cache. More go unseen. */
#define FILES_MAX 8
#define NAMES_MAX 100

/** In fixed places: a handler must not see memory that was freed. */
static struct {
	atomic_bool is_taken;
	atomic_bool exists;
	char path[PATH_MAX];
} files[FILES_MAX];

/** A child that gets the signal as well leaves its parent's files alone. */
static pid_t owner;

static const int endings[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ,
};

/** By then the signal has its default action again: it ends the program. */
static void remove_files(int number)
{
	for (size_t i = 0; owner == getpid() && i < FILES_MAX; i++)
		if (atomic_load(&files[i].exists))
			unlink(files[i].path);
	raise(number);
}

static void install(void)
{
	struct sigaction action = { .sa_handler = remove_files,
		                    .sa_flags = (int)SA_RESETHAND };

	owner = getpid();
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		struct sigaction before;

		// What is ignored (nohup) or handled stays so.
		if (!sigaction(endings[i], NULL, &before) &&
		    before.sa_handler == SIG_DFL)
			sigaction(endings[i], &action, NULL);
	}
}

static void hold_signals(sigset_t *before)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		sigaddset(&held, endings[i]);
	pthread_sigmask(SIG_BLOCK, &held, before);
}

static void remember(const char *name)
{
	size_t size = strlen(name) + 1;

	for (size_t i = 0; i < FILES_MAX && size <= PATH_MAX; i++) {
		bool is_taken = false;

		if (!atomic_compare_exchange_strong(&files[i].is_taken,
		                                    &is_taken, true))
			continue;
		memcpy(files[i].path, name, size);
		atomic_store(&files[i].exists, true);
		return;
	}
}

int unfinished_make(const char *target,
                    int (*make)(const char *name, void *context), void *context,
                    char **name)
{
	SCOPED(str_release) struct str path = { 0 };
	sigset_t before;
	int result = -1;
	int failure;

	install();
	hold_signals(&before);
	for (unsigned i = 0; i < NAMES_MAX; i++) {
		str_clear(&path);
		str_addf(&path, "%s.%ld-%u", target, (long)getpid(), i);
		result = make(str_cstr(&path), context);
		if (result >= 0 || errno != EEXIST)
			break;
	}
	failure = errno;
	if (result >= 0) {
		remember(path.data);
		*name = mem_strndup(path.data, path.size);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = failure;
	return result;
}

void unfinished_drop(const char *name)
{
	for (size_t i = 0; i < FILES_MAX; i++) {
		if (!atomic_load(&files[i].exists) ||
		    strcmp(files[i].path, name) != 0)
			continue;
		atomic_store(&files[i].exists, false);
		atomic_store(&files[i].is_taken, false);
	}
}
