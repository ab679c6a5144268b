// SPDX-License-Identifier: MIT
/* Linkage names; the runtime's demangler is behind it, within the budget. */
#include "lib/symbols/demangle/demangle.h"

#include "lib/symbols/demangle/running_text.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text name = { .data = (const char *)data, .size = size };
	struct text rest = name;
	struct text before;

	demangle(name, false, &arena);
	demangle(name, true, &arena);
	demangle_whole(name, DEMANGLE_FULL, &arena);
	while (mangled_next(&rest, &before, &name))
		demangle_whole(name, DEMANGLE_SHORT, &arena);
	return 0;
}
