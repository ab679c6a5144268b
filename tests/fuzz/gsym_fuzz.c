// SPDX-License-Identifier: MIT
#include "lib/symbols/gsym/gsym.h"

#define LOOKUPS 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** The first byte says how far apart the addresses looked up lie. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct gsym_answer answer;
	struct gsym gsym;
	struct error *err;

	if (!size)
		return 0;
	err = gsym_open((struct bytes){ data + 1, size - 1 }, &gsym);
	error_free(err);
	if (err)
		return 0;
	for (uint64_t i = 0; i < LOOKUPS; i++)
		(void)gsym_lookup(&gsym, gsym.base_address + i * data[0],
		                  &arena, &answer);
	return 0;
}
