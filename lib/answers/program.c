// SPDX-License-Identifier: MIT
#include "lib/answers/program.h"

#include "lib/answers/child.h"
#include "lib/base/file.h"
#include "lib/base/process.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "apmtool"

#define VERSION_BYTES_MAX 4096

/** Execute `apmtool version`; append the start of its output. */
static struct error *ask_version(const char *path, struct str *ret)
{
	char *const arguments[] = { (char *)NAME, (char *)"version", NULL };
	char room[VERSION_BYTES_MAX];
	struct child_pipes pipes;
	ssize_t got = 0;
	int status;
	pid_t pid;
	struct error *err = child_execute(path, arguments, &pipes, &pid);

	if (err)
		return err;
	close(pipes.to);
	while (ret->size < sizeof(room) &&
	       (got = file_read_some(pipes.from, room,
	                             sizeof(room) - ret->size)) > 0)
		str_add_bytes(ret, room, (size_t)got);
	close(pipes.from);
	if (got)
		kill(pid, SIGKILL);
	status = process_wait(pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return error_new(ERROR_OS, "'%s version' failed", path);
	return NULL;
}

static struct error *check_version(const char *path, const char *commit)
{
	SCOPED(str_release) struct str expected = { 0 };
	SCOPED(str_release) struct str found = { 0 };
	struct text rest, line, mine, own_line;
	struct error *err = ask_version(path, &found);

	if (err)
		return err;
	str_addf(&expected, "apmtool " APMTOOL_VERSION "\ncommit %s\n", commit);
	rest = str_text(&found);
	mine = str_text(&expected);
	while (text_next_line(&mine, &own_line)) {
		if (!text_next_line(&rest, &line))
			line = text_from("");
		if (!text_equal(line, own_line))
			return error_new(
			        ERROR_UNSUPPORTED,
			        "'%s' has another version: expected '%.*s', "
			        "found '%.*s'",
			        path, TEXT_ARGS(own_line),
			        TEXT_ARGS(text_first(line, 100)));
	}
	return NULL;
}

struct error *filter_program_find(const char *commit, struct str *ret)
{
	SCOPED(str_release) struct str own = { 0 };
	size_t before = ret->size;
	struct text directory;
	struct error *err = file_own_program(&own);

	if (err)
		return err;
	directory = str_text(&own);
	directory.size = text_find_last_char(directory, '/') + 1;
	str_add_text(ret, directory);
	str_add(ret, NAME);
	err = check_version(str_cstr(ret) + before, commit);
	if (err) {
		ret->size = before;
		str_end(ret, 0);
	}
	return err;
}
