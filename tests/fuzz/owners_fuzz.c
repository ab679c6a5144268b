// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/owners.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const paths[] = {
		"Sources/Feed/Feed.m",
		"/Users/ci/build/42/App/Sources/Feed/Feed.m",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/b",
		"",
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text in = { .data = (const char *)data, .size = size };
	struct owners owners = { 0 };
	struct error *err = owners_parse(in, "CODEOWNERS", &arena, &owners);

	for (size_t i = 0; !err && i < ARRAY_SIZE(paths); i++)
		owners_find(&owners, paths[i]);
	error_free(err);
	return 0;
}
