/* Linkage names; the runtime's demangler is behind it, within the budget. */
#include "lib/symbols/demangle/demangle.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text name = { .data = (const char *)data, .size = size };

	demangle(name, false, &arena);
	demangle(name, true, &arena);
	return 0;
}
