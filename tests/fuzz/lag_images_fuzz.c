// SPDX-License-Identifier: MIT
#include "parsers/lag/lag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text in = { .data = (const char *)data, .size = size };
	struct lag_images images = { 0 };
	struct error *err = lag_images_read(&in, &arena, &images);

	// Nothing is invented, and the rest is one of the input.
	if (in.size > size || images.count > size || (err && images.count))
		__builtin_trap();
	for (size_t i = 0; i < images.count; i++)
		if (!images.items[i].name)
			__builtin_trap();
	error_free(err);
	return 0;
}
