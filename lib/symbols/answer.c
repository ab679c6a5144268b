// SPDX-License-Identifier: MIT
#include "lib/symbols/answer.h"

#include "lib/base/source_path.h"

#include <string.h>

static const char *join_path(const struct symbol_call *call,
                             struct arena *arena)
{
	size_t directory_size = call->directory_size;
	char *path;

	if (!call->file || !call->directory)
		return call->file;
	if (!strcmp(call->directory, "/"))
		directory_size = 0;
	path = arena_take_bytes(arena,
	                        directory_size + 1 + call->file_size + 1);
	memcpy(path, call->directory, directory_size);
	path[directory_size] = '/';
	memcpy(path + directory_size + 1, call->file, call->file_size + 1);
	return path;
}

const char *symbol_call_path(const struct symbol_call *call,
                             struct arena *arena)
{
	return source_path(join_path(call, arena), arena);
}
