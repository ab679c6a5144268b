// SPDX-License-Identifier: MIT
/*
 * Feeds files to a fuzz target without libFuzzer: `NAME_replay PATH...`.
 * ctest replays the corpus and the samples with it, with any compiler. A path
 * is a file or a directory that is walked; one that is not there is passed
 * over, for a young target has no corpus yet. Like libFuzzer it begins with
 * nothing at all, which no file of a corpus is.
 */
#include "lib/base/file.h"
#include "lib/base/file_walk.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct error *replay(const struct file_found *found, void *context)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct error *err;
	size_t *count = context;

	err = file_read(found->path, LIMIT_DEFAULT_REPORT, &file);
	if (err)
		return err;
	// Said before it runs: the last name printed is the one that crashed.
	printf("%s\n", found->path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(file.bytes.data, file.bytes.size);
	(*count)++;
	return NULL;
}

static void replay_nothing(void)
{
	// On the heap, where a sanitizer sees what is read behind it.
	SCOPED(mem_drop) uint8_t *nothing = mem_alloc(0);

	puts("no bytes");
	fflush(stdout);
	LLVMFuzzerTestOneInput(nothing, 0);
}

int main(int argc, char **argv)
{
	size_t count = 1;

	replay_nothing();
	for (int i = 1; i < argc; i++) {
		struct error *err;

		if (access(argv[i], F_OK))
			continue;
		err = file_walk(argv[i], replay, &count, NULL);
		if (err) {
			fprintf(stderr, "%s\n", error_message(err));
			error_free(err);
			return 1;
		}
	}
	printf("%zu inputs replayed\n", count);
	return 0;
}
