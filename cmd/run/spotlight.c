// SPDX-License-Identifier: MIT
#include "cmd/run/spotlight.h"

#ifdef __APPLE__

#include "lib/base/file.h"
#include "lib/base/process.h"
#include "lib/base/str.h"

#include <crt_externs.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MDFIND "/usr/bin/mdfind"

void spotlight_add_places(struct intern *places, const char *home)
{
	SCOPED(str_release) struct str path = { 0 };

	if (!home || home[0] != '/')
		return;
	str_addf(&path, "%s/Library/Developer/Xcode/Archives", home);
	if (file_is_directory(str_cstr(&path)))
		intern_add(places, str_text(&path));
}

/** Start the system's mdfind, which answers to @p out. */
static bool start(const char *question, int out, pid_t *ret)
{
	char *const arguments[] = { (char *)MDFIND, (char *)question, NULL };
	posix_spawn_file_actions_t actions;
	bool good;

	if (posix_spawn_file_actions_init(&actions))
		return false;
	good = !posix_spawn_file_actions_addopen(&actions, STDERR_FILENO,
	                                         "/dev/null", O_WRONLY, 0) &&
	       !posix_spawn_file_actions_adddup2(&actions, out,
	                                         STDOUT_FILENO) &&
	       !posix_spawn(ret, MDFIND, &actions, NULL, arguments,
	                    *_NSGetEnviron());
	posix_spawn_file_actions_destroy(&actions);
	return good;
}

/** Add the files listed in @p in, one per line. */
static void add_all(struct uuid_index *index, int in)
{
	char path[4096];
	struct file_budget budget = FILE_BUDGET;
	FILE *answer = fdopen(in, "r");

	if (!answer) {
		close(in);
		return;
	}
	while (fgets(path, sizeof(path), answer)) {
		path[strcspn(path, "\n")] = '\0';
		uuid_index_add_near(index, path, &budget);
	}
	fclose(answer);
}

bool spotlight_add(struct uuid_index *index, const struct uuid *uuid)
{
	char question[128], text[UUID_TEXT_SIZE];
	int ends[2], status = -1;
	pid_t child;
	bool started;

	snprintf(question, sizeof(question), "com_apple_xcode_dsym_uuids == %s",
	         uuid_format(uuid, text));
	// mdfind must not inherit the reading end.
	if (!process_pipe(ends))
		return false;
	started = start(question, ends[1], &child);
	close(ends[1]);
	if (!started) {
		close(ends[0]);
		return false;
	}
	add_all(index, ends[0]);
	return waitpid(child, &status, 0) == child && !status;
}

#else

void spotlight_add_places(struct intern *places, const char *home)
{
	(void)places;
	(void)home;
}

bool spotlight_add(struct uuid_index *index, const struct uuid *uuid)
{
	(void)index;
	(void)uuid;
	return false;
}

#endif
