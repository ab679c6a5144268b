#include "parsers/input/repair/repair.h"

#include "lib/base/cursor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Whatever was done to a text: it is undone in a few layers, and shrinks. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(repaired_release) struct repaired repaired = { 0 };
	struct bytes in = { .data = data, .size = size };
	bool found = repair(bytes_text(in), &repaired);

	if (found != (repaired.count > 0) || repaired.count > REPAIR_LAYERS_MAX)
		__builtin_trap();
	// The last line may get its end.
	if (repaired.text.size > size + repaired.count)
		__builtin_trap();
	return 0;
}
