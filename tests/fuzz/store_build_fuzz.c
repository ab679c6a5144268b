// SPDX-License-Identifier: MIT
#include "lib/symbols/index/store_builds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** A record of a store, and the path that its names make. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct text in = { (const char *)data, size };
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(str_release) struct str path = { 0 };
	struct store_build build = { 0 };
	struct error *err = store_build_parse(in, &arena, &build);

	if (!err)
		err = store_build_add_path("s", &build, &path);
	error_free(err);
	return 0;
}
