// SPDX-License-Identifier: MIT
#include "parsers/input/repair/repair.h"

#include "lib/base/cursor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Was a text written anew? All other repairs only take from it. */
static bool is_written(const struct repaired *repaired)
{
	for (size_t i = 0; i < repaired->count; i++) {
		struct text note = str_text(&repaired->notes[i]);

		if (text_find(note, "put braces around") != TEXT_NOWHERE ||
		    text_find(note, "joined the cells") != TEXT_NOWHERE)
			return true;
	}
	return false;
}

/** Whatever was done to a text: it is undone in a few layers, and shrinks. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(repaired_release) struct repaired repaired = { 0 };
	struct bytes in = { .data = data, .size = size };
	bool found = repair(bytes_text(in), &repaired);

	if (found != (repaired.count > 0) || repaired.count > REPAIR_LAYERS_MAX)
		__builtin_trap();
	// The last line may get its end.
	if (repaired.text.size >
	    (is_written(&repaired) ? 3 * size : size) + repaired.count)
		__builtin_trap();
	return 0;
}
