// SPDX-License-Identifier: MIT
#include "tests/fuzz/parse_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text in = { .data = (const char *)data, .size = size };

	parse_input(&ips_reader, in, &arena);
	return 0;
}
